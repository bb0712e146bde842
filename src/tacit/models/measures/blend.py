"""``blend``: what the vectors say and what the words say to each other, the default measure.

| where | blend |
|---|---|
| the model knows translations | .3 latent^.6 + .7 matching |
| otherwise | 1/3 latent + 2/3 alignment |

The power lifts small cosines, which say more across languages than their size; half would lift those of texts
that have nothing in common too far. It and the tenths were chosen on the STS Benchmark dev sets and the
Spanish news of 2014, each also with random pairs among them; the thirds on the STS 2012 training pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacit.models.measure import Array, Measure, Table, TextGroups
from tacit.models.measures.latent import MEASURE as LATENT

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel
    from tacit.models.text_set import TextSet


@dataclass(frozen=True)
class Recipe:
    """weight * max(latent, 0)^power + (1 - weight) * words; with power 1 a negative cosine counts."""

    weight: float
    power: float
    words: Measure

    def lifted(self, cosines: Array) -> Array:
        """The part of the vectors, before its weight."""
        if self.power == 1:
            return cosines
        found: Array = np.maximum(cosines, 0) ** self.power
        return found


class Blend(Measure):
    """A sum of two measures that explain themselves, so it explains itself."""

    name, summary = "blend", "the latent cosine and how well the words find partners, weighed together"
    is_explainable = True

    def prepare(self, texts: TextSet, left: Array, right: Array) -> None:
        """What both parts share."""
        LATENT.prepare(texts, left, right)
        recipe_for(texts.model).words.prepare(texts, left, right)

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The blend of every pair."""
        recipe = recipe_for(texts.model)
        cosines = LATENT.score(texts, left, right).astype(np.float64)
        found: Array = recipe.weight * recipe.lifted(cosines)
        return found + (1 - recipe.weight) * recipe.words.score(texts, left, right)

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """The tables of both parts, weighed as they are in the sum."""
        recipe = recipe_for(texts.model)
        parts = {
            name: recipe.weight * table for name, table in LATENT.contribution_tables(texts, a, b).items()
        }
        cosine = float(parts[LATENT.name].sum()) / recipe.weight
        if cosine:
            parts[LATENT.name] *= float(recipe.lifted(np.array([cosine]))[0]) / cosine
        words = recipe.words.contribution_tables(texts, a, b)
        return parts | {name: (1 - recipe.weight) * table for name, table in words.items()}

    def min_cosine(self, model: TextModel, threshold: float) -> float:
        """What the vectors must bring, for no words bring more than all of their part."""
        recipe = recipe_for(model)
        lifted = (threshold - (1 - recipe.weight)) / recipe.weight
        return lifted if recipe.power == 1 else float(max(lifted, 0.0) ** (1 / recipe.power))


MEASURE = Blend()


def recipe_for(model: TextModel) -> Recipe:
    """How a model's vectors and words are weighed."""
    from tacit.models.measures import alignment, matching

    if model.is_multilingual:
        return Recipe(0.3, 0.6, matching.MEASURE)
    return Recipe(1 / 3, 1.0, alignment.MEASURE)
