"""Texts prepared for comparison: tf-idf rows of words and of characters, and the words of each text."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from tacit.models.ngrams import NgramTable, ngrams_of_texts, ngrams_of_tokens
from tacit.models.text_set import TextSet
from tacit.text import counting_kernels
from tacit.types import Array

BLOCK_TEXTS = 4096  # character n-grams are expanded for this many texts at a time
NUMBER, CODE = 1, 2


class SparseRows(NamedTuple):
    """Sparse rows of unit length, as CSR arrays."""

    offsets: Array
    columns: Array
    values: Array


class TokenData(NamedTuple):
    """Arrays over the tokens of all texts, as input of `fill_masses`."""

    text_starts: Array
    text_tokens: Array
    """The tokens of each text, in order."""
    distinct_offsets: Array
    distinct_tokens: Array
    """The distinct tokens of each text."""
    term_of: Array
    mass_of: Array
    kind_of: Array
    letter_offsets: Array
    letters: Array


class PairTexts:
    """Texts of one list, or of two lists one after the other, prepared for comparison.

    Inverse document frequencies are those of these texts: ln((N + 1) / (df + 1/2)).
    """

    def __init__(self, texts: TextSet) -> None:
        """Take texts tokenized with the model whose vectors are compared."""
        self.texts = texts
        self.terms = texts.term_ids()
        self.n_terms = int(self.terms.max(initial=-1)) + 1

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.texts)

    @cached_property
    def term_idf(self) -> Array:
        """The inverse document frequency of each term."""
        return self._idf(np.bincount(self._term_counts.columns, minlength=self.n_terms))

    @cached_property
    def word_rows(self) -> SparseRows:
        """The tf-idf rows of words."""
        return _unit_rows(*self._term_counts, self.term_idf)

    @cached_property
    def _term_counts(self) -> SparseRows:
        starts = self.texts.token_starts
        return SparseRows(*counting_kernels.count_distinct_tokens(starts, self.terms, self.n_terms))

    @cached_property
    def _ngrams(self) -> NgramTable:
        return ngrams_of_tokens(self.texts.tokens.strings, 3, 5)

    @property
    def n_chars(self) -> int:
        """The number of distinct character n-grams."""
        return self._ngrams.n_ngrams

    def _char_counts(self, first: int, last: int) -> SparseRows:
        starts = self.texts.token_starts[first : last + 1]
        tokens = self.texts.token_ids[starts[0] : starts[-1]]
        return SparseRows(*ngrams_of_texts(self._ngrams, starts - starts[0], tokens)[:3])

    @cached_property
    def _char_idf(self) -> Array:
        df = np.zeros(self._ngrams.n_ngrams, np.int64)
        for first in range(0, len(self), BLOCK_TEXTS):
            columns = self._char_counts(first, min(first + BLOCK_TEXTS, len(self))).columns
            df += np.bincount(columns, minlength=len(df))
        return self._idf(df)

    def char_rows(self, first: int, last: int) -> SparseRows:
        """Return the tf-idf rows of character 3- to 5-grams of a range of texts."""
        return _unit_rows(*self._char_counts(first, last), self._char_idf)

    @cached_property
    def text_lengths(self) -> Array:
        """The number of letters and digits of each text."""
        letters = np.diff(self.token_data.letter_offsets)[self.texts.token_ids]
        total = np.concatenate([np.zeros(1, np.int64), np.cumsum(letters)])
        return np.diff(total[self.texts.token_starts])

    def _idf(self, df: Array) -> Array:
        return np.log((len(self) + 1) / (df + 0.5))

    @cached_property
    def token_data(self) -> TokenData:
        """Arrays for `fill_masses`; masses are divided by ln N."""
        texts, strings = self.texts, self.texts.tokens.strings
        term_of = np.zeros(len(strings), np.int64)
        term_of[texts.token_ids] = self.terms
        mass_of = (self.term_idf[term_of] if len(strings) else np.zeros(0)) / np.log(max(len(self), 2))
        plain = [token if token.isalnum() else "".join(filter(str.isalnum, token)) for token in strings]
        letters = np.frombuffer("".join(plain).encode("utf-32-le", "surrogatepass"), np.uint32)
        lengths = np.fromiter(map(len, plain), np.int64, len(plain))
        return TokenData(
            texts.token_starts,
            texts.token_ids,
            *texts.distinct_tokens[:2],
            term_of,
            mass_of,
            np.fromiter(map(_token_kind, strings), np.int8, len(strings)),
            np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
            letters,
        )


def _token_kind(token: str) -> int:
    """Return NUMBER for a number, CODE for another token with a digit, 0 for a word."""
    if not any(map(str.isdigit, token)):
        return 0
    return CODE if any(map(str.isalpha, token)) else NUMBER


def _unit_rows(offsets: Array, columns: Array, counts: Array, idf: Array) -> SparseRows:
    """Weight counts by idf and scale each row to length 1."""
    values = counts * idf[columns]
    norms = counting_kernels.row_norms(offsets, values)
    values *= np.repeat(1 / np.where(norms > 0, norms, 1), np.diff(offsets))
    return SparseRows(offsets, columns.astype(np.int32), values.astype(np.float32))
