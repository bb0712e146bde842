"""How much a word counts in a text: a term frequency times an inverse document frequency.

A weighting is one entry in one of the tables; nothing else lists it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacit.checks import check_choice
from tacit.types import Array

TERM_WEIGHTS: dict[str, Callable[[Array, Array], Array]] = {
    "raw": lambda count, words: count,
    "log": lambda count, words: 1 + np.log(count),
    "log1p": lambda count, words: np.log1p(count),
    "damped": lambda count, words: count**0.75,
    "share": lambda count, words: count / words,
}
"""By how often a text has a word, and how many words the text has."""

WORD_WEIGHTS: dict[str, Callable[[Array, int], Array]] = {
    "plain": lambda df, n_texts: np.log(n_texts / df),
    "smooth": lambda df, n_texts: np.log((1 + n_texts) / (1 + df)) + 1,
    "positive": lambda df, n_texts: np.log1p(n_texts / df),
    "none": lambda df, n_texts: np.ones(len(df)),
}
"""By how many texts have a word, and how many texts there are."""

ROW_LENGTHS: dict[str, Callable[[Array, float, int], Array]] = {
    "keep": lambda length, typical, n_texts: np.ones(len(length)),
    "damped": lambda length, typical, n_texts: (typical / length) ** (0.75 / (1 + n_texts / 50_000)),
    "equal": lambda length, typical, n_texts: typical / length,
}
"""By how long a text's row of weights is, a typical one, and how many texts were learnt from: in a large
collection a long text no longer outweighs the others, and teaches more."""


def term_weight(count: Array, words: Array, tf: str) -> Array:
    """Weigh how often a word is said in a text of so many words.

    >>> term_weight(np.array([1.0, 2.0]), np.array([4, 4]), "log")
    array([1.        , 1.69314718])
    >>> term_weight(np.array([1.0, 2.0]), np.array([4, 4]), "share")
    array([0.25, 0.5 ])
    """
    return TERM_WEIGHTS[check_choice("tf", tf, TERM_WEIGHTS)](count, words)


def word_weight(df: Array, n_texts: int, idf: str) -> Array:
    """Weigh a word by the texts that have it.

    >>> word_weight(np.array([1, 10]), 10, "plain")
    array([2.30258509, 0.        ])
    """
    return WORD_WEIGHTS[check_choice("idf", idf, WORD_WEIGHTS)](df.astype(np.float64), n_texts)


def row_scale(length: Array, typical: float, n_texts: int, how: str) -> Array:
    """What a text's weights are multiplied by, from their length and a typical one: long texts outweigh less.

    >>> row_scale(np.array([1.0, 4.0]), 2.0, 100, "equal")
    array([2. , 0.5])
    """
    return ROW_LENGTHS[check_choice("length", how, ROW_LENGTHS)](length, typical, n_texts)
