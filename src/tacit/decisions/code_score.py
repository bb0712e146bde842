"""Similarity of two texts without training: word and character cosine, less a penalty for different codes."""

from __future__ import annotations

import numpy as np

from tacit.decisions.logistic import Scaling
from tacit.decisions.pair_features import FEATURES
from tacit.types import Array

_DIFFERENT_CODES = FEATURES.index("codes_unshared_min")
_PENALTY = 0.8
_PRIOR_SCALE, _PRIOR_INTERCEPT = 2.0, -1.0
_RIDGE = 1e-3
_SAMPLE_ROWS = 200_000


def code_part(features: Array) -> Array:
    """Return the penalty for different codes and numbers in the score of each pair, from -.8 to 0."""
    return 0.0 - _PENALTY * np.minimum(features[:, _DIFFERENT_CODES], 1)


def code_scores(features: Array, word_cosines: Array, char_cosines: Array) -> Array:
    """Return the mean of word and character cosine plus `code_part`, for each pair; at most 1."""
    return (word_cosines.astype(np.float64) + char_cosines) / 2 + code_part(features)


def prior_weights(features: Array, scores: Array) -> Array:
    """Return the prior mean of a logistic model, the intercept last: the weights that predict the scores.

    Both are standardized; the weights are those of a linear regression, times 2.
    """
    step = len(features) // _SAMPLE_ROWS + 1
    features, scores = features[::step], scores[::step, None]
    X, y = (Scaling.fit(values).apply(values) for values in (features, scores))
    gram = np.einsum("ij,ik->jk", X, X) + (_RIDGE * len(X) + 1e-9) * np.eye(X.shape[1])
    weights = np.linalg.solve(gram, np.einsum("ij,ik->j", X, y))
    return np.append(_PRIOR_SCALE * weights, _PRIOR_INTERCEPT)
