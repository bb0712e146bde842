"""Scorers whose score is the inner product of two rows, dense or sparse: one way for pairs and blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.errors import InputError, NotFittedError
from tacit.evaluation.protocols import BlockScores
from tacit.text.vectorizer import TextVectorizer

Rows = Any
"""A dense array or a sparse CSR matrix, a row a text."""


class VectorScorer(ABC):
    """A scorer that gives each text a row in a space, where the inner product is the score."""

    name: str

    @abstractmethod
    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The rows of two collections of texts in one common space."""

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """The score of each text of ``a`` with the text of ``b`` at the same place."""
        if len(a) != len(b):
            raise InputError(f"{len(a)} texts against {len(b)}: pairs need equally many")
        rows_a, rows_b = self.vectors(a, b)
        if isinstance(rows_a, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", rows_a, rows_b))
        return np.asarray(rows_a.multiply(rows_b).sum(axis=1)).ravel()

    def many_to_many(self, queries: Sequence[str], candidates: Sequence[str]) -> BlockScores:
        """The scores of a range of queries with every candidate."""
        rows, others = self.vectors(queries, candidates)
        if isinstance(rows, np.ndarray):
            across = np.ascontiguousarray(others.T)
            return lambda start, stop: rows[start:stop] @ across
        across = others.T.tocsr()
        return lambda start, stop: (rows[start:stop] @ across).toarray()


class TrainedScorer(VectorScorer):
    """A scorer that learns words from texts, and gives each text a row that depends on no other text."""

    vectorizer: TextVectorizer | None
    vectorizer_: TextVectorizer

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> Rows:
        """The row of each text, of length 1; zero where no word is known."""

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The rows of two collections of texts."""
        return self.encode(a), self.encode(b)

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has a known word that weighs something."""
        return np.diff(self._fitted().rows(texts).indptr) > 0

    def _learn_words(self, texts: Iterable[str]) -> Rows:
        """Fit a vectorizer of the same parameters, and give the texts' sparse rows."""
        self.vectorizer_ = TextVectorizer(**(self.vectorizer or TextVectorizer()).get_params())
        return self.vectorizer_.fit_transform(texts)

    def _fitted(self) -> TextVectorizer:
        if not hasattr(self, "vectorizer_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit(texts) first")
        return self.vectorizer_

    def _folded(self, texts: Sequence[str], word_vectors: NDArray[Any]) -> NDArray[Any]:
        """The sums of the vectors of each text's words, weighed by tf-idf, at length 1."""
        return cosine.unit(np.asarray(self._fitted().transform(texts) @ word_vectors))
