"""Assign texts to themes by their cluster or by their nearest texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tacit.themes.clustering import cluster_graph, shares_of_labels, weight_per_label
from tacit.themes.theme_space import ThemeSpace
from tacit.types import Array

MAX_OTHER_STRENGTH, MAX_OTHER_SHARE = 0.4, 0.25
"""A text of smaller strength fits no theme; at most this share of the texts."""


class Assignment(NamedTuple):
    """The theme and the sub-theme of each text, from 0, -1 for none; and the strength, from 0 to 1.

    The strength is the share of the nearest texts, weighted by their cosines, that have the same theme.
    """

    labels: Array
    sublabels: Array
    strengths: Array


@dataclass(frozen=True)
class Clusters:
    """The cluster of each text of a space, and the strength below which a text fits no theme.

    Only the first ``n_themes`` clusters are themes; the others are too weak. ``sublabels`` are the sub-themes
    of the texts, -1 for none.
    """

    space: ThemeSpace
    labels: Array
    sublabels: Array
    strengths: Array
    limit: float
    n_themes: int

    @property
    def is_member(self) -> Array:
        """Whether each text belongs to a theme."""
        return (self.strengths >= self.limit) & (self.labels < self.n_themes)

    def members(self) -> list[Array]:
        """Return the rows of the texts of each theme."""
        return [np.flatnonzero(self.is_member & (self.labels == label)) for label in range(self.n_themes)]

    def assign_own(self) -> Assignment:
        """Return the assignment of the texts of the space."""
        return Assignment(np.where(self.is_member, self.labels, -1), self.sublabels, self.strengths)

    def assign(self, vectors: Array) -> Assignment:
        """Assign vectors to the theme and sub-theme of most of their nearest texts."""
        cosines, rows = self.space.find_neighbors(vectors)
        near = self.labels[rows]
        shares = shares_of_labels(cosines, near, int(self.labels.max()) + 1)
        best, strengths = shares.argmax(axis=1), shares.max(axis=1)
        parts = np.where(near == best[:, None], self.sublabels[rows], -1)
        part_shares = shares_of_labels(cosines, parts, int(self.sublabels.max()) + 1 or 1)
        is_other = (strengths < self.limit) | (strengths == 0) | (best >= self.n_themes)
        has_part = ~is_other & part_shares.any(axis=1)
        best_parts = np.where(has_part, part_shares.argmax(axis=1), -1)
        return Assignment(np.where(is_other, -1, best), best_parts, strengths)


def cluster_space(
    space: ThemeSpace, n_copies: Array, n_themes: int, has_other: bool, random_state: int
) -> Clusters:
    """Cluster the texts of a space; the first cluster has the most input texts.

    ``n_copies`` is the number of input texts of each text. With ``has_other``, weak texts fit no theme.
    """
    labels = cluster_graph(space.unit, space.graph, n_themes, random_state, space.n_threads)
    n_labels = int(labels.max()) + 1
    strengths = weight_per_label(space.graph, labels, n_labels)[np.arange(len(labels)), labels]
    quantile = float(np.quantile(strengths, MAX_OTHER_SHARE))
    limit = min(MAX_OTHER_STRENGTH, quantile) if has_other else 0.0
    sizes = np.bincount(labels, n_copies * (strengths >= limit), n_labels)
    ranks = np.argsort(np.argsort(-sizes, kind="stable"), kind="stable")
    no_sublabels = np.full(len(labels), -1)
    return Clusters(space, ranks[labels], no_sublabels, strengths, limit, int((sizes > 0).sum()))
