"""The IR model of the papers: the cosine of tf-idf vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from tacit.compute.cosine import unit_rows
from tacit.evaluation.baselines.vectors import Rows, TrainedScorer
from tacit.text.vectorizer import TextVectorizer


class TfidfScorer(TrainedScorer):
    """The cosine of tf-idf vectors, whose weights are learnt from texts.

    >>> scorer = TfidfScorer(TextVectorizer(min_df=1)).fit(["a cat sat", "a dog sat", "a cat ran"])
    >>> scorer.score_pairs(["cats"], ["the cat"])
    array([1.], dtype=float32)
    """

    def __init__(self, vectorizer: TextVectorizer | None = None) -> None:
        """Keep the vectorizer; by default ``TextVectorizer()``."""
        self.name = "ir"
        self.vectorizer = vectorizer

    def fit(self, texts: Iterable[str]) -> Self:
        """Learn how much words weigh."""
        self._learn_words(texts)
        return self

    def encode(self, texts: Sequence[str]) -> Rows:
        """The tf-idf row of each text, at length 1."""
        return unit_rows(self._fitted().transform(texts))
