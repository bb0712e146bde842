"""Texts of several languages prepared once for every measure: tokens, words by language, vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.text.interning import Occurrences, intern_texts
from tacit.text.vectorizer import WeightedRows, weighted_rows

if TYPE_CHECKING:
    from tacit.crosslingual.language import Language
    from tacit.crosslingual.model import CrosslingualModel

Array = NDArray[Any]
Spoken = str | Sequence[str | None] | None
"""One code for all texts, a code (or None) for each, or None: detect."""

_UNSEEN = 1e-7  # the chance of a word that a language has not shown


class CrossTexts:
    """What a fitted model sees of some texts.

    ``spoken`` is the place of each text's language in the model; the tokens are the same for all languages,
    and ``terms[l]``, ``columns[l]`` and ``weights[l]`` tell what they are in language l.
    """

    def __init__(self, model: CrosslingualModel, texts: Iterable[str], language: Spoken = None) -> None:
        """Tokenise the texts and settle their languages."""
        self.model = model
        self.languages: list[Language] = list(model.languages_.values())
        self.seen: Occurrences = intern_texts(texts, self.languages[0].vectorizer.tokenizer)
        self._terms: dict[int, list[str]] = {}
        self._columns: dict[int, NDArray[np.int32]] = {}
        self._rows: dict[int, WeightedRows] = {}
        self.spoken = self._settled(language)

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.seen.counts)

    def _settled(self, language: Spoken) -> NDArray[np.int64]:
        codes = [spoken.code for spoken in self.languages]
        if language is None or isinstance(language, str):
            if language is None:
                return self.detected()
            return np.full(len(self), self.model.language_number(language), np.int64)
        given = list(language)
        if len(given) != len(self):
            raise InputError(
                f"{len(given)} languages for {len(self)} texts: give one for each text, or one for all"
            )
        for code in dict.fromkeys(given):
            if code is not None:
                self.model.language_number(code)
        found = np.array([codes.index(code.lower()) if code else -1 for code in given], np.int64)
        if len(found) and found.min() < 0:
            found = np.where(found < 0, self.detected(), found)
        return found

    def detected(self) -> NDArray[np.int64]:
        """The likeliest language of each text, by how often each language's texts have its words."""
        scores = np.zeros((len(self), len(self.languages)))
        for number, spoken in enumerate(self.languages):
            columns = self.columns(number)
            chance = np.where(columns >= 0, spoken.chances[columns], 0.0)
            total = np.concatenate([[0.0], np.cumsum(np.log(chance + _UNSEEN)[self.seen.ids])])
            scores[:, number] = total[self.starts[1:]] - total[self.starts[:-1]]
        return np.asarray(scores.argmax(axis=1), np.int64)

    def terms(self, number: int) -> list[str]:
        """The term of every distinct token in a language."""
        if number not in self._terms:
            self._terms[number] = self.languages[number].vectorizer.normalizer()(self.seen.tokens)
        return self._terms[number]

    def columns(self, number: int) -> NDArray[np.int32]:
        """The place of every distinct token's word in a language, or -1."""
        if number not in self._columns:
            words = self.languages[number].vectorizer.words_
            self._columns[number] = words.columns(self.terms(number), list)
        return self._columns[number]

    def weights(self, number: int) -> NDArray[np.float64]:
        """The idf of every distinct token in a language, of an unknown one as of a word seen once."""
        vectorizer, columns = self.languages[number].vectorizer, self.columns(number)
        return np.where(columns >= 0, vectorizer.idf_[columns], np.log(max(vectorizer.n_texts_, 2)))

    def places(self, number: int) -> NDArray[np.int64]:
        """Which texts are of a language."""
        return np.flatnonzero(self.spoken == number)

    def rows(self, number: int) -> WeightedRows:
        """The weights of the words of the texts of one language."""
        if number not in self._rows:
            vectorizer, seen = self.languages[number].vectorizer, self.seen
            mask = self.spoken == number
            if not mask.all():
                seen = Occurrences(seen.ids[np.repeat(mask, seen.counts)], seen.counts[mask], seen.tokens)
            self._rows[number] = weighted_rows(seen, self.columns(number), vectorizer.idf_, vectorizer.tf)
        return self._rows[number]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the tokens of each text start in ``seen.ids``, and where the last ones end."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.seen.counts)])

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
        if len(self.present) == 1:
            return self.languages[self.present[0]].fold(self.rows(self.present[0]))
        found = np.zeros((len(self), self.languages[0].word_vectors.shape[1]), np.float32)
        for number in self.present:
            found[self.places(number)] = self.languages[number].fold(self.rows(number))
        return found
