"""Exact nearest neighbours by inner product: plain functions over the scan."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.scan import NARROW, ROWS, WIDE, scan_nearest
from tacit.compute.threads import run, usable_threads

Array = NDArray[Any]

QUERIES = 42 * WIDE
"""Queries in a pass: their panels fit the second cache at a hundred components."""


def nearest(
    vectors: Array, queries: Array, k: int, alive: Array | None = None, n_threads: int | None = None
) -> tuple[Array, Array]:
    """The k rows with the largest inner product for each query: scores and row numbers, best first.

    Equal scores stand in the order of their rows. Where fewer rows are alive than k, the last places hold
    row -1 and score -inf. ``vectors`` and ``queries`` are float32.

    >>> vectors = np.eye(3, dtype=np.float32)
    >>> scores, rows = nearest(vectors, np.array([[0.5, 0.75, 0]], np.float32), k=2)
    >>> rows.tolist(), scores.tolist()
    ([[1, 0]], [[0.75, 0.5]])
    """
    n = len(queries)
    scores, rows = np.full((n, k), -np.inf, np.float32), np.full((n, k), -1, np.int64)
    passes = max(-(-n // QUERIES), 1)
    for part in np.array_split(np.arange(n), passes):
        if len(part):
            scores[part], rows[part] = _one_pass(vectors, queries[part], k, alive, usable_threads(n_threads))
    return scores, rows


def _one_pass(
    vectors: Array, queries: Array, k: int, alive: Array | None, n_threads: int
) -> tuple[Array, Array]:
    panels = packed(queries)
    blocks = row_blocks(vectors, alive, n_threads)

    def work(block: tuple[Array, Array, int, int, int]) -> tuple[Array, Array]:
        rows_of, alive_of, first, last, base = block
        scores = np.full((len(queries), k), -np.inf, np.float32)
        rows = np.full((len(queries), k), -1, np.int64)
        scan_nearest(rows_of, alive_of, first, last, base, panels, len(queries), scores, rows)
        return scores, rows

    parts = run(work, blocks, n_threads)
    scores, rows = (np.concatenate(side, axis=1) for side in zip(*parts, strict=True))
    return best_first(scores, rows, k)


def best_first(scores: Array, rows: Array, k: int) -> tuple[Array, Array]:
    """The k best of each line, by score and then by row; places without a row come last."""
    order = np.lexsort((rows, -scores), axis=1)[:, :k]
    return np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)


def packed(queries: Array) -> Array:
    """Queries as panels, panel x component x query, the last one filled up with zeros.

    >>> packed(np.ones((3, 2), np.float32)).shape
    (1, 2, 8)
    """
    width = NARROW if len(queries) <= NARROW else WIDE
    count = -(-len(queries) // width)
    full = np.zeros((count * width, queries.shape[1]), np.float32)
    full[: len(queries)] = queries
    return np.ascontiguousarray(full.reshape(count, width, -1).transpose(0, 2, 1))


def row_blocks(
    vectors: Array, alive: Array | None, parts: int, start: int = 0
) -> list[tuple[Array, Array, int, int, int]]:
    """The rows from ``start`` on, cut into so many parts of whole blocks, and a padded copy of the rest.

    Each part is what the scan takes: vectors, alive, first, last, base.
    """
    n, K = vectors.shape
    living = np.ones(n, np.bool_) if alive is None else alive
    start = start // ROWS * ROWS
    whole = n // ROWS * ROWS
    size = max(-(-(whole - start) // ROWS // parts) * ROWS, ROWS)
    blocks = [
        (fixed(vectors), fixed(living), first, min(first + size, whole), 0)
        for first in range(start, whole, size)
    ]
    tail, tail_alive = np.zeros((ROWS, K), np.float32), np.zeros(ROWS, np.bool_)
    tail[: n - whole], tail_alive[: n - whole] = vectors[whole:], living[whole:]
    return [*blocks, (fixed(tail), fixed(tail_alive), 0, ROWS, whole)]


def fixed(array: Array) -> Array:
    """A read-only view: a mapped file is read-only too, and a kernel is compiled once for both."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
