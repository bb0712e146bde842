"""Linking without labels: a logistic model trained on mutual nearest neighbors, and mutual best partners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.decisions.logistic import LogisticModel, Scaling, fit_logistic
from tacit.types import Array

NEGATIVE_MARGIN = -0.1
_MAX_NEGATIVES = 200_000


@dataclass(frozen=True)
class PairGraph:
    """Candidate pairs as a bipartite graph: pair i joins the texts ``left[i]`` and ``right[i]``."""

    left: Array
    right: Array

    def best_rivals(self, scores: Array) -> tuple[Array, Array]:
        """Return for each pair the best score of another pair of its left text, and of its right text.

        The score is -inf if there is no other pair.
        """
        return _best_of_others(self.left, scores), _best_of_others(self.right, scores)

    def margins(self, scores: Array) -> Array:
        """Return the difference of each score to that of the best rival; negative rival scores count as 0."""
        return scores - np.maximum(0, np.maximum(*self.best_rivals(scores)))

    def mutual_best(self, scores: Array) -> Array:
        """Return the pairs that are the best of both their texts, in order; the first of equal scores."""
        best_of_left = first_by_key(self.left, np.lexsort((self.right, -scores, self.left)))
        best_of_right = first_by_key(self.right, np.lexsort((self.left, -scores, self.right)))
        return np.intersect1d(best_of_left, best_of_right)


def first_by_key(keys: Array, order: Array) -> Array:
    """Return the first position of each key, for an order in which equal keys are adjacent."""
    return order[np.flatnonzero(np.diff(keys[order], prepend=-1))]


def _best_of_others(keys: Array, scores: Array) -> Array:
    order = np.lexsort((-scores, keys))
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    group_of = np.cumsum(np.diff(keys[order], prepend=-1) != 0) - 1
    ends = np.append(first[1:], len(order))
    second = np.where(ends - first > 1, np.minimum(first + 1, len(order) - 1), -1)
    others = scores[order[first]][group_of]
    others[first] = np.where(second >= 0, scores[order[second]], -np.inf)
    result = np.empty(len(keys))
    result[order] = others
    return result


def train_on_seeds(
    features: Array, graph: PairGraph, word_cosines: Array, char_cosines: Array, prior_mean: Array
) -> LogisticModel:
    """Train on pairs on which word and character cosines agree.

    A pair is positive if it is better than every rival by both cosines, negative if it is worse than a rival
    by more than .1 by both.
    """
    margins = np.array([graph.margins(word_cosines), graph.margins(char_cosines)])
    positive = np.flatnonzero((margins > 0).all(axis=0))
    negative = np.flatnonzero((margins < NEGATIVE_MARGIN).all(axis=0))
    return train_linker(features, positive, np.ones(len(positive)), negative, prior_mean)


def train_linker(
    features: Array, positive: Array, probabilities: Array, negative: Array, prior_mean: Array
) -> LogisticModel:
    """Train a logistic model (C = 1); a pair with probability p is positive with weight p, else negative."""
    step = len(negative) // _MAX_NEGATIVES + 1
    negative = negative[::step]
    pairs = np.concatenate([positive, positive, negative])
    n = len(positive)
    y = np.concatenate([np.ones(n), np.zeros(len(pairs) - n)])
    weights = np.concatenate([probabilities, 1 - probabilities, np.full(len(negative), float(step))])
    scaling, precision = Scaling.fit(features), ridge_precision(features.shape[1], 1.0)
    theta, _ = fit_logistic(scaling.apply(features[pairs]), y, weights, prior_mean, precision)
    return LogisticModel(scaling, theta[:-1], float(theta[-1]))


def ridge_precision(n_features: int, C: float) -> Array:
    """Return the inverse variances of a prior: 1 / C for each feature, nearly 0 for the intercept."""
    return np.append(np.full(n_features, 1 / C), 1e-9)
