"""k-means on the sphere: each row goes to the centre with the largest cosine (Dhillon & Modha 2001).

Rows are dense or sparse. The seed fixes the start, sums run in the order of the rows, and ties go to the
first centre: the same bits for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.compute.nearest import nearest
from tacit.compute.scan import products
from tacit.compute.tiles import jit

Array = NDArray[Any]
Clustering = tuple[Array, Array, Array]

SAMPLE = 256
"""Rows for each centre among which a spread start is looked for."""

FEW, RUNS = 20_000, 5
"""Up to so many rows are clustered so many times."""


def spherical_kmeans(
    rows: Any,
    n_clusters: int,
    seed: int = 0,
    n_iter: int = 50,
    n_runs: int | None = None,
    spread: bool = True,
    fill: bool = False,
    n_threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Clustering:
    """The number of each row's cluster, its cosine with the centre, and the centres.

    Parameters
    ----------
    rows : of unit length in float32, an array or a scipy CSR matrix.
    n_runs : the run with the largest cosines counts; None for several where there are few rows, which a bad
        start can spoil. A run stops when nothing changes any more.
    spread : start from rows far apart (k-means++), or from any.
    fill : let every cluster have a row, though it be equal to a row of another; otherwise only the centre of
        an empty cluster is set anew. Either takes the rows that fit worst.

    >>> labels, _, centres = spherical_kmeans(np.array([[1, 0], [0, 1], [1, 0]], np.float32), 2)
    >>> bool(labels[0] == labels[2] != labels[1])
    True
    """
    n_clusters = min(n_clusters, rows.shape[0])
    if n_runs is None:
        n_runs = RUNS if rows.shape[0] <= FEW else 1

    def told(step: int, run: int) -> None:
        if progress:
            progress(run * n_iter + step, n_runs * n_iter)

    def one_run(run: int) -> Clustering:
        centres = _start(rows, n_clusters, seed + run, spread)
        return _improved(rows, centres, n_iter, fill, n_threads, partial(told, run=run))

    return max(map(one_run, range(n_runs)), key=lambda found: float(found[1].sum(dtype=np.float64)))


def _improved(
    rows: Any, centres: Array, n_iter: int, fill: bool, n_threads: int | None, told: Callable[[int], None]
) -> Clustering:
    """Assign rows to centres and move the centres, in turn, until nothing changes."""
    labels = np.full(rows.shape[0], -1, np.int64)
    for step in range(1, n_iter + 1):
        cosines, found = _nearest_centres(rows, centres, n_threads)
        if fill:
            _fill(found, cosines, len(centres))
        told(step)
        if np.array_equal(found, labels):
            break
        labels = found
        centres = _directions(rows, labels, cosines, len(centres))
    return labels, cosines, centres


def _start(rows: Any, n_clusters: int, seed: int, spread: bool) -> Array:
    """Rows to start from; spread ones by k-means++ on a sample, drawn by their distance from those before."""
    random = np.random.default_rng(seed)
    if not spread:
        return _dense(rows[random.permutation(rows.shape[0])[:n_clusters]])
    size = min(rows.shape[0], SAMPLE * n_clusters)
    sample = rows[np.sort(random.choice(rows.shape[0], size, replace=False))]
    chosen = [int(random.integers(size))]
    far = _distances(sample, chosen[-1])
    for _ in range(n_clusters - 1):
        total = float(far.sum())
        drawn = np.searchsorted(np.cumsum(far), random.random() * total, side="right") if total > 0 else 0
        chosen.append(min(int(drawn), size - 1))
        np.minimum(far, _distances(sample, chosen[-1]), out=far)
    return _dense(sample[chosen])


def _dense(rows: Any) -> Array:
    """Rows as an array; those of a sparse matrix lie in columns, as its products want the centres."""
    if isinstance(rows, np.ndarray):
        return np.ascontiguousarray(rows)
    return np.ascontiguousarray(rows.toarray().T).T


def _distances(sample: Any, place: int) -> Array:
    """1 - the cosine with one of them, never below 0; a product of our own has the same bits everywhere."""
    if isinstance(sample, np.ndarray):
        cosines = products(sample, sample[place].copy())
    else:
        cosines = (sample @ sample[[place]].T).toarray().ravel()
    apart: Array = np.maximum(1 - cosines, 0).astype(np.float64)
    return apart


def _nearest_centres(rows: Any, centres: Array, n_threads: int | None) -> tuple[Array, Array]:
    """The largest cosine of each row and whose it is."""
    if isinstance(rows, np.ndarray):
        cosines, found = nearest(centres, rows, 1, n_threads=n_threads)
        return cosines[:, 0], found[:, 0]
    every = rows @ centres.T
    return every.max(axis=1), every.argmax(axis=1)


def _fill(labels: Array, cosines: Array, n_clusters: int) -> None:
    """Give each empty cluster the worst-fitting row of a cluster that has others."""
    sizes = np.bincount(labels, minlength=n_clusters)
    worst = iter(np.argsort(cosines, kind="stable"))
    for empty in np.flatnonzero(sizes == 0):
        row = next(row for row in worst if sizes[labels[row]] > 1)
        sizes[labels[row]] -= 1
        sizes[empty] += 1
        labels[row] = empty


def _directions(rows: Any, labels: Array, cosines: Array, n_clusters: int) -> Array:
    """The mean directions; an empty cluster takes the row that is farthest from its own centre."""
    sums = group_sums(rows, labels, n_clusters)
    empty = np.flatnonzero(np.bincount(labels, minlength=n_clusters) == 0)
    if len(empty):
        sums[empty] = _dense(rows[np.argsort(cosines, kind="stable")[: len(empty)]])
    if isinstance(rows, np.ndarray):
        return unit(sums).astype(np.float32)
    sums /= np.maximum(np.linalg.norm(sums.T, axis=0), 1e-12)[:, None]
    return sums


def group_sums(rows: Any, labels: Array, n_groups: int) -> Array:
    """The sum of the rows of each group: of an array in double precision, of a sparse matrix in its own.

    >>> group_sums(np.eye(3, dtype=np.float32), np.array([1, 0, 1]), 2)
    array([[0., 1., 0.],
           [1., 0., 1.]])
    """
    if isinstance(rows, np.ndarray):
        sums: Array = _add_up(rows, labels, n_groups)
        return sums
    from scipy.sparse import csr_array

    n = rows.shape[0]
    members = csr_array((np.ones(n, np.float32), labels, np.arange(n + 1)), shape=(n, n_groups))
    return np.ascontiguousarray((rows.T.tocsr() @ members).toarray()).T


@jit
def _add_up(rows, labels, n_groups):  # type: ignore[no-untyped-def]
    sums = np.zeros((n_groups, rows.shape[1]))
    for i in range(len(rows)):
        for k in range(rows.shape[1]):
            sums[labels[i], k] += rows[i, k]
    return sums
