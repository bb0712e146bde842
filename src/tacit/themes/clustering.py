"""Themes and sub-themes of smoothed vectors, and the number of themes.

Vectors are smoothed by a random walk on the graph of nearest neighbors: it replaces each vector by the mean
of itself and its neighbors, several times. Texts that share no word but many neighbors move close together,
which gives k-means compact clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tacit.compute.cosine import cosine_matrix, normalize_rows
from tacit.compute.kmeans import spherical_kmeans
from tacit.compute.nearest import find_nearest
from tacit.compute.threads import one_blas_thread
from tacit.types import Array

N_NEIGHBORS = 15

WALK_STEPS, SUBTHEME_WALK_STEPS = 8, 4
MIN_THEMES, MAX_THEMES = 5, 12
"""Range of the number of themes that is chosen automatically."""

MAX_AGREEMENT_LOSS = 0.01
MAX_SAMPLED_TEXTS = 3000
MIN_TEXTS_PER_THEME = 20
"""The number of themes that is chosen automatically leaves this number of texts for each, on average."""

MIN_TEXTS_TO_CHOOSE = 120
"""With fewer texts, models of half of them say nothing about the number of themes."""

MIN_TEXTS_TO_SPLIT, MIN_SUBTHEME_TEXTS, MAX_SUBTHEMES = 60, 12, 6
MAX_SILHOUETTE_TEXTS = 1000
Encoder = Callable[[list[str]], Array]
"""A function that trains a model on the first argument and returns the vectors of all sampled texts."""


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


def cluster_graph(
    vectors: Array, graph: Any, n_clusters: int, random_state: int, n_threads: int | None = None
) -> Array:
    """Cluster vectors smoothed on their graph; cluster 0 is the largest."""
    smoothed = smooth_by_random_walk(vectors, graph, WALK_STEPS)
    return _cluster(smoothed, n_clusters, random_state, n_threads)


def _cluster(smoothed: Array, n_clusters: int, random_state: int, n_threads: int | None) -> Array:
    labels = spherical_kmeans(smoothed, n_clusters, random_state, n_threads=n_threads).labels
    return sort_labels_by_size(labels)


def sort_labels_by_size(labels: Array) -> Array:
    """Number labels from 0 in the order of their sizes, without gaps.

    >>> sort_labels_by_size(np.array([5, 2, 2])).tolist()
    [1, 0, 0]
    """
    _, positions, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    ranks = np.argsort(np.argsort(-sizes, kind="stable"), kind="stable")
    return ranks[positions]


def default_n_themes(n_texts: int) -> int:
    """Return the number of themes of a small collection.

    >>> [default_n_themes(n) for n in (1, 5, 20, 50)]
    [1, 2, 3, 5]
    """
    return int(min(max(round((n_texts / 2) ** 0.5), 1), MIN_THEMES))


def measure_agreement(
    texts: list[str], vectors: Array, encode_with: Encoder, random_state: int,
    n_threads: int | None = None, on_model: Callable[[int, int], None] | None = None,
) -> dict[int, float]:  # fmt: skip
    """Compare clusterings of the texts with those by models of half the texts, for each number of themes.

    The value is the mean adjusted mutual information with models of the first, second, even and odd texts.
    """
    from sklearn.metrics import adjusted_mutual_info_score

    halves = [texts[: len(texts) // 2], texts[len(texts) // 2 :], texts[::2], texts[1::2]]
    numbers = range(MIN_THEMES, min(MAX_THEMES, len(texts) // MIN_TEXTS_PER_THEME) + 1)

    def cluster_all(rows: Array) -> list[Array]:
        unit = normalize_rows(rows)
        graph = build_graph(center_rows(unit, unit.mean(axis=0)), n_threads)
        smoothed = smooth_by_random_walk(unit, graph, WALK_STEPS)
        return [_cluster(smoothed, number, random_state, n_threads) for number in numbers]

    reference = cluster_all(vectors)
    totals = np.zeros(len(numbers))
    for done, half in enumerate(halves, 1):
        others = cluster_all(encode_with(half))
        totals += [adjusted_mutual_info_score(a, b) for a, b in zip(reference, others, strict=True)]
        if on_model is not None:
            on_model(done, len(halves))
    return dict(zip(numbers, (totals / len(halves)).tolist(), strict=True))


def choose_by_agreement(agreement: dict[int, float]) -> int:
    """Return the largest number of themes whose agreement is close to the best.

    >>> choose_by_agreement({5: 0.7, 6: 0.695, 7: 0.6})
    6
    """
    best = max(agreement.values())
    return max(number for number, value in agreement.items() if value >= best - MAX_AGREEMENT_LOSS)


def split_theme(vectors: Array, graph: Any, random_state: int, n_threads: int | None = None) -> Array | None:
    """Return labels of 2 to 6 sub-themes by the best silhouette; None if no split has enough texts in each.

    ``vectors`` and ``graph`` are those of the texts of one theme.
    """
    if len(vectors) < MIN_TEXTS_TO_SPLIT:
        return None
    smoothed = smooth_by_random_walk(vectors, graph, SUBTHEME_WALK_STEPS)
    best: tuple[float, Array | None] = (0.0, None)
    for number in range(2, MAX_SUBTHEMES + 1):
        labels = _cluster(smoothed, number, random_state, n_threads)
        if np.bincount(labels).min() >= MIN_SUBTHEME_TEXTS:
            silhouette = measure_silhouette(smoothed[:MAX_SILHOUETTE_TEXTS], labels[:MAX_SILHOUETTE_TEXTS])
            best = max(best, (silhouette, labels), key=lambda scored: scored[0])
    return best[1]


def measure_silhouette(vectors: Array, labels: Array) -> float:
    """Return the mean silhouette (Rousseeuw 1987) by cosine distance; 0 for a single label."""
    sizes = np.bincount(labels)
    if (sizes > 0).sum() < 2:
        return 0.0
    members = np.eye(len(sizes))[labels]
    with one_blas_thread():
        sums = (1 - cosine_matrix(vectors, vectors).astype(np.float64)) @ members
    rows = np.arange(len(labels))
    inside = sums[rows, labels] / np.maximum(sizes[labels] - 1, 1)
    means = np.where(sizes > 0, sums / np.maximum(sizes, 1), np.inf)
    means[rows, labels] = np.inf
    nearest = means.min(axis=1)
    silhouettes = (nearest - inside) / np.maximum(np.maximum(nearest, inside), 1e-12)
    return float(np.where(sizes[labels] > 1, silhouettes, 0).mean())
