"""The distinct texts of a collection as vectors, as a graph and as terms, and groups of them with names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tacit.compute.cosine import cosine_matrix, normalize_rows
from tacit.compute.nearest import find_nearest
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.themes.clustering import N_NEIGHBORS, build_graph, center_rows
from tacit.themes.naming import ScoredTerm, choose_terms
from tacit.themes.terms import TermTable, collect_terms
from tacit.types import Array

MAX_CLUSTERED_TEXTS = 20_000
"""The first texts by hash make the themes; further ones follow their nearest neighbors."""
MAX_QUOTES = 4

MIN_QUOTE_WORDS, MAX_QUOTE_WORDS = 4, 30
_TERM_BONUS = _LENGTH_PENALTY = 0.15


class ThemeSpace:
    """Vectors, graph and terms of the texts that are clustered, in the order of their hashes.

    ``rows`` are the positions of these texts in the distinct texts: the first 20,000 with a known word.
    """

    def __init__(
        self, model: TextModel, texts: list[str], vectors: Array, language: str | None, n_threads: int | None
    ) -> None:
        """Take the distinct texts and their vectors."""
        unit = normalize_rows(np.asarray(vectors))
        self.model, self.language, self.n_threads = model, language, n_threads
        self.rows = np.flatnonzero(unit.any(axis=1))[:MAX_CLUSTERED_TEXTS]
        self.texts = [texts[row] for row in self.rows]
        self.unit = unit[self.rows]
        self._mean = self.unit.mean(axis=0) if len(self.rows) else np.zeros(unit.shape[1], np.float32)
        self.centered = self.center(self.unit)

    def center(self, vectors: Array) -> Array:
        """Return unit vectors of the differences from the mean text."""
        return center_rows(normalize_rows(np.asarray(vectors)), self._mean)

    @cached_property
    def graph(self) -> Any:
        """The graph of nearest neighbors."""
        return build_graph(self.centered, self.n_threads)

    @cached_property
    def terms(self) -> TermTable:
        """The terms of the texts."""
        return collect_terms(self.texts, self.language, self.model.pivot.vectorizer.make_normalizer())

    @cached_property
    def _term_vectors(self) -> Array:
        """Vectors of the terms; without outside vectors of words, this part is the mean of their texts."""
        terms = TextSet.from_texts(self.model, [term.spelling for term in self.terms.terms])
        if self.model.outside is not None and not self.model.outside.splits_into_words:
            outside = self.unit[:, self.model.n_components :]
            terms.outside_vectors = normalize_rows(np.asarray(self.terms.matrix.T @ outside, np.float32))
        return self.center(terms.joint_vectors)

    def find_neighbors(self, vectors: Array) -> tuple[Array, Array]:
        """Return the cosines and the rows of the nearest texts of each vector; 0 for a zero vector."""
        k = min(N_NEIGHBORS, len(self.rows))
        cosines, rows = find_nearest(self.centered, self.center(vectors), k, n_threads=self.n_threads)
        is_known = np.any(vectors != 0, axis=1, keepdims=True)
        return np.where(is_known, np.maximum(cosines, 0), 0), rows

    def name_groups(self, members: list[Array], parent: Array | None = None) -> list[list[ScoredTerm]]:
        """Choose the terms of the name of each group; of sub-themes, in comparison with their theme.

        ``members`` and ``parent`` are rows of ``texts``.
        """
        parent = np.arange(len(self.rows)) if parent is None else parent
        labels = np.full(len(self.rows), -1)
        for group, rows in enumerate(members):
            labels[rows] = group
        table = TermTable(self.terms.terms, self.terms.matrix[parent])
        means = np.stack([self.centered[rows].mean(axis=0) for rows in members])
        means -= self.centered[parent].mean(axis=0)
        return choose_terms(table, labels[parent], cosine_matrix(means, self._term_vectors))

    def choose_quotes(self, members: Array, terms: list[ScoredTerm]) -> tuple[str, ...]:
        """Return the most representative texts of a group, best first."""
        mean = self.centered[members].mean(axis=0, keepdims=True)
        cosines = cosine_matrix(self.centered[members], mean)[:, 0]
        columns = [term.column for term in terms]
        n_terms = np.asarray(self.terms.matrix[members][:, columns].sum(axis=1)).ravel()
        texts = [self.texts[row] for row in members]
        order = rank_quotes(texts, cosines, n_terms / max(len(terms), 1))
        return tuple(texts[position] for position in order[:MAX_QUOTES])


def rank_quotes(texts: Sequence[str], cosines: Array, term_shares: Array) -> Array:
    """Return the positions of texts, the most representative first.

    The score is the cosine with the mean of the theme, plus a bonus for the share of the terms of its name
    that a text has, minus a penalty for texts that are very short or long.

    >>> rank_quotes(["a b c d", "a", "a b c d e"], np.array([0.5, 0.6, 0.4]), np.zeros(3)).tolist()
    [0, 1, 2]
    """
    n_words = np.array([len(text.split()) for text in texts])
    is_unsuitable = (n_words < MIN_QUOTE_WORDS) | (n_words > MAX_QUOTE_WORDS)
    return np.argsort(-(cosines + _TERM_BONUS * term_shares - _LENGTH_PENALTY * is_unsuitable), kind="stable")
