"""What a model knows of distinct tokens, language by language; made when asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.models.language import Language

Array = NDArray[Any]


class TokenTable:
    """Distinct tokens; ``terms(l)``, ``columns(l)`` and ``weights(l)`` tell what they are in language l.

    A token's column is the place of its word among the language's, or -1.
    """

    def __init__(self, languages: list[Language], strings: list[str]) -> None:
        """Take the tokens."""
        self.languages, self.strings = languages, strings
        self._terms: dict[int, list[str]] = {}
        self._columns: dict[int, NDArray[np.int32]] = {}

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.strings)

    @cached_property
    def places(self) -> dict[str, int]:
        """From a token to its place."""
        return {token: place for place, token in enumerate(self.strings)}

    def joined(self, other: TokenTable, places: Array | None = None) -> TokenTable:
        """These tokens, or those of some places, then those of another table; neither is looked at again."""
        chosen = range(len(self)) if places is None else places.tolist()
        found = TokenTable(self.languages, [self.strings[i] for i in chosen] + other.strings)
        for number in range(len(self.languages)):
            own, columns = self.terms(number), self.columns(number)
            found._terms[number] = [own[i] for i in chosen] + other.terms(number)
            kept = columns if places is None else columns[places]
            found._columns[number] = np.concatenate([kept, other.columns(number)])
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
        """The idf of every token in a language; a word the model does not know weighs as one seen once."""
        vectorizer, columns = self.languages[number].vectorizer, self.columns(number)
        unknown = np.log(max(vectorizer.n_texts_, 2))
        return np.where(columns >= 0, vectorizer.idf_[columns], unknown)

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
