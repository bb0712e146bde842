"""Distinct tokens of texts and what is known about them in each language: terms, columns, weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tacit.models.language import Language
from tacit.models.letter_similarity import Spellings
from tacit.models.word_similarity import LetterNgrams, letter_ngrams
from tacit.text.normalization import strip_accents
from tacit.text.weighting import compute_idf
from tacit.types import Array

MIN_WEIGHT = 1e-3


class TokenTable:
    """Distinct tokens with their terms, columns and weights in each language, computed when first needed."""

    def __init__(
        self, languages: list[Language], strings: list[str], word_columns: Mapping[int, Array] | None = None
    ) -> None:
        """Store the tokens, and the word columns that are known already, by language id."""
        self.languages = languages
        self.strings = strings
        self._terms: dict[int, list[str]] = {}
        self._word_columns: dict[int, NDArray[np.int32]] = dict(word_columns or {})

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.strings)

    def terms(self, language_id: int) -> list[str]:
        """Return the term (normalized form) of each token in a language."""
        if language_id not in self._terms:
            normalize = self.languages[language_id].vectorizer.make_normalizer()
            self._terms[language_id] = normalize(self.strings)
        return self._terms[language_id]

    def word_columns(self, language_id: int) -> NDArray[np.int32]:
        """Return the column of each token in the vocabulary of a language, or -1."""
        if language_id not in self._word_columns:
            words = self.languages[language_id].vectorizer.words_
            self._word_columns[language_id] = words.lookup_columns(self.terms(language_id), list)
        return self._word_columns[language_id]

    def idf_weights(self, language_id: int) -> NDArray[np.float64]:
        """Return log(N/df) of each token, at least ``MIN_WEIGHT``, also if the model has other idf weights.

        Unknown words count as words of one text.
        """
        vectorizer, columns = self.languages[language_id].vectorizer, self.word_columns(language_id)
        n_texts = max(vectorizer.n_texts_, 2)
        df = np.where(columns >= 0, vectorizer.words_.df[columns], 1)
        return np.maximum(compute_idf(df, n_texts, "plain"), MIN_WEIGHT)

    def term_ids(self, language_id: int) -> NDArray[np.int64]:
        """Return an id for the term of each token; equal terms have equal ids in all languages."""
        return self._term_ids[1][language_id]

    @property
    def n_terms(self) -> int:
        """Number of distinct terms in all languages."""
        return len(self.id_of_term)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The position of each token."""
        return {token: row for row, token in enumerate(self.strings)}

    @property
    def id_of_term(self) -> dict[str, int]:
        """Ids of all terms in alphabetical order, so that sums over terms do not depend on other texts."""
        return self._term_ids[0]

    @cached_property
    def _term_ids(self) -> tuple[dict[str, int], list[NDArray[np.int64]]]:
        terms = [self.terms(language_id) for language_id in range(len(self.languages))]
        ids = {term: i for i, term in enumerate(sorted({*chain(*terms)}))}
        return ids, [np.fromiter(map(ids.__getitem__, row), np.int64, len(row)) for row in terms]

    @cached_property
    def is_number(self) -> NDArray[np.bool_]:
        """Whether each token begins with a digit."""
        return np.array([token[:1].isdigit() for token in self.strings], bool)

    @cached_property
    def tokens_without_accents(self) -> list[str]:
        """Each token without accents."""
        return [strip_accents(token) for token in self.strings]

    @cached_property
    def spellings(self) -> Spellings:
        """Letters and document frequencies, to recognize spelling variants and related words."""
        doc_freqs = np.zeros((len(self.languages), len(self)))
        for language_id, language in enumerate(self.languages):
            columns = self.word_columns(language_id)
            doc_freqs[language_id] = np.where(columns >= 0, language.spelling_doc_freqs[columns], 0)
        n_texts = np.array([language.vectorizer.n_texts_ for language in self.languages])
        terms = [self.terms(language_id) for language_id in range(len(self.languages))]
        return Spellings.from_strings([self.tokens_without_accents, *terms], doc_freqs, n_texts)

    @cached_property
    def unaccented_ngrams(self) -> LetterNgrams:
        """Letter n-grams of each token without accents."""
        return letter_ngrams(self.tokens_without_accents)


class JoinedTokens(TokenTable):
    """Some tokens of a large table, then some of another; what the tables know is not computed again.

    Terms have the ids that they have in the large table; a term that it lacks gets the next free id.
    """

    def __init__(self, base: TokenTable, base_rows: Array, other: TokenTable, other_rows: Array) -> None:
        """Store the tables and the positions of the tokens in them."""
        self._parts = [(base, base_rows), (other, other_rows)]
        self.languages, self._terms, self._word_columns = base.languages, {}, {}

    def __len__(self) -> int:
        """Return the number of tokens."""
        return sum(len(rows) for _, rows in self._parts)

    @cached_property
    def strings(self) -> list[str]:  # type: ignore[override]
        """The tokens."""
        return self._select(lambda table: table.strings)

    def _select(self, values_of: Callable[[TokenTable], list[str]]) -> list[str]:
        parts = [(values_of(table), rows.tolist()) for table, rows in self._parts]
        return [values[row] for values, rows in parts for row in rows]

    def terms(self, language_id: int) -> list[str]:
        """Return the term of each token in a language."""
        return self._select(lambda table: table.terms(language_id))

    def word_columns(self, language_id: int) -> NDArray[np.int32]:
        """Return the column of each token in the vocabulary of a language, or -1."""
        return np.concatenate([table.word_columns(language_id)[rows] for table, rows in self._parts])

    @property
    def n_terms(self) -> int:
        """Number of terms; their ids are smaller."""
        return self._parts[0][0].n_terms + len(self._term_ids[0])

    @property
    def id_of_term(self) -> dict[str, int]:
        """Ids of the terms of the large table in alphabetical order."""
        return self._parts[0][0].id_of_term

    @cached_property
    def _term_ids(self) -> tuple[dict[str, int], list[NDArray[np.int64]]]:
        (base, base_rows), (other, other_rows) = self._parts
        known, new, ids = base.id_of_term, dict[str, int](), []
        for language_id in range(len(self.languages)):
            terms = other.terms(language_id)
            row = [
                known[term] if term in known else new.setdefault(term, len(known) + len(new))
                for term in map(terms.__getitem__, other_rows.tolist())
            ]
            ids.append(np.concatenate([base.term_ids(language_id)[base_rows], np.array(row, np.int64)]))
        return new, ids

    @cached_property
    def is_number(self) -> NDArray[np.bool_]:
        """Whether each token begins with a digit."""
        return np.concatenate([table.is_number[rows] for table, rows in self._parts])

    @cached_property
    def spellings(self) -> Spellings:
        """Letters and document frequencies, to recognize spelling variants and related words."""
        return Spellings.concat([table.spellings.take(rows) for table, rows in self._parts])

    @cached_property
    def unaccented_ngrams(self) -> LetterNgrams:
        """Letter n-grams of each token without accents."""
        return LetterNgrams.concat([table.unaccented_ngrams.take(rows) for table, rows in self._parts])
