"""Representative texts of a theme."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.types import Array

MIN_QUOTE_WORDS, MAX_QUOTE_WORDS = 4, 30
_TERM_BONUS = _LENGTH_PENALTY = 0.15


def rank_quotes(texts: Sequence[str], cosines: Array, term_shares: Array) -> Array:
    """Return the positions of texts, the most representative first.

    The score is the cosine with the mean of the theme, plus a bonus for the share of the terms of its name
    that a text has, minus a penalty for texts that are very short or long.

    >>> rank_quotes(["a b c d", "a", "a b c d e"], np.array([0.5, 0.6, 0.4]), np.zeros(3)).tolist()
    [0, 1, 2]
    """
    n_words = np.array([len(text.split()) for text in texts])
    is_unsuitable = (n_words < MIN_QUOTE_WORDS) | (n_words > MAX_QUOTE_WORDS)
    return np.argsort(-(cosines + _TERM_BONUS * term_shares - _LENGTH_PENALTY * is_unsuitable), kind="stable")
