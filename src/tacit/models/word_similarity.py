"""Kernels that compare words: letter n-grams, vectors, greedy one-to-one matching."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tacit.compute.csr import take_slices
from tacit.compute.tiles import jit, jit_inline, jit_reassoc
from tacit.text.counting_kernels import sort_in_place
from tacit.types import Array

IDF_POWER = 1.4
NUMBER_WEIGHT = 1.5
MIN_LETTERS = 4  # shorter words are not compared by their letters

LETTER_BITS = 21  # of a code point
_ONE, _TWO, _FOUR = np.uint64(1), np.uint64(2), np.uint64(4)
HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def word_weights(idf: Array, is_number: Array) -> Array:
    """Return the weights of words in ``alignment`` and ``matching``."""
    weights: Array = idf**IDF_POWER * np.where(is_number, NUMBER_WEIGHT, 1.0)
    return weights


class LetterNgrams(NamedTuple):
    """Distinct letter bigrams and trigrams of each term; term i has ``ngrams[offsets[i]:offsets[i + 1]]``.

    ``lengths`` counts the letters of each term. Each n-gram of a term sets one of the 64 bits of its
    signature; ``n_collisions`` counts the n-grams whose bit was already set.
    """

    offsets: Array
    ngrams: Array
    lengths: Array
    signatures: Array
    n_collisions: Array

    def take(self, rows: Array) -> LetterNgrams:
        """Return the n-grams of some terms."""
        ngrams, sizes = take_slices(self.ngrams, self.offsets, rows)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        return LetterNgrams(
            offsets, ngrams, self.lengths[rows], self.signatures[rows], self.n_collisions[rows]
        )

    @classmethod
    def concat(cls, parts: Sequence[LetterNgrams]) -> LetterNgrams:
        """Concatenate the n-grams of several lists of terms."""
        _, *arrays = (np.concatenate(values) for values in zip(*parts, strict=True))
        sizes = [np.diff(part.offsets) for part in parts]
        return cls(np.concatenate([np.zeros(1, np.int64), *sizes]).cumsum(), *arrays)


def letter_ngrams(terms: list[str]) -> LetterNgrams:
    """Return the distinct letter bigrams and trigrams of each term, sorted.

    >>> ngrams = letter_ngrams(["ab", "abc"])
    >>> ngrams.offsets.tolist(), ngrams.lengths.tolist()
    ([0, 1, 4], [2, 3])
    """
    lengths = np.fromiter(map(len, terms), np.int64, len(terms))
    codes = np.frombuffer("".join(terms).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    offsets = np.zeros(len(terms) + 1, np.int64)
    ngrams = np.empty(max(2 * len(codes), 1), np.int64)
    signatures, n_collisions = np.zeros(len(terms), np.uint64), np.zeros(len(terms), np.int64)
    n_filled = fill_ngrams(codes, lengths, offsets, ngrams, signatures, n_collisions)
    return LetterNgrams(offsets, ngrams[:n_filled], lengths, signatures, n_collisions)


@jit
def fill_ngrams(codes, lengths, offsets, ngrams, signatures, n_collisions):  # type: ignore[no-untyped-def]
    """Fill in the sorted distinct n-grams and the signature of each term; return the number of n-grams."""
    filled = first = 0
    for term in range(len(lengths)):
        start = filled
        for size in (2, 3):
            for k in range(first, first + lengths[term] - size + 1):
                ngram = np.int64(0)
                for letter in range(size):
                    ngram = (ngram << LETTER_BITS) | (codes[k + letter] + 1)
                ngrams[filled] = ngram
                filled += 1
        sort_in_place(ngrams[start:filled])
        end = start
        for k in range(start, filled):
            if k == start or ngrams[k] != ngrams[end - 1]:
                ngrams[end] = ngrams[k]
                end += 1
                bit = (np.uint64(ngrams[k]) * HASH_FACTOR) >> np.uint64(58)
                signatures[term] |= _ONE << bit
        filled = end
        n_collisions[term] = end - start - popcount(signatures[term])
        first += lengths[term]
        offsets[term + 1] = filled
    return filled


@jit
def fill_dice(term, others, min_dice, letters, scores):  # type: ignore[no-untyped-def]
    """scores[i] = Dice coefficient of the n-grams of ``term`` and ``others[i]``; 0 up to ``min_dice``.

    Most terms share few n-grams, and their signatures show it: a shared n-gram sets the same bit in both,
    so that two terms share at most as many as they have common bits and collisions.
    """
    v = term
    for n in range(len(others)):
        u = others[n]
        scores[n] = 0
        size = letters.offsets[u + 1] - letters.offsets[u] + letters.offsets[v + 1] - letters.offsets[v]
        max_shared = popcount(letters.signatures[u] & letters.signatures[v])
        max_shared += min(letters.n_collisions[u], letters.n_collisions[v])
        if 2 * max_shared < min_dice * size or min(letters.lengths[u], letters.lengths[v]) < MIN_LETTERS:
            continue
        i, j, shared = letters.offsets[u], letters.offsets[v], 0
        while i < letters.offsets[u + 1] and j < letters.offsets[v + 1]:
            if letters.ngrams[i] == letters.ngrams[j]:
                shared += 1
                i += 1
                j += 1
            elif letters.ngrams[i] < letters.ngrams[j]:
                i += 1
            else:
                j += 1
        if size > 0 and 2 * shared / size > min_dice:
            scores[n] = 2 * shared / size


@jit
def popcount(bits):  # type: ignore[no-untyped-def]
    """Count the bits of a 64-bit number that are set."""
    bits = bits - ((bits >> _ONE) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> _TWO) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> _FOUR)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit_reassoc
def fill_dot_products(vectors, rows, row, first, last, products):  # type: ignore[no-untyped-def]
    """products[i] = dot product of the vectors in rows[i] and ``row``, for i from ``first`` to ``last``.

    It is 0 if one of the two is -1.
    """
    for i in range(first, last):
        total = vectors.dtype.type(0)
        if rows[i] >= 0 and row >= 0:
            for k in range(vectors.shape[1]):
                total += vectors[rows[i], k] * vectors[row, k]
        products[i] = total


@jit_inline
def match_greedily(scores, row_counts, column_counts, matches):  # type: ignore[no-untyped-def]
    """Match rows with columns, the highest score above 0 first; return the number of matches.

    A row or column is matched as often as its count says; the counts are reduced in place. ``matches[k]``
    holds row, column and how often the two were matched.

    The scores need not be sorted: a cell that is the maximum of its row and of its column will be matched
    at some point, as no other match can use it up. From a row to its best column and on to that column's
    best row the scores only increase, so that such a cell is soon found.
    """
    best_column = np.full(len(row_counts), -1, np.int64)
    best_row = np.full(len(column_counts), -1, np.int64)
    n_matches = 0
    for start in range(len(row_counts)):
        while row_counts[start] > 0:
            i = start
            while True:
                if best_column[i] < 0 or column_counts[best_column[i]] == 0:
                    best_column[i] = best_in_row(scores, i, column_counts)
                j = best_column[i]
                if j < 0 or best_row[j] == i:
                    break
                if best_row[j] < 0 or row_counts[best_row[j]] == 0:
                    best_row[j] = best_in_row(scores.T, j, row_counts)
                if best_row[j] == i:
                    break
                i = best_row[j]
            if j < 0:  # only for the first row: a row reached from a column has a column
                break
            times = min(row_counts[i], column_counts[j])
            row_counts[i] -= times
            column_counts[j] -= times
            matches[n_matches, 0], matches[n_matches, 1], matches[n_matches, 2] = i, j, times
            n_matches += 1
    return n_matches


@jit_inline
def best_in_row(scores, i, column_counts):  # type: ignore[no-untyped-def]
    """Return the column with the highest score above 0 that is still free, the last one of equals, or -1.

    Among words that always occur together the last is the likelier partner: articles precede nouns.
    """
    best, max_score = -1, 0.0
    for j in range(len(column_counts)):
        if column_counts[j] > 0 and scores[i, j] > 0 and scores[i, j] >= max_score:
            best, max_score = j, scores[i, j]
    return best
