"""How alike two texts are, how telling that is, and how much of them a model knows, in one answer."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from tacit.errors import InputError
from tacit.models.measure import Measure, Table, TextGroups, score_pairs
from tacit.models.percentiles import model_percentiles
from tacit.models.text_set import TextSet
from tacit.types import Array

MAX_TABLE_WORDS = 200
"""Distinct words of a text that a table has lines for."""

OTHER_WORDS = "(other words)"


@dataclass(frozen=True)
class Comparison:
    """How alike two texts are.

    ``percentile`` says how many of a hundred random pairs of training texts score no higher, None where the
    model cannot tell; ``known_a`` and ``known_b`` how many of their words the model knows; ``language_a`` and
    ``language_b`` which languages they were read in.
    """

    score: float
    percentile: float | None
    known_a: int
    known_b: int
    language_a: str
    language_b: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        percentile = None if self.percentile is None else round(self.percentile, 1)
        return asdict(self) | {"score": round(self.score, 6), "percentile": percentile}


def compare_pairs(texts: TextSet, left: Array, right: Array, measure: Measure) -> list[Comparison]:
    """The comparison of text ``left[i]`` with text ``right[i]``, for every i."""
    scores = score_pairs(measure, texts, left, right).tolist()
    codes = list(texts.model.languages)
    found = []
    for score, a, b in zip(scores, left.tolist(), right.tolist(), strict=True):
        spoken = codes[texts.language_ids[a]], codes[texts.language_ids[b]]
        try:
            percentile = float(model_percentiles(texts.model, score, measure.name, *spoken))
        except InputError:  # a measure made after the model was saved, or a single text learnt from
            percentile = None
        found.append(Comparison(score, percentile, int(texts.n_known[a]), int(texts.n_known[b]), *spoken))
    return found


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
    (words_a, of_a), (words_b, of_b) = _group_tokens(texts, a), _group_tokens(texts, b)
    parts = measure.contribution_tables(texts, of_a, of_b)
    table: Table = sum(parts.values(), np.zeros((len(words_a), len(words_b))))
    return Explanation(float(table.sum()), words_a, words_b, table, parts if len(parts) > 1 else {})


def _group_tokens(texts: TextSet, number: int) -> tuple[list[str], TextGroups]:
    """A token for each distinct term of a text, in the order of the text, and which tokens are of which term.

    The terms of a long text beyond the most telling ones are one group, the last.
    """
    starts, ids, times = texts.distinct_tokens
    own = slice(starts[number], starts[number + 1])
    spoken = int(texts.language_ids[number])
    terms = texts.tokens.term_ids(spoken)[ids[own]]
    _, first, term_of = np.unique(terms, return_index=True, return_inverse=True)
    telling = np.bincount(term_of, times[own] * texts.tokens.idf_weights(spoken)[ids[own]], len(first))
    chosen = np.argsort(-telling, kind="stable")[:MAX_TABLE_WORDS]
    chosen = chosen[np.argsort(first[chosen], kind="stable")]
    group_of = np.full(len(first), len(chosen))
    group_of[chosen] = np.arange(len(chosen))
    words = [texts.tokens.strings[token] for token in ids[own][first[chosen]].tolist()]
    if len(chosen) < len(first):
        words.append(OTHER_WORDS)
    return words, TextGroups(number, group_of[term_of], len(words))
