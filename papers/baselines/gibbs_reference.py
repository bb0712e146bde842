"""Gibbs sampling of LDA by its formula, to read and to test by; ``gibbs`` draws the same topics faster."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def conditional(
    words: Array, texts: Array, topics: Array, place: int, K: int, V: int, a: float, b: float
) -> Array:
    """The probability of each topic for one token, by all other tokens' topics.

    >>> words, texts, topics = np.array([0, 1, 0]), np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> conditional(words, texts, topics, place=0, K=2, V=2, a=1.0, b=1.0).round(3)
    array([0.333, 0.667])
    """
    others = np.arange(len(words)) != place
    of_text = np.bincount(topics[others & (texts == texts[place])], minlength=K)
    of_word = np.bincount(topics[others & (words == words[place])], minlength=K)
    totals = np.bincount(topics[others], minlength=K)
    weights = (of_text + a) * (of_word + b) / (totals + V * b)
    return np.asarray(weights / weights.sum())


def sweep(
    words: Array, texts: Array, topics: Array, K: int, V: int, a: float, b: float, chances: Array
) -> Array:
    """Return the topics after one sweep over the tokens, word by word.

    Each chance in [0, 1) falls on one of the other tokens of the text, whose topic is taken, or past all of
    them on a topic by itself; the lengths of these stretches add up to the conditional probabilities.
    """
    topics = topics.copy()
    for chance, place in zip(chances, np.argsort(words, kind="stable"), strict=True):
        others = np.arange(len(words)) != place
        of_word = np.bincount(topics[others & (words == words[place])], minlength=K)
        q = (of_word + b) / (np.bincount(topics[others], minlength=K) + V * b)
        offered = np.concatenate([topics[others & (texts == texts[place])], np.arange(K)])
        stretches = np.cumsum(np.where(np.arange(len(offered)) < len(offered) - K, 1, a) * q[offered])
        topics[place] = offered[np.searchsorted(stretches, chance * stretches[-1], side="right")]
    return topics
