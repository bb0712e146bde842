"""Why two texts are alike: their score, split exactly into word-by-word contributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacit.models.measure import Grouped, Measure, Table
from tacit.models.text_set import TextSet

SHOWN = 200
"""Distinct words of a text that a table has lines for."""

OTHER_WORDS = "(other words)"


@dataclass(frozen=True)
class Explanation:
    """``table[i, j]`` is what word i of the one text and word j of the other add to ``score``.

    The words are those of the texts, as they are written there, each distinct term once; of a long text the
    most telling ones, and ``(other words)`` for all the others together. ``parts`` holds the tables that add
    up to ``table`` where a measure has several parts.
    """

    score: float
    words_a: list[str]
    words_b: list[str]
    table: Table
    parts: dict[str, Table] = field(default_factory=dict)

    def top(self, k: int = 10) -> list[tuple[str, str, float]]:
        """The k pairs of words that add most, or take away most."""
        order = np.argsort(-np.abs(self.table), axis=None, kind="stable")[:k]
        rows, columns = np.unravel_index(order, self.table.shape)
        return [
            (self.words_a[i], self.words_b[j], float(self.table[i, j]))
            for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, for JSON."""
        return {
            "score": self.score,
            "words_a": self.words_a,
            "words_b": self.words_b,
            "table": self.table.tolist(),
            "parts": {name: table.tolist() for name, table in self.parts.items()},
        }


def explain_pair(texts: TextSet, measure: Measure, a: int = 0, b: int = 1) -> Explanation:
    """Explain the score of two texts of a set; the parts of tokens are added up by term."""
    (words_a, of_a), (words_b, of_b) = _shown(texts, a), _shown(texts, b)
    parts = measure.tables(texts, of_a, of_b)
    table: Table = sum(parts.values(), np.zeros((len(words_a), len(words_b))))
    return Explanation(float(table.sum()), words_a, words_b, table, parts if len(parts) > 1 else {})


def _shown(texts: TextSet, number: int) -> tuple[list[str], Grouped]:
    """A token for each distinct term of a text, in the order of the text, and which tokens are of which term.

    The terms of a long text beyond the most telling ones are one group, the last.
    """
    starts, ids, times = texts.distinct
    own = slice(starts[number], starts[number + 1])
    spoken = int(texts.spoken[number])
    terms = texts.tokens.term_numbers(spoken)[ids[own]]
    _, first, term_of = np.unique(terms, return_index=True, return_inverse=True)
    telling = np.bincount(term_of, times[own] * texts.tokens.weights(spoken)[ids[own]], len(first))
    chosen = np.argsort(-telling, kind="stable")[:SHOWN]
    chosen = chosen[np.argsort(first[chosen], kind="stable")]
    group_of = np.full(len(first), len(chosen))
    group_of[chosen] = np.arange(len(chosen))
    words = [texts.tokens.strings[token] for token in ids[own][first[chosen]].tolist()]
    if len(chosen) < len(first):
        words.append(OTHER_WORDS)
    return words, Grouped(number, group_of[term_of], len(words))
