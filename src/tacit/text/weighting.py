"""How much a word counts in a text: a term frequency times an inverse document frequency."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError

Array = NDArray[Any]

TERM_WEIGHTS: dict[str, Callable[[Array], Array]] = {
    "raw": lambda count: count,
    "log": lambda count: 1 + np.log(count),
    "log1p": np.log1p,
    "damped": lambda count: count**0.75,
}

WORD_WEIGHTS: dict[str, Callable[[Array, int], Array]] = {
    "plain": lambda df, n_texts: np.log(n_texts / df),
    "smooth": lambda df, n_texts: np.log((1 + n_texts) / (1 + df)) + 1,
    "positive": lambda df, n_texts: np.log1p(n_texts / df),
    "none": lambda df, n_texts: np.ones(len(df)),
}

ROW_LENGTHS: dict[str, Callable[[Array, float], Array]] = {
    "keep": lambda length, typical: np.ones(len(length)),
    "damped": lambda length, typical: (typical / length) ** 0.75,
    "equal": lambda length, typical: typical / length,
}


def term_weight(count: Array, tf: str) -> Array:
    """Weigh how often a word is said in a text: ``raw``, ``log`` (1 + log) or ``log1p``.

    >>> term_weight(np.array([1.0, 2.0]), "log")
    array([1.        , 1.69314718])
    """
    if tf not in TERM_WEIGHTS:
        raise InputError(f"tf={tf!r}: use one of {', '.join(TERM_WEIGHTS)}")
    return TERM_WEIGHTS[tf](count)


def word_weight(df: Array, n_texts: int, idf: str) -> Array:
    """Weigh a word by the texts that have it: ``plain`` log(N/df), ``smooth`` or ``none``.

    >>> word_weight(np.array([1, 10]), 10, "plain")
    array([2.30258509, 0.        ])
    """
    if idf not in WORD_WEIGHTS:
        raise InputError(f"idf={idf!r}: use one of {', '.join(WORD_WEIGHTS)}")
    return WORD_WEIGHTS[idf](df.astype(np.float64), n_texts)


def row_scale(length: Array, typical: float, choice: str) -> Array:
    """What a text's weights are multiplied by, from their length and a typical one: long texts outweigh less.

    >>> row_scale(np.array([1.0, 4.0]), 2.0, "equal")
    array([2. , 0.5])
    """
    if choice not in ROW_LENGTHS:
        raise InputError(f"length={choice!r}: use one of {', '.join(ROW_LENGTHS)}")
    return ROW_LENGTHS[choice](length, typical)
