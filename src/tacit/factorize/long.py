"""Rows with many observed columns, such as frequent words: an exact K x K system each.

In whitened coordinates (see ``short``) the best vector of a row is

    y = (I_K + c T_V' T_V)^-1 T_V' x

The rank-n update T_V' T_V is nearly all of the work; it runs in register tiles on gathered rows.
"""

from __future__ import annotations

import numpy as np

from tacit.factorize.tiles import TILE, add_gram, add_product, jit, prefetch

_BLOCK = 64  # gathered rows that stay in the first-level cache


@jit
def factor_panel(A, j, n_rows):  # type: ignore[no-untyped-def]
    """Finish columns j to j + TILE of L, reciprocals of its diagonal on the diagonal."""
    for i in range(j, n_rows):
        row = A[i]
        for t in range(j, min(j + TILE, i)):
            value = row[t]
            for u in range(j, t):
                value -= row[u] * A[t, u]
            row[t] = value * A[t, t]
        if i < j + TILE:
            value = row[i]
            for u in range(j, i):
                value -= row[u] * row[u]
            row[i] = 1 / np.sqrt(value)


@jit
def solve_dense(A, panel):  # type: ignore[no-untyped-def]
    """Solve A[:K, :K] y = A[K] by Cholesky, in place; y replaces the right-hand side in row K.

    A has TILE more rows than columns; ``panel`` is 2 x TILE x the number of rows, for scratch.
    """
    n_rows, K = A.shape
    for j in range(0, K, TILE):
        factor_panel(A, j, K + 1)
        after = j + TILE
        for i in range(after, n_rows):
            for t in range(TILE):
                panel[0, t, i] = A[i, j + t]
                panel[1, t, i] = -A[i, j + t]
        for i in range(after, n_rows, TILE):
            columns = min(i + TILE, K) - after
            add_product(panel[1], i, n_rows, 1, panel[0], after, n_rows, A, i * K + after, K, TILE, columns)
    y = A[K]
    for i in range(K - 1, -1, -1):
        row = A[i]
        value = y[i] * row[i]
        y[i] = value
        for k in range(i):
            y[k] -= value * row[k]


@jit
def solve_long(indptr, indices, data, T, c, rows, Y):  # type: ignore[no-untyped-def]
    """Y[r] = y for each of ``rows``, of any length; returns the loss they explain.

    At its best vector q a row's loss is x'x - b'q, where b'q = y'T_V'x.
    """
    K = T.shape[1]
    A = np.empty((K + TILE, K), T.dtype)
    panel = np.empty((2, TILE, K + TILE), T.dtype)
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
            for k in range(i + 1):
                A[i, k] *= c
            A[i, i] += 1
        A[K] = right
        solve_dense(A, panel)
        Y[r] = A[K]
        for k in range(K):
            explained += A[K, k] * right[k]
    return explained
