"""What is done to one partition in a pass of training: functions that a worker imports, on one thread.

Each returns ``Sums``. Texts' vectors live for one block and are gone: the next pass puts them together again
from what the texts left in the first (see ``remainders``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.compute.tiles import gram
from tacit.factorize.by_word import add_gradients, add_products, transposed
from tacit.factorize.row_solver import FoldIn, WhitenedFactors, gram_of
from tacit.scale.remainders import keep_remainders, remainders_of, restored, solved
from tacit.scale.rows import RowsFile
from tacit.scale.sums import Sums

Array = NDArray[Any]


def gradients(rows: RowsFile, given: WhitenedFactors, stamp: int) -> Sums:
    """The text half, and each word's gradient at it; beside it Y'Y and the loss that texts explain.

    What the texts leave is kept under the sweep's ``stamp``.
    """
    T = given.T
    K = T.shape[1]
    words, places = _words(rows)
    found = np.zeros((len(words), K + 1), T.dtype)
    total, explained, left = np.zeros((K, K)), 0.0, []
    for block, Y, gain in solved(rows, given):
        explained += gain
        left.append(remainders_of(block, Y, given))
        total += gram(Y, 0, len(Y))
        own, starts, texts, values = transposed(block.indptr, block.indices, block.data, rows.n_words)
        add_gradients(own, starts, texts, values, places, Y, T, given.c, found)
    keep_remainders(rows, left, stamp)
    return Sums(len(T), words, found, np.append(total.ravel(), explained))


def products(rows: RowsFile, given: WhitenedFactors, stamp: int, directions: Array) -> Sums:
    """Each word's product with its direction."""
    words, places = _words(rows)
    found = np.zeros((len(words), given.T.shape[1]), given.T.dtype)
    for block, Y in restored(rows, given, stamp):
        own, starts, texts, _ = transposed(block.indptr, block.indices, block.data, rows.n_words)
        add_products(own, starts, texts, places, Y, directions, found)
    return Sums(len(given.T), words, found, np.zeros(0))


def _words(rows: RowsFile) -> tuple[Array, Array]:
    """The words of a partition, and where each stands among them."""
    _, indices, _ = rows.arrays()
    there = np.bincount(indices, minlength=rows.n_words) > 0
    return np.flatnonzero(there), np.cumsum(there) - 1


def images(rows: RowsFile, vector: Array) -> Sums:
    """X'Xv and |Xv|^2, for the power iteration."""
    from scipy.sparse import csr_matrix

    indptr, indices, data = rows.arrays()
    X = csr_matrix((data, indices, indptr), (rows.n_texts, rows.n_words))
    image = X @ vector
    return Sums(rows.n_words, None, X.T @ image, np.array([float(image @ image)]))


def text_sums(rows: RowsFile, own: FoldIn) -> Sums:
    """Of the texts' vectors: their Gram, that of the vectors at length 1, the sum of these, and how many."""
    K = own.n_components
    total, units, along, filled = np.zeros((K, K)), np.zeros((K, K)), np.zeros(K), 0
    for block in rows.blocks(np.float32):
        vectors = own(block)
        total += gram_of(vectors)
        shortened = unit(vectors[vectors.any(axis=1)])
        units += gram_of(shortened)
        along += shortened.sum(axis=0, dtype=np.float64)
        filled += len(shortened)
    small = np.concatenate([total.ravel(), units.ravel(), along, [filled]])
    return Sums(0, None, np.zeros((0, 1)), small)
