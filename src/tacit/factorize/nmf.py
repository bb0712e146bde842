"""Multiplicative update for NMF with Kullback-Leibler divergence.

Lee & Seung, "Algorithms for Non-negative Matrix Factorization", 2000. One update improves the vectors of
the rows of X while those of its columns stay fixed, in O(nnz K); the columns' vectors are updated by the
same function with X and X' swapped. Rows are independent and sums run in a fixed order: the result has the
same bits for any number of threads.
"""

from __future__ import annotations

import numpy as np

from tacit.compute.csr import CSRArrays, split_by_nonzeros
from tacit.compute.threads import run_blocks
from tacit.jit import njit_cached
from tacit.types import Array

BLOCK_NONZEROS = 1 << 16  # fixed, so that sums do not depend on the number of threads
_TINY = 1e-12
_LANES = 16  # vectors with a multiple of this number of components fill the processor's registers


@njit_cached(fastmath={"reassoc", "contract", "nsz"})
def update_rows_kernel(indptr, indices, data, W, H, sums, first, last, tiny):  # type: ignore[no-untyped-def]
    """Update the rows first..last of W, in place.

    H has a row for each column of X, and ``sums`` are its column sums. Returns the sum of x log(x / wh)
    over the non-zeros and the sum of wh over all cells, both from before the update.
    """
    K = W.shape[1]
    numerator = np.empty(K, W.dtype)
    fit = total = 0.0
    for i in range(first, last):
        numerator[:] = 0
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
                numerator[a] += ratio * h[a]
        for a in range(K):
            total += w[a] * sums[a]
            w[a] *= numerator[a] / max(sums[a], tiny)
    return fit, total


def multiplicative_update(X: CSRArrays, W: Array, H: Array, n_threads: int = 1) -> float:
    """Improve W, in place, for X ~ W H'; return the divergence of X from W H' before the update.

    >>> from scipy.sparse import csr_array
    >>> X = CSRArrays.from_scipy(csr_array(np.array([[2.0, 4.0]])), np.float64)
    >>> W, H = np.ones((1, 1)), np.array([[1.0], [2.0]])
    >>> round(multiplicative_update(X, W, H), 4), W
    (1.1589, array([[2.]]))
    """
    sums = H.sum(axis=0, dtype=np.float64).astype(W.dtype)
    tiny = W.dtype.type(_TINY)

    def update_block(block: tuple[int, int]) -> tuple[float, float]:
        parts: tuple[float, float] = update_rows_kernel(X.indptr, X.indices, X.data, W, H, sums, *block, tiny)
        return parts

    parts = run_blocks(update_block, split_by_nonzeros(X.indptr, BLOCK_NONZEROS), n_threads)
    fit, total = sum(part[0] for part in parts), sum(part[1] for part in parts)
    return fit + total - float(X.data.sum(dtype=np.float64))


def pad_components(vectors: Array) -> Array:
    """Copy vectors and pad them with zeros to a multiple of 16 components; an update leaves these zero.

    >>> pad_components(np.ones((2, 50))).shape
    (2, 64)
    """
    n, K = vectors.shape
    padded = np.zeros((n, -(-K // _LANES) * _LANES), vectors.dtype)
    padded[:, :K] = vectors
    return padded
