"""What a model knows of distinct tokens, language by language; made when asked for, and kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.models.language import Language
from tacit.models.spelling import Grams, letter_grams
from tacit.text.weighting import word_weight

Array = NDArray[Any]

LEAST_WEIGHT = 1e-3


class TokenTable:
    """Distinct tokens; ``terms(l)``, ``columns(l)`` and ``weights(l)`` tell what they are in language l.

    A token's column is the place of its word among the language's, or -1.
    """

    def __init__(
        self, languages: list[Language], strings: list[str], columns: Mapping[int, Array] | None = None
    ) -> None:
        """Take the tokens, and their columns in a language where these are known."""
        self.languages = languages
        self.strings = strings
        self._terms: dict[int, list[str]] = {}
        self._columns: dict[int, NDArray[np.int32]] = dict(columns or {})

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.strings)

    def terms(self, number: int) -> list[str]:
        """The term of every token in a language."""
        if number not in self._terms:
            self._terms[number] = self.languages[number].vectorizer.normalizer()(self.strings)
        return self._terms[number]

    def columns(self, number: int) -> NDArray[np.int32]:
        """The place of every token's word in a language, or -1."""
        if number not in self._columns:
            words = self.languages[number].vectorizer.words_
            self._columns[number] = words.columns(self.terms(number), list)
        return self._columns[number]

    def weights(self, number: int) -> NDArray[np.float64]:
        """How telling every token is in a language, log(N/df), whatever the rows of the model weigh.

        A word the model does not know weighs as one seen once, a word of every text next to nothing.
        """
        vectorizer, columns = self.languages[number].vectorizer, self.columns(number)
        n_texts = max(vectorizer.n_texts_, 2)
        df = np.where(columns >= 0, vectorizer.words_.df[columns], 1)
        return np.maximum(word_weight(df, n_texts, "plain"), LEAST_WEIGHT)

    def term_numbers(self, number: int) -> NDArray[np.int64]:
        """A number for the term of every token, the same for the same term in any language."""
        return self._numbered[1][number]

    @property
    def numbers(self) -> dict[str, int]:
        """The number of every term, in alphabetical order: sums must not depend on what else is there."""
        return self._numbered[0]

    @cached_property
    def _numbered(self) -> tuple[dict[str, int], list[NDArray[np.int64]]]:
        spoken = [self.terms(number) for number in range(len(self.languages))]
        numbers = {term: number for number, term in enumerate(sorted({*chain(*spoken)}))}
        return numbers, [
            np.fromiter((numbers[term] for term in terms), np.int64, len(terms)) for terms in spoken
        ]

    @cached_property
    def is_number(self) -> NDArray[np.bool_]:
        """Whether a token begins with a digit."""
        return np.array([token[:1].isdigit() for token in self.strings], bool)

    @cached_property
    def pivot_grams(self) -> Grams:
        """The runs of letters of every token's term in the pivot."""
        return letter_grams(self.terms(0))
