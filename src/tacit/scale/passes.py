"""Functions that compute one pass of training for one partition.

Workers import these functions and run them on one thread; each returns a ``PassResult``. The first pass of
a sweep solves the texts' vectors block by block and does not keep them. Instead it keeps one residual for
each word of a text: a text with words V and weights x has the vector y that solves (I + c T_V' T_V) y =
T_V' x (see ``tacit.factorize.short_rows``), so

    y = T_V' z,    z = x - c T_V y

and with z, the text residuals, the vector is a sum over the words. The next passes restore the vectors from
z. If the file of text residuals is missing, damaged or of another sweep, they solve again, with the same
bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.compute.csr import CSRArrays
from tacit.compute.tiles import dot, gram, jit, round_up_to_tile
from tacit.factorize.conjugate_gradients import (
    add_word_gradients,
    add_word_products,
    scatter_add_rows,
    transpose_block,
)
from tacit.factorize.row_solver import FoldIn, WhitenedFactors, gram_matrix
from tacit.factorize.short_rows import weighted_sum
from tacit.scale.partition_files import PartitionRows, load_residuals, save_residuals
from tacit.types import Array


@dataclass
class PassResult:
    """The result of a pass: a row for some of the words (all if ``word_ids`` is None), and named totals."""

    n_words: int
    word_ids: Array | None
    rows: Array
    totals: dict[str, Any]

    def to_dense(self) -> PassResult:
        """Return the same result with a row for every word."""
        if self.word_ids is None:
            return self
        rows = np.zeros((self.n_words, *self.rows.shape[1:]), self.rows.dtype)
        scatter_add_rows(rows, self.word_ids, self.rows)
        return PassResult(self.n_words, None, rows, self.totals)


def add_results(left: PassResult, right: PassResult) -> PassResult:
    """Add two results; the rows of the first may be overwritten.

    >>> one = PassResult(3, np.array([0, 2]), np.ones((2, 1)), {"loss": 1.0})
    >>> total = add_results(one, PassResult(3, np.array([2]), np.ones((1, 1)), {"loss": 2.0}))
    >>> total.rows.ravel(), total.totals
    (array([1., 0., 2.]), {'loss': 3.0})
    """
    rows = left.to_dense().rows
    if right.word_ids is None:
        rows += right.rows
    else:
        scatter_add_rows(rows, right.word_ids, right.rows)
    totals = {name: value + right.totals[name] for name, value in left.totals.items()}
    return PassResult(left.n_words, None, rows, totals)


def word_gradients_pass(rows: PartitionRows, whitened: WhitenedFactors, sweep_id: int) -> PassResult:
    """Solve the texts and sum the words' gradients; the totals are Y'Y and the loss that texts explain.

    The text residuals are saved under ``sweep_id``.
    """
    T = whitened.T
    K = T.shape[1]
    words, row_of_word = _words_of_partition(rows)
    gradients = np.zeros((len(words), K + 1), T.dtype)
    text_gram, explained_loss, residuals = np.zeros((K, K)), 0.0, []
    for block in rows.iterate_blocks(T.dtype):
        vectors, block_loss = whitened.solve(block)
        Y = vectors.coordinates
        explained_loss += block_loss
        residuals.append(compute_text_residuals(block, Y, whitened))
        text_gram += gram(Y, 0, len(Y))
        block_words, starts, texts, values = transpose_block(
            block.indptr, block.indices, block.data, rows.n_words
        )
        add_word_gradients(block_words, starts, texts, values, row_of_word, Y, T, whitened.c, gradients)
    save_residuals(rows, residuals, sweep_id)
    return PassResult(len(T), words, gradients, {"gram": text_gram, "explained_loss": explained_loss})


def word_products_pass(
    rows: PartitionRows, whitened: WhitenedFactors, sweep_id: int, directions: Array
) -> PassResult:
    """Sum the product of each word with its direction."""
    words, row_of_word = _words_of_partition(rows)
    products = np.zeros((len(words), whitened.T.shape[1]), whitened.T.dtype)
    for block, Y in iterate_restored_blocks(rows, whitened, sweep_id):
        block_words, starts, texts, _ = transpose_block(block.indptr, block.indices, block.data, rows.n_words)
        add_word_products(block_words, starts, texts, row_of_word, Y, directions, products)
    return PassResult(len(whitened.T), words, products, {})


def gram_product_pass(rows: PartitionRows, vector: Array) -> PassResult:
    """Compute X'Xv and |Xv|^2 for the power iteration."""
    from scipy.sparse import csr_matrix

    indptr, indices, data = rows.map_arrays()
    X = csr_matrix((data, indices, indptr), (rows.n_texts, rows.n_words))
    product = X @ vector
    return PassResult(rows.n_words, None, X.T @ product, {"squared_norm": float(product @ product)})


def text_statistics_pass(rows: PartitionRows, fold_in: FoldIn) -> PassResult:
    """Sum over the texts' vectors: Gram matrix, that of the unit vectors, unit vectors, and their number."""
    K = fold_in.n_components
    totals: dict[str, Any] = {"gram": np.zeros((K, K)), "unit_gram": np.zeros((K, K))}
    totals |= {"unit_sum": np.zeros(K), "n_nonzero_texts": 0}
    for block in rows.iterate_blocks(np.float32):
        vectors = fold_in(block)
        totals["gram"] += gram_matrix(vectors)
        units = normalize_rows(vectors[vectors.any(axis=1)])
        totals["unit_gram"] += gram_matrix(units)
        totals["unit_sum"] += units.sum(axis=0, dtype=np.float64)
        totals["n_nonzero_texts"] += len(units)
    return PassResult(0, None, np.zeros((0, 1)), totals)


def _words_of_partition(rows: PartitionRows) -> tuple[Array, Array]:
    """Return the words of a partition, and the position of each word of the vocabulary among them."""
    _, indices, _ = rows.map_arrays()
    is_present = np.bincount(indices, minlength=rows.n_words) > 0
    return np.flatnonzero(is_present), np.cumsum(is_present) - 1


def iterate_restored_blocks(
    rows: PartitionRows, whitened: WhitenedFactors, sweep_id: int
) -> Iterator[tuple[CSRArrays, Array]]:
    """Yield blocks of texts and their vectors, restored from the text residuals of this sweep."""
    residuals, first = load_residuals(rows, whitened.T.dtype, sweep_id), 0
    for block in rows.iterate_blocks(whitened.T.dtype):
        if residuals is None:
            Y = whitened.solve(block)[0].coordinates
            z = compute_text_residuals(block, Y, whitened)
        else:
            Y = np.zeros((round_up_to_tile(block.shape[0]), whitened.T.shape[1]), whitened.T.dtype)
            last = first + len(block.indices)
            z, first = residuals[first:last], last
        combine_words_kernel(block.indptr, block.indices, z, whitened.T, Y)
        yield block, Y


def compute_text_residuals(block: CSRArrays, Y: Array, whitened: WhitenedFactors) -> Array:
    """Compute z of a block of texts whose vectors are Y."""
    z = np.empty(len(block.indices), Y.dtype)
    text_residuals_kernel(block.indptr, block.indices, block.data, Y, whitened.T, whitened.c, z)
    return z


@jit
def text_residuals_kernel(indptr, indices, data, Y, T, c, z):  # type: ignore[no-untyped-def]
    """Compute z = x - c T_V y for every text."""
    for row in range(len(indptr) - 1):
        for e in range(indptr[row], indptr[row + 1]):
            z[e] = data[e] - c * dot(Y[row], T[indices[e]])


@jit
def combine_words_kernel(indptr, indices, z, T, Y):  # type: ignore[no-untyped-def]
    """Compute y = T_V' z for every text."""
    max_length = 0
    for row in range(len(indptr) - 1):
        max_length = max(max_length, indptr[row + 1] - indptr[row])
    padded = np.zeros(max_length + 3, z.dtype)
    for row in range(len(indptr) - 1):
        start, n = indptr[row], indptr[row + 1] - indptr[row]
        padded[:n] = z[start : start + n]
        padded[n : n + 3] = 0
        weighted_sum(T, indices[start : start + n], padded, Y[row])
