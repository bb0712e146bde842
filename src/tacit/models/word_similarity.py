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
MIN_SHARE_OF_UNKNOWN, MIN_SHARE = 0.6, 0.85
"""Shares of letters from which two words may be spellings of one word; see ``spelling_score``."""
MAX_RARE_SHARE = 1 / 4000
"""A word is rare if it is unknown, in one text, or in at most this share of the texts."""
FREQUENCY_RATIO = 10
"""A rare word can be a misspelling of words that are in at least this many times as many texts."""

_LETTER_BITS = 21  # of a code point
_ONE, _TWO, _FOUR = np.uint64(1), np.uint64(2), np.uint64(4)


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
                    ngram = (ngram << _LETTER_BITS) | (codes[k + letter] + 1)
                ngrams[filled] = ngram
                filled += 1
        sort_in_place(ngrams[start:filled])
        end = start
        for k in range(start, filled):
            if k == start or ngrams[k] != ngrams[end - 1]:
                ngrams[end] = ngrams[k]
                end += 1
                bit = (np.uint64(ngrams[k]) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(58)
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


class Spellings(NamedTuple):
    """Letters of tokens and of their terms, and how many texts have them.

    String i has the code points from ``offsets[i]`` to ``offsets[i + 1]``. The strings are the n tokens
    without accents, then for each language the n terms. ``doc_freqs`` has a row for each language: 0 for
    unknown words, infinity for words with a background vector. ``max_rare`` is the largest document frequency
    of a rare word of each language.
    """

    codes: Array
    offsets: Array
    doc_freqs: Array
    max_rare: Array

    def take(self, rows: Array) -> Spellings:
        """Return the letters and frequencies of some tokens."""
        n_languages, n = self.doc_freqs.shape
        strings = np.concatenate([rows + n * block for block in range(n_languages + 1)])
        codes, lengths = take_slices(self.codes, self.offsets, strings)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        return Spellings(codes, offsets, self.doc_freqs[:, rows], self.max_rare)

    @classmethod
    def concat(cls, parts: Sequence[Spellings]) -> Spellings:
        """Concatenate the tokens of several tables of the same languages."""
        doc_freqs = np.concatenate([part.doc_freqs for part in parts], axis=1)
        codes, lengths = [], [np.zeros(1, np.int64)]
        for block in range(len(doc_freqs) + 1):
            for part in parts:
                n = part.doc_freqs.shape[1]
                ends = part.offsets[block * n : (block + 1) * n + 1]
                codes.append(part.codes[ends[0] : ends[-1]])
                lengths.append(np.diff(ends))
        return cls(np.concatenate(codes), np.cumsum(np.concatenate(lengths)), doc_freqs, parts[0].max_rare)


def encode_letters(strings: list[str]) -> tuple[Array, Array]:
    """Return the code points of strings one after another, and the offsets of the strings."""
    lengths = np.fromiter(map(len, strings), np.int64, len(strings))
    codes = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), np.uint32)
    return codes, np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


@jit
def shared_letters(u, v, min_share, codes, offsets):  # type: ignore[no-untyped-def]
    """Share of the longer string in the common beginning and end of two strings; 0 below ``min_share``.

    Two adjacent letters that are swapped count as one that differs. Strings that begin differently need
    ``MIN_SHARE``.
    """
    first_u, first_v = offsets[u], offsets[v]
    n_u, n_v = offsets[u + 1] - first_u, offsets[v + 1] - first_v
    shortest, longest = min(n_u, n_v), max(n_u, n_v)
    if shortest < MIN_LETTERS or shortest < min_share * longest:
        return 0.0
    start = end = 0
    while start < shortest and codes[first_u + start] == codes[first_v + start]:
        start += 1
    while end < shortest - start and codes[first_u + n_u - 1 - end] == codes[first_v + n_v - 1 - end]:
        end += 1
    n_different, i, j = longest - start - end, first_u + start, first_v + start
    if n_different == 2 and n_u == n_v and codes[i] == codes[j + 1] and codes[i + 1] == codes[j]:
        n_different = 1
    share = 1 - n_different / longest
    return share if share >= (min_share if start else max(min_share, MIN_SHARE)) else 0.0


@jit
def spelling_score(u, v, language, spellings):  # type: ignore[no-untyped-def]
    """Similarity of two tokens of a language as spellings of one word; 0 if both are known and not rare.

    An unknown word is compared with all words, a rare word with words that are ``FREQUENCY_RATIO`` times as
    frequent. The score is the share of letters in the common beginning and end of the tokens or of their
    terms. It must reach ``MIN_SHARE``, which is one differing letter in seven, or ``MIN_SHARE_OF_UNKNOWN`` if
    an unknown word begins with the same letter as the other token.
    """
    u_freq, v_freq = spellings.doc_freqs[language, u], spellings.doc_freqs[language, v]
    rarest = min(u_freq, v_freq)
    if rarest > spellings.max_rare[language] or max(u_freq, v_freq) < FREQUENCY_RATIO * rarest:
        return 0.0
    min_share, n = MIN_SHARE if rarest else MIN_SHARE_OF_UNKNOWN, spellings.doc_freqs.shape[1]
    terms = n * (language + 1)
    return max(
        shared_letters(u, v, min_share, spellings.codes, spellings.offsets),
        shared_letters(terms + u, terms + v, MIN_SHARE, spellings.codes, spellings.offsets),
    )


@jit
def popcount(bits):  # type: ignore[no-untyped-def]
    """Count the bits of a 64-bit number that are set."""
    bits = bits - ((bits >> _ONE) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> _TWO) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> _FOUR)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit_reassoc
def fill_dot_products(vectors, rows, row, products):  # type: ignore[no-untyped-def]
    """products[i] = dot product of the vectors in rows[i] and ``row``; 0 if one of them is -1."""
    for i in range(len(rows)):
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
