"""Exact nearest neighbors by inner product: blocked scan with a heap per query.

Each block of rows is multiplied with a panel of queries in registers, and the products are compared while
they are in the first-level cache: the matrix of all products is never stored. A product is one chain of
fused multiply-adds in the order of the components, so that it has the same bits in any block, batch or
thread. The order of matches is total (score, then row), so that the k best do not depend on blocks or
threads either.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tacit.compute.threads import effective_n_threads, run_blocks
from tacit.compute.tiles import jit, make_tile_kernel
from tacit.types import Array

BLOCK_ROWS = 32  # rows that are multiplied at once
PANEL_WIDTH, NARROW_PANEL_WIDTH = 24, 8  # queries in a panel: three vectors of eight, or one for few queries
MIN_THREADED_PRODUCTS = 1 << 23  # below this number of multiply-adds, starting threads takes longer
QUERIES_PER_PASS = 42 * PANEL_WIDTH  # at 100 components their panels fit in the second-level cache

Matches = tuple[Array, Array]
"""Scores and rows, queries x matches, best first."""

_accumulate_4x3 = make_tile_kernel(4, 3)
_accumulate_8x1 = make_tile_kernel(8, 1)


def find_nearest(
    vectors: Array, queries: Array, k: int, alive: Array | None = None, n_threads: int | None = None
) -> Matches:
    """Find the k rows with the largest inner product for each query.

    Returns scores and row numbers, queries x k, best first; ties are in the order of the rows. ``alive``
    masks the rows to search. If these are fewer than k, the remaining places have row -1 and score -inf.
    ``vectors`` and ``queries`` are float32.

    >>> vectors = np.eye(3, dtype=np.float32)
    >>> scores, rows = find_nearest(vectors, np.array([[0.5, 0.75, 0]], np.float32), k=2)
    >>> rows.tolist(), scores.tolist()
    ([[1, 0]], [[0.75, 0.5]])
    """
    n_threads = effective_n_threads(n_threads)
    if vectors.size * len(queries) < MIN_THREADED_PRODUCTS:
        n_threads = 1
    n_passes = max(-(-len(queries) // QUERIES_PER_PASS), 1)
    parts = [_search_batch(vectors, q, k, alive, n_threads) for q in np.array_split(queries, n_passes)]
    scores, rows = (np.concatenate(part) for part in zip(*parts, strict=True))
    return scores, rows


def _search_batch(vectors: Array, queries: Array, k: int, alive: Array | None, n_threads: int) -> Matches:
    panels = pack_queries(queries)

    def scan(block: tuple[Array, Array, int, int, int]) -> Matches:
        scores = np.full((len(queries), k), -np.inf, np.float32)
        rows = np.full((len(queries), k), -1, np.int64)
        scan_nearest(*block, panels, len(queries), scores, rows)
        return scores, rows

    parts = run_blocks(scan, split_rows(vectors, alive, n_threads), n_threads)
    return merge_top_k(parts, k)


def merge_top_k(parts: Iterable[Matches], k: int) -> Matches:
    """Select the k best matches of each query from several results, each of scores and rows."""
    scores, rows = (np.concatenate(side, axis=1) for side in zip(*parts, strict=True))
    return top_k(scores, rows, k)


def top_k(scores: Array, rows: Array, k: int) -> Matches:
    """Select the k best matches of each query: highest score first, then lowest row."""
    order = np.lexsort((rows, -scores), axis=1)[:, :k]
    queries = np.arange(len(order))[:, None]
    return scores[queries, order], rows[queries, order]


def pack_queries(queries: Array) -> Array:
    """Arrange queries in panels, panel x component x query; the last panel is padded with zeros.

    >>> pack_queries(np.ones((3, 2), np.float32)).shape
    (1, 2, 8)
    """
    width = NARROW_PANEL_WIDTH if len(queries) <= NARROW_PANEL_WIDTH else PANEL_WIDTH
    n_panels = -(-len(queries) // width)
    padded = np.zeros((n_panels * width, queries.shape[1]), np.float32)
    padded[: len(queries)] = queries
    return np.ascontiguousarray(padded.reshape(n_panels, width, queries.shape[1]).transpose(0, 2, 1))


def split_rows(
    vectors: Array, alive: Array | None, n_parts: int, start: int = 0
) -> list[tuple[Array, Array, int, int, int]]:
    """Split the rows from ``start`` on into ``n_parts`` parts of whole blocks and a padded copy of the rest.

    Each part has the first arguments of the scan kernels: vectors, alive, first, last, base.
    """
    n, K = vectors.shape
    mask = np.ones(n, np.bool_) if alive is None else alive
    start = start // BLOCK_ROWS * BLOCK_ROWS
    whole = n // BLOCK_ROWS * BLOCK_ROWS
    size = max(-(-(whole - start) // BLOCK_ROWS // n_parts) * BLOCK_ROWS, BLOCK_ROWS)
    parts = [
        (readonly_view(vectors), readonly_view(mask), first, min(first + size, whole), 0)
        for first in range(start, whole, size)
    ]
    tail, tail_mask = np.zeros((BLOCK_ROWS, K), np.float32), np.zeros(BLOCK_ROWS, np.bool_)
    tail[: n - whole], tail_mask[: n - whole] = vectors[whole:], mask[whole:]
    return [*parts, (readonly_view(tail), readonly_view(tail_mask), 0, BLOCK_ROWS, whole)]


def readonly_view(array: Array) -> Array:
    """Return a contiguous read-only view.

    Memory-mapped arrays are read-only too, and a kernel is compiled for one of both kinds.
    """
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


@jit
def inner_products(vectors, query):  # type: ignore[no-untyped-def]
    """Compute the inner product of each row with one query."""
    scores = np.zeros(len(vectors), np.float32)
    for i in range(len(vectors)):
        total = np.float32(0)
        for k in range(len(query)):
            total += vectors[i, k] * query[k]
        scores[i] = total
    return scores


@jit
def multiply_block(vectors, start, panels, p, C):  # type: ignore[no-untyped-def]
    """Compute C = vectors[start : start + BLOCK_ROWS] @ panels[p]."""
    K, width = panels.shape[1], panels.shape[2]
    panel = p * K * width
    C[:] = 0
    if width == PANEL_WIDTH:
        for t in range(0, BLOCK_ROWS, 4):
            _accumulate_4x3(vectors, (start + t) * K, 1, K, panels, panel, width, C, t * width, width, K)
    else:
        for t in range(0, BLOCK_ROWS, 8):
            _accumulate_8x1(vectors, (start + t) * K, 1, K, panels, panel, width, C, t * width, width, K)


@jit
def column_maxima(C, maxima):  # type: ignore[no-untyped-def]
    """Write the largest number of each column, which lets the scan skip most blocks for most queries."""
    for j in range(C.shape[1]):
        maxima[j] = C[0, j]
    for t in range(1, C.shape[0]):
        for j in range(C.shape[1]):
            maxima[j] = max(maxima[j], C[t, j])


@jit
def is_worse(score, row, other_score, other_row):  # type: ignore[no-untyped-def]
    """Check whether a match comes after another one: lower score, or same score and later row."""
    return score < other_score or (score == other_score and row > other_row)


@jit
def heap_replace(scores, rows, score, row):  # type: ignore[no-untyped-def]
    """Replace the worst match, the root of a heap, by a new one."""
    k, i = len(scores), 0
    while True:
        child = 2 * i + 1
        if child >= k:
            break
        other = child + 1
        if other < k and is_worse(scores[other], rows[other], scores[child], rows[child]):
            child = other
        if not is_worse(scores[child], rows[child], score, row):
            break
        scores[i], rows[i] = scores[child], rows[child]
        i = child
    scores[i], rows[i] = score, row


@jit
def scan_nearest(vectors, alive, first, last, base, panels, n_queries, scores, rows):  # type: ignore[no-untyped-def]
    """Update the heap of each query with the rows from ``first`` to ``last``, a multiple of BLOCK_ROWS.

    ``base`` is added to the row numbers. Rows that are not alive are skipped.
    """
    width = panels.shape[2]
    C, maxima = np.empty((BLOCK_ROWS, width), np.float32), np.empty(width, np.float32)
    for start in range(first, last, BLOCK_ROWS):
        for p in range(len(panels)):
            multiply_block(vectors, start, panels, p, C)
            column_maxima(C, maxima)
            for j in range(min(width, n_queries - p * width)):
                query = p * width + j
                if maxima[j] > scores[query, 0]:
                    for t in range(BLOCK_ROWS):
                        if C[t, j] > scores[query, 0] and alive[start + t]:
                            heap_replace(scores[query], rows[query], C[t, j], base + start + t)


@jit
def scan_above_threshold(  # type: ignore[no-untyped-def]
    vectors, alive, first, last, base, panels, n_queries, row_offset, threshold, pairs, scores
):
    """Write each (query, row) with a product of at least ``threshold`` and row > row_offset + query.

    Stops when ``pairs`` could overflow. Returns the row to continue from and the number of pairs written.
    """
    width, n_pairs = panels.shape[2], 0
    C, maxima = np.empty((BLOCK_ROWS, width), np.float32), np.empty(width, np.float32)
    for start in range(first, last, BLOCK_ROWS):
        if n_pairs + BLOCK_ROWS * n_queries > len(pairs):
            return start, n_pairs
        for p in range(len(panels)):
            if base + start + BLOCK_ROWS <= row_offset + p * width:  # all rows come before these queries
                break
            multiply_block(vectors, start, panels, p, C)
            column_maxima(C, maxima)
            for j in range(min(width, n_queries - p * width)):
                query = p * width + j
                if maxima[j] >= threshold:
                    for t in range(BLOCK_ROWS):
                        row = base + start + t
                        if C[t, j] >= threshold and row > row_offset + query and alive[start + t]:
                            pairs[n_pairs, 0], pairs[n_pairs, 1] = query, row
                            scores[n_pairs] = C[t, j]
                            n_pairs += 1
    return last, n_pairs
