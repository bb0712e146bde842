"""Reference of the Gibbs sampler of LDA, written from its formula; ``gibbs`` draws the same topics faster."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def conditional(
    words: Array, texts: Array, topics: Array, position: int, K: int, V: int, a: float, b: float
) -> Array:
    """Return the probability of each topic for one token, given the topics of all other tokens.

    >>> words, texts, topics = np.array([0, 1, 0]), np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> conditional(words, texts, topics, position=0, K=2, V=2, a=1.0, b=1.0).round(3)
    array([0.333, 0.667])
    """
    others = np.arange(len(words)) != position
    of_text = np.bincount(topics[others & (texts == texts[position])], minlength=K)
    of_word = np.bincount(topics[others & (words == words[position])], minlength=K)
    totals = np.bincount(topics[others], minlength=K)
    weights = (of_text + a) * (of_word + b) / (totals + V * b)
    return np.asarray(weights / weights.sum())


def sweep(
    words: Array, texts: Array, topics: Array, K: int, V: int, a: float, b: float, uniforms: Array
) -> Array:
    """Return the topics after one sweep over the tokens, word by word.

    Each uniform in [0, 1) falls on one of the other tokens of the text, whose topic is taken, or past all of
    them on a topic by itself; the lengths of these stretches add up to the conditional probabilities.
    """
    topics = topics.copy()
    for uniform, position in zip(uniforms, np.argsort(words, kind="stable"), strict=True):
        others = np.arange(len(words)) != position
        of_word = np.bincount(topics[others & (words == words[position])], minlength=K)
        q = (of_word + b) / (np.bincount(topics[others], minlength=K) + V * b)
        offered = np.concatenate([topics[others & (texts == texts[position])], np.arange(K)])
        stretches = np.cumsum(np.where(np.arange(len(offered)) < len(offered) - K, 1, a) * q[offered])
        topics[position] = offered[np.searchsorted(stretches, uniform * stretches[-1], side="right")]
    return topics
