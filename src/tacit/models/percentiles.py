"""How alike texts are by chance: the scores of random pairs of the texts a language was learnt from.

A bare cosine tells nobody whether two texts are alike. A model keeps, for each measure, the quantiles of the
scores of random pairs of its training texts (not the texts), and says how many of them a score exceeds.
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

SAMPLE_SIZE = 2000
MAX_SAMPLE_CHARS = 2000
N_RANDOM_PAIRS = 5000
N_QUANTILES = 1000
"""Texts kept while training reads them, characters of each, random pairs of these, quantiles of scores."""

WORD_PAIR_BUDGET, MIN_PAIRS = 50_000_000, 1000
"""Pairs of words that random pairs of texts may have; but so many pairs of texts at the least."""


def strided_sample(texts: list[str], n: int = SAMPLE_SIZE) -> list[str]:
    """The beginnings of some of the texts, evenly spread.

    >>> strided_sample(["a", "b", "c", "d"], 2)
    ['a', 'c']
    """
    step = max(1, -(-len(texts) // n))
    return [text[:MAX_SAMPLE_CHARS] for text in texts[::step]]


def learn_score_quantiles(model: TextModel) -> None:
    """Compute the percentiles of all languages that lack them and have a sample of their texts.

    They depend on all languages of the model: call this when the last language is added.
    """
    for code in model.languages:
        _learn_language(model, code)


def _learn_language(model: TextModel, code: str) -> None:
    """Compute the quantiles of every measure's scores on random pairs of the sample of a language.

    The sample of a language beside the pivot holds texts of the pivot first, then its own; pairs of all kinds
    are drawn.
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


def affordable_n_pairs(lengths: NDArray[np.int64], most: int) -> int:
    """How many pairs of texts of such lengths to compare: fewer of long ones, whose words are many pairs.

    >>> affordable_n_pairs(np.array([10, 10]), 5000), affordable_n_pairs(np.array([400, 400]), 5000)
    (5000, 1000)
    """
    words = float(np.mean(lengths)) ** 2
    return min(most, max(MIN_PAIRS, int(WORD_PAIR_BUDGET / max(words, 1))))


def random_pairs(n: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of two different numbers below n, those with the same number on the left together."""
    rng = np.random.default_rng(0)
    left = rng.integers(n, size=size)
    right = (left + rng.integers(1, n, size=size)) % n
    order = np.argsort(left, kind="stable")
    return left[order], right[order]


def compute_quantiles(scores: NDArray[Any]) -> NDArray[np.float32]:
    """What is kept of many scores."""
    found: NDArray[np.float32] = np.quantile(scores, np.linspace(0, 1, N_QUANTILES + 1)).astype(np.float32)
    return found


def percentiles_of_scores(row: NDArray[Any], scores: Any) -> NDArray[np.float64]:
    """How many of a hundred quantiles, in order, are no higher than each score.

    >>> percentiles_of_scores(np.arange(4.0), [1.0, 9.0])
    array([ 50., 100.])
    """
    places = np.searchsorted(row, np.asarray(scores, row.dtype), side="right")
    return np.asarray(100.0 * places / len(row))


def model_percentiles(
    model: TextModel, scores: Any, measure: str, code_a: str | None = None, code_b: str | None = None
) -> NDArray[np.float64]:
    """How many of a hundred random pairs of texts of two languages, by default the pivot, score no higher."""
    pivot = model.pivot.code
    codes = [code if code is None else model.get_language(code).code for code in (code_b, code_a)]
    others = [code for code in codes if code not in (None, pivot)]
    return percentiles_of_scores(
        _get_quantiles(model, others[0] or pivot if others else pivot, measure), scores
    )


def _get_quantiles(model: TextModel, code: str, measure: str) -> NDArray[np.float32]:
    """The quantiles of a measure, learnt now if the texts are still at hand."""
    language = model.languages[code]
    if measure not in language.score_quantiles:
        _learn_language(model, code)
    if measure not in language.score_quantiles:
        why = "has fewer than two texts to tell chance by"
        if language.score_quantiles:
            why = f"was saved without percentiles of {measure!r}, and has no texts to learn them from"
        raise InputError(f"the model {why}: train it again")
    return language.score_quantiles[measure]
