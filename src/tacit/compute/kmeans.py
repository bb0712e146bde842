"""Spherical k-means for dense and sparse rows (Dhillon & Modha 2001).

Each row is assigned to the center with the largest cosine. The random state fixes the initial centers, sums
run in the order of the rows, and ties go to the first center: the same bits for any number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.compute.nearest import find_nearest, inner_products
from tacit.compute.tiles import jit
from tacit.types import Array, ProgressCallback

INIT_ROWS_PER_CLUSTER = 256  # size of the sample for k-means++, per cluster
SMALL_N_ROWS, SMALL_N_INIT = 20_000, 5  # up to this many rows, k-means is run this many times


class KMeansResult(NamedTuple):
    """The cluster of each row, its cosine with the center, and the centers."""

    labels: Array
    cosines: Array
    centers: Array


def spherical_kmeans(
    rows: Any, n_clusters: int, random_state: int = 0, n_iter: int = 50, n_init: int | None = None,
    init: str = "k-means++", fill_empty: bool = False, n_threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> KMeansResult:  # fmt: skip
    """Cluster rows of unit length.

    Parameters
    ----------
    rows : array or scipy.sparse.csr_array
        Rows of unit length in float32.
    n_clusters : int
        Number of clusters; at most the number of rows is used.
    random_state : int
        Seed of the initial centers.
    n_iter : int
        Maximum number of iterations. A run ends earlier when no label changes.
    n_init : int, optional
        Number of runs, of which the one with the largest sum of cosines is returned. By default 5 for up to
        20,000 rows, which one bad start could spoil, and 1 for more.
    init : {"k-means++", "random"}
        Start from rows that are far apart, or from random rows.
    fill_empty : bool
        Move the row that fits worst into each empty cluster, even if it equals a row of another cluster. If
        False, only the center of an empty cluster is moved to that row.
    n_threads : int, optional
        Number of threads for dense rows; None for all cores.
    progress : callable, optional
        Receives the number of finished iterations and their maximum.

    Returns
    -------
    KMeansResult
        Labels, cosines and centers.

    Examples
    --------
    >>> result = spherical_kmeans(np.array([[1, 0], [0, 1], [1, 0]], np.float32), 2)
    >>> bool(result.labels[0] == result.labels[2] != result.labels[1])
    True
    """
    n_clusters = min(n_clusters, rows.shape[0])
    if n_init is None:
        n_init = SMALL_N_INIT if rows.shape[0] <= SMALL_N_ROWS else 1

    def run_once(run: int) -> KMeansResult:
        """Alternate assignments and updates of the centers until no label changes."""
        centers = _init_centers(rows, n_clusters, random_state + run, init)
        labels = np.full(rows.shape[0], -1, np.int64)
        for step in range(1, n_iter + 1):
            cosines, new_labels = _assign(rows, centers, n_threads)
            if fill_empty:
                _fill_empty_clusters(new_labels, cosines, n_clusters)
            if progress:
                progress(run * n_iter + step, n_init * n_iter)
            if np.array_equal(new_labels, labels):
                break
            labels = new_labels
            centers = _update_centers(rows, labels, cosines, n_clusters)
        return KMeansResult(labels, cosines, centers)

    return max(map(run_once, range(n_init)), key=lambda result: float(result.cosines.sum(dtype=np.float64)))


def _init_centers(rows: Any, n_clusters: int, random_state: int, init: str) -> Array:
    """Select rows as initial centers: random ones, or by k-means++ on a sample."""
    rng = np.random.default_rng(random_state)
    if init == "random":
        return _to_dense(rows[rng.permutation(rows.shape[0])[:n_clusters]])
    size = min(rows.shape[0], INIT_ROWS_PER_CLUSTER * n_clusters)
    sample = rows[np.sort(rng.choice(rows.shape[0], size, replace=False))]
    chosen = [int(rng.integers(size))]
    distances = _cosine_distances(sample, chosen[-1])
    for _ in range(n_clusters - 1):
        cumulative, total = np.cumsum(distances), float(distances.sum())
        next_row = np.searchsorted(cumulative, rng.random() * total, side="right") if total > 0 else 0
        chosen.append(min(int(next_row), size - 1))
        np.minimum(distances, _cosine_distances(sample, chosen[-1]), out=distances)
    return _to_dense(sample[chosen])


def _to_dense(rows: Any) -> Array:
    """Convert rows to an array; sparse rows in Fortran order, which their products with centers need."""
    if isinstance(rows, np.ndarray):
        return np.ascontiguousarray(rows)
    return np.ascontiguousarray(rows.toarray().T).T


def _cosine_distances(sample: Any, row: int) -> Array:
    """Compute 1 - cosine with one row, at least 0.

    Dense rows use a numba kernel, because a BLAS product has other bits on other machines.
    """
    if isinstance(sample, np.ndarray):
        cosines = inner_products(sample, sample[row].copy())
    else:
        cosines = (sample @ sample[[row]].T).toarray().ravel()
    return np.maximum(1 - cosines, 0).astype(np.float64)


def _assign(rows: Any, centers: Array, n_threads: int | None) -> tuple[Array, Array]:
    """Return the largest cosine of each row, and the number of its center."""
    if isinstance(rows, np.ndarray):
        cosines, labels = find_nearest(centers, rows, 1, n_threads=n_threads)
        return cosines[:, 0], labels[:, 0]
    all_cosines = rows @ centers.T
    return all_cosines.max(axis=1), all_cosines.argmax(axis=1)


def _fill_empty_clusters(labels: Array, cosines: Array, n_clusters: int) -> None:
    """Move the worst-fitting row of a larger cluster into each empty cluster, in place."""
    sizes = np.bincount(labels, minlength=n_clusters)
    worst_first = iter(np.argsort(cosines, kind="stable"))
    for empty in np.flatnonzero(sizes == 0):
        row = next(row for row in worst_first if sizes[labels[row]] > 1)
        sizes[labels[row]] -= 1
        sizes[empty] += 1
        labels[row] = empty


def _update_centers(rows: Any, labels: Array, cosines: Array, n_clusters: int) -> Array:
    """Compute the mean directions; the center of an empty cluster becomes a row that fits worst."""
    sums = sum_by_label(rows, labels, n_clusters)
    empty = np.flatnonzero(np.bincount(labels, minlength=n_clusters) == 0)
    if len(empty):
        sums[empty] = _to_dense(rows[np.argsort(cosines, kind="stable")[: len(empty)]])
    if isinstance(rows, np.ndarray):
        return normalize_rows(sums).astype(np.float32)
    sums /= np.maximum(np.linalg.norm(sums.T, axis=0), 1e-12)[:, None]
    return sums


def sum_by_label(rows: Any, labels: Array, n_labels: int) -> Array:
    """Sum the rows with each label: dense rows in float64, sparse rows in their own precision.

    >>> sum_by_label(np.eye(3, dtype=np.float32), np.array([1, 0, 1]), 2)
    array([[0., 1., 0.],
           [1., 0., 1.]])
    """
    if isinstance(rows, np.ndarray):
        return _sum_by_label_kernel(rows, labels, n_labels)
    from scipy.sparse import csr_array

    n = rows.shape[0]
    members = csr_array((np.ones(n, np.float32), labels, np.arange(n + 1)), shape=(n, n_labels))
    return np.ascontiguousarray((rows.T.tocsr() @ members).toarray()).T


@jit
def _sum_by_label_kernel(rows, labels, n_labels):  # type: ignore[no-untyped-def]
    sums = np.zeros((n_labels, rows.shape[1]))
    for i in range(len(rows)):
        for k in range(rows.shape[1]):
            sums[labels[i], k] += rows[i, k]
    return sums
