"""How alike two texts are, in one language or two.

| name | what it compares |
|---|---|
| ``latent`` | the cosine of the latent vectors, a negative one counted as 0: the paper's measure |
| ``alignment`` | each word with a partner, through a table of translations, see ``alignment`` |
| ``blend`` | three tenths latent^.6, seven tenths alignment |

The power lifts small cosines, which say more across languages than their size; half would lift those of texts
that have nothing in common too far. It and the tenths were chosen on the STS Benchmark dev sets and the
Spanish news of 2014, each also with random pairs among them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import pairwise
from tacit.crosslingual.alignment import alignment
from tacit.crosslingual.texts import CrossTexts
from tacit.errors import InputError
from tacit.sentences.measures import in_blocks

Array = NDArray[Any]

BLEND = {"latent": 0.3, "alignment": 0.7}
LIFT = 0.6


def latent(texts: CrossTexts, left: Array, right: Array) -> Array:
    """The cosine of the latent vectors, from 0 to 1."""
    return np.maximum(pairwise(texts.vectors[left], texts.vectors[right]), 0)


def blend(texts: CrossTexts, left: Array, right: Array) -> Array:
    """What the vectors say, and what the words say to each other."""
    found: Array = BLEND["latent"] * latent(texts, left, right) ** LIFT
    return found + BLEND["alignment"] * alignment(texts, left, right)


def least_latent(threshold: float) -> float:
    """The least latent cosine of a pair whose blend reaches a threshold, for no alignment is above 1.

    >>> round(least_latent(0.95), 3)
    0.738
    """
    least: float = (max(threshold - BLEND["alignment"], 0.0) / BLEND["latent"]) ** (1 / LIFT)
    return least


MEASURES: dict[str, Callable[[CrossTexts, Array, Array], Array]] = {
    "latent": latent,
    "alignment": alignment,
    "blend": blend,
}


def check_measure(measure: str) -> None:
    """Raise an error that lists the measures there are, if this is none."""
    if measure not in MEASURES:
        raise InputError(f"measure={measure!r}: across languages use one of {', '.join(MEASURES)}")


def score_pairs(texts: CrossTexts, left: Array, right: Array, measure: str) -> Array:
    """The measure of text ``left[i]`` with text ``right[i]``, for every i, on the model's threads."""
    check_measure(measure)
    return in_blocks(MEASURES[measure], texts, left, right, texts.languages[0].n_threads)
