"""Interleaved NMF of three count matrices on the KL divergence (Van de Cruys & Apidianaki 2011).

It alternates multiplicative updates (Lee & Seung, "Algorithms for Non-negative Matrix Factorization", 2000).
One update improves the vectors of the rows of X while those of its columns stay fixed, in O(nnz K); the
columns' vectors are updated by the same function with X and X' swapped. Rows are independent and sums run in
a fixed order: the result has the same bits for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tacit.checks import check_int
from tacit.compute.csr import CSRArrays, split_by_nonzeros
from tacit.compute.threads import effective_n_threads, run_blocks
from tacit.errors import InputError
from tacit.jit import njit_cached
from tacit.types import Array

BLOCK_NONZEROS = 1 << 16  # fixed, so that sums do not depend on the number of threads
_TINY = 1e-12
_LANES = 16  # vectors with a multiple of this number of components fill the processor's registers


class InterleavedFactors(NamedTuple):
    """A vector per word, feature and context word, and the divergence at each iteration."""

    words: Array
    features: Array
    contexts: Array
    divergence: list[float]


def interleaved_nmf(
    A: Any, B: Any, C: Any, n_components: int = 50, n_iter: int = 50, random_state: Any = 0,
    n_threads: int | None = None, callback: Callable[[int, float], None] | None = None,
) -> InterleavedFactors:  # fmt: skip
    """Represent words, features and context words on the same latent dimensions.

    Each iteration improves the words' vectors by A, then the context words' by B, then the features' by C,
    each by one multiplicative step on the Kullback-Leibler divergence (section 3.2 of the paper). The result
    has the same bits for any number of threads.

    Parameters
    ----------
    A : scipy sparse matrix
        Counts of words x features.
    B : scipy sparse matrix
        Counts of words x context words.
    C : scipy sparse matrix
        Counts of context words x features.
    n_components : int
        The number of latent dimensions.
    n_iter : int
        The number of iterations.
    random_state : int
        The seed of the initial vectors.
    n_threads : int, optional
        The number of threads; None for one per core.
    callback : callable, optional
        Called with each iteration and the sum of the three matrices' divergences.

    Returns
    -------
    InterleavedFactors
        The vectors and the divergences.

    Raises
    ------
    InputError
        If shapes do not match, a parameter is out of range, or a matrix has no counts.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> A, B = csr_array([[3.0, 0.0], [0.0, 2.0]]), csr_array([[1.0, 0.0, 1.0], [0.0, 4.0, 0.0]])
    >>> C = csr_array([[2.0, 0.0], [0.0, 5.0], [1.0, 0.0]])
    >>> factors = interleaved_nmf(A, B, C, n_components=2, n_iter=30)
    >>> bool((factors.words.argmax(axis=1) == factors.features.argmax(axis=1)).all())
    True
    """
    check_int("n_components", n_components, 1, 10_000)
    check_int("n_iter", n_iter, 1, 1_000_000)
    _check_matrices(A, B, C)
    initial = init_factors((A.shape[0], A.shape[1], B.shape[1]), n_components, random_state)
    W, H, G = (pad_components(vectors) for vectors in initial)
    # A step improves the vectors of rows, so context words are the rows of B' and features those of C'.
    rows_A, rows_B, rows_C = (CSRArrays.from_scipy(X.tocsr(), np.float32) for X in (A, B.T, C.T))
    steps = ((rows_A, W, H), (rows_B, G, W), (rows_C, H, G))
    divergence: list[float] = []
    for iteration in range(1, n_iter + 1):
        divergence.append(sum(_improve(*parts, n_threads) for parts in steps))
        if callback is not None:
            callback(iteration, divergence[-1])
    words, features, contexts = (vectors[:, :n_components].copy() for vectors in (W, H, G))
    return InterleavedFactors(words, features, contexts, divergence)


def init_factors(sizes: tuple[int, ...], n_components: int, seed: Any) -> list[Array]:
    """Draw the initial vectors of each kind of item."""
    random = np.random.default_rng(seed)
    return [random.uniform(0.1, 1.1, (size, n_components)).astype(np.float32) for size in sizes]


def _improve(X: CSRArrays, vectors: Array, others: Array, n_threads: int | None) -> float:
    """Take a step for the vectors of the rows of X in place, and return the divergence before it."""
    loss = multiplicative_update(X, vectors, others, effective_n_threads(n_threads))
    sums = vectors.sum(axis=1, keepdims=True, dtype=np.float64)
    vectors /= np.maximum(sums, _TINY).astype(vectors.dtype)
    return loss


def _check_matrices(A: Any, B: Any, C: Any) -> None:
    """Raise an error if the shapes do not match or a matrix has no counts."""
    expected = (B.shape[1], A.shape[1])
    if A.shape[0] != B.shape[0] or C.shape != expected:
        raise InputError(
            f"A is {A.shape}, B is {B.shape} and C is {C.shape}: A and B need the same rows, and C "
            f"has to be {expected}"
        )
    for name, X in (("A", A), ("B", B), ("C", C)):
        if not X.nnz or not np.all(np.isfinite(X.data)) or X.data.min() < 0:
            raise InputError(f"{name} needs counts: finite numbers from 0, not all 0")


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
        return update_rows_kernel(X.indptr, X.indices, X.data, W, H, sums, *block, tiny)

    parts = run_blocks(update_block, split_by_nonzeros(X.indptr, BLOCK_NONZEROS), n_threads)
    fit, total = map(sum, zip(*parts, strict=True))
    return fit + total - float(X.data.sum(dtype=np.float64))


def pad_components(vectors: Array) -> Array:
    """Copy vectors and pad them with zeros to a multiple of 16 components; an update leaves these zero.

    >>> pad_components(np.ones((2, 50))).shape
    (2, 64)
    """
    return np.pad(vectors, ((0, 0), (0, -vectors.shape[1] % _LANES)))
