"""k-means on the sphere: each vector goes to the centre with the largest cosine (Dhillon & Modha 2001).

The seed fixes the start, sums run in the order of the rows, and ties go to the first centre: the same bits
for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.compute.tiles import jit
from tacit.search.exact import nearest

Array = NDArray[Any]

SAMPLE = 256
"""Vectors for each centre among which the start is looked for."""

FEW, RUNS = 20_000, 5
"""Up to so many vectors are clustered so many times."""


def spherical_kmeans(
    vectors: Array,
    n_clusters: int,
    seed: int = 0,
    n_iter: int = 50,
    n_threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Array, Array, Array]:
    """The number of each vector's cluster, its cosine with the centre, and the centres.

    ``vectors`` are unit float32 rows. A run stops when nothing changes any more; few vectors, which a bad
    start can spoil, are given several runs, and the one with the largest cosines counts.

    >>> groups, _, centres = spherical_kmeans(np.array([[1, 0], [0, 1], [1, 0]], np.float32), 2)
    >>> bool(groups[0] == groups[2] != groups[1])
    True
    """
    runs = RUNS if len(vectors) <= FEW else 1

    def told(step: int, run: int) -> None:
        if progress:
            progress(run * n_iter + step, runs * n_iter)

    best = None
    for run in range(runs):
        found = _one_run(vectors, n_clusters, seed + run, n_iter, n_threads, partial(told, run=run))
        if best is None or found[1].sum(dtype=np.float64) > best[1].sum(dtype=np.float64):
            best = found
    assert best is not None
    return best


def _one_run(
    vectors: Array, n_clusters: int, seed: int, n_iter: int, n_threads: int | None,
    told: Callable[[int], None],
) -> tuple[Array, Array, Array]:  # fmt: skip
    centres = start(vectors, n_clusters, seed, n_threads)
    groups = np.full(len(vectors), -1, np.int64)
    for step in range(n_iter):
        cosines, found = nearest(centres, vectors, 1, n_threads=n_threads)
        told(step + 1)
        if np.array_equal(found[:, 0], groups):
            break
        groups = found[:, 0]
        centres = _centres(vectors, groups, cosines[:, 0], n_clusters)
    return groups, cosines[:, 0], centres


def start(vectors: Array, n_clusters: int, seed: int, n_threads: int | None = None) -> Array:
    """Centres by k-means++ on a sample: each one drawn by its distance from those before."""
    rng = np.random.default_rng(seed)
    size = min(len(vectors), SAMPLE * n_clusters)
    sample = vectors[np.sort(rng.choice(len(vectors), size, replace=False))]
    chosen = [int(rng.integers(size))]
    far = _distance(sample, chosen[-1], n_threads)
    for _ in range(n_clusters - 1):
        total = float(far.sum())
        drawn = np.searchsorted(np.cumsum(far), rng.random() * total, side="right") if total > 0 else 0
        chosen.append(min(int(drawn), size - 1))
        np.minimum(far, _distance(sample, chosen[-1], n_threads), out=far)
    return np.ascontiguousarray(sample[chosen])


def _distance(sample: Array, place: int, n_threads: int | None) -> Array:
    """1 - the cosine with one of them, never below 0; a product of our own has the same bits everywhere."""
    apart: Array = np.maximum(1 - products(sample, sample[place].copy()), 0).astype(np.float64)
    return apart


def _centres(vectors: Array, groups: Array, cosines: Array, n_clusters: int) -> Array:
    """The mean directions; an empty cluster takes the vector that is farthest from its own centre."""
    sums = add_up(vectors, groups, n_clusters)
    empty = np.flatnonzero(np.bincount(groups, minlength=n_clusters) == 0)
    if len(empty):
        sums[empty] = vectors[np.argsort(cosines, kind="stable")[: len(empty)]]
    return unit(sums).astype(np.float32)


@jit
def products(vectors, query):  # type: ignore[no-untyped-def]
    """The inner product of each row with a query."""
    found = np.zeros(len(vectors), np.float32)
    for i in range(len(vectors)):
        total = np.float32(0)
        for k in range(len(query)):
            total += vectors[i, k] * query[k]
        found[i] = total
    return found


@jit
def add_up(vectors, groups, n_clusters):  # type: ignore[no-untyped-def]
    """The sum of the vectors of each group, in double precision."""
    sums = np.zeros((n_clusters, vectors.shape[1]))
    for i in range(len(vectors)):
        for k in range(vectors.shape[1]):
            sums[groups[i], k] += vectors[i, k]
    return sums
