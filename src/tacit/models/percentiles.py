"""Percentile of a score among random pairs of training texts.

A cosine alone does not say whether two texts are similar. A model stores, for each measure, the quantiles of
the scores of random pairs of its training texts (not the texts), and returns the percentile of a score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.models.measure import score_pairs
from tacit.models.measures import get_measure, measure_names
from tacit.models.text_set import TextSet

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

SAMPLE_SIZE = 2000  # texts that training keeps
MAX_SAMPLE_CHARS = 2000  # of each of them
N_RANDOM_PAIRS = 5000
N_QUANTILES = 1000
WORD_PAIR_BUDGET = 50_000_000  # limits the number of text pairs,
MIN_PAIRS = 1000  # but not below this


def strided_sample(texts: list[str], n: int = SAMPLE_SIZE) -> list[str]:
    """Return at most n of the texts at equal distances, truncated.

    >>> strided_sample(["a", "b", "c", "d"], 2)
    ['a', 'c']
    """
    step = max(1, -(-len(texts) // n))
    return [text[:MAX_SAMPLE_CHARS] for text in texts[::step]]


def learn_score_quantiles(model: TextModel) -> None:
    """Estimate the missing score quantiles of all languages that have a sample of their texts.

    They depend on all languages of the model: call this after the last language is added.
    """
    for code in model.languages:
        _learn_language(model, code)


def _learn_language(model: TextModel, code: str) -> None:
    """Estimate the score quantiles of each measure from random pairs of a language's sample.

    The sample of a language other than the pivot has texts of the pivot first, then its own; pairs of all
    kinds are drawn.
    """
    language = model.languages[code]
    missing = [name for name in measure_names() if name not in language.score_quantiles]
    sample, n = language.sample_texts, len(language.sample_texts)
    if not missing or n < 2:
        return
    half = n // 2 if code != model.pivot.code else 0
    texts = TextSet.from_texts(model, sample, [model.pivot.code] * half + [code] * (n - half))
    left, right = random_pairs(n, affordable_n_pairs(texts.lengths, N_RANDOM_PAIRS))
    for name in missing:
        scores = score_pairs(get_measure(name), texts, left, right)
        language.score_quantiles[name] = compute_quantiles(scores)


def affordable_n_pairs(lengths: NDArray[np.int64], max_pairs: int) -> int:
    """Return the number of pairs of texts to score: fewer for long texts, which have many pairs of words.

    >>> affordable_n_pairs(np.array([10, 10]), 5000), affordable_n_pairs(np.array([400, 400]), 5000)
    (5000, 1000)
    """
    n_word_pairs = float(np.mean(lengths)) ** 2
    return min(max_pairs, max(MIN_PAIRS, int(WORD_PAIR_BUDGET / max(n_word_pairs, 1))))


def random_pairs(n: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw ``size`` pairs of different integers below n, sorted by the left one."""
    rng = np.random.default_rng(0)
    left = rng.integers(n, size=size)
    right = (left + rng.integers(1, n, size=size)) % n
    order = np.argsort(left, kind="stable")
    return left[order], right[order]


def compute_quantiles(scores: NDArray[Any]) -> NDArray[np.float32]:
    """Return the quantiles of scores in steps of 1 / ``N_QUANTILES``."""
    levels = np.linspace(0, 1, N_QUANTILES + 1)
    return np.asarray(np.quantile(scores, levels), np.float32)


def percentiles_of_scores(quantiles: NDArray[Any], scores: Any) -> NDArray[np.float64]:
    """Return the percentage of sorted quantiles that are at most each score.

    >>> percentiles_of_scores(np.arange(4.0), [1.0, 9.0])
    array([ 50., 100.])
    """
    ranks = np.searchsorted(quantiles, np.asarray(scores, quantiles.dtype), side="right")
    return np.asarray(100.0 * ranks / len(quantiles))


def model_percentiles(
    model: TextModel, scores: Any, measure: str, code_a: str | None = None, code_b: str | None = None
) -> NDArray[np.float64]:
    """Return the percentiles of scores among random pairs of texts in two languages, by default the pivot."""
    pivot = model.pivot.code
    codes = [model.get_language(code).code for code in (code_b, code_a) if code is not None]
    code = next((code for code in codes if code != pivot), pivot)
    return percentiles_of_scores(_get_quantiles(model, code, measure), scores)


def _get_quantiles(model: TextModel, code: str, measure: str) -> NDArray[np.float32]:
    """Return the score quantiles of a measure, estimated now if the sample is still in memory."""
    language = model.languages[code]
    if measure not in language.score_quantiles:
        _learn_language(model, code)
    if measure not in language.score_quantiles:
        reason = "was trained on fewer than two texts, too few to estimate percentiles"
        if language.score_quantiles:
            reason = f"was saved without percentiles of {measure!r}, and has no texts to estimate them from"
        raise InputError(f"the model {reason}: train it again")
    return language.score_quantiles[measure]
