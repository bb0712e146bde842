"""The scan of exact search: inner products of rows with queries, and the k largest kept as it goes.

The products of a block of rows with a panel of queries are made in registers and looked at while they are
in the first cache: the matrix of all products, a thousand million numbers for a million rows, never exists.
A product is one chain of fused multiply-adds in the order of the components, so it has the same bits in any
block, batch or thread, and the k best of a total order (score, then row) do not depend on either.
"""

from __future__ import annotations

import numpy as np

from tacit.compute.tiles import jit, register_tile

ROWS = 32
WIDE, NARROW = 24, 8
"""Rows at once; queries in a panel: three vectors of eight, or one where there are few."""

_accumulate_4x3 = register_tile(4, 3)
_accumulate_8x1 = register_tile(8, 1)


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
def multiply(vectors, start, panels, p, C):  # type: ignore[no-untyped-def]
    """C = vectors[start : start + ROWS] @ panels[p]."""
    K, width = panels.shape[1], panels.shape[2]
    C[:] = 0
    if width == WIDE:
        for t in range(0, ROWS, 4):
            _accumulate_4x3(
                vectors, (start + t) * K, 1, K, panels, p * K * width, width, C, t * width, width, K
            )
    else:
        for t in range(0, ROWS, 8):
            _accumulate_8x1(
                vectors, (start + t) * K, 1, K, panels, p * K * width, width, C, t * width, width, K
            )


@jit
def column_maxima(C, top):  # type: ignore[no-untyped-def]
    """The largest number of each column: most blocks hold nothing new for most queries."""
    for j in range(C.shape[1]):
        top[j] = C[0, j]
    for t in range(1, C.shape[0]):
        for j in range(C.shape[1]):
            top[j] = max(top[j], C[t, j])


@jit
def is_worse(score, row, other_score, other_row):  # type: ignore[no-untyped-def]
    """Whether the one comes after the other: a lower score, or at the same score a later row."""
    return score < other_score or (score == other_score and row > other_row)


@jit
def replace_worst(scores, rows, score, row):  # type: ignore[no-untyped-def]
    """Put a match in the place of the worst, the root of a heap."""
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
    """Update each query's heap with the rows from ``first`` to ``last``, a multiple of ROWS apart.

    ``base`` is added to the number of a row. A row that is not alive is passed over.
    """
    width = panels.shape[2]
    C, top = np.empty((ROWS, width), np.float32), np.empty(width, np.float32)
    for start in range(first, last, ROWS):
        for p in range(len(panels)):
            multiply(vectors, start, panels, p, C)
            column_maxima(C, top)
            for j in range(min(width, n_queries - p * width)):
                query = p * width + j
                if top[j] > scores[query, 0]:
                    for t in range(ROWS):
                        if C[t, j] > scores[query, 0] and alive[start + t]:
                            replace_worst(scores[query], rows[query], C[t, j], base + start + t)


@jit
def scan_above(vectors, alive, first, last, base, panels, n_queries, after, least, found, scores):  # type: ignore[no-untyped-def]
    """Write every (query, row) with a product of ``least`` or more and row > after + query, until full.

    Returns the row to go on from and how many were written.
    """
    width, filled = panels.shape[2], 0
    C, top = np.empty((ROWS, width), np.float32), np.empty(width, np.float32)
    for start in range(first, last, ROWS):
        if filled + ROWS * n_queries > len(found):
            return start, filled
        for p in range(len(panels)):
            if base + start + ROWS <= after + p * width:  # all rows come before these queries
                break
            multiply(vectors, start, panels, p, C)
            column_maxima(C, top)
            for j in range(min(width, n_queries - p * width)):
                query = p * width + j
                if top[j] >= least:
                    for t in range(ROWS):
                        row = base + start + t
                        if C[t, j] >= least and row > after + query and alive[start + t]:
                            found[filled, 0], found[filled, 1] = query, row
                            scores[filled] = C[t, j]
                            filled += 1
    return last, filled
