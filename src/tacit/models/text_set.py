"""Texts prepared once for every measure: their tokens, weights and vectors, each made when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_text_input
from tacit.errors import InputError
from tacit.models.language import Language
from tacit.models.word_similarity import LetterNgrams, letter_ngrams
from tacit.text import counting_kernels
from tacit.text.token_ids import TokenizedTexts, tokenize_texts
from tacit.text.weighting import TfidfRows, compute_idf

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

Array = NDArray[Any]
T = TypeVar("T")
LanguageCodes = str | Sequence[str | None] | None
"""One code for all texts, a code (or None) for each, or None: detect."""

_UNSEEN_PROBABILITY = 1e-7  # the chance of a word that a language has not shown

MIN_WEIGHT = 1e-3


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
            self._terms[number] = self.languages[number].vectorizer.make_normalizer()(self.strings)
        return self._terms[number]

    def word_columns(self, number: int) -> NDArray[np.int32]:
        """The place of every token's word in a language, or -1."""
        if number not in self._columns:
            words = self.languages[number].vectorizer.words_
            self._columns[number] = words.lookup_columns(self.terms(number), list)
        return self._columns[number]

    def idf_weights(self, number: int) -> NDArray[np.float64]:
        """How telling every token is in a language, log(N/df), whatever the rows of the model weigh.

        A word the model does not know weighs as one seen once, a word of every text next to nothing.
        """
        vectorizer, columns = self.languages[number].vectorizer, self.word_columns(number)
        n_texts = max(vectorizer.n_texts_, 2)
        df = np.where(columns >= 0, vectorizer.words_.df[columns], 1)
        return np.maximum(compute_idf(df, n_texts, "plain"), MIN_WEIGHT)

    def term_ids(self, number: int) -> NDArray[np.int64]:
        """A number for the term of every token, the same for the same term in any language."""
        return self._numbered[1][number]

    @property
    def id_of_term(self) -> dict[str, int]:
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
    def pivot_ngrams(self) -> LetterNgrams:
        """The runs of letters of every token's term in the pivot."""
        return letter_ngrams(self.terms(0))


class TextSet:
    """Texts tokenized for a model.

    ``token_ids`` holds the tokens of all texts, one text after another, as positions in ``tokens``;
    ``token_starts`` the offset of each text in it, and its end; ``language_ids`` the position of each text's
    language in the model.
    """

    def __init__(self, model: TextModel, tokens: TokenTable, ids: Array, counts: Array) -> None:
        """Take tokens; ``from_texts`` makes them from texts."""
        self.model, self.tokens = model, tokens
        self.token_ids, self.lengths = ids, counts
        self.token_starts: NDArray[np.int64] = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        self.language_ids: NDArray[np.int64] = np.zeros(len(counts), np.int64)
        self._rows: dict[int, TfidfRows] = {}
        self.cache: dict[str, Any] = {}  # what a measure has prepared, by its name

    def cached(self, name: str, compute: Callable[[TextSet], T]) -> T:
        """Return what a measure computes once for all texts."""
        if name not in self.cache:
            self.cache[name] = compute(self)
        value: T = self.cache[name]
        return value

    @classmethod
    def from_texts(cls, model: TextModel, texts: Iterable[str], language: LanguageCodes = None) -> TextSet:
        """Tokenise texts and settle their languages."""
        languages = list(model.languages.values())
        seen = tokenize_texts(texts, languages[0].vectorizer.tokenizer)
        found = cls(model, TokenTable(languages, seen.tokens), seen.ids, seen.lengths)
        found.language_ids = found._resolve_languages(language)
        return found

    @classmethod
    def from_two_lists(
        cls,
        model: TextModel,
        a: Iterable[str],
        b: Iterable[str],
        language_a: LanguageCodes,
        language_b: LanguageCodes,
    ) -> tuple[TextSet, int, int]:
        """Two lists of texts as one set, and how many are of each."""
        for side in (a, b):
            check_text_input(side)
        left, right = list(a), list(b)
        spoken = [*languages_per_text(language_a, len(left)), *languages_per_text(language_b, len(right))]
        return cls.from_texts(model, chain(left, right), spoken), len(left), len(right)

    def __len__(self) -> int:
        """The number of texts."""
        return len(self.lengths)

    def _resolve_languages(self, language: LanguageCodes) -> NDArray[np.int64]:
        if language is None:
            return self.detect_languages()
        if isinstance(language, str):
            return np.full(len(self), self.model.language_id(language), np.int64)
        given = languages_per_text(language, len(self))
        numbers = {code: -1 if code is None else self.model.language_id(code) for code in set(given)}
        found = np.array([numbers[code] for code in given], np.int64)
        return (
            np.where(found < 0, self.detect_languages(), found) if len(found) and found.min() < 0 else found
        )

    def detect_languages(self) -> NDArray[np.int64]:
        """The likeliest language of each text, by how often each language's texts have its words."""
        languages = self.tokens.languages
        if len(languages) == 1:
            return np.zeros(len(self), np.int64)
        scores = np.zeros((len(self), len(languages)))
        for number, spoken in enumerate(languages):
            columns = self.tokens.word_columns(number)
            chance = np.where(columns >= 0, spoken.relative_doc_freqs[columns], 0.0)
            total = np.concatenate([[0.0], np.cumsum(np.log(chance + _UNSEEN_PROBABILITY)[self.token_ids])])
            scores[:, number] = total[self.token_starts[1:]] - total[self.token_starts[:-1]]
        return np.asarray(scores.argmax(axis=1), np.int64)

    def texts_in(self, number: int) -> NDArray[np.int64]:
        """Which texts are of a language."""
        return np.flatnonzero(self.language_ids == number)

    def weighted_rows(self, number: int) -> TfidfRows:
        """The weights of the words of the texts of one language."""
        if number not in self._rows:
            vectorizer = self.tokens.languages[number].vectorizer
            mask = self.language_ids == number
            seen = TokenizedTexts(self.token_ids, self.lengths, self.tokens.strings)
            if not mask.all():
                seen = TokenizedTexts(
                    self.token_ids[np.repeat(mask, self.lengths)], self.lengths[mask], seen.tokens
                )
            columns = self.tokens.word_columns(number)
            self._rows[number] = vectorizer.weight_rows(seen, columns)
        return self._rows[number]

    def term_ids(self) -> NDArray[np.int64]:
        """The term of every token of every text, by number, each in its text's language."""
        found = np.zeros(len(self.token_ids), np.int64)
        for number in self.language_ids_present:
            spoken = np.repeat(self.language_ids == number, self.lengths)
            found[spoken] = self.tokens.term_ids(number)[self.token_ids[spoken]]
        return found

    @classmethod
    def concat(cls, parts: Sequence[TextSet]) -> TextSet:
        """The texts of several sets, one set after another, as one set with every token once."""
        tables = [part.tokens.strings for part in parts]
        strings = list(dict.fromkeys(chain(*tables)))
        places = dict(zip(strings, range(len(strings)), strict=True))
        place_of = [np.fromiter(map(places.__getitem__, table), np.int32, len(table)) for table in tables]
        ids = [own[part.token_ids] for own, part in zip(place_of, parts, strict=True)]
        columns = {
            number: np.empty(len(strings), np.int32) for part in parts for number in part.language_ids_present
        }
        for own, part in zip(place_of, parts, strict=True):
            for number, joined in columns.items():
                joined[own] = part.tokens.word_columns(number)
        tokens = TokenTable(parts[0].tokens.languages, strings, columns)
        counts = np.concatenate([part.lengths for part in parts])
        found = cls(parts[0].model, tokens, np.concatenate(ids), counts)
        found.language_ids = np.concatenate([part.language_ids for part in parts])
        found.vectors = np.concatenate([part.vectors for part in parts])
        return found

    def take(self, rows: Array) -> TextSet:
        """Some of these texts, in the order given, with the same tokens."""
        if len(rows) == len(self) and bool((rows[1:] > rows[:-1]).all()):
            return self
        counts = self.lengths[rows]
        places = np.repeat(self.token_starts[rows] - (np.cumsum(counts) - counts), counts)
        found = TextSet(self.model, self.tokens, self.token_ids[places + np.arange(len(places))], counts)
        found.language_ids, found.vectors = self.language_ids[rows], self.vectors[rows]
        return found

    @cached_property
    def distinct_tokens(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """The distinct tokens of each text in their order, and how often each stands there: CSR arrays."""
        found: tuple[Any, Any, Any] = counting_kernels.count_distinct_tokens(
            self.token_starts, self.token_ids, len(self.tokens)
        )
        return found

    @cached_property
    def language_ids_present(self) -> list[int]:
        """The languages that a text is of."""
        return [int(number) for number in np.unique(self.language_ids)]

    @cached_property
    def n_known(self) -> NDArray[np.int64]:
        """How many words of each text are known in its language."""
        found = np.zeros(len(self), np.int64)
        for number in self.language_ids_present:
            found[self.texts_in(number)] = self.weighted_rows(number).n_known
        return found

    @cached_property
    def vectors(self) -> Array:
        """The latent vectors, each by its language's words alone."""
        languages = self.tokens.languages
        if len(self.language_ids_present) == 1:
            return languages[self.language_ids_present[0]].fold_in(
                self.weighted_rows(self.language_ids_present[0])
            )
        found = np.zeros((len(self), self.model.n_components), np.float32)
        for number in self.language_ids_present:
            found[self.texts_in(number)] = languages[number].fold_in(self.weighted_rows(number))
        return found


def languages_per_text(language: LanguageCodes, n: int) -> list[str | None]:
    """A language, or None, for each of n texts."""
    if language is None or isinstance(language, str):
        return [language] * n
    found = list(language)
    if len(found) != n:
        raise InputError(f"{len(found)} languages for {n} texts: give one for each text, or one for all")
    return found
