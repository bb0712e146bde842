"""A plane in which texts that are near each other stay near: a picture of a collection.

The nearest neighbours of every text are found; then each point, started at its place on the first two
principal axes, is drawn to its neighbours and pushed from points taken at random, with the forces of UMAP
(McInnes, Healy & Melville 2018) for a = b = 1: a pair at distance d is alike by 1 / (1 + d^2). Moves are made
one after another from a seed, so the picture is the same every time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.blas import one_blas_thread
from tacit.compute.scan import products
from tacit.compute.tiles import jit
from tacit.factorize.row_solver import gram_of
from tacit.search.approximate import nearest_neighbors
from tacit.types import ProgressCounter

Array = NDArray[Any]
Progress = Callable[[int, int], None]

NEIGHBOURS = 12
ROUNDS = 120
PUSHES = 30
MOST = 200_000
"""Points that are laid out; where there are more, a sample is, and the others join their neighbours in it."""


def compute_layout(
    vectors: Array, seed: int = 0, n_threads: int | None = None, progress: Progress | None = None
) -> Array:
    """A point for each unit vector, all within the square from -1 to 1.

    >>> compute_layout(np.eye(5, dtype=np.float32)).shape
    (5, 2)
    """
    n = len(vectors)
    if n < 3:
        return np.array([[0.0, 0.0], [0.5, 0.0]], np.float32)[:n]
    chosen = np.arange(n)
    if n > MOST:
        chosen = np.sort(np.random.default_rng(seed).choice(n, MOST, replace=False))
    told = ProgressCounter(progress, n)
    sample = np.ascontiguousarray(vectors[chosen])
    scores, neighbours = nearest_neighbors(sample, sample, min(NEIGHBOURS + 1, len(sample)), n_threads, told)
    points = spread(_principal(sample), neighbours, _strengths(scores), ROUNDS, seed)
    if n > MOST:
        points = _joined(vectors, chosen, sample, points, n_threads, told)
    told.finish()
    return _within(points)


def _strengths(scores: Array) -> Array:
    """How much a neighbour draws: 1 for the nearest other text, less for the farther ones, by their rank."""
    gap = 1 - np.minimum(scores, 1)
    nearest_gap = gap[:, 1:2]
    mean = np.maximum((gap - nearest_gap)[:, 1:].mean(axis=1, keepdims=True), 1e-6)
    strengths: Array = np.exp(-np.maximum(gap - nearest_gap, 0) / mean).astype(np.float32)
    return strengths


def _principal(vectors: Array) -> Array:
    """The vectors on their first two principal axes, about ten wide; the signs of the axes are fixed."""
    mean = vectors.mean(axis=0, dtype=np.float64)
    scatter = gram_of(vectors) - len(vectors) * np.outer(mean, mean)
    with one_blas_thread():
        axes = np.linalg.eigh(scatter)[1][:, ::-1][:, :2]
    axes = axes * np.sign(axes[np.argmax(np.abs(axes), axis=0), np.arange(axes.shape[1])])
    points = np.zeros((len(vectors), 2))
    for axis in range(axes.shape[1]):
        points[:, axis] = products(vectors, axes[:, axis].astype(np.float32))
    points -= points.mean(axis=0)
    width = np.maximum(np.abs(points).max(axis=0), 1e-9)
    jitter = np.random.default_rng(0).normal(
        scale=1e-3, size=points.shape
    )  # equal texts must be able to part
    started: Array = (10 * points / width + jitter).astype(np.float32)
    return started


@jit
def spread(points, neighbours, strengths, rounds, seed):  # type: ignore[no-untyped-def]
    """Move the points, round after round, by smaller and smaller steps."""
    n, k = neighbours.shape
    state = np.uint64(seed * 2 + 1) * np.uint64(0x9E3779B97F4A7C15)
    for step in range(rounds):
        rate = np.float32(1.0) - np.float32(step) / np.float32(rounds)
        for i in range(n):
            for place in range(k):
                j = neighbours[i, place]
                if j < 0 or j == i:
                    continue
                dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
                pull = rate * strengths[i, place] * np.float32(-2.0) / (np.float32(1.0) + dx * dx + dy * dy)
                mx, my = clipped(pull * dx), clipped(pull * dy)
                points[i, 0] += mx
                points[i, 1] += my
                points[j, 0] -= mx
                points[j, 1] -= my
            for _ in range(PUSHES):
                state ^= state << np.uint64(13)
                state ^= state >> np.uint64(7)
                state ^= state << np.uint64(17)
                j = np.int64(state % np.uint64(n))
                if j == i:
                    continue
                dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
                d2 = dx * dx + dy * dy
                push = rate * np.float32(2.0) / ((np.float32(0.01) + d2) * (np.float32(1.0) + d2))
                points[i, 0] += clipped(push * dx)
                points[i, 1] += clipped(push * dy)
    return points


@jit
def clipped(move):  # type: ignore[no-untyped-def]
    """No step is longer than this."""
    return min(max(move, np.float32(-4.0)), np.float32(4.0))


def _joined(
    vectors: Array,
    chosen: Array,
    sample: Array,
    points: Array,
    n_threads: int | None,
    progress: ProgressCounter,
) -> Array:
    """The points of the sample, and for each other text the middle of its three nearest in it."""
    placed = np.empty((len(vectors), 2), np.float32)
    placed[chosen] = points
    others = np.setdiff1d(np.arange(len(vectors)), chosen)
    _, rows = nearest_neighbors(sample, vectors[others], 3, n_threads, progress)
    rng = np.random.default_rng(1)
    placed[others] = points[rows].mean(axis=1) + rng.normal(scale=0.05, size=(len(others), 2))
    return placed


def _within(points: Array) -> Array:
    """Centred, and scaled such that nearly all points lie in the square; the few beyond go to its edge."""
    low, high = np.quantile(points, (0.001, 0.999), axis=0)
    centre = (low + high) / 2
    size = max(float((high - low).max()) / 2, 1e-9)
    fitted: Array = np.clip((points - centre) / (1.02 * size), -1, 1).astype(np.float32)
    return fitted
