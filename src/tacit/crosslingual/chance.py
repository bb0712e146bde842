"""How alike texts are by chance: the scores of random pairs of the texts a language was learnt from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.crosslingual.measures import MEASURES, score_pairs
from tacit.crosslingual.texts import CrossTexts
from tacit.errors import InputError
from tacit.sentences.chance import LONGEST, PAIRS, SAMPLE, STEPS

if TYPE_CHECKING:
    from tacit.crosslingual.model import CrosslingualModel


def sampled(texts: list[str], n: int = SAMPLE) -> list[str]:
    """The beginnings of some of the texts, evenly spread.

    >>> sampled(["a", "b", "c", "d"], 2)
    ['a', 'c']
    """
    step = max(1, -(-len(texts) // n))
    return [text[:LONGEST] for text in texts[::step]]


def chance_quantiles(model: CrosslingualModel, code: str) -> NDArray[np.float32]:
    """A row for each measure: the quantiles of its scores on random pairs of the language's sample.

    The sample of a language holds texts of the pivot too, a half each; pairs of all kinds are drawn.
    """
    sample = model.languages_[code].sample
    half = len(sample) // 2
    spoken = [model.pivot_language] * half + [code] * (len(sample) - half)
    rng = np.random.default_rng(0)
    n = len(sample)
    if n < 2:
        raise InputError(f"no texts of {code!r} are at hand to draw random pairs from: add a language first")
    left = rng.integers(n, size=PAIRS)
    right = (left + rng.integers(1, n, size=PAIRS)) % n
    texts = CrossTexts(model, sample, spoken)
    points = np.linspace(0, 1, STEPS + 1)
    rows = [np.quantile(score_pairs(texts, left, right, measure), points) for measure in MEASURES]
    return np.array(rows, np.float32)


def percentile(quantiles: NDArray[Any], scores: Any, measure: str) -> NDArray[np.float64]:
    """How many of a hundred random pairs score no higher."""
    row = quantiles[list(MEASURES).index(measure)]
    places = np.searchsorted(row, np.asarray(scores, row.dtype), side="right")
    return np.asarray(100.0 * places / len(row))
