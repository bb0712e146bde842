"""Why two texts are alike: their cosine, split exactly into word-by-word contributions.

A text's vector is a sum over its words, q = sum_i z_i u_i with u_i = A0^-1 p_i, so that

    cos(q_a, q_b) = sum_ij z_i z'_j (u_i . u_j) / (|q_a| |q_b|)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.factorize.als import FoldIn


@dataclass(frozen=True)
class Explanation:
    """``table[i, j]`` is what word i of the one text and word j of the other add to ``score``."""

    score: float
    words_a: list[str]
    words_b: list[str]
    table: NDArray[np.float64]

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
        }


def word_parts(fold: FoldIn, columns: NDArray[Any], x: NDArray[Any]) -> NDArray[np.float64]:
    """The vectors z_i u_i, a row for each word of a text; their sum is the text's vector."""
    T = fold.T[columns].astype(np.float64)
    gram = np.eye(len(columns)) + (1 - fold.missing_weight) * T @ T.T
    z = np.linalg.solve(gram, x.astype(np.float64))
    parts: NDArray[np.float64] = z[:, None] * (T @ fold.inverse)
    return parts


def contributions(a: NDArray[np.float64], b: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """The cosine of the sums of two sets of parts, and the table that adds up to it."""
    length = float(np.linalg.norm(a.sum(axis=0)) * np.linalg.norm(b.sum(axis=0)))
    table = a @ b.T / length if length > 0 else np.zeros((len(a), len(b)))
    return float(table.sum()), table
