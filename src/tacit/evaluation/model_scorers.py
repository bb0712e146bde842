"""Trained models as scorers, and what stands beside them in a table."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.evaluation.baselines import PrefixScorer, RandomScorer
from tacit.models.measures import DEFAULT, find_measure
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet


class ModelScorer:
    """A trained model by one of its measures; languages are detected unless told.

    >>> from tacit import WTMF
    >>> texts = ["a cat sleeps on the mat", "the kitten sleeps", "a kitten is a young cat",
    ...          "stocks fell sharply", "the market fell", "stocks trade on the market"]
    >>> scorer = ModelScorer(WTMF().fit(texts), measure="latent")
    >>> scorer.score_pairs(["my cat", "my cat"], ["kittens", "markets"]).round(1)
    array([1., 0.])
    """

    def __init__(
        self,
        model: Any,
        name: str = "tacit",
        measure: str = DEFAULT,
        languages: tuple[str, str] | None = None,
    ) -> None:
        """Keep the model; ``name`` is what tables call it."""
        self.model = TextModel.of(model)
        self.name = name
        self.measure = measure
        self.languages = languages

    def speaking(self, a: str, b: str) -> ModelScorer:
        """The same scorer, told the languages of the two sides; a model of one language has no choice."""
        if len(self.model.languages) == 1:
            return self
        told = copy(self)
        told.languages = (a, b)
        return told

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """The measure of each text of ``a`` with the text of ``b`` at the same place."""
        one, other = self.languages or (None, None)
        return self.model.similarity_pairwise(a, b, self.measure, one, other)

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has something to compare: a known word, or for spellings any word."""
        read = [TextSet.of(self.model, texts, code) for code in dict.fromkeys(self.languages or (None,))]
        if find_measure(self.measure).needs_known_words:
            return np.asarray(np.any([each.known > 0 for each in read], axis=0))
        return np.asarray(read[0].counts > 0)


def text_scorers(model: TextModel, measure: str) -> list[Any]:
    """A model by its measure, what it has to beat (tf-idf, and words that begin alike), and chance."""
    own = [ModelScorer(model, name, name) for name in dict.fromkeys([measure, "latent", "lexical"])]
    across = [PrefixScorer()] if len(model.languages) > 1 else []
    return [*own, *across, RandomScorer()]
