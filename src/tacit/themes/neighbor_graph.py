"""Graph of nearest neighbors, and vectors smoothed by a random walk on it.

The walk replaces each vector by the mean of itself and its neighbors, several times. Texts that share no word
but many neighbors move close together, which gives k-means compact clusters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.compute.nearest import find_nearest
from tacit.types import Array

N_NEIGHBORS = 15


def center_rows(vectors: Array, mean: Array) -> Array:
    """Return unit vectors of the differences from a mean, in float32."""
    return normalize_rows(vectors - mean).astype(np.float32)


def build_graph(centered: Array, n_threads: int | None = None) -> Any:
    """Connect each row with its nearest rows by their cosine, if it is positive; the graph is symmetric.

    >>> build_graph(np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)).toarray().round(1).tolist()
    [[0.0, 0.0, 0.6], [0.0, 0.0, 0.8], [0.6, 0.8, 0.0]]
    """
    from scipy.sparse import csr_array

    n = len(centered)
    scores, rows = find_nearest(centered, centered, min(N_NEIGHBORS + 1, n), n_threads=n_threads)
    is_edge = (rows != np.arange(n)[:, None]) & (scores > 0)
    is_edge &= np.cumsum(is_edge, axis=1) <= N_NEIGHBORS
    starts = np.concatenate([[0], np.cumsum(is_edge.sum(axis=1))])
    graph = csr_array((scores[is_edge], rows[is_edge], starts), shape=(n, n))
    return graph.maximum(graph.T).tocsr()


def smooth_by_random_walk(vectors: Array, graph: Any, n_steps: int) -> Array:
    """Return centered unit vectors after ``n_steps`` steps of a lazy random walk on the graph."""
    from scipy.sparse import diags_array

    degrees = np.asarray(graph.sum(axis=1)).ravel()
    inverse = np.divide(1, degrees, out=np.zeros_like(degrees), where=degrees > 0)
    step = (diags_array(inverse) @ graph).tocsr()
    smoothed = vectors
    for _ in range(n_steps):
        smoothed = (smoothed + step @ smoothed) / 2
    return center_rows(smoothed, smoothed.mean(axis=0))


def weight_per_label(graph: Any, labels: Array, n_labels: int) -> Array:
    """Return the share of each row's edge weight that leads to each label; rows without edges get zeros."""
    from scipy.sparse import csr_array

    n = len(labels)
    members = csr_array((np.ones(n, np.float32), labels, np.arange(n + 1)), shape=(n, n_labels))
    weights = (graph @ members).toarray()
    totals = weights.sum(axis=1, keepdims=True)
    return np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)


def shares_of_labels(cosines: Array, labels: Array, n_labels: int) -> Array:
    """Return the share of each label in the cosines of the neighbors of each row; label -1 is left out.

    >>> shares_of_labels(np.array([[0.5, 0.25, 0.25]]), np.array([[1, 0, -1]]), 2).tolist()
    [[0.25, 0.5]]
    """
    votes = np.zeros((len(cosines), n_labels + 1))
    np.add.at(votes, (np.arange(len(cosines))[:, None], labels), cosines)
    totals = votes.sum(axis=1, keepdims=True)
    shares: Array = np.divide(votes, totals, out=np.zeros_like(votes), where=totals > 0)
    return shares[:, :n_labels]
