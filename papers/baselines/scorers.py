"""Baseline scorers: tf-idf and token overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit_rows
from tacit.errors import NotFittedError
from tacit.evaluation.scorers import OverlapScorer, TextMatrix, VectorScorer
from tacit.text.vectorizer import TextVectorizer


class SurfaceScorer(OverlapScorer):
    """The official baseline of STS 2012: tokens are split at white space, case and punctuation stay.

    >>> SurfaceScorer().score_pairs(["A cat sat ."], ["a cat slept ."])
    array([0.5])
    """

    name = "surface"

    def tokens(self, text: str) -> set[str]:
        """Return the distinct tokens between white space."""
        return set(text.split())


class TfidfScorer(VectorScorer):
    """The cosine of tf-idf vectors with weights learned from texts: the IR model of the papers.

    >>> scorer = TfidfScorer(TextVectorizer(min_df=1)).fit(["a cat sat", "a dog sat", "a cat ran"])
    >>> scorer.score_pairs(["cats"], ["the cat"])
    array([1.], dtype=float32)
    """

    name = "ir"
    vectorizer_: TextVectorizer

    def __init__(self, vectorizer: TextVectorizer | None = None) -> None:
        """Store the vectorizer; by default ``TextVectorizer.paper()``."""
        self.vectorizer = vectorizer

    def fit(self, texts: Iterable[str]) -> Self:
        """Learn the weights of words."""
        self.learn_words(texts)
        return self

    def learn_words(self, texts: Iterable[str]) -> TextMatrix:
        """Fit a vectorizer with the same parameters, and return the sparse rows of the texts."""
        self.vectorizer_ = TextVectorizer(**(self.vectorizer or TextVectorizer.paper()).get_params())
        return self.vectorizer_.fit_transform(texts)

    def weights(self, texts: Sequence[str]) -> TextMatrix:
        """Return the tf-idf row of each text."""
        if not hasattr(self, "vectorizer_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit(texts) first")
        return self.vectorizer_.transform(texts)

    def encode(self, texts: Sequence[str]) -> TextMatrix:
        """Return the unit row of each text; zero if no word is known."""
        return unit_rows(self.weights(texts))

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """Return the rows of two collections of texts."""
        return self.encode(a), self.encode(b)

    def has_known_words(self, texts: Sequence[str]) -> NDArray[Any]:
        """Return whether each text has a known word with a weight above 0."""
        return np.diff(self.vectorizer_.transform_rows(texts).indptr) > 0
