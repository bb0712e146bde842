"""How much a word counts in a text: a term frequency times an inverse document frequency.

A weighting is one entry in one of the two tables; nothing else lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import choice

Array = NDArray[Any]

TERM_WEIGHTS: dict[str, Callable[[Array, Array], Array]] = {
    "raw": lambda count, length: count,
    "log": lambda count, length: 1 + np.log(count),
    "log1p": lambda count, length: np.log1p(count),
    "share": lambda count, length: count / length,
}
"""By how often a text has a word, and how many words the text has."""

WORD_WEIGHTS: dict[str, Callable[[Array, int], Array]] = {
    "plain": lambda df, n_texts: np.log(n_texts / df),
    "smooth": lambda df, n_texts: np.log((1 + n_texts) / (1 + df)) + 1,
    "none": lambda df, n_texts: np.ones(len(df)),
}
"""By how many texts have a word, and how many texts there are."""


def term_weight(count: Array, length: Array, tf: str) -> Array:
    """Weigh how often a word is said in a text of so many words.

    >>> term_weight(np.array([1.0, 2.0]), np.array([4, 4]), "log")
    array([1.        , 1.69314718])
    >>> term_weight(np.array([1.0, 2.0]), np.array([4, 4]), "share")
    array([0.25, 0.5 ])
    """
    return TERM_WEIGHTS[choice("tf", tf, TERM_WEIGHTS)](count, length)


def word_weight(df: Array, n_texts: int, idf: str) -> Array:
    """Weigh a word by the texts that have it.

    >>> word_weight(np.array([1, 10]), 10, "plain")
    array([2.30258509, 0.        ])
    """
    return WORD_WEIGHTS[choice("idf", idf, WORD_WEIGHTS)](df.astype(np.float64), n_texts)
