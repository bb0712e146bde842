"""Word and character n-grams as sparse rows, and their cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tacit.compute.csr import take_slices
from tacit.compute.tiles import jit
from tacit.text import counting_kernels
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

SparseRows = tuple[Array, Array, Array, int]
"""CSR arrays (row offsets, columns, values) and the number of columns."""


def word_ngrams(texts: TextSet, min_n: int, max_n: int) -> SparseRows:
    """Count the word n-grams of each text; words are compared by their terms."""
    offsets, ngrams, n_ngrams = ngram_ids(texts.token_starts, texts.term_ids(), min_n, max_n)
    return _count(offsets, ngrams, n_ngrams)


def char_ngrams(texts: TextSet, min_n: int, max_n: int) -> SparseRows:
    """Count the character n-grams within the words of each text; spaces mark the ends of a word."""
    table = ngrams_of_tokens(texts.tokens.strings, min_n, max_n)
    return ngrams_of_texts(table, texts.token_starts, texts.token_ids)


class NgramTable(NamedTuple):
    """The character n-grams of tokens: token i has ``ngrams[offsets[i] : offsets[i + 1]]``."""

    offsets: Array
    ngrams: Array
    n_ngrams: int


def ngrams_of_tokens(strings: list[str], min_n: int, max_n: int) -> NgramTable:
    """List the character n-grams of each token between spaces."""
    tokens = [f" {token} " for token in strings]
    codes = np.frombuffer("".join(tokens).encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return NgramTable(*ngram_ids(starts, np.unique(codes, return_inverse=True)[1], min_n, max_n))


def ngrams_of_texts(table: NgramTable, text_starts: Array, token_ids: Array) -> SparseRows:
    """Count the n-grams of each text, those of a token once for each of its occurrences."""
    ngrams, counts = take_slices(table.ngrams, table.offsets, token_ids)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return _count(starts[text_starts], ngrams, table.n_ngrams)


def ngram_ids(starts: Array, items: Array, min_n: int, max_n: int) -> tuple[Array, Array, int]:
    """List the n-grams of sequences of integers; returns offsets of the sequences, ids, and number of ids.

    >>> offsets, ngrams, n_ngrams = ngram_ids(np.array([0, 3]), np.array([0, 0, 0]), 1, 2)
    >>> offsets.tolist(), ngrams.tolist(), n_ngrams
    ([0, 5], [0, 1, 0, 1, 0], 2)
    """
    n_items = int(items.max(initial=0)) + 1
    n_bits = int(len(items) * (max_n - 1) * 2).bit_length()
    ngrams = np.empty(len(items) * (max_n - min_n + 1), np.int32)
    offsets, n_filled, n_ngrams = assign_ngram_ids(
        starts, items.astype(np.int64), n_items, n_bits, min_n, max_n, ngrams
    )
    return offsets, ngrams[:n_filled], n_ngrams


def _count(starts: Array, ngrams: Array, n_ngrams: int) -> SparseRows:
    offsets, columns, counts = counting_kernels.count_distinct_tokens(starts, ngrams, n_ngrams)
    return offsets, columns, counts.astype(np.float64), n_ngrams


@jit
def assign_ngram_ids(starts, items, n_items, n_bits, min_n, max_n, ngrams):  # type: ignore[no-untyped-def]
    """Fill in the id of each n-gram; a unigram has its item as id, longer ones are numbered as they occur.

    The key of an n-gram is the id of the n-gram without its last item, combined with that item. Keys are in
    a hash table of 2^n_bits slots with linear probing.
    """
    keys, ids = np.full(1 << n_bits, -1, np.int64), np.empty(1 << n_bits, np.int64)
    offsets = np.zeros(len(starts), np.int64)
    filled, n_ngrams = 0, n_items
    for text in range(len(starts) - 1):
        for first in range(starts[text], starts[text + 1]):
            ngram = items[first]
            for n in range(1, min(max_n, starts[text + 1] - first) + 1):
                if n > 1:
                    key = ngram * n_items + items[first + n - 1]
                    slot = np.int64(
                        (np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - n_bits)
                    )
                    while keys[slot] >= 0 and keys[slot] != key:
                        slot = (slot + 1) & ((1 << n_bits) - 1)
                    if keys[slot] < 0:
                        keys[slot], ids[slot] = key, n_ngrams
                        n_ngrams += 1
                    ngram = ids[slot]
                if n >= min_n:
                    ngrams[filled] = ngram
                    filled += 1
        offsets[text + 1] = filled
    return offsets, filled, n_ngrams


def row_cosines(rows: SparseRows, left: Array, right: Array) -> Array:
    """Return the cosine of row ``left[i]`` and row ``right[i]`` for each i; 0 if one of them is empty.

    >>> rows = np.array([0, 2, 3]), np.array([0, 1, 0], np.int32), np.array([3.0, 4.0, 2.0]), 2
    >>> row_cosines(rows, np.array([0, 0]), np.array([0, 1]))
    array([1. , 0.6])
    """
    *arrays, n_columns = rows
    cosines, dense_row = np.zeros(len(left)), np.zeros(n_columns)
    fill_sparse_cosines(*arrays, left.astype(np.int64), right.astype(np.int64), dense_row, cosines)
    return np.minimum(cosines, 1)


@jit
def fill_sparse_cosines(offsets, columns, values, left, right, dense_row, cosines):  # type: ignore[no-untyped-def]
    """Fill in the cosines; a left row is expanded into ``dense_row`` once for consecutive pairs."""
    left_norm = 0.0
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        if pair == 0 or a != left[pair - 1]:
            if pair > 0:
                dense_row[columns[offsets[left[pair - 1]] : offsets[left[pair - 1] + 1]]] = 0
            left_norm = 0.0
            for k in range(offsets[a], offsets[a + 1]):
                dense_row[columns[k]] = values[k]
                left_norm += values[k] ** 2
        product = right_norm = 0.0
        for k in range(offsets[b], offsets[b + 1]):
            product += values[k] * dense_row[columns[k]]
            right_norm += values[k] ** 2
        if left_norm > 0 and right_norm > 0:
            cosines[pair] = product / np.sqrt(left_norm * right_norm)
