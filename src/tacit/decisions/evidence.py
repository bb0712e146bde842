"""Scores without training, and the evidence for a decision: the parts of its score, in groups of features.

Without training, the score of two texts is their word and character cosine, less a penalty for different
codes.
"""

from __future__ import annotations

import numpy as np

from tacit.decisions.logistic import LogisticModel, Scaling
from tacit.decisions.pair_features import FEATURES
from tacit.types import Array

_DIFFERENT_CODES = FEATURES.index("codes_unshared_min")
_PENALTY = 0.8
_PRIOR_SCALE, _PRIOR_INTERCEPT = 2.0, -1.0
_RIDGE = 1e-3
_SAMPLE_ROWS = 200_000

GROUPS = {
    "words": ("shared", "unshared_min", "unshared_max", "coverage", "coverage_max", "characters"),
    "codes": tuple(name for name in FEATURES if name.startswith(("codes", "numbers"))),
    "meaning": ("alignment", "latent"),
    "length": ("length",),
}
"""Features by the name of their evidence; those of a group are correlated, so that only their sum matters."""

TYPICAL_PAIR = "typical_pair"
"""The name of the intercept: the score of a pair with average features."""

_N_LINK_COLUMNS = 3  # score and two margins, before the features
_LABELS = {"words": "distinctive words", "codes": "codes and numbers", "lead": "lead over the next best"}


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


def model_evidence(model: LogisticModel, features: Array) -> dict[str, Array]:
    """Return the parts of the log odds of each pair by group; they sum to the log odds."""
    parts = model.parts(features)
    groups = {
        name: parts[:, [FEATURES.index(feature) for feature in members]].sum(axis=1)
        for name, members in GROUPS.items()
    }
    return groups | {TYPICAL_PAIR: np.full(len(features), model.intercept)}


def link_evidence(
    model: LogisticModel, link_rows: Array, linker_parts: dict[str, Array], features: Array
) -> dict[str, Array]:
    """Return the parts of the log odds of links under a model of `LinkRows`; they sum to the log odds.

    The first column of the rows is the score of the linker, which is replaced by its parts.
    """
    mean, std, n = model.scaling.mean, model.scaling.std, _N_LINK_COLUMNS
    factor = model.weights[0] / std[0]
    parts = {name: part * factor for name, part in linker_parts.items()}
    parts[TYPICAL_PAIR] += model.intercept - factor * mean[0]
    parts["lead"] = model.parts(link_rows)[:, 1:n].sum(axis=1)
    if link_rows.shape[1] > n:
        rest = LogisticModel(Scaling(mean[n:], std[n:]), model.weights[n:], 0.0)
        for name, part in model_evidence(rest, features).items():
            parts[name] += part
    return parts


def code_score_evidence(features: Array, scores: Array) -> dict[str, Array]:
    """Return the parts of the untaught score of each pair; they sum to the score."""
    codes = code_part(features)
    return {"words": scores - codes, "codes": codes}


def describe_evidence(parts: dict[str, float]) -> str:
    """Describe the parts of a score, the largest first; parts that round to 0 are left out.

    >>> describe_evidence({"words": 3.12, "codes": -6.1, "meaning": 0.01})
    'codes and numbers -6.1, distinctive words +3.1'
    """
    ordered = sorted(parts.items(), key=lambda part: -abs(part[1]))
    shown = [(_LABELS.get(name, name.replace("_", " ")), value) for name, value in ordered]
    return ", ".join(f"{label} {value:+.1f}" for label, value in shown if abs(value) >= 0.05)
