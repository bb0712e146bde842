"""Why two texts are alike: their score, split exactly into word-by-word contributions.

A text's vector is a sum over its words, q = sum_i z_i u_i with u_i = A0^-1 p_i, so that

    cos(q_a, q_b) = sum_ij z_i z'_j (u_i . u_j) / (|q_a| |q_b|)

The alignment is a sum already: each word brings its weight times how well its best partner stands for it.
The blend is a sum of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.factorize.als import FoldIn
from tacit.sentences.alignment import alignment_parts
from tacit.sentences.measures import BLEND
from tacit.sentences.textset import TextSet

Table = NDArray[np.float64]


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


@dataclass(frozen=True)
class Side:
    """The distinct terms of one text: a token for each, and the tokens of all its occurrences."""

    tokens: NDArray[np.int64]
    term_of: NDArray[np.int64]
    ids: NDArray[np.int32]


def explain_pair(texts: TextSet, measure: str) -> Explanation:
    """Explain the score of the first text with the second."""
    if measure not in EXPLAINED:
        raise InputError(f"measure={measure!r} cannot be split by words: use one of {', '.join(EXPLAINED)}")
    a, b = _side(texts, 0), _side(texts, 1)
    parts = EXPLAINED[measure](texts, a, b)
    table: Table = sum(parts.values(), np.zeros((len(a.tokens), len(b.tokens))))
    words_a, words_b = ([texts.seen.tokens[t] for t in side.tokens] for side in (a, b))
    return Explanation(float(table.sum()), words_a, words_b, table, parts if len(parts) > 1 else {})


def _side(texts: TextSet, number: int) -> Side:
    ids = texts.seen.ids[texts.starts[number] : texts.starts[number + 1]]
    terms: dict[str, int] = {}
    term_of = np.array([terms.setdefault(texts.terms[token], len(terms)) for token in ids], np.int64)
    _, first = np.unique(term_of, return_index=True)
    return Side(ids[first].astype(np.int64), term_of, ids)


def _latent(texts: TextSet, a: Side, b: Side) -> dict[str, Table]:
    fold, rows = texts.model.fold, texts.rows
    vectors = []
    for number, side in enumerate((a, b)):
        parts = np.zeros((len(side.tokens), fold.n_components))
        columns = rows.indices[rows.indptr[number] : rows.indptr[number + 1]]
        weights = rows.data[rows.indptr[number] : rows.indptr[number + 1]]
        places = {column: place for place, column in enumerate(texts.columns[side.tokens].tolist())}
        parts[[places[column] for column in columns.tolist()]] = word_parts(fold, columns, weights)
        vectors.append(parts)
    return {"latent": contributions(*vectors)}


def _alignment(texts: TextSet, a: Side, b: Side) -> dict[str, Table]:
    table = np.zeros((len(a.tokens), len(b.tokens)))
    for u, v, value in alignment_parts(texts, a.ids, b.ids):
        table[a.term_of[u], b.term_of[v]] += value
    return {"alignment": table}


def _blend(texts: TextSet, a: Side, b: Side) -> dict[str, Table]:
    parts = _latent(texts, a, b) | _alignment(texts, a, b)
    return {name: weight * parts[name] for name, weight in BLEND.items()}


EXPLAINED: dict[str, Callable[[TextSet, Side, Side], dict[str, Table]]] = {
    "latent": _latent,
    "alignment": _alignment,
    "blend": _blend,
}


def word_parts(fold: FoldIn, columns: NDArray[Any], x: NDArray[Any]) -> Table:
    """The vectors z_i u_i, a row for each word of a text; their sum is the text's vector."""
    T = fold.T[columns].astype(np.float64)
    gram = np.eye(len(columns)) + (1 - fold.missing_weight) * T @ T.T
    z = np.linalg.solve(gram, x.astype(np.float64))
    parts: Table = z[:, None] * (T @ fold.inverse)[:, : fold.n_components]
    return parts


def contributions(a: Table, b: Table) -> Table:
    """What each pair of parts adds to the cosine of the sums."""
    length = float(np.linalg.norm(a.sum(axis=0)) * np.linalg.norm(b.sum(axis=0)))
    table: Table = a @ b.T / length if length > 0 else np.zeros((len(a), len(b)))
    return table
