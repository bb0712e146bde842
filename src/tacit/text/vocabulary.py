"""The words a model knows: which tokens make one word, how often it is seen, how it is shown to people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

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
) -> Vocabulary:
    """The words seen in at least ``min_df`` texts, the most frequent first, without those already known."""
    terms = normalize(seen.tokens)
    numbers: dict[str, int] = {}
    term_of = np.fromiter((numbers.setdefault(t, len(numbers)) for t in terms), np.int64, len(terms))
    names = list(numbers)
    df = document_frequency(seen.ids, seen.counts, term_of, len(names))
    skip = known.index if known else {}
    kept = [i for i in np.flatnonzero(df >= min_df).tolist() if names[i] and names[i] not in skip]
    kept.sort(key=lambda i: (-df[i], names[i]))
    kept = kept[:max_features]
    if not kept and known is None:
        raise _no_words(len(seen.counts), len(names), min_df)
    surfaces = _surfaces(seen, term_of, len(names))
    return Vocabulary([names[i] for i in kept], [surfaces[i] for i in kept], df[kept])


def _no_words(n_texts: int, n_terms: int, min_df: int) -> InputError:
    if n_texts == 0:
        return InputError("there are no texts to learn from: the corpus is empty")
    if n_terms == 0:
        return InputError(f"none of the {n_texts} texts has a word: is this text, and one a line?")
    return InputError(
        f"none of the {n_terms} words is in {min_df} of the {n_texts} texts or more: "
        "give more texts, or lower min_df"
    )


def _surfaces(seen: Occurrences, term_of: NDArray[np.int64], n_terms: int) -> list[str]:
    """The most frequent token of each term, the first in the alphabet among equals."""
    times = np.bincount(seen.ids, minlength=len(seen.tokens))
    most = np.zeros(n_terms, np.int64)
    np.maximum.at(most, term_of, times)
    surfaces = [""] * n_terms
    for token in np.flatnonzero(times == most[term_of]).tolist():
        term, name = term_of[token], seen.tokens[token]
        if not surfaces[term] or name < surfaces[term]:
            surfaces[term] = name
    return surfaces
