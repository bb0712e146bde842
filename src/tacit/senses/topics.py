"""Latent topics: loadings of context words, fold-in of a context, top words of a topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tacit.senses.cooccurrence import CooccurrenceCounts
from tacit.types import Array

HALF_WEIGHT_DISTANCE = 5.0
"""The distance at which a context word weighs half as much as one at distance 0."""


def normalize_loadings(vectors: Array) -> Array:
    """Divide each row by its sum; a row of zeros becomes uniform.

    >>> normalize_loadings(np.array([[1.0, 3.0], [0.0, 0.0]]))
    array([[0.25, 0.75],
           [0.5 , 0.5 ]], dtype=float32)
    """
    sums = vectors.sum(axis=1, keepdims=True, dtype=np.float64)
    uniform = 1 / vectors.shape[1]
    loadings: Array = np.where(sums > 1e-12, vectors / np.maximum(sums, 1e-12), uniform)
    return loadings.astype(np.float32)


@dataclass(frozen=True)
class LatentTopics:
    """Context words with their loadings on the latent dimensions: rows that sum to 1.

    ``lemma_of_form`` maps a form to its lemma, for a parsed corpus; ``surface_forms`` maps a stem to its most
    frequent form.
    """

    context_words: list[str]
    loadings: Array
    stop_words: frozenset[str]
    lemma_of_form: Mapping[str, str] = field(default_factory=dict)
    surface_forms: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_counts(cls, counts: CooccurrenceCounts, context_vectors: Array) -> LatentTopics:
        """Normalize the vectors of the context words, and look up the most frequent forms."""
        # the most frequent pair comes last, so that it is the one that stays in a dictionary
        pairs = [pair for pair, _ in reversed(counts.form_counts.most_common()) if pair[1]]
        lemmas = {form: term for form, term in pairs if counts.is_parsed}
        surfaces = {term: form for form, term in pairs if not counts.is_parsed}
        lemmas, surfaces = ({k: v for k, v in table.items() if k != v} for table in (lemmas, surfaces))
        loadings = normalize_loadings(context_vectors)
        return cls(counts.contexts, loadings, counts.stop_words, lemmas, surfaces)

    @property
    def n_components(self) -> int:
        """The number of latent dimensions."""
        return int(self.loadings.shape[1])

    def surface_form(self, term: str) -> str:
        """Return the most frequent form of a term."""
        return self.surface_forms.get(term, term)

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each context word."""
        return {term: row for row, term in enumerate(self.context_words)}

    def known_context_words(self, terms: Iterable[str], word: str) -> list[str]:
        """Return the terms that are context words; the word is not its own context."""
        return [term for term in terms if term != word and term in self.index]

    def weighted_context(
        self, content_terms: Sequence[str], position: int, word: str,
        half_distance: float | None = HALF_WEIGHT_DISTANCE,
    ) -> tuple[list[str], Array]:  # fmt: skip
        """Return the context words around a position, and their weights 1 / (1 + distance / half_distance).

        With ``half_distance`` None all weights are 1.

        >>> topics = LatentTopics(["river", "steep"], np.eye(2), frozenset())
        >>> topics.weighted_context(["river", "", "", "", "", "bank", "steep"], 5, "bank")
        (['river', 'steep'], array([0.5       , 0.83333333]))
        """
        known = [(i, term) for i, term in enumerate(content_terms) if term != word and term in self.index]
        distances = np.array([abs(i - position) for i, _ in known], np.float64)
        weights = np.ones(len(known)) if half_distance is None else 1 / (1 + distances / half_distance)
        return [term for _, term in known], weights

    def fold_in(self, known: list[str], weights: Array | None = None) -> Array:
        """Return the weighted mean of the loadings of context words (equation 6)."""
        if not known:
            return np.full(self.n_components, 1 / self.n_components)
        return np.average(self.loadings_of(known).astype(np.float64), axis=0, weights=weights)

    def loadings_of(self, known: list[str]) -> Array:
        """Return the rows of context words."""
        return self.loadings[[self.index[term] for term in known]]

    def top_words(self, dimension: int, k: int = 8) -> list[str]:
        """Return the k context words with the highest scores: their loading, reduced for rare words."""
        # context words are sorted by frequency: the penalty grows with the rank
        scores = self.loadings[:, dimension] / np.log(3 + np.arange(len(self.context_words)))
        return [self.surface_form(self.context_words[row]) for row in np.argsort(-scores, kind="stable")[:k]]
