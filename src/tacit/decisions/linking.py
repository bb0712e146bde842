"""Linking without labels: a logistic model trained on mutual nearest neighbors, and mutual best partners.

A row without a partner is linked to the next best row. Such links are rejected by comparison with links that
are produced from the links themselves: of each link (a, b), one text is removed; if the next best partner of
the other text has that text as its best, these two are a *replaced link*. A logistic model separates links
(1) from replaced links (0), which are weighted so that they are as many as the rows without a partner. With s
its output, a link is right with probability max(0, 2 - 1/s). The weights depend on the sum of these
probabilities: both are iterated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tacit.decisions.logistic import LogisticModel, Scaling, fit_logistic, sigmoid
from tacit.types import Array

NEGATIVE_MARGIN = -0.1
_MAX_NEGATIVES = 200_000

MIN_ROWS = 100
"""With fewer rows in a list, links are judged by their score and its margins only."""

N_REFITS = 3
_FULL_PENALTY_LINKS = 500
_N_ROUNDS = 25
_MAX_SCALED = 4.0


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
    sizes = np.diff(first, append=len(order))
    others = np.repeat(scores[order[first]], sizes)
    second = order[np.minimum(first + 1, len(order) - 1)]
    others[first] = np.where(sizes > 1, scores[second], -np.inf)
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


class LinkRows(NamedTuple):
    """Mutual best pairs, and a row for each pair: score, margins over the rivals, and features."""

    pairs: Array
    features: Array


class EstimatedLinks(NamedTuple):
    """Mutual best pairs under a model, and the estimated probability that each one is right."""

    model: LogisticModel
    log_odds: Array
    """Log odds of all candidate pairs, not of the links alone."""
    links: LinkRows
    probabilities: Array


class _Links(NamedTuple):
    """Pairs, their margins over the best rivals of their two texts, and the link that each one replaces."""

    pairs: Array
    margins: Array
    replaces: Array


def estimate_links(
    features: Array, graph: PairGraph, model: LogisticModel, prior_mean: Array, n_rows: tuple[int, int]
) -> EstimatedLinks:
    """Link mutual best pairs, estimate which are right, and train again on those that are accepted."""
    everything = np.arange(len(features))
    for _ in range(N_REFITS):
        _, _, links, probabilities = _estimate(features, graph, model, n_rows)
        others = np.setdiff1d(everything, links.pairs)
        certain = np.where(choose_links(probabilities), probabilities, 0.0)
        model = train_linker(features, links.pairs, certain, others, prior_mean)
    return _estimate(features, graph, model, n_rows)


def mutual_links(features: Array, graph: PairGraph, z: Array, n_rows: tuple[int, int]) -> LinkRows:
    """Return the mutual best pairs of candidates with the scores z."""
    links = graph.mutual_best(z)
    margins = z[links, None] - np.column_stack([side[links] for side in graph.best_rivals(z)])
    return LinkRows(links, _link_features(links, margins, z, features, n_rows))


def _estimate(
    features: Array, graph: PairGraph, model: LogisticModel, n_rows: tuple[int, int]
) -> EstimatedLinks:
    z = model.log_odds(features)
    links = mutual_links(features, graph, z, n_rows)
    of_left, of_right = graph.best_rivals(z)
    replaced = [
        _replaced_links(graph.left, z, links.pairs, of_right),
        _replaced_links(graph.right, z, links.pairs, of_left),
    ]
    rows = [_link_features(each.pairs, each.margins, z, features, n_rows) for each in replaced]
    X = np.concatenate([links.features, *rows])
    # fewer links carry less weight against the prior
    C = 1.0 if min(n_rows) < MIN_ROWS else 0.01 * max(1.0, _FULL_PENALTY_LINKS / max(len(links.pairs), 1))
    probabilities = _iterate(Scaling.fit(X, _MAX_SCALED).apply(X), len(links.pairs), replaced, n_rows, C)
    return EstimatedLinks(model, z, links, probabilities)


def _replaced_links(keys: Array, z: Array, links: Array, rivals_of_other: Array) -> _Links:
    """Return the replaced links that arise if the text of the other side is removed from each link."""
    order = np.lexsort((-z, keys))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    padded_keys = np.append(keys[order], [-1, -1])
    padded_order = np.append(order, [0, 0])
    # a link is the best pair of its text: the next one replaces it, the one after that is its rival
    second, third = place[links] + 1, place[links] + 2
    pairs = padded_order[second]
    rival = np.where(padded_keys[third] == keys[links], z[padded_order[third]], -np.inf)
    is_best = (padded_keys[second] == keys[links]) & (z[pairs] > rivals_of_other[pairs])
    margins = z[pairs, None] - np.column_stack([rival, rivals_of_other[pairs]])
    return _Links(pairs[is_best], margins[is_best], np.flatnonzero(is_best))


def _link_features(pairs: Array, margins: Array, z: Array, features: Array, n_rows: tuple[int, int]) -> Array:
    """Return score, sorted margins and features of pairs; a missing rival has the lowest of all scores."""
    scores = z[pairs, None]
    margins = np.sort(np.where(np.isfinite(margins), margins, scores - z.min(initial=0)), axis=1)
    return np.hstack([scores, margins] if min(n_rows) < MIN_ROWS else [scores, margins, features[pairs]])


def _iterate(X: Array, n: int, replaced: list[_Links], n_rows: tuple[int, int], C: float) -> Array:
    """Estimate the probabilities of the n links in the first rows of X; the other rows are replaced links."""
    probabilities, y = np.full(n, 0.5), np.repeat([1.0, 0.0], [n, len(X) - n])
    precision, mean = ridge_precision(X.shape[1], C), np.zeros(X.shape[1] + 1)
    for _ in range(_N_ROUNDS):
        n_partnered = max(probabilities.sum(), 1.0)
        weights = [np.ones(n)]
        for side, rows in zip(replaced, n_rows, strict=True):
            n_unpartnered = max(rows - n_partnered, 0.0)
            weights.append(n_unpartnered * probabilities[side.replaces] / n_partnered / 2)
        theta, _ = fit_logistic(X, y, np.concatenate(weights), mean, precision)
        s = np.maximum(sigmoid(X[:n] @ theta[:-1] + theta[-1]), 1e-9)
        probabilities = (probabilities + np.maximum(0, 2 - 1 / s)) / 2
    return probabilities


def choose_links(probabilities: Array) -> Array:
    """Return whether to accept each link: p >= (c + .5) / 2, where c is the cut of the best expected F1."""
    return probabilities >= (best_f1_cut(probabilities) + 0.5) / 2


def best_f1_cut(probabilities: Array) -> float:
    """Return the lowest probability to accept for the largest expected F1.

    >>> best_f1_cut(np.array([0.9, 0.8, 0.1]))
    0.8
    """
    if not len(probabilities):
        return 1.0
    ordered = np.sort(probabilities)[::-1]
    f1 = 2 * np.cumsum(ordered) / (np.arange(1, len(ordered) + 1) + ordered.sum())
    return float(ordered[np.argmax(f1)])


def precision_cut(probabilities: Array, precision: float) -> float:
    """Return the lowest probability to accept so that the mean of those accepted reaches ``precision``.

    >>> precision_cut(np.array([0.75, 1.0, 0.25]), 0.8)
    0.75
    """
    ordered = np.sort(probabilities)[::-1]
    means = np.cumsum(ordered) / np.arange(1, len(ordered) + 1)
    reached = np.flatnonzero(means >= precision)
    return float(ordered[reached[-1]]) if len(reached) else np.inf


def recall_cut(probabilities: Array, recall: float) -> float:
    """Return the highest cut at which the expected share of accepted matches reaches ``recall``.

    >>> recall_cut(np.array([0.75, 1.0, 0.25]), 0.8)
    0.75
    """
    ordered = np.sort(probabilities)[::-1]
    shares = np.cumsum(ordered) / max(ordered.sum(), 1e-12)
    return float(ordered[min(int(np.searchsorted(shares, recall - 1e-12)), len(ordered) - 1)])
