"""An occurrence as a row of weighted features: what the local model sees of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from tacit.senses.features import Occurrence
from tacit.senses.topics import Topics

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BESIDE = (-3, -2, -1, 1, 2, 3)


@dataclass(frozen=True)
class Weights:
    """How much each part of a context counts; a content word counts exp(-decay x its distance)."""

    topics: float = 8.0
    beside: float = 1.0
    grammar: float = 0.5
    decay: float = 0.1


def described(occurrence: Occurrence, stop: frozenset[str], weights: Weights) -> dict[str, float]:
    """The features of an occurrence by name, without its topics.

    >>> item = Occurrence(("a", "river", "bank"), ("a", "river", "bank"), 2, (), "a river bank")
    >>> {name: round(value, 2) for name, value in described(item, frozenset("a"), Weights()).items()}
    {'river': 0.9, '-2:a': 1.0, '-1:river': 1.0}
    """
    found: dict[str, float] = {}
    place, word = occurrence.place, occurrence.word
    for at, term in enumerate(occurrence.contents):
        if term and term != word and term not in stop:
            found[term] = found.get(term, 0.0) + exp(-weights.decay * abs(at - place))
    for offset in BESIDE:
        at = place + offset
        if 0 <= at < len(occurrence.terms):
            found[f"{offset:+d}:{occurrence.terms[at]}"] = weights.beside
    for name in occurrence.features:
        if name[0] not in "+-":
            found[name] = weights.grammar
    return found


@dataclass(frozen=True)
class Columns:
    """The features of a word's contexts that were seen more than once, then the latent dimensions."""

    names: list[str]
    n_topics: int

    @cached_property
    def index(self) -> dict[str, int]:
        """From a feature to its column."""
        return {name: place for place, name in enumerate(self.names)}

    @classmethod
    def learn(
        cls, occurrences: Sequence[Occurrence], topics: Topics, weights: Weights
    ) -> tuple[Columns, csr_array]:
        """Choose the columns of a word, and give its contexts as rows."""
        found = [described(item, topics.stop_words, weights) for item in occurrences]
        seen = Counter(name for row in found for name in row)
        names = sorted(name for name, times in seen.items() if times > 1)
        n_topics = topics.loads.shape[1]
        columns = cls([*names, *(f"#{k}" for k in range(n_topics))], n_topics)
        pairs = zip(found, occurrences, strict=True)
        return columns, columns.matrix([columns._known(row, item, topics, weights) for row, item in pairs])

    def row(self, occurrence: Occurrence, topics: Topics, weights: Weights) -> dict[str, float]:
        """The known features of an occurrence, and its topics where any context word is known."""
        found = described(occurrence, topics.stop_words, weights)
        return self._known(found, occurrence, topics, weights)

    def _known(
        self, found: dict[str, float], occurrence: Occurrence, topics: Topics, weights: Weights
    ) -> dict[str, float]:
        row = {name: value for name, value in found.items() if name in self.index}
        known = topics.known(occurrence.contents, occurrence.word)
        if known and weights.topics:
            names = self.names[len(self.names) - self.n_topics :]
            row.update(zip(names, (weights.topics * topics.fold(known)).tolist(), strict=True))
        return row

    def matrix(self, rows: Sequence[Mapping[str, float]]) -> csr_array:
        """Rows as a sparse matrix."""
        from scipy.sparse import csr_array

        indptr = np.cumsum([0, *map(len, rows)])
        indices = np.array([self.index[name] for row in rows for name in row], np.int32)
        data = np.array([value for row in rows for value in row.values()], np.float64)
        return csr_array((data, indices, indptr), shape=(len(rows), len(self.names)))
