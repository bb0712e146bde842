"""How good scores are: correlations, accuracy, F1, and the averages over sets.

STS results are quoted as one of several averages, which differ by points; :func:`averages` gives all of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.errors import InputError

Array = NDArray[np.float64]
Correlation = Callable[[ArrayLike, ArrayLike], float]
ScoredSet = tuple[ArrayLike, ArrayLike]
"""The scores of a set of pairs, and its gold scores."""


def pearson(scores: ArrayLike, gold: ArrayLike) -> float:
    """Pearson's r, by scipy; 0 where either side is constant.

    >>> pearson([1, 2, 3], [10, 20, 30])
    1.0
    >>> pearson([0.1, 0.1, 0.1], [1, 2, 3])
    0.0
    """
    from scipy.stats import NearConstantInputWarning, pearsonr

    x, y = _checked(scores, gold)
    if _constant(x) or _constant(y):
        return 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NearConstantInputWarning)  # near is not constant: r is what it is
        return float(pearsonr(x, y).statistic)


def spearman(scores: ArrayLike, gold: ArrayLike) -> float:
    """Spearman's rho: Pearson's r of the ranks, where equal values share the mean of their ranks.

    >>> spearman([1, 2, 4], [1, 10, 100])
    1.0
    """
    from scipy.stats import rankdata

    x, y = _checked(scores, gold)
    return pearson(rankdata(x), rankdata(y))


CORRELATIONS: dict[str, Correlation] = {"pearson": pearson, "spearman": spearman}


def averages(sets: Sequence[ScoredSet], correlation: Correlation = pearson) -> dict[str, float]:
    """The four averages of several sets that the STS tasks are quoted by.

    ``all``: one correlation over all pairs together; ``all_normalized``: the same after each set's scores are
    fitted to its gold scores by least squares (on the test gold, as the organisers of 2012 did);
    ``mean``: the plain mean over sets; ``weighted_mean``: weighted by pairs, the "Mean" of STS 2012.

    >>> averages([([1, 2], [1, 2]), ([2, 1, 0], [1, 2, 3])])["weighted_mean"]
    -0.2
    """
    checked = [_checked(scores, gold) for scores, gold in sets]
    each = np.array([correlation(x, y) for x, y in checked])
    gold = np.concatenate([y for _, y in checked])
    return {
        "all": correlation(np.concatenate([x for x, _ in checked]), gold),
        "all_normalized": correlation(np.concatenate([least_squares(x, y) for x, y in checked]), gold),
        "mean": float(each.mean()),
        "weighted_mean": float(np.average(each, weights=[len(y) for _, y in checked])),
    }


def bootstrap(
    sets: Sequence[ScoredSet], n_samples: int = 1000, level: float = 0.95, seed: int = 0
) -> tuple[list[tuple[float, float]], tuple[float, float]]:
    """Intervals of Pearson's r by drawing pairs again: of each set, and of the mean over sets.

    >>> bootstrap([([1, 2, 3, 4], [1, 2, 3, 4])], n_samples=10)
    ([(1.0, 1.0)], (1.0, 1.0))
    """
    rng = np.random.default_rng(seed)
    drawn = np.zeros((len(sets), n_samples))
    for number, (scores, gold) in enumerate(sets):
        x, y = _checked(scores, gold)
        places = np.array([_drawn_again(y, rng) for _ in range(n_samples)])
        drawn[number] = _correlated_rows(x[places], y[places])
    ends = [(1 - level) / 2, (1 + level) / 2]
    each = [(float(low), float(high)) for low, high in np.quantile(drawn, ends, axis=1).T]
    low, high = np.quantile(drawn.mean(axis=0), ends)
    return each, (float(low), float(high))


def _drawn_again(gold: Array, rng: np.random.Generator) -> NDArray[np.int64]:
    """As many places, with repetition; never of one gold score alone, with which nothing correlates."""
    while True:
        places = rng.integers(len(gold), size=len(gold))
        if not _constant(gold[places]) or _constant(gold):
            return places


def _correlated_rows(x: Array, y: Array) -> Array:
    """Pearson's r of each row of ``x`` with that of ``y``; 0 where one is constant.

    scipy does it a row at a time, which takes a minute for the thousand samples of ten sets.
    """
    varied = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)
    x, y = (rows - rows.mean(axis=1, keepdims=True) for rows in (x, y))
    lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    inner = np.einsum("ij,ij->i", x, y)
    found: Array = np.divide(inner, lengths, out=np.zeros(len(x)), where=varied & (lengths > 0))
    return found


def least_squares(scores: ArrayLike, gold: ArrayLike) -> Array:
    """The scores, shifted and scaled to lie as near to the gold scores as a line can bring them.

    >>> least_squares([0, 1, 2], [5, 3, 1])
    array([5., 3., 1.])
    """
    from scipy.stats import linregress

    x, y = _checked(scores, gold)
    if _constant(x):
        return np.full(len(y), y.mean())
    line = linregress(x, y)
    return np.asarray(line.slope * x + line.intercept)


def accuracy(predicted: ArrayLike, gold: ArrayLike) -> float:
    """The share of labels that are right.

    >>> accuracy([1, 0, 1, 1], [1, 0, 0, 1])
    0.75
    """
    from sklearn.metrics import accuracy_score

    x, y = _checked(predicted, gold)
    return float(accuracy_score(y, x))


def f1(predicted: ArrayLike, gold: ArrayLike) -> float:
    """The harmonic mean of precision and recall of label 1; 0 where nothing is rightly found.

    >>> f1([1, 0, 1, 1], [1, 0, 0, 1])
    0.8
    """
    from sklearn.metrics import f1_score

    x, y = _checked(predicted, gold)
    return float(f1_score(y, x, zero_division=0))


def best_threshold(scores: ArrayLike, labels: ArrayLike) -> float:
    """The threshold t for which "label 1 where score >= t" is most often right; the lowest among equals.

    It lies midway between two neighbouring scores, or outside all of them.

    >>> best_threshold([0.25, 0.5, 0.75], [0, 0, 1])
    0.625
    """
    x, y = _checked(scores, labels)
    values, inverse = np.unique(x, return_inverse=True)
    below, above = values[:-1], values[1:]
    middle = below / 2 + above / 2
    middle = np.where(middle > below, middle, above)  # between neighbouring floats there is no middle
    ends = np.nextafter(values[[0, -1]], [-np.inf, np.inf])
    ones = np.bincount(inverse, weights=y == 1, minlength=len(values))
    zeros = np.bincount(inverse, weights=y != 1, minlength=len(values))
    right = ones.sum() + np.concatenate([[0], np.cumsum(zeros - ones)])
    return float(np.concatenate([ends[:1], middle, ends[1:]])[np.argmax(right)])


def _constant(x: Array) -> bool:
    return bool(x.min() == x.max())


def _checked(scores: ArrayLike, gold: ArrayLike) -> tuple[Array, Array]:
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(gold, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise InputError(f"scores of shape {x.shape} against gold of shape {y.shape}: give equally many")
    if not len(x):
        raise InputError("there are no scores to measure: give at least one")
    for name, values in (("score", x), ("gold score", y)):
        if not np.isfinite(values).all():
            at = int(np.argmin(np.isfinite(values)))
            raise InputError(f"{name} {at + 1} of {len(values)} is {values[at]}: give finite numbers")
    return x, y
