"""Trained models as scorers, and what stands beside them in a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.crosslingual import is_crosslingual
from tacit.crosslingual.texts import CrossTexts
from tacit.evaluation.baselines import PrefixScorer, RandomScorer
from tacit.text.interning import intern_texts

if TYPE_CHECKING:
    from tacit.crosslingual.model import CrosslingualModel
    from tacit.sentences.wtmf import WTMF


class WTMFScorer:
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

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has something to compare: a word the model knows, or for spellings any word."""
        if self.measure in ("latent", "inner", "lexical"):
            return np.diff(self.model.rows(texts).indptr) > 0
        return intern_texts(texts, self.model.vectorizer_.tokenizer).counts > 0


class CrosslingualScorer:
    """A fitted ``BilingualWMF`` or ``PivotWMF`` by a measure; languages are detected unless told."""

    def __init__(
        self,
        model: CrosslingualModel,
        name: str = "crosslingual",
        measure: str = "latent",
        languages: tuple[str, str] | None = None,
    ) -> None:
        """Keep the model; ``name`` is what tables call it."""
        self.model = model
        self.name = name
        self.measure = measure
        self.languages = languages

    def speaking(self, a: str, b: str) -> CrosslingualScorer:
        """The same scorer, for first texts of language ``a`` and second texts of language ``b``."""
        return CrosslingualScorer(self.model, self.name, self.measure, (a, b))

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """The measure of each text of ``a`` with the text of ``b`` at the same place."""
        one, other = self.languages or (None, None)
        return self.model.similarity_pairwise(a, b, self.measure, one, other)

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has something to compare: a known word, or for spellings any word."""
        prepared = [CrossTexts(self.model, texts, code) for code in dict.fromkeys(self.languages or (None,))]
        if self.measure == "latent":
            return np.asarray(np.any([each.known > 0 for each in prepared], axis=0))
        return prepared[0].seen.counts > 0


def text_scorers(model: Any, measure: str) -> list[Any]:
    """A model by its measure, what it has to beat (tf-idf, or words that begin alike), and chance."""
    if is_crosslingual(model):
        names = dict.fromkeys([measure, "latent"])
        across = [CrosslingualScorer(model, name, measure=name) for name in names]
        return [*across, PrefixScorer(), RandomScorer()]
    own = [WTMFScorer(model, name, measure=name) for name in dict.fromkeys([measure, "lexical"])]
    return [*own, RandomScorer()]
