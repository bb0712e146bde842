"""Non-negative factorization on the Kullback-Leibler divergence, over the non-zeros alone.

Lee & Seung, "Algorithms for Non-negative Matrix Factorization", 2000. One multiplicative step improves the
vectors of the rows of X while those of its columns stand still, in O(nnz K); the other side is the same step
with X and X' swapped. Rows are independent and sums run in a fixed order: the result has the same bits for
any number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import run
from tacit.factorize.row_solver import Rows
from tacit.jit import njit_cached

Array = NDArray[Any]

_NONZEROS = 1 << 16  # a block of rows has about this many; fixed, so that sums do not depend on the threads
_TINY = 1e-12
_LANES = 16  # vectors whose length is a multiple of this fill the processor's registers


@njit_cached(fastmath={"reassoc", "contract", "nsz"})
def step_rows(indptr, indices, data, W, H, sums, first, last, tiny):  # type: ignore[no-untyped-def]
    """Take the multiplicative step for the rows first..last of W, in place.

    H has a row for each column of X, and ``sums`` are its column sums. Returns the sum of
    x log(x / wh) over the non-zeros, and that of wh over everything, both from before the step.
    """
    K = W.shape[1]
    top = np.empty(K, W.dtype)
    fit = mass = 0.0
    for i in range(first, last):
        top[:] = 0
        w = W[i]
        for p in range(indptr[i], indptr[i + 1]):
            h = H[indices[p]]
            x = data[p]
            wh = tiny
            for a in range(K):
                wh += w[a] * h[a]
            ratio = x / wh
            fit += x * np.log(ratio)
            for a in range(K):
                top[a] += ratio * h[a]
        for a in range(K):
            mass += w[a] * sums[a]
            w[a] *= top[a] / max(sums[a], tiny)
    return fit, mass


def row_blocks(indptr: Array) -> list[tuple[int, int]]:
    """Cut rows into blocks of about as many non-zeros each.

    >>> row_blocks(np.array([0, 40_000, 80_000, 90_000]))
    [(0, 2), (2, 3)]
    """
    n = len(indptr) - 1
    starts = np.flatnonzero(np.diff(indptr[:-1] // _NONZEROS, prepend=-1)).tolist()
    return list(zip(starts, [*starts[1:], n], strict=True))


def step(X: Rows, W: Array, H: Array, n_threads: int = 1) -> float:
    """Improve W, in place, for X ~ W H'; returns the divergence of X from W H' before the step.

    >>> from scipy.sparse import csr_array
    >>> X = Rows.of(csr_array(np.array([[2.0, 4.0]])), np.float64)
    >>> W, H = np.ones((1, 1)), np.array([[1.0], [2.0]])
    >>> round(step(X, W, H), 4), W
    (1.1589, array([[2.]]))
    """
    sums = H.sum(axis=0, dtype=np.float64).astype(W.dtype)
    tiny = W.dtype.type(_TINY)

    def work(block: tuple[int, int]) -> tuple[float, float]:
        parts: tuple[float, float] = step_rows(X.indptr, X.indices, X.data, W, H, sums, *block, tiny)
        return parts

    parts = run(work, row_blocks(X.indptr), n_threads)
    fit, mass = sum(part[0] for part in parts), sum(part[1] for part in parts)
    return fit + mass - float(X.data.sum(dtype=np.float64))


def padded(vectors: Array) -> Array:
    """A copy with dimensions of zeros up to a whole number of lanes; a step leaves them zero.

    >>> padded(np.ones((2, 50))).shape
    (2, 64)
    """
    n, K = vectors.shape
    wide = np.zeros((n, -(-K // _LANES) * _LANES), vectors.dtype)
    wide[:, :K] = vectors
    return wide
