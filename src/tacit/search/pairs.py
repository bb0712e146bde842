"""The measure of many pairs out of one set of texts, which is tokenised once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.crosslingual import is_crosslingual
from tacit.sentences.measures import score_pairs
from tacit.sentences.textset import TextSet
from tacit.sentences.wtmf import WTMF

Array = NDArray[Any]
PairScorer = Callable[[Array, Array], Array]


def pair_scorer(
    model: Any, texts: Sequence[str], measures: Sequence[str], languages: Sequence[str | None] | None = None
) -> PairScorer:
    """What gives the mean of some measures of text ``left[i]`` with text ``right[i]``, for every i.

    ``languages`` has the code of each text, or None where it is to be detected.

    >>> model = WTMF(n_components=2, regularization=0.1).fit(["a cat", "the cat", "a dog", "the dog"])
    >>> pair_scorer(model, ["cat", "dog", "cat"], ["lexical"])(np.array([0, 0]), np.array([1, 2]))
    array([0., 1.])
    """
    if isinstance(model, WTMF):
        prepared = TextSet(model, texts)
        prepared.vectors = model.fold(prepared.rows)  # texts without a known word were reported when added
        return lambda left, right: _mean([score_pairs(prepared, left, right, name) for name in measures])

    if is_crosslingual(model):
        from tacit.crosslingual.measures import score_pairs as score_across
        from tacit.crosslingual.texts import CrossTexts

        spoken = CrossTexts(model, texts, languages)
        return lambda left, right: _mean([score_across(spoken, left, right, name) for name in measures])

    def score(left: Array, right: Array) -> Array:
        a, b = ([texts[i] for i in side.tolist()] for side in (left, right))
        return _mean([np.asarray(model.similarity_pairwise(a, b, measure=name)) for name in measures])

    return score


def _mean(parts: list[Array]) -> Array:
    mean: Array = sum(parts[1:], parts[0]) / len(parts)
    return mean
