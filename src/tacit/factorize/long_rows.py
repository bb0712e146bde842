"""Kernel for rows with many non-zeros: one K x K system each.

In whitened coordinates (see ``short_rows``) the best vector of a row is

    y = (I_K + c T_V' T_V)^-1 T_V' x

The rank-n update T_V' T_V is nearly all of the work; it runs in register tiles on gathered rows.
"""

from __future__ import annotations

import numpy as np

from tacit.compute.tiles import TILE, add_gram, add_product, jit, jit_inline, jit_reassoc, prefetch

_GATHERED_ROWS = 64  # gathered rows that stay in the first-level cache


@jit_inline
def factor_diagonal_block(A, j, inverse):  # type: ignore[no-untyped-def]
    """Factor the TILE x TILE block of A at (j, j) as U'U; write U's inverse to ``inverse``."""
    for t in range(TILE):
        for u in range(TILE):
            inverse[t, u] = 0
        row = A[j + t]
        reciprocal = 1 / np.sqrt(row[j + t])
        for k in range(j + t, j + TILE):
            row[k] *= reciprocal
        for i in range(t + 1, TILE):
            for k in range(i, TILE):
                A[j + i, j + k] -= row[j + i] * row[j + k]
        inverse[t, t] = reciprocal
        for u in range(t):
            value = inverse[u, u] * A[j + u, j + t]
            for k in range(u + 1, t):
                value += inverse[u, k] * A[j + k, j + t]
            inverse[u, t] = -value * reciprocal


@jit_reassoc
def dot_range(a, b, first, last):  # type: ignore[no-untyped-def]
    """Compute a[first:last] . b[first:last]."""
    total = a.dtype.type(0)
    for k in range(first, last):
        total += a[k] * b[k]
    return total


@jit_inline
def solve_dense(A, scratch, y):  # type: ignore[no-untyped-def]
    """Solve A[:K, :K] y = A[:K, K] by a blocked Cholesky factorization U'U of A's upper triangle, in place.

    A has K rows and K + TILE columns, which are zero behind the right-hand side; ``scratch`` has TILE such
    rows.
    """
    K, row = A.shape
    zero, one, tile = np.int64(0), np.int64(1), np.int64(TILE)
    inverse = np.empty((TILE, TILE), A.dtype)
    for j in range(0, K, TILE):
        factor_diagonal_block(A, j, inverse)
        rest = j + TILE
        for t in range(TILE):
            for k in range(rest, row):
                scratch[t, k] = A[j + t, k]
                A[j + t, k] = 0
        add_product(inverse, zero, tile, one, scratch, rest, row, A, j * row + rest, row, tile, row - rest)
        for t in range(TILE):
            for k in range(rest, row):
                scratch[t, k] = -A[j + t, k]
        for i in range(rest, K, TILE):
            add_product(scratch, i, row, one, A, j * row + i, row, A, i * row + i, row, tile, row - i)
    for i in range(K - 1, -1, -1):
        y[i] = (A[i, K] - dot_range(A[i], y, i + 1, K)) / A[i, i]


@jit
def solve_long(indptr, indices, data, T, c, rows, Y):  # type: ignore[no-untyped-def]
    """Compute Y[r] = y for each of ``rows``, of any length; return the loss that they explain.

    At its best vector q a row's loss is x'x - b'q, where b'q = y'T_V'x.
    """
    K = T.shape[1]
    A = np.empty((K, K + TILE), T.dtype)
    scratch = np.empty((TILE, K + TILE), T.dtype)
    block = np.empty((_GATHERED_ROWS, K), T.dtype)
    rhs = np.empty(K, T.dtype)
    explained_loss = 0.0
    for r in rows:
        A[:] = 0
        rhs[:] = 0
        stop = indptr[r + 1]
        for start in range(indptr[r], stop, _GATHERED_ROWS):
            n = min(_GATHERED_ROWS, stop - start)
            for i in range(n):
                if start + _GATHERED_ROWS + i < stop:
                    for k in range(0, K, 64 // T.itemsize):
                        prefetch(T, indices[start + _GATHERED_ROWS + i] * K + k)
                t, value, gathered = T[indices[start + i]], data[start + i], block[i]
                for k in range(K):
                    gathered[k] = t[k]
                    rhs[k] += value * t[k]
            add_gram(block, n, A)
        for i in range(K):
            for k in range(i, K):
                A[i, k] *= c
            A[i, i] += 1
            A[i, K] = rhs[i]
        solve_dense(A, scratch, Y[r])
        explained_loss += dot_range(Y[r], rhs, np.int64(0), K)
    return explained_loss
