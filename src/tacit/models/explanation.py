"""Why two texts are alike: their score, split exactly into word-by-word contributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacit.models.measure import Array, Measure, Table
from tacit.models.text_set import TextSet


@dataclass(frozen=True)
class Explanation:
    """``table[i, j]`` is what word i of the one text and word j of the other add to ``score``.

    The words are those of the texts, as they are written there, each distinct term once. ``parts`` holds
    the tables that add up to ``table`` where a measure has several parts.
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
    tables = measure.tables(texts, a, b)
    (tokens_a, term_of_a), (tokens_b, term_of_b) = _terms(texts, a), _terms(texts, b)
    parts = {}
    for name, of_tokens in tables.items():
        parts[name] = np.zeros((len(tokens_a), len(tokens_b)))
        np.add.at(parts[name], np.ix_(term_of_a, term_of_b), of_tokens)
    table: Table = sum(parts.values(), np.zeros((len(tokens_a), len(tokens_b))))
    words_a, words_b = ([texts.tokens.strings[t] for t in tokens] for tokens in (tokens_a, tokens_b))
    return Explanation(float(table.sum()), words_a, words_b, table, parts if len(parts) > 1 else {})


def _terms(texts: TextSet, number: int) -> tuple[Array, Array]:
    """A token for each distinct term of a text, and the place of every token's term among these."""
    ids = texts.ids[texts.starts[number] : texts.starts[number + 1]]
    numbers = texts.tokens.term_numbers(int(texts.spoken[number]))[ids]
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # in the order of the text
    return ids[first[order]], np.argsort(order, kind="stable")[inverse]
