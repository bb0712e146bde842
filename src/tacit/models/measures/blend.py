"""``blend`` (default): weighted sum of the latent cosine and a word-level measure.

| model | blend |
|---|---|
| multilingual | 0.3 latent^0.6 + 0.7 matching |
| one language | 1/3 latent + 2/3 alignment |

The power raises small cosines, which carry more information across languages than their value suggests; 0.5
would raise those of unrelated texts too far. The multilingual constants were tuned on the STS Benchmark
development sets and the Spanish news of 2014, each also with random pairs added; those of one language on the
STS 2012 training pairs. A text with itself scores 1, also if no word of it is known and the cosine is 0. The
cosine of outside vectors is added where there are some, see ``models.outside``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.models.measure import Measure, Table, TextGroups
from tacit.models.measures import alignment, matching
from tacit.models.measures.latent import MEASURE as LATENT
from tacit.models.model_languages import ModelLanguages
from tacit.models.outside import combine_scores, combine_tables, remaining_threshold
from tacit.models.text_set import TextSet
from tacit.types import Array


@dataclass(frozen=True)
class BlendWeights:
    """latent_weight * max(latent, 0)^power + (1 - latent_weight) * word_measure.

    With power 1, negative cosines count as they are.
    """

    latent_weight: float
    power: float
    word_measure: Measure

    def apply_power(self, cosines: Array) -> Array:
        """Raise the cosines to the power."""
        return cosines if self.power == 1 else np.asarray(np.maximum(cosines, 0) ** self.power)


class Blend(Measure):
    """Weighted sum of two explainable measures, so it can be explained."""

    name, summary = "blend", "the weighted sum of the latent cosine and a word-level measure"
    is_explainable = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """Return the weighted sum for each pair."""
        weights = blend_weights(texts.model)
        cosines = LATENT.score(texts, left, right).astype(np.float64)
        latent: Array = weights.latent_weight * weights.apply_power(cosines)
        scores: Array = latent + (1 - weights.latent_weight) * weights.word_measure.score(texts, left, right)
        if texts.outside_vectors is not None:
            scores = combine_scores(texts, left, right, scores)
        scores[texts.are_equal(left, right)] = 1
        return scores

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """Return the tables of both measures, weighted as in the sum."""
        weights = blend_weights(texts.model)
        latent = weights.latent_weight * LATENT.contribution_tables(texts, a, b)[LATENT.name]
        cosine = float(latent.sum()) / weights.latent_weight
        if cosine:
            latent *= float(weights.apply_power(np.array([cosine]))[0]) / cosine
        words = weights.word_measure.contribution_tables(texts, a, b)
        tables = {LATENT.name: latent} | {
            name: (1 - weights.latent_weight) * table for name, table in words.items()
        }
        is_equal = texts.are_equal(np.array([a.text_id]), np.array([b.text_id]))[0]
        total = sum(float(table.sum()) for table in tables.values()) if is_equal else 1.0
        return combine_tables(texts, a, b, {name: table / total for name, table in tables.items()})

    def min_cosine(self, model: ModelLanguages, threshold: float) -> float:
        """Return the lowest latent cosine with which a pair can reach the threshold."""
        weights, threshold = blend_weights(model), remaining_threshold(model, threshold)
        latent = (threshold - (1 - weights.latent_weight)) / weights.latent_weight
        return latent if weights.power == 1 else float(max(latent, 0.0) ** (1 / weights.power))


MEASURE = Blend()


def blend_weights(model: ModelLanguages) -> BlendWeights:
    """Return the weights for a multilingual model or a model of one language."""
    if model.is_multilingual:
        return BlendWeights(0.3, 0.6, matching.MEASURE)
    return BlendWeights(1 / 3, 1.0, alignment.MEASURE)
