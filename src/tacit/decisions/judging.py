"""Models taught by judged pairs: which pair to judge next, fit, cross-validation, and cuts with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tacit.decisions.linking import best_f1_cut, precision_cut, recall_cut
from tacit.decisions.logistic import LogisticModel, Scaling, fit_logistic, logit, sigmoid
from tacit.errors import InputError
from tacit.types import Array

MIN_JUDGED = 10
MIN_VALIDATED = 20
"""Judgements from which on the taught model is compared with the untaught one by cross-validation."""

_PRIOR_PRECISION, _INTERCEPT_PRECISION = 3.0, 0.01
_N_UNCERTAIN, _N_RANDOM = 3, 2
_N_FOLDS = 5
_N_DRAWS = 200
_SAMPLE_ROWS = 20_000


@dataclass(frozen=True)
class Validation:
    """Cross-validated average precision of the taught and of the untaught model, over the judged pairs.

    ``gain_of_50`` is the expected effect of 50 more judgements, from the effect of the last half of them.
    """

    taught: float
    untaught: float
    gain_of_50: float


@dataclass(frozen=True)
class TaughtModel:
    """A logistic model fitted to judged pairs, with the uncertainty of its weights."""

    model: LogisticModel
    covariance: Array

    def probabilities(self, features: Array) -> Array:
        """Return the probability that each pair is a match."""
        return sigmoid(self.model.log_odds(features))

    def intervals(self, features: Array, cut: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return 90 % intervals of precision and recall if probabilities of at least ``cut`` are accepted."""
        mean, rng = np.append(self.model.weights, self.model.intercept), np.random.default_rng(0)
        draws = rng.multivariate_normal(mean, self.covariance, _N_DRAWS, method="cholesky")
        X = self.model.scaling.apply(features[:: len(features) // _SAMPLE_ROWS + 1])
        p = sigmoid(np.einsum("ij,kj->ki", X, draws[:, :-1]) + draws[:, -1:])
        accepted = sigmoid(np.einsum("ij,j->i", X, mean[:-1]) + mean[-1]) >= cut
        n_right = p[:, accepted].sum(axis=1)
        recall = n_right / np.maximum(p.sum(axis=1), 1e-9)
        return _interval(n_right / max(accepted.sum(), 1)), _interval(recall)


def _interval(values: Array) -> tuple[float, float]:
    low, high = np.quantile(values, (0.05, 0.95)).tolist()
    return low, high


def check_judgements(labels: Mapping[int, float]) -> None:
    """Raise InputError if there are too few judgements, or only judgements of one class."""
    n, values = len(labels), set(labels.values())
    if n < MIN_JUDGED:
        raise InputError(f"{n} judgements are too few to learn from: judge at least {MIN_JUDGED} pairs")
    if len(values) == 1:
        raise InputError(f"all {n} judgements are {values.pop():g}: judge a pair of the other class too")


def fit_judged(features: Array, labels: Mapping[int, float], prior_mean: Array) -> TaughtModel:
    """Fit a logistic model to judged rows of features; below 20 judgements the prior dominates."""
    rows, y = np.array(list(labels), np.int64), np.array(list(labels.values()), np.float64)
    scaling = Scaling.fit(features)
    precision = np.append(np.full(features.shape[1], _PRIOR_PRECISION), _INTERCEPT_PRECISION)
    theta, covariance = fit_logistic(scaling.apply(features[rows]), y, np.ones(len(y)), prior_mean, precision)
    return TaughtModel(LogisticModel(scaling, theta[:-1], float(theta[-1])), covariance)


def next_pairs(probabilities: Array, labels: Mapping[int, float], random_state: int = 0) -> Array:
    """Return the pairs to judge next: 10 random ones at first, then 3 uncertain and 2 random ones.

    Uncertain pairs are those closest to the cut of the largest expected F1.
    """
    rng = np.random.default_rng([random_state, len(labels)])
    open_pairs = np.setdiff1d(np.arange(len(probabilities)), list(labels))
    n_random, uncertain = MIN_JUDGED - len(labels), open_pairs[:0]
    if n_random <= 0:
        distance = np.abs(logit(probabilities[open_pairs]) - logit(best_f1_cut(probabilities)))
        n_random, uncertain = _N_RANDOM, open_pairs[np.argsort(distance, kind="stable")[:_N_UNCERTAIN]]
        open_pairs = np.setdiff1d(open_pairs, uncertain)
    random = rng.choice(open_pairs, min(n_random, len(open_pairs)), replace=False)
    return np.concatenate([uncertain, random])


def choose_cut(probabilities: Array, precision: float | None = None, recall: float | None = None) -> float:
    """Return the lowest probability to accept, for a precision, a recall, or the largest expected F1."""
    if precision is not None:
        return precision_cut(probabilities, precision)
    return best_f1_cut(probabilities) if recall is None else recall_cut(probabilities, recall)


def cross_validate(features: Array, labels: Mapping[int, float], prior_mean: Array) -> Validation:
    """Compare the taught with the untaught model by cross-validation on the judged pairs."""
    untaught = Scaling.fit(features).apply(features[list(labels)]) @ prior_mean[:-1]
    y = np.array(list(labels.values()))
    taught = average_precision(_out_of_fold(features, labels, prior_mean, 1), y)
    half = average_precision(_out_of_fold(features, labels, prior_mean, 2), y)
    # quality = limit - b / n, through the qualities of n and n / 2 judgements
    n = len(y)
    gain = max(0.0, taught - half) * (1 - n / (n + 50))
    return Validation(taught, average_precision(untaught, y), gain)


def _out_of_fold(features: Array, labels: Mapping[int, float], prior_mean: Array, step: int) -> Array:
    """Return the log odds of judged pairs; models are fitted to every ``step``-th pair of other folds."""
    pairs, y = np.array(list(labels)), np.array(list(labels.values()))
    order = np.argsort(y, kind="stable")  # both classes are in each fold
    fold, odds = np.empty(len(y), np.int64), np.empty(len(y))
    fold[order] = np.arange(len(y)) % _N_FOLDS
    for each in range(_N_FOLDS):
        train = [i for i in order.tolist() if fold[i] != each][::step]
        model = fit_judged(features, {int(pairs[i]): float(y[i]) for i in train}, prior_mean).model
        odds[fold == each] = model.log_odds(features[pairs[fold == each]])
    return odds


def average_precision(scores: Array, labels: Array) -> float:
    """Return the mean precision at each match, best score first; equal scores count as one rank.

    >>> average_precision(np.array([0.9, 0.8, 0.7]), np.array([1, 0, 1])).__round__(3)
    0.833
    """
    order = np.argsort(-scores, kind="stable")
    last_of_ties = np.append(np.flatnonzero(np.diff(scores[order])), len(order) - 1)
    matches = np.cumsum(labels[order])[last_of_ties]
    precision = matches / (last_of_ties + 1)
    return float((precision * np.diff(matches, prepend=0)).sum() / max(matches[-1], 1))
