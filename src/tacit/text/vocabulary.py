"""The words a model knows: which tokens make one word, how often it is seen, how it is shown to people."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.text.counting import document_frequency
from tacit.text.interning import Occurrences
from tacit.text.languages import Normalizer


@dataclass(frozen=True)
class Vocabulary:
    """Words in a fixed order, the most frequent first.

    A word is a ``term`` (a stem, say), shown as its most frequent ``surface`` form and seen in ``df`` texts.
    """

    terms: list[str]
    surfaces: list[str]
    df: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of words."""
        return len(self.terms)

    @cached_property
    def index(self) -> dict[str, int]:
        """From a term to its place."""
        return {term: place for place, term in enumerate(self.terms)}

    def columns(self, tokens: list[str], normalize: Normalizer) -> NDArray[np.int32]:
        """The place of each token's word, -1 where it is unknown."""
        places = (self.index.get(term, -1) for term in normalize(tokens))
        return np.fromiter(places, np.int32, len(tokens))

    def to_rows(self, n: int | None = None) -> list[tuple[str, ...]]:
        """The first ``n`` words as rows of a file: term, surface, number of texts."""
        df = map(str, self.df[:n].tolist())
        return list(zip(self.terms[:n], self.surfaces[:n], df, strict=True))

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, ...]]) -> Vocabulary:
        """The words of rows that ``to_rows`` gave.

        >>> Vocabulary.from_rows([("cat", "cats", "3")]).to_rows()
        [('cat', 'cats', '3')]
        """
        terms, surfaces, df = zip(*rows, strict=True)
        return cls(list(terms), list(surfaces), np.array(df, np.int64))

    def extended(self, other: Vocabulary) -> Vocabulary:
        """This vocabulary with other words after it."""
        return Vocabulary(
            self.terms + other.terms, self.surfaces + other.surfaces, np.concatenate([self.df, other.df])
        )


def learn_vocabulary(
    seen: Occurrences,
    normalize: Normalizer,
    min_df: int,
    max_features: int | None = None,
    known: Vocabulary | None = None,
    min_count: int = 1,
) -> Vocabulary:
    """The words in at least ``min_df`` texts and seen at least ``min_count`` times, the most frequent first.

    Those already known are left out.
    """
    names, term_of = terms_of(seen.tokens, normalize)
    df = document_frequency(seen.ids, seen.counts, term_of, len(names))
    tokens = TokenCounts(seen.tokens, np.bincount(seen.ids, minlength=len(seen.tokens)), term_of)
    exclude = known.index if known else {}
    vocabulary = select_vocabulary(names, df, tokens, min_df, max_features, min_count, exclude)
    if not len(vocabulary) and known is None:
        raise no_words(len(seen.counts), len(names), min_df, min_count)
    return vocabulary


class TokenCounts(NamedTuple):
    """Distinct tokens with the number of their occurrences and the number of their term."""

    tokens: list[str]
    counts: NDArray[np.int64]
    term_of: NDArray[np.int64]


def select_vocabulary(
    names: list[str],
    df: NDArray[np.int64],
    tokens: TokenCounts,
    min_df: int,
    max_features: int | None,
    min_count: int,
    exclude: Container[str] = (),
) -> Vocabulary:
    """Select the terms in ``min_df`` texts or more with ``min_count`` occurrences or more.

    The most frequent come first. Each has its most frequent token as its surface form, or its own name if it
    has no token.
    """
    enough = df >= min_df
    if min_count > 1:
        counts = np.zeros(len(names), np.int64)
        np.add.at(counts, tokens.term_of, tokens.counts)
        enough &= counts >= min_count
    kept = [i for i in np.flatnonzero(enough).tolist() if names[i] and names[i] not in exclude]
    kept.sort(key=lambda i: (-df[i], names[i]))
    kept = kept[:max_features]
    surfaces = _surfaces(tokens, len(names))
    return Vocabulary([names[i] for i in kept], [surfaces[i] or names[i] for i in kept], df[kept])


def terms_of(tokens: list[str], normalize: Normalizer) -> tuple[list[str], NDArray[np.int64]]:
    """The distinct terms of tokens, and which one each token has.

    >>> names, term_of = terms_of(["Cats", "dog", "cats"], lambda tokens: [t.lower() for t in tokens])
    >>> names, term_of.tolist()
    (['cats', 'dog'], [0, 1, 0])
    """
    terms = normalize(tokens)
    numbers: dict[str, int] = {}
    term_of = np.fromiter((numbers.setdefault(t, len(numbers)) for t in terms), np.int64, len(terms))
    return list(numbers), term_of


def no_words(n_texts: int, n_terms: int, min_df: int, min_count: int = 1) -> InputError:
    """Why there is nothing to learn from, in words."""
    if n_texts == 0:
        return InputError("there are no texts to learn from: the corpus is empty")
    if n_terms == 0:
        return InputError(f"none of the {n_texts} texts has a word: is this text, and one a line?")
    often = f" and seen {min_count} times" if min_count > 1 else ""
    lower = " and min_count" if min_count > 1 else ""
    return InputError(
        f"none of the {n_terms} words is in {min_df} of the {n_texts} texts or more{often}: "
        f"give more texts, or lower min_df{lower}"
    )


def _surfaces(tokens: TokenCounts, n_terms: int) -> list[str]:
    """Return the most frequent token of each term, the first in the alphabet among equals, or ""."""
    names, counts, term_of = tokens
    most = np.zeros(n_terms, np.int64)
    np.maximum.at(most, term_of, counts)
    surfaces = [""] * n_terms
    for token in np.flatnonzero(counts == most[term_of]).tolist():
        term, name = term_of[token], names[token]
        if not surfaces[term] or name < surfaces[term]:
            surfaces[term] = name
    return surfaces
