"""Spherical k-means over sparse rows: each row goes to the centroid with the largest cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[Any]


def spherical_kmeans(X: csr_array, n_clusters: int, n_iter: int = 20, seed: Any = 0) -> Array:
    """The cluster of every row; clusters that run empty start again from the rows that fit worst.

    >>> from scipy.sparse import csr_array
    >>> labels = spherical_kmeans(csr_array([[1.0, 0], [2, 0], [0, 1], [0, 3]]), 2)
    >>> [int(label == labels[0]) for label in labels]
    [1, 1, 0, 0]
    """
    unit = unit_rows(X).astype(np.float32)
    n = X.shape[0]
    n_clusters = min(n_clusters, n)
    first = np.random.default_rng(seed).permutation(n)[:n_clusters]
    centres = unit[first].T.tocsc().toarray()
    labels = np.full(n, -1)
    for _ in range(n_iter):
        cosines = unit @ centres
        found = cosines.argmax(axis=1)
        _reseed(found, cosines.max(axis=1), n_clusters)
        if (found == labels).all():
            break
        labels = found
        centres = cluster_sums(unit, labels, n_clusters)
        centres /= np.maximum(np.linalg.norm(centres, axis=0), 1e-12)
    return labels


def _reseed(labels: Array, fit: Array, n_clusters: int) -> None:
    """Give each empty cluster the worst-fitting row of a cluster that has others."""
    sizes = np.bincount(labels, minlength=n_clusters)
    worst = iter(np.argsort(fit, kind="stable"))
    for empty in np.flatnonzero(sizes == 0):
        row = next(row for row in worst if sizes[labels[row]] > 1)
        sizes[labels[row]] -= 1
        sizes[empty] += 1
        labels[row] = empty


def cluster_sums(X: csr_array, labels: Array, n_clusters: int) -> Array:
    """The sum of the rows of each cluster, as dense columns."""
    from scipy.sparse import csr_array

    n = X.shape[0]
    members = csr_array((np.ones(n, np.float32), labels, np.arange(n + 1)), shape=(n, n_clusters))
    return np.ascontiguousarray((X.T.tocsr() @ members).toarray())
