"""What a model knows of distinct tokens, language by language; made when asked for, and kept."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.models.language import Language
from tacit.models.spelling import Grams, joined_grams, letter_grams, taken_grams
from tacit.text.weighting import word_weight

Array = NDArray[Any]

LEAST_WEIGHT = 1e-3


class TokenTable:
    """Distinct tokens; ``terms(l)``, ``columns(l)`` and ``weights(l)`` tell what they are in language l.

    A token's column is the place of its word among the language's, or -1.
    """

    def __init__(self, languages: list[Language], strings: list[str]) -> None:
        """Take the tokens."""
        self.languages = languages
        self.strings = strings
        self._terms: dict[int, list[str]] = {}
        self._columns: dict[int, NDArray[np.int32]] = {}

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.strings)

    @cached_property
    def places(self) -> dict[str, int]:
        """From a token to its place."""
        return {token: place for place, token in enumerate(self.strings)}

    def extended(self, strings: list[str]) -> TokenTable:
        """These tokens and new ones; what is known of these is kept."""
        more = TokenTable(self.languages, strings)
        found = TokenTable(self.languages, self.strings + strings)
        for number, terms in list(self._terms.items()):  # another thread may add a language meanwhile
            found._terms[number] = terms + more.terms(number)
        for number, columns in list(self._columns.items()):
            found._columns[number] = np.concatenate([columns, more.columns(number)])
        return found

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
        """The number of every term."""
        return self._numbered[0]

    @cached_property
    def _numbered(self) -> tuple[dict[str, int], list[NDArray[np.int64]]]:
        numbers: dict[str, int] = {}
        found = []
        for number in range(len(self.languages)):
            terms = self.terms(number)
            numbered = (numbers.setdefault(term, len(numbers)) for term in terms)
            found.append(np.fromiter(numbered, np.int64, len(terms)))
        return numbers, found

    @cached_property
    def is_number(self) -> NDArray[np.bool_]:
        """Whether a token begins with a digit."""
        return np.array([token[:1].isdigit() for token in self.strings], bool)

    @cached_property
    def pivot_grams(self) -> Grams:
        """The runs of letters of every token's term in the pivot."""
        return letter_grams(self.terms(0))


class ChosenTokens(TokenTable):
    """Some tokens of a table, then all of another, without looking at any of them again."""

    def __init__(self, table: TokenTable, chosen: Array, other: TokenTable) -> None:
        """Take what to look up."""
        self.languages = table.languages
        self.table, self.chosen, self.other = table, chosen, other

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.chosen) + len(self.other)

    @cached_property
    def strings(self) -> list[str]:  # type: ignore[override]
        """The tokens."""
        return [self.table.strings[i] for i in self.chosen.tolist()] + self.other.strings

    def terms(self, number: int) -> list[str]:
        """The term of every token in a language."""
        own = self.table.terms(number)
        return [own[i] for i in self.chosen.tolist()] + self.other.terms(number)

    def columns(self, number: int) -> NDArray[np.int32]:
        """The place of every token's word in a language, or -1."""
        return np.concatenate([self.table.columns(number)[self.chosen], self.other.columns(number)])

    @cached_property
    def _numbered(self) -> tuple[dict[str, int], list[NDArray[np.int64]]]:
        """Terms keep the numbers they have in the first table; those only the other has come after."""
        numbers, more = self.table.numbers, dict[str, int]()
        own = [0] * len(self.other.numbers)
        for term, number in self.other.numbers.items():
            known = numbers.get(term)
            own[number] = more.setdefault(term, len(numbers) + len(more)) if known is None else known
        renumbered = np.array(own, np.int64)
        found = [
            np.concatenate([self.table.term_numbers(n)[self.chosen], renumbered[self.other.term_numbers(n)]])
            for n in range(len(self.languages))
        ]
        return numbers, found

    @cached_property
    def is_number(self) -> NDArray[np.bool_]:
        """Whether a token begins with a digit."""
        return np.concatenate([self.table.is_number[self.chosen], self.other.is_number])

    @cached_property
    def pivot_grams(self) -> Grams:
        """The runs of letters of every token's term in the pivot."""
        return joined_grams(taken_grams(self.table.pivot_grams, self.chosen), self.other.pivot_grams)
