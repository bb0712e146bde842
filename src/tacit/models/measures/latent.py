"""``latent``: cosine of the latent vectors, the papers' measure."""

from __future__ import annotations

import numpy as np

from tacit.compute.cosine import paired_cosines
from tacit.factorize.row_solver import FoldIn
from tacit.models.language import Language
from tacit.models.measure import Measure, Table, TextGroups
from tacit.models.model_languages import ModelLanguages
from tacit.models.text_set import TextSet
from tacit.types import Array


class Latent(Measure):
    """Cosine of the latent vectors.

    A text's vector is a sum over its words, q = sum_i z_i u_i with u_i = A0^-1 p_i, so that
    cos(q_a, q_b) = sum_ij z_i z'_j (u_i . u_j) / (|q_a| |q_b|).
    """

    name, summary = "latent", "the cosine of the latent vectors, the papers' measure"
    needs_known_words = is_explainable = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """Return the cosine of each pair of vectors."""
        return paired_cosines(texts.vectors, left, right)

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """Return what each pair of word groups adds to the cosine."""
        return {self.name: contribution_table(_group_vectors(texts, a), _group_vectors(texts, b))}

    def min_cosine(self, model: ModelLanguages, threshold: float) -> float:
        """Return the threshold, as the score is the cosine."""
        return threshold


MEASURE = Latent()


def _group_vectors(texts: TextSet, text: TextGroups) -> Table:
    """Return the vector of each word group of a text; they sum to the vector of the text."""
    language_id = int(texts.language_ids[text.text_id])
    language, rows = texts.tokens.languages[language_id], texts.weighted_rows(language_id)
    row = int(np.searchsorted(texts.texts_in(language_id), text.text_id))
    words = slice(rows.indptr[row], rows.indptr[row + 1])
    columns = rows.indices[words]
    offsets, ids, _ = texts.distinct_tokens
    tokens = ids[offsets[text.text_id] : offsets[text.text_id + 1]]
    token_columns = texts.tokens.word_columns(language_id)[tokens]
    group_of = dict(zip(token_columns.tolist(), text.group_of_token.tolist(), strict=True))
    vectors = np.zeros((text.n_groups, language.n_components))
    groups = [group_of[column] for column in columns.tolist()]
    np.add.at(vectors, groups, word_components(language, columns, rows.data[words]))
    return vectors


def word_components(language: Language, columns: Array, x: Array) -> Table:
    """Split the vector of a text into one component per word, in one space or in two side by side."""
    spaces = [_components_in_space(fold_in, columns, x) for fold_in in language.fold_ins]
    if language.background is None:
        return spaces[0]
    scaled = []
    for components, scale in zip(spaces, language.background.scales, strict=True):
        norm = float(np.linalg.norm(components.sum(axis=0)))
        scaled.append(components * (scale / norm if norm > 0 else 0.0))
    return np.concatenate(scaled, axis=1)


def _components_in_space(fold_in: FoldIn, columns: Array, x: Array) -> Table:
    """Return the components z_i u_i, a row for each word of a text; they sum to the text's vector.

    z = (I + c T T')^-1 x = x - c T (I + c T'T)^-1 T'x: the smaller of the two systems is solved.
    """
    whitened = fold_in.whitened
    c, T = 1 - whitened.missing_weight, whitened.T[columns].astype(np.float64)
    x = x.astype(np.float64)
    if len(columns) <= T.shape[1]:
        z = np.linalg.solve(np.eye(len(columns)) + c * T @ T.T, x)
    else:
        z = x - c * T @ np.linalg.solve(np.eye(T.shape[1]) + c * T.T @ T, T.T @ x)
    return z[:, None] * (T @ whitened.factor.inverse)[:, : fold_in.n_components]


def contribution_table(a: Table, b: Table) -> Table:
    """Return what each pair of components adds to the cosine of their sums."""
    norm = float(np.linalg.norm(a.sum(axis=0)) * np.linalg.norm(b.sum(axis=0)))
    return a @ b.T / norm if norm > 0 else np.zeros((len(a), len(b)))
