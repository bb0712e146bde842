"""``latent``: the cosine of the latent vectors, the papers' measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacit.compute.cosine import pairwise
from tacit.factorize.row_solver import FoldIn
from tacit.models.background import BackgroundFoldIn
from tacit.models.measure import Array, Measure, Table, TextGroups

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel
    from tacit.models.text_set import TextSet


class Latent(Measure):
    """A text's vector is a sum over its words, q = sum_i z_i u_i with u_i = A0^-1 p_i, so that

    cos(q_a, q_b) = sum_ij z_i z'_j (u_i . u_j) / (|q_a| |q_b|)
    """

    name, summary = "latent", "the cosine of the latent vectors, the papers' measure"
    needs_known_words = is_explainable = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The cosine of each pair's vectors."""
        return pairwise(texts.vectors, left, right)

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """What each pair of words adds to the cosine."""
        return {self.name: contributions(_group_parts(texts, a), _group_parts(texts, b))}

    def min_cosine(self, model: TextModel, threshold: float) -> float:
        """Itself."""
        return threshold


MEASURE = Latent()


def _group_parts(texts: TextSet, text: TextGroups) -> Table:
    """The vectors that the groups of words of a text add up to."""
    number, spoken = text.text_id, int(texts.language_ids[text.text_id])
    fold, rows = texts.tokens.languages[spoken].fold_in, texts.weighted_rows(spoken)
    row = int(np.searchsorted(texts.texts_in(spoken), number))
    columns = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
    weights = rows.data[rows.indptr[row] : rows.indptr[row + 1]]
    starts, ids, _ = texts.distinct_tokens
    said = texts.tokens.word_columns(spoken)[ids[starts[number] : starts[number + 1]]]
    group_of = dict(zip(said.tolist(), text.group_of_token.tolist(), strict=True))
    parts = np.zeros((text.n_groups, fold.n_components))
    np.add.at(parts, [group_of[column] for column in columns.tolist()], fold_parts(fold, columns, weights))
    return parts


def fold_parts(fold: FoldIn | BackgroundFoldIn, columns: Array, x: Array) -> Table:
    """The parts that a text's words bring to its vector, in one space or in two side by side."""
    if isinstance(fold, FoldIn):
        return word_parts(fold, columns, x)
    sides = []
    for each, root in zip(fold.fold_ins, fold.scales, strict=True):
        parts = word_parts(each, columns, x)
        length = float(np.linalg.norm(parts.sum(axis=0)))
        sides.append(parts * (root / length if length > 0 else 0.0))
    return np.concatenate(sides, axis=1)


def word_parts(fold: FoldIn, columns: Array, x: Array) -> Table:
    """The vectors z_i u_i, a row for each word of a text; their sum is the text's vector.

    z = (I + c T T')^-1 x = x - c T (I + c T'T)^-1 T'x: the smaller of the two systems is solved.
    """
    whitened = fold.whitened
    c, T = 1 - whitened.missing_weight, whitened.T[columns].astype(np.float64)
    x = x.astype(np.float64)
    if len(columns) <= T.shape[1]:
        z = np.linalg.solve(np.eye(len(columns)) + c * T @ T.T, x)
    else:
        z = x - c * T @ np.linalg.solve(np.eye(T.shape[1]) + c * T.T @ T, T.T @ x)
    parts: Table = z[:, None] * (T @ whitened.factor.inverse)[:, : fold.n_components]
    return parts


def contributions(a: Table, b: Table) -> Table:
    """What each pair of parts adds to the cosine of the sums."""
    length = float(np.linalg.norm(a.sum(axis=0)) * np.linalg.norm(b.sum(axis=0)))
    table: Table = a @ b.T / length if length > 0 else np.zeros((len(a), len(b)))
    return table
