"""Kernels that compare the letters of two words of one language: spellings of a word, and related words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.compute.csr import take_slices
from tacit.compute.tiles import jit, jit_inline
from tacit.models.word_similarity import HASH_FACTOR, LETTER_BITS, MIN_LETTERS
from tacit.types import Array

MIN_SHARE_OF_UNKNOWN, MIN_SHARE = 0.6, 0.85
"""Shares of letters from which two words may be spellings of one word; see ``letter_score``."""
MAX_MISSPELT_SHARE = 1 / 4000
"""A known word may be misspelt if it is in one text, or in at most this share of the texts."""
FREQUENCY_RATIO = 10
"""A known word can be a misspelling of words that are in at least this many times as many texts."""
MAX_RARE_SHARE = 1 / 100
"""Two known words are compared by their letters only if one is in at most this share of the texts."""
MIN_RELATED_SHARE = 0.3
"""Share of letters from which two words may be related, such as *Turkey* and *Turkish*."""
MIN_COSINE, MIN_COSINE_OF_OTHER_BEGINNING = 0.15, 0.3
"""Cosines from which two known words may be related; 0 is enough if one contains the other."""
MIN_COMPOUND_LETTERS = 3
"""Letters that a word must have before the other word, with which it ends."""

_FIRST_HASH, _SECOND_HASH, _THIRD_HASH = (np.uint64(0xFFFF << bit) for bit in (0, 16, 32))
_LOW_BITS, _HIGH_BITS = np.uint64(0x0001000100010001), np.uint64(0x8000800080008000)
_COLUMNS = ("keys", "doc_freqs")
"""Arrays of ``Spellings`` with a column for each token."""


class Spellings(NamedTuple):
    """Letters of tokens and of their terms, and how many texts have them.

    String i has the code points from ``offsets[i]`` to ``offsets[i + 1]``. The strings are the n tokens
    without accents, then for each language the n terms. The other arrays have a row for each language:
    ``keys`` has two numbers of 64 bits for each token side by side: the hashes of ``letter_keys`` of the
    first and last three letters of token and of term, and those of the first letter of both and of the last
    two of the term. ``doc_freqs`` is 0 for unknown words, and infinity for words with a background vector;
    ``limits`` are the largest document frequencies of a word that may be misspelt, and of a rare word.
    """

    codes: Array
    offsets: Array
    keys: Array
    doc_freqs: Array
    limits: Array

    @classmethod
    def from_strings(cls, strings: Sequence[list[str]], doc_freqs: Array, n_texts: Array) -> Spellings:
        """Encode the tokens without accents, and their terms in each language."""
        codes, offsets = encode_letters([string for part in strings for string in part])
        first, first_three, last_three, last_two = letter_keys(codes, offsets).reshape(4, len(strings), -1)
        limits = np.maximum(1, np.outer(n_texts, [MAX_MISSPELT_SHARE, MAX_RARE_SHARE]))
        keys = join_hashes(first_three[0], last_three[0], first_three[1:], last_three[1:])
        loose_keys = join_hashes(first[0], first[1:], last_two[1:])
        return cls(codes, offsets, np.stack([keys, loose_keys], axis=2), doc_freqs, limits)

    def take(self, rows: Array) -> Spellings:
        """Return the letters and frequencies of some tokens."""
        n_languages, n = self.doc_freqs.shape
        strings = np.concatenate([rows + n * block for block in range(n_languages + 1)])
        codes, lengths = take_slices(self.codes, self.offsets, strings)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        columns = {name: getattr(self, name)[:, rows] for name in _COLUMNS}
        return self._replace(codes=codes, offsets=offsets, **columns)

    @classmethod
    def concat(cls, parts: Sequence[Spellings]) -> Spellings:
        """Concatenate the tokens of several tables of the same languages."""
        codes, lengths = [], [np.zeros(1, np.int64)]
        for block in range(len(parts[0].doc_freqs) + 1):
            for part in parts:
                n = part.doc_freqs.shape[1]
                ends = part.offsets[block * n : (block + 1) * n + 1]
                codes.append(part.codes[ends[0] : ends[-1]])
                lengths.append(np.diff(ends))
        columns = {name: np.concatenate([getattr(part, name) for part in parts], axis=1) for name in _COLUMNS}
        offsets = np.cumsum(np.concatenate(lengths))
        return parts[0]._replace(codes=np.concatenate(codes), offsets=offsets, **columns)


def join_hashes(*hashes: Array) -> NDArray[np.uint64]:
    """Return up to four hashes of 16 bits side by side, the first one in the highest bits.

    >>> join_hashes(np.array([1], np.uint64), np.array([2], np.uint64))
    array([65538], dtype=uint64)
    """
    joined = np.zeros((), np.uint64)
    for part in hashes:
        joined = joined << np.uint64(16) | part
    return joined


def encode_letters(strings: list[str]) -> tuple[Array, Array]:
    """Return the code points of strings one after another, and the offsets of the strings."""
    lengths = np.fromiter(map(len, strings), np.int64, len(strings))
    codes = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), np.uint32)
    return codes, np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def letter_keys(codes: Array, offsets: Array) -> NDArray[np.uint64]:
    """Return hashes of the first letter, the first and last three, and the last two of each string.

    A string of fewer than ``MIN_LETTERS`` letters is not compared; its hashes are arbitrary.
    """
    is_long = np.diff(offsets) >= MIN_LETTERS
    first, end = offsets[:-1][is_long], offsets[1:][is_long]
    letters = np.arange(4 * len(is_long), dtype=np.uint64).reshape(4, -1)
    for row, start, n in zip(letters, (first, first, end - 3, end - 2), (1, 3, 3, 2), strict=True):
        row[is_long] = sum(codes[start + k].astype(np.uint64) << np.uint64(LETTER_BITS * k) for k in range(n))
    hashes: Array = (letters * HASH_FACTOR) >> np.uint64(48)
    return hashes


@jit_inline
def compare_letters(u, v, codes, offsets):  # type: ignore[no-untyped-def]
    """Count the letters that two strings have in common at their beginning and end, and that differ.

    Also returns the lengths of the shorter and the longer string. Two adjacent letters that are swapped count
    as one that differs.
    """
    first_u, first_v = offsets[u], offsets[v]
    n_u, n_v = offsets[u + 1] - first_u, offsets[v + 1] - first_v
    shortest, longest = min(n_u, n_v), max(n_u, n_v)
    start = end = 0
    while start < shortest and codes[first_u + start] == codes[first_v + start]:
        start += 1
    while end < shortest - start and codes[first_u + n_u - 1 - end] == codes[first_v + n_v - 1 - end]:
        end += 1
    n_different, i, j = longest - start - end, first_u + start, first_v + start
    if n_different == 2 and n_u == n_v and codes[i] == codes[j + 1] and codes[i + 1] == codes[j]:
        n_different = 1
    return start, end, n_different, shortest, longest


@jit_inline
def share_of_variants(u, v, min_share, codes, offsets):  # type: ignore[no-untyped-def]
    """Share of the longer string in the common beginning and end of two strings; 0 below ``min_share``.

    Strings that begin differently need ``MIN_SHARE``.
    """
    start, _, n_different, shortest, longest = compare_letters(u, v, codes, offsets)
    share = 1 - n_different / longest if shortest >= MIN_LETTERS else 0.0
    return share if share >= (min_share if start else max(min_share, MIN_SHARE)) else 0.0


@jit_inline
def share_of_related(u, v, cosine, codes, offsets):  # type: ignore[no-untyped-def]
    """Share of the longer string in the common beginning and end of two terms that may be related, or 0.

    One begins or ends with the other, and their vectors do not contradict; or their vectors are similar. At
    the beginning one letter in seven of the shorter term may differ. Codes with digits are not related.
    """
    start, end, n_different, shortest, longest = compare_letters(u, v, codes, offsets)
    if shortest < MIN_LETTERS:
        return 0.0
    begins = start >= max(MIN_LETTERS, MIN_SHARE * shortest)
    ends = end == shortest and longest >= shortest + MIN_COMPOUND_LETTERS
    min_cosine = 0.0 if begins or ends else MIN_COSINE if start else MIN_COSINE_OF_OTHER_BEGINNING
    share = 1 - n_different / longest
    if cosine < min_cosine or share < MIN_RELATED_SHARE or has_digit(u, codes, offsets):
        return 0.0
    return 0.0 if has_digit(v, codes, offsets) else share


@jit_inline
def has_digit(u, codes, offsets):  # type: ignore[no-untyped-def]
    """Whether a string has a digit from 0 to 9, as the code of a product has."""
    n_digits = 0
    for k in range(offsets[u], offsets[u + 1]):
        n_digits += 48 <= codes[k] <= 57
    return n_digits > 0


@jit
def letter_score(u, v, first_term, cosine, codes, offsets, doc_freqs, limits):  # type: ignore[no-untyped-def]
    """Similarity of two tokens as spellings of one word or related words; 0 for two frequent words.

    Two words may be related if one of them is unknown or rare; ``cosine`` is that of their vectors, 0 for
    unknown words. An unknown word can be a spelling of any word, and a very rare one a misspelling of words
    that are ``FREQUENCY_RATIO`` times as frequent. The share of letters in the common beginning and end of
    the tokens or of their terms must then reach ``MIN_SHARE``, which is one differing letter in seven, or
    ``MIN_SHARE_OF_UNKNOWN`` if an unknown word begins with the same letter as the other token.
    """
    rarest, max_misspelt, max_rare = min(doc_freqs[u], doc_freqs[v]), limits[0], limits[1]
    if rarest > max_rare:
        return 0.0
    score = share_of_related(first_term + u, first_term + v, cosine, codes, offsets)
    if rarest <= max_misspelt and max(doc_freqs[u], doc_freqs[v]) >= FREQUENCY_RATIO * rarest:
        min_share = MIN_SHARE if rarest else MIN_SHARE_OF_UNKNOWN
        score = max(score, share_of_variants(u, v, min_share, codes, offsets))
        score = max(score, share_of_variants(first_term + u, first_term + v, MIN_SHARE, codes, offsets))
    return score


@jit_inline
def letter_arrays(spellings, language):  # type: ignore[no-untyped-def]
    """Return the arguments of ``fill_letter_scores`` that are the same for all words of a language."""
    first_term = spellings.doc_freqs.shape[1] * (language + 1)
    doc_freqs, limits = spellings.doc_freqs[language], spellings.limits[language]
    return spellings.keys[language], first_term, spellings.codes, spellings.offsets, doc_freqs, limits


@jit_inline
def fill_letter_scores(  # type: ignore[no-untyped-def]
    v, us, first, last, cosines, cosine_scale, keys, first_term, codes, offsets, doc_freqs, limits, scores
):
    """scores[i] = ``letter_score`` of us[i] and v for i from ``first`` to ``last``.

    Their cosine is ``cosine_scale`` times cosines[i]. The arrays are not in a tuple, because numba would
    count references to them for each word.
    """
    key, loose_key = keys[v, 0], keys[v, 1]
    for i in range(first, last):
        scores[i] = 0
        cosine = cosine_scale * cosines[i]
        different, looser = keys[us[i], 0] ^ key, keys[us[i], 1] ^ loose_key
        # without branches: words that are not unknown or similar have one of four hashes in common
        is_close = (different - _LOW_BITS) & ~different & _HIGH_BITS != 0
        has_same_first = (looser & _THIRD_HASH == 0) | (looser & _SECOND_HASH == 0)
        is_close |= ((cosine >= MIN_COSINE) | (cosine == 0)) & has_same_first
        is_close |= (cosine >= MIN_COSINE_OF_OTHER_BEGINNING) & (looser & _FIRST_HASH == 0)
        if is_close:
            scores[i] = letter_score(us[i], v, first_term, cosine, codes, offsets, doc_freqs, limits)
