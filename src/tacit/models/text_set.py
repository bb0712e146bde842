"""Texts prepared once for every measure: their tokens, weights and vectors, each made when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_text_input
from tacit.errors import InputError
from tacit.models.token_table import TokenTable
from tacit.text.counting import distinct_tokens
from tacit.text.interning import Occurrences, intern_texts
from tacit.text.vectorizer import WeightedRows

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

Array = NDArray[Any]
Spoken = str | Sequence[str | None] | None
"""One code for all texts, a code (or None) for each, or None: detect."""

_UNSEEN = 1e-7  # the chance of a word that a language has not shown


class TextSet:
    """What a model sees of some texts.

    ``ids`` holds the tokens of all texts, one after another, as places in ``tokens``; ``starts`` where each
    text begins there, and where the last one ends; ``spoken`` the place of each text's language in the model.
    """

    def __init__(self, model: TextModel, tokens: TokenTable, ids: Array, counts: Array) -> None:
        """Take tokens; ``of`` makes them from texts."""
        self.model, self.tokens = model, tokens
        self.ids, self.counts = ids, counts
        self.starts: NDArray[np.int64] = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        self.spoken: NDArray[np.int64] = np.zeros(len(counts), np.int64)
        self._rows: dict[int, WeightedRows] = {}
        self.made: dict[str, Any] = {}  # what a measure has prepared, by its name

    @classmethod
    def of(cls, model: TextModel, texts: Iterable[str], language: Spoken = None) -> TextSet:
        """Tokenise texts and settle their languages."""
        languages = list(model.languages.values())
        seen = intern_texts(texts, languages[0].vectorizer.tokenizer)
        found = cls(model, TokenTable(languages, seen.tokens), seen.ids, seen.counts)
        found.spoken = found._settled(language)
        return found

    @classmethod
    def of_both(
        cls, model: TextModel, a: Iterable[str], b: Iterable[str], language_a: Spoken, language_b: Spoken
    ) -> tuple[TextSet, int, int]:
        """Two lists of texts as one set, and how many are of each."""
        for side in (a, b):
            check_text_input(side)
        left, right = list(a), list(b)
        spoken = [*spoken_by_each(language_a, len(left)), *spoken_by_each(language_b, len(right))]
        return cls.of(model, chain(left, right), spoken), len(left), len(right)

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.counts)

    def _settled(self, language: Spoken) -> NDArray[np.int64]:
        if language is None:
            return self.detected()
        if isinstance(language, str):
            return np.full(len(self), self.model.language_number(language), np.int64)
        given = spoken_by_each(language, len(self))
        numbers = {code: -1 if code is None else self.model.language_number(code) for code in set(given)}
        found = np.array([numbers[code] for code in given], np.int64)
        return np.where(found < 0, self.detected(), found) if len(found) and found.min() < 0 else found

    def detected(self) -> NDArray[np.int64]:
        """The likeliest language of each text, by how often each language's texts have its words."""
        languages = self.tokens.languages
        if len(languages) == 1:
            return np.zeros(len(self), np.int64)
        scores = np.zeros((len(self), len(languages)))
        for number, spoken in enumerate(languages):
            columns = self.tokens.columns(number)
            chance = np.where(columns >= 0, spoken.shares[columns], 0.0)
            total = np.concatenate([[0.0], np.cumsum(np.log(chance + _UNSEEN)[self.ids])])
            scores[:, number] = total[self.starts[1:]] - total[self.starts[:-1]]
        return np.asarray(scores.argmax(axis=1), np.int64)

    def places(self, number: int) -> NDArray[np.int64]:
        """Which texts are of a language."""
        return np.flatnonzero(self.spoken == number)

    def rows(self, number: int) -> WeightedRows:
        """The weights of the words of the texts of one language."""
        if number not in self._rows:
            vectorizer = self.tokens.languages[number].vectorizer
            mask = self.spoken == number
            seen = Occurrences(self.ids, self.counts, self.tokens.strings)
            if not mask.all():
                seen = Occurrences(self.ids[np.repeat(mask, self.counts)], self.counts[mask], seen.tokens)
            columns = self.tokens.columns(number)
            self._rows[number] = vectorizer.weight_rows(seen, columns)
        return self._rows[number]

    def terms(self) -> NDArray[np.int64]:
        """The term of every token of every text, by number, each in its text's language."""
        found = np.zeros(len(self.ids), np.int64)
        for number in self.present:
            spoken = np.repeat(self.spoken == number, self.counts)
            found[spoken] = self.tokens.term_numbers(number)[self.ids[spoken]]
        return found

    @classmethod
    def joined(cls, parts: Sequence[TextSet]) -> TextSet:
        """The texts of several sets, one set after another, as one set with every token once."""
        tables = [part.tokens.strings for part in parts]
        strings = list(dict.fromkeys(chain(*tables)))
        places = dict(zip(strings, range(len(strings)), strict=True))
        place_of = [np.fromiter(map(places.__getitem__, table), np.int32, len(table)) for table in tables]
        ids = [own[part.ids] for own, part in zip(place_of, parts, strict=True)]
        columns = {number: np.empty(len(strings), np.int32) for part in parts for number in part.present}
        for own, part in zip(place_of, parts, strict=True):
            for number, joined in columns.items():
                joined[own] = part.tokens.columns(number)
        tokens = TokenTable(parts[0].tokens.languages, strings, columns)
        counts = np.concatenate([part.counts for part in parts])
        found = cls(parts[0].model, tokens, np.concatenate(ids), counts)
        found.spoken = np.concatenate([part.spoken for part in parts])
        found.vectors = np.concatenate([part.vectors for part in parts])
        return found

    def reordered(self, rows: Array) -> TextSet:
        """Some of these texts, in the order given, with the same tokens."""
        if len(rows) == len(self) and bool((rows[1:] > rows[:-1]).all()):
            return self
        counts = self.counts[rows]
        places = np.repeat(self.starts[rows] - (np.cumsum(counts) - counts), counts)
        found = TextSet(self.model, self.tokens, self.ids[places + np.arange(len(places))], counts)
        found.spoken, found.vectors = self.spoken[rows], self.vectors[rows]
        return found

    @cached_property
    def distinct(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """The distinct tokens of each text in their order, and how often each stands there: CSR arrays."""
        found: tuple[Any, Any, Any] = distinct_tokens(self.starts, self.ids, len(self.tokens))
        return found

    @cached_property
    def present(self) -> list[int]:
        """The languages that a text is of."""
        return [int(number) for number in np.unique(self.spoken)]

    @cached_property
    def known(self) -> NDArray[np.int64]:
        """How many words of each text are known in its language."""
        found = np.zeros(len(self), np.int64)
        for number in self.present:
            found[self.places(number)] = self.rows(number).known
        return found

    @cached_property
    def vectors(self) -> Array:
        """The latent vectors, each by its language's words alone."""
        languages = self.tokens.languages
        if len(self.present) == 1:
            return languages[self.present[0]].fold(self.rows(self.present[0]))
        found = np.zeros((len(self), self.model.n_components), np.float32)
        for number in self.present:
            found[self.places(number)] = languages[number].fold(self.rows(number))
        return found


def spoken_by_each(language: Spoken, n: int) -> list[str | None]:
    """A language, or None, for each of n texts."""
    if language is None or isinstance(language, str):
        return [language] * n
    found = list(language)
    if len(found) != n:
        raise InputError(f"{len(found)} languages for {n} texts: give one for each text, or one for all")
    return found
