"""Two-dimensional layout of vectors with UMAP's forces, deterministic for a seed.

Points start on the first two principal axes. Then each point is attracted by its nearest neighbors and
repelled by random points, with the forces of UMAP (McInnes, Healy & Melville 2018) for a = b = 1: the
similarity of a pair at distance d is 1 / (1 + d^2). Points are moved one after another.
"""

from __future__ import annotations

import numpy as np

from tacit.compute.nearest import inner_products
from tacit.compute.threads import one_blas_thread
from tacit.compute.tiles import jit
from tacit.factorize.row_solver import gram_matrix
from tacit.search.approximate import nearest_neighbors
from tacit.types import Array, ProgressCallback, ProgressCounter

N_NEIGHBORS = 12
N_EPOCHS = 120
N_NEGATIVE_SAMPLES = 30
"""Random points that repel a point in each epoch."""

MAX_LAYOUT_POINTS = 200_000
"""With more points a sample is laid out, and the others are placed near their neighbors in the sample."""


def compute_layout(
    vectors: Array, seed: int = 0, n_threads: int | None = None, progress: ProgressCallback | None = None
) -> Array:
    """Return a point for each unit vector, within the square from -1 to 1.

    >>> compute_layout(np.eye(5, dtype=np.float32)).shape
    (5, 2)
    """
    n = len(vectors)
    if n < 3:
        return np.array([[0.0, 0.0], [0.5, 0.0]], np.float32)[:n]
    rows = np.arange(n)
    if n > MAX_LAYOUT_POINTS:
        rows = np.sort(np.random.default_rng(seed).choice(n, MAX_LAYOUT_POINTS, replace=False))
    counter = ProgressCounter(progress, n)
    sample = np.ascontiguousarray(vectors[rows])
    k = min(N_NEIGHBORS + 1, len(sample))
    scores, neighbors = nearest_neighbors(sample, sample, k, n_threads, counter)
    points = optimize_layout(_pca_init(sample), neighbors, _edge_weights(scores), N_EPOCHS, seed)
    if n > MAX_LAYOUT_POINTS:
        points = _place_remaining(vectors, rows, points, n_threads, counter)
    counter.finish()
    return _fit_to_square(points)


def _edge_weights(scores: Array) -> Array:
    """Return the attraction of each neighbor: 1 for the nearest other text, less for farther ones."""
    distances = 1 - np.minimum(scores, 1)
    nearest = distances[:, 1:2]
    mean = np.maximum((distances - nearest)[:, 1:].mean(axis=1, keepdims=True), 1e-6)
    return np.exp(-np.maximum(distances - nearest, 0) / mean).astype(np.float32)


def _pca_init(vectors: Array) -> Array:
    """Project vectors to their first two principal axes, about ten wide; the signs of the axes are fixed."""
    mean = vectors.mean(axis=0, dtype=np.float64)
    scatter = gram_matrix(vectors) - len(vectors) * np.outer(mean, mean)
    with one_blas_thread():
        axes = np.linalg.eigh(scatter)[1][:, ::-1][:, :2]
    axes = axes * np.sign(axes[np.argmax(np.abs(axes), axis=0), np.arange(axes.shape[1])])
    points = np.zeros((len(vectors), 2))
    for axis in range(axes.shape[1]):
        points[:, axis] = inner_products(vectors, axes[:, axis].astype(np.float32))
    points -= points.mean(axis=0)
    width = np.maximum(np.abs(points).max(axis=0), 1e-9)
    # without jitter, equal texts would move together
    jitter = np.random.default_rng(0).normal(scale=1e-3, size=points.shape)
    return (10 * points / width + jitter).astype(np.float32)


@jit
def optimize_layout(points, neighbors, weights, n_epochs, seed):  # type: ignore[no-untyped-def]
    """Move the points in place by steps that become smaller from epoch to epoch."""
    n, k = neighbors.shape
    state = np.uint64(seed * 2 + 1) * np.uint64(0x9E3779B97F4A7C15)
    for epoch in range(n_epochs):
        rate = np.float32(1.0) - np.float32(epoch) / np.float32(n_epochs)
        for i in range(n):
            for rank in range(k):
                j = neighbors[i, rank]
                if j < 0 or j == i:
                    continue
                dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
                pull = rate * weights[i, rank] * np.float32(-2.0) / (np.float32(1.0) + dx * dx + dy * dy)
                mx, my = clip_step(pull * dx), clip_step(pull * dy)
                points[i, 0] += mx
                points[i, 1] += my
                points[j, 0] -= mx
                points[j, 1] -= my
            for _ in range(N_NEGATIVE_SAMPLES):
                state ^= state << np.uint64(13)
                state ^= state >> np.uint64(7)
                state ^= state << np.uint64(17)
                j = np.int64(state % np.uint64(n))
                if j == i:
                    continue
                dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
                d2 = dx * dx + dy * dy
                push = rate * np.float32(2.0) / ((np.float32(0.01) + d2) * (np.float32(1.0) + d2))
                points[i, 0] += clip_step(push * dx)
                points[i, 1] += clip_step(push * dy)
    return points


@jit
def clip_step(step):  # type: ignore[no-untyped-def]
    """Limit a step to the range from -4 to 4."""
    return min(max(step, np.float32(-4.0)), np.float32(4.0))


def _place_remaining(
    vectors: Array, rows: Array, points: Array, n_threads: int | None, progress: ProgressCounter
) -> Array:
    """Place each vector outside the sample ``rows`` at the mean of its three nearest points."""
    all_points = np.empty((len(vectors), 2), np.float32)
    all_points[rows] = points
    others = np.setdiff1d(np.arange(len(vectors)), rows)
    sample = np.ascontiguousarray(vectors[rows])
    _, neighbors = nearest_neighbors(sample, vectors[others], 3, n_threads, progress)
    jitter = np.random.default_rng(1).normal(scale=0.05, size=(len(others), 2))
    all_points[others] = points[neighbors].mean(axis=1) + jitter
    return all_points


def _fit_to_square(points: Array) -> Array:
    """Center and scale the points such that nearly all lie in the square; clip the few others to its edge."""
    low, high = np.quantile(points, (0.001, 0.999), axis=0)
    center = (low + high) / 2
    size = max(float((high - low).max()) / 2, 1e-9)
    return np.clip((points - center) / (1.02 * size), -1, 1).astype(np.float32)
