"""The terms of a model with their document frequencies and surface forms."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.checks import format_count
from tacit.errors import InputError
from tacit.text.counting_kernels import document_frequency
from tacit.text.normalization import Normalizer
from tacit.text.token_ids import TokenizedTexts


@dataclass(frozen=True)
class Vocabulary:
    """Terms in the order of the columns, most frequent first.

    ``terms`` are stems, for instance; ``surface_forms`` has the most frequent token of each term, for
    display; ``df`` is the number of texts that contain the term.
    """

    terms: list[str]
    surface_forms: list[str]
    df: NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of terms."""
        return len(self.terms)

    @cached_property
    def column_of(self) -> dict[str, int]:
        """The column of each term."""
        return {term: column for column, term in enumerate(self.terms)}

    def lookup_columns(self, tokens: list[str], normalize: Normalizer) -> NDArray[np.int32]:
        """Return the column of each token's term, -1 if it is unknown."""
        columns = (self.column_of.get(term, -1) for term in normalize(tokens))
        return np.fromiter(columns, np.int32, len(tokens))

    def to_rows(self, n: int | None = None) -> list[tuple[str, ...]]:
        """Return the first ``n`` terms as rows of a text file: term, surface form, document frequency."""
        df = map(str, self.df[:n].tolist())
        return list(zip(self.terms[:n], self.surface_forms[:n], df, strict=True))

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, ...]]) -> Vocabulary:
        """Create a vocabulary from the result of ``to_rows``.

        >>> Vocabulary.from_rows([("cat", "cats", "3")]).to_rows()
        [('cat', 'cats', '3')]
        """
        terms, surface_forms, df = zip(*rows, strict=True)
        return cls(list(terms), list(surface_forms), np.array(df, np.int64))

    def concatenate(self, other: Vocabulary) -> Vocabulary:
        """Return a vocabulary with the terms of ``other`` after those of this one."""
        return Vocabulary(
            self.terms + other.terms,
            self.surface_forms + other.surface_forms,
            np.concatenate([self.df, other.df]),
        )


def learn_vocabulary(
    tokenized: TokenizedTexts, normalize: Normalizer, min_df: int, max_features: int | None = None,
    exclude: Vocabulary | None = None, min_count: int = 1,
) -> Vocabulary:  # fmt: skip
    """Return the terms in at least ``min_df`` texts and with at least ``min_count`` occurrences.

    Terms of ``exclude`` are left out. InputError if there is none, unless terms are excluded.
    """
    terms, term_of = map_tokens_to_terms(tokenized.tokens, normalize)
    df = document_frequency(tokenized.ids, tokenized.lengths, term_of, len(terms))
    counts = np.bincount(tokenized.ids, minlength=len(tokenized.tokens))
    tokens = TokenCounts(tokenized.tokens, counts, term_of)
    excluded = exclude.column_of if exclude else ()
    vocabulary = select_vocabulary(terms, df, tokens, min_df, max_features, min_count, excluded)
    if not len(vocabulary) and exclude is None:
        raise empty_vocabulary_error(len(tokenized.lengths), len(terms), min_df, min_count)
    return vocabulary


class TokenCounts(NamedTuple):
    """Distinct tokens with their numbers of occurrences and the ids of their terms."""

    tokens: list[str]
    counts: NDArray[np.int64]
    term_of: NDArray[np.int64]


def select_vocabulary(
    terms: list[str], df: NDArray[np.int64], tokens: TokenCounts, min_df: int, max_features: int | None,
    min_count: int, exclude: Container[str] = (),
) -> Vocabulary:  # fmt: skip
    """Return the terms in at least ``min_df`` texts and with at least ``min_count`` occurrences.

    Terms in ``exclude`` are left out. The most frequent come first, at most ``max_features``. The surface
    form of a term is its most frequent token, or the term itself if it has no token.
    """
    is_frequent = df >= min_df
    if min_count > 1:
        counts = np.zeros(len(terms), np.int64)
        np.add.at(counts, tokens.term_of, tokens.counts)
        is_frequent &= counts >= min_count
    selected = [i for i in np.flatnonzero(is_frequent).tolist() if terms[i] and terms[i] not in exclude]
    selected.sort(key=lambda i: (-df[i], terms[i]))
    selected = selected[:max_features]
    forms = _most_frequent_forms(tokens, len(terms))
    return Vocabulary([terms[i] for i in selected], [forms[i] or terms[i] for i in selected], df[selected])


def map_tokens_to_terms(tokens: list[str], normalize: Normalizer) -> tuple[list[str], NDArray[np.int64]]:
    """Return the distinct terms of tokens, and the id of each token's term.

    >>> lower = lambda tokens: [token.lower() for token in tokens]
    >>> terms, term_of = map_tokens_to_terms(["Cats", "dog", "cats"], lower)
    >>> terms, term_of.tolist()
    (['cats', 'dog'], [0, 1, 0])
    """
    terms = normalize(tokens)
    id_of: dict[str, int] = {}
    term_of = np.fromiter((id_of.setdefault(t, len(id_of)) for t in terms), np.int64, len(terms))
    return list(id_of), term_of


def empty_vocabulary_error(n_texts: int, n_terms: int, min_df: int, min_count: int = 1) -> InputError:
    """Return an error that says why no term was selected."""
    if n_texts == 0:
        return InputError("there are no texts to learn from: the corpus is empty")
    if n_terms == 0:
        return InputError(f"no tokens found in {format_count(n_texts, 'text')}: expected text, one per line")
    condition = f" and occurs {min_count} times" if min_count > 1 else ""
    parameters = "min_df and min_count" if min_count > 1 else "min_df"
    return InputError(
        f"none of {format_count(n_terms, 'word')} is in at least {min_df} of "
        f"{format_count(n_texts, 'text')}{condition}: "
        f"give more texts, or lower {parameters}"
    )


def _most_frequent_forms(tokens: TokenCounts, n_terms: int) -> list[str]:
    """Return the most frequent token of each term, the alphabetically first of equals; "" without tokens."""
    names, counts, term_of = tokens
    max_count = np.zeros(n_terms, np.int64)
    np.maximum.at(max_count, term_of, counts)
    forms = [""] * n_terms
    for token in np.flatnonzero(counts == max_count[term_of]).tolist():
        term, name = term_of[token], names[token]
        if not forms[term] or name < forms[term]:
            forms[term] = name
    return forms
