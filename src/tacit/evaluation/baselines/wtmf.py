"""A trained WTMF model as a scorer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.compute.cosine import unit_rows
from tacit.errors import InputError
from tacit.evaluation.baselines.vectors import Rows, VectorScorer
from tacit.text.interning import intern_texts

if TYPE_CHECKING:
    from tacit.sentences.wtmf import WTMF


class WTMFScorer(VectorScorer):
    """A fitted ``tacit.WTMF`` by one of its measures, the cosine of the latent vectors unless said otherwise.

    >>> from tacit import WTMF, TextVectorizer
    >>> texts = ["a cat sleeps on the mat", "the kitten sleeps", "a kitten is a young cat",
    ...          "stocks fell sharply", "the market fell", "stocks trade on the market"]
    >>> model = WTMF(TextVectorizer(min_df=1), n_components=3, missing_weight=0.1, regularization=1.0)
    >>> WTMFScorer(model.fit(texts)).score_pairs(["my cat", "my cat"], ["kittens", "markets"]).round(1)
    array([1. , 0.1])
    """

    def __init__(self, model: WTMF, name: str = "wtmf", measure: str = "latent") -> None:
        """Keep the model; ``name`` is what tables call it."""
        self.name = name
        self.model = model
        self.measure = measure

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """The measure of each text of ``a`` with the text of ``b`` at the same place."""
        return self.model.similarity_pairwise(a, b, measure=self.measure)

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The rows whose inner product is the measure, where it has such rows."""
        if self.measure == "lexical":
            transform = self.model.vectorizer_.transform
            return unit_rows(transform(a)), unit_rows(transform(b))
        if self.measure != "latent":
            raise InputError(
                f"measure={self.measure!r} compares pairs; to rank many texts use latent or lexical"
            )
        return cosine.unit(self.model.encode(a)), cosine.unit(self.model.encode(b))

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has something to compare: a word the model knows, or for spellings any word."""
        if self.measure in ("latent", "inner", "lexical"):
            return np.diff(self.model.rows(texts).indptr) > 0
        return intern_texts(texts, self.model.vectorizer_.tokenizer).counts > 0
