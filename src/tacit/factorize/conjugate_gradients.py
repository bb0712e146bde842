"""Word half-sweep by block conjugate gradients, for texts that do not fit in memory.

With the texts' vectors fixed, word i's vector t solves (in whitened coordinates, see ``short_rows``)

    (S + c sum_j y_j y_j') t = sum_j x_ij y_j,      S = w_m Y'Y + lambda L'L,

over the texts j that have it. A step needs the products of all words at once: one pass over the texts and
one sum of an array of words x K. In whitened coordinates, with a text's vector y and a word's vector t, the
sums over the texts that have word i are

    gradient   sum_j (x_ij - c y_j . t_i) y_j          and the squared lengths  sum_j |y_j|^2
    product    sum_j (y_j . d_i) y_j                   for a direction d_i

The texts' vectors need not be stored for this: the sums have one row for each word, whatever the number of
texts.

Two steps are enough, for two reasons. The start is the vector of the last sweep. And the axes are those in
which w_m P'P + lambda I is diagonal: at a stationary point P'P = Q'Q, so that S is nearly diagonal too, and
the sum over a word's texts is nearly a share of Y'Y, by their squared lengths. This gives the
preconditioner

    S_kk + c (sum_j |y_j|^2 / tr Y'Y) (Y'Y)_kk
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacit.compute.threads import run_blocks, split_range
from tacit.compute.tiles import dot, jit, multiply_in_place
from tacit.factorize.row_solver import WhitenedFactors
from tacit.factorize.shared_factor import matmul_float64
from tacit.types import Array

CG_STEPS = 2
_BLOCK_ROWS = 4096


class BlockConjugateGradients:
    """Conjugate gradients for all words at once; the next pass multiplies ``directions``.

    Parameters
    ----------
    whitened : WhitenedFactors
        The words' vectors of the last sweep.
    gradients : array
        Words x (K + 1), as summed by ``add_word_gradients``; it is overwritten.
    gram : array
        Y'Y.
    regularization : float
        lambda.
    n_threads : int
        Number of threads.
    """

    def __init__(
        self, whitened: WhitenedFactors, gradients: Array, gram: Array, regularization: float, n_threads: int
    ) -> None:
        T, L = whitened.T, whitened.factor.L
        K, dtype = T.shape[1], T.dtype
        self.c, self.n_threads = whitened.c, n_threads
        ridge = regularization * matmul_float64(np.ascontiguousarray(L.T), L)
        self.S = np.ascontiguousarray(whitened.missing_weight * gram + ridge, dtype)
        self.blocks = [slice(*b) for b in split_range(len(T), _BLOCK_ROWS)]
        trace = max(float(np.trace(gram)), 1e-300)
        self.preconditioner_weights = (whitened.c * gram.diagonal() / trace).astype(dtype)
        self.squared_lengths = np.ascontiguousarray(gradients[:, K])
        self.vectors, self.residual = T.copy(), gradients
        self.directions = np.empty_like(T)
        self.rz = np.empty(len(T), dtype)  # r'z of each word
        self.loss_decrease = 0.0
        self.initial_squared_residual = self._sum_over_blocks(lambda b: self._init_block(b, T))
        self.squared_residual = self.initial_squared_residual

    def _sum_over_blocks(self, function: Callable[[slice], float]) -> float:
        return float(sum(run_blocks(function, self.blocks, self.n_threads)))

    def _multiply_shared(self, rows: Array) -> Array:
        """Return rows @ S."""
        products = rows.copy()
        multiply_in_place(products, self.S, 0, len(products))
        return products

    def _preconditioner(self, b: slice) -> Array:
        diagonal: Array = self.S.diagonal() + self.squared_lengths[b, None] * self.preconditioner_weights
        diagonal[diagonal == 0] = 1  # padding
        return diagonal

    def _init_block(self, b: slice, T: Array) -> float:
        r = self.residual[b, :-1]
        r -= self._multiply_shared(T[b])
        z = r / self._preconditioner(b)
        self.rz[b] = np.einsum("ik,ik->i", r, z)
        self.directions[b] = z
        return _sum_of_squares(r)

    def step(self, products: Array, is_last: bool) -> None:
        """Take a step along the directions, given their products with the sums over the texts."""

        def update_block(b: slice) -> tuple[float, float]:
            r, d = self.residual[b, :-1], self.directions[b]
            Ad = self._multiply_shared(d)
            Ad += self.c * products[b]
            curvature = np.einsum("ik,ik->i", d, Ad)
            rz = self.rz[b].copy()
            alpha = np.divide(rz, curvature, out=np.zeros_like(rz), where=curvature > 0)
            self.vectors[b] += alpha[:, None] * d
            r -= alpha[:, None] * Ad
            loss_decrease = float(np.sum(alpha * rz, dtype=np.float64))
            if not is_last:
                z = r / self._preconditioner(b)
                self.rz[b] = np.einsum("ik,ik->i", r, z)
                beta = np.divide(self.rz[b], rz, out=np.zeros_like(rz), where=rz > 0)
                self.directions[b] = z + beta[:, None] * d
            return loss_decrease, _sum_of_squares(r)

        sums = run_blocks(update_block, self.blocks, self.n_threads)
        self.loss_decrease += sum(loss_decrease for loss_decrease, _ in sums)
        self.squared_residual = sum(squared_residual for _, squared_residual in sums)

    @property
    def relative_residual(self) -> float:
        """The norm of the residual, divided by that of the first residual."""
        initial = self.initial_squared_residual
        return float(np.sqrt(self.squared_residual / initial)) if initial > 0 else 0.0


def _sum_of_squares(r: Array) -> float:
    return float(np.sum(np.square(r, dtype=np.float64)))


@jit
def transpose_block(indptr, indices, data, n_words):  # type: ignore[no-untyped-def]
    """Transpose CSR arrays: the columns that occur, where each starts, and its rows and values."""
    counts = np.zeros(n_words + 1, np.int64)
    for e in range(indptr[0], indptr[-1]):
        counts[indices[e] + 1] += 1
    n_distinct = 0
    for w in range(n_words):
        n_distinct += counts[w + 1] > 0
    words, starts = np.empty(n_distinct, np.int32), np.zeros(n_distinct + 1, np.int64)
    n_filled = total = 0
    for w in range(n_words):
        count = counts[w + 1]
        counts[w + 1] = total
        if count > 0:
            words[n_filled] = w
            n_filled += 1
            total += count
            starts[n_filled] = total
    rows, values = np.empty(total, np.int32), np.empty(total, data.dtype)
    for row in range(len(indptr) - 1):
        for e in range(indptr[row], indptr[row + 1]):
            position = counts[indices[e] + 1]
            counts[indices[e] + 1] += 1
            rows[position], values[position] = row, data[e]
    return words, starts, rows, values


@jit
def scatter_add_rows(total, words, rows):  # type: ignore[no-untyped-def]
    """Compute total[words] += rows without a copy."""
    for w in range(len(words)):
        target, row = total[words[w]], rows[w]
        for k in range(len(row)):
            target[k] += row[k]


@jit
def add_word_gradients(words, starts, texts, values, row_of_word, Y, T, c, out):  # type: ignore[no-untyped-def]
    """Add the gradient of each word to out[row_of_word[word]]; the last column takes the squared lengths."""
    K = Y.shape[1]
    for w in range(len(words)):
        t, row = T[words[w]], out[row_of_word[words[w]]]
        for e in range(starts[w], starts[w + 1]):
            y = Y[texts[e]]
            error = values[e] - c * dot(y, t)
            row[K] += dot(y, y)
            for k in range(K):
                row[k] += error * y[k]


@jit
def add_word_products(words, starts, texts, row_of_word, Y, D, out):  # type: ignore[no-untyped-def]
    """Add the product of each word with its direction in D to out[row_of_word[word]]."""
    K = Y.shape[1]
    for w in range(len(words)):
        d, row = D[words[w]], out[row_of_word[words[w]]]
        for e in range(starts[w], starts[w + 1]):
            y = Y[texts[e]]
            projection = dot(y, d)
            for k in range(K):
                row[k] += projection * y[k]
