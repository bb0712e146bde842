"""Rows with many observed columns, such as frequent words: an exact K x K system each.

In whitened coordinates (see ``short``) the best vector of a row is

    y = (I_K + c T_V' T_V)^-1 T_V' x

The rank-n update T_V' T_V is nearly all of the work; it runs in register tiles on gathered rows.
"""

from __future__ import annotations

import numpy as np

from tacit.compute.tiles import TILE, add_gram, add_product, jit, jit_dots, prefetch

_BLOCK = 64  # gathered rows that stay in the first-level cache


@jit
def invert_block(A, j, inverse):  # type: ignore[no-untyped-def]
    """Factor the TILE x TILE block of A at (j, j) as U'U; leave U's inverse in ``inverse``."""
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


@jit_dots
def dot(a, b, first, last):  # type: ignore[no-untyped-def]
    """a[first:last] . b[first:last]"""
    total = a.dtype.type(0)
    for k in range(first, last):
        total += a[k] * b[k]
    return total


@jit
def solve_dense(A, scratch, y):  # type: ignore[no-untyped-def]
    """Solve A[:K, :K] y = A[:K, K] by a blocked Cholesky factorization U'U of A's upper triangle, in place.

    A has K rows and K + TILE columns, all zero behind the right-hand side; ``scratch`` is TILE rows more.
    """
    K, row = A.shape
    inverse = np.empty((TILE, TILE), A.dtype)
    for j in range(0, K, TILE):
        invert_block(A, j, inverse)
        after = j + TILE
        for t in range(TILE):
            for k in range(after, row):
                scratch[t, k] = A[j + t, k]
                A[j + t, k] = 0
        add_product(inverse, 0, TILE, 1, scratch, after, row, A, j * row + after, row, TILE, row - after)
        for t in range(TILE):
            for k in range(after, row):
                scratch[t, k] = -A[j + t, k]
        for i in range(after, K, TILE):
            add_product(scratch, i, row, 1, A, j * row + i, row, A, i * row + i, row, TILE, row - i)
    for i in range(K - 1, -1, -1):
        y[i] = (A[i, K] - dot(A[i], y, i + 1, K)) / A[i, i]


@jit
def solve_long(indptr, indices, data, T, c, rows, Y):  # type: ignore[no-untyped-def]
    """Y[r] = y for each of ``rows``, of any length; returns the loss they explain.

    At its best vector q a row's loss is x'x - b'q, where b'q = y'T_V'x.
    """
    K = T.shape[1]
    A = np.empty((K, K + TILE), T.dtype)
    scratch = np.empty((TILE, K + TILE), T.dtype)
    block = np.empty((_BLOCK, K), T.dtype)
    right = np.empty(K, T.dtype)
    explained = 0.0
    for r in rows:
        A[:] = 0
        right[:] = 0
        stop = indptr[r + 1]
        for start in range(indptr[r], stop, _BLOCK):
            n = min(_BLOCK, stop - start)
            for i in range(n):
                if start + _BLOCK + i < stop:
                    for k in range(0, K, 64 // T.itemsize):
                        prefetch(T, indices[start + _BLOCK + i] * K + k)
                t, value, gathered = T[indices[start + i]], data[start + i], block[i]
                for k in range(K):
                    gathered[k] = t[k]
                    right[k] += value * t[k]
            add_gram(block, n, A)
        for i in range(K):
            for k in range(i, K):
                A[i, k] *= c
            A[i, i] += 1
            A[i, K] = right[i]
        solve_dense(A, scratch, Y[r])
        explained += dot(Y[r], right, 0, K)
    return explained
