"""Metrics: correlation, STS averages, bootstrap intervals, classification, ranking.

STS results are quoted as one of several averages, which differ by points; :func:`averages` gives all of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tacit.compute.threads import one_blas_thread
from tacit.errors import InputError

Array = NDArray[np.float64]
Correlation = Callable[[ArrayLike, ArrayLike], float]
ScoredSet = tuple[ArrayLike, ArrayLike]
"""Scores of a set of pairs, and the gold scores."""

RankedRows = Sequence[NDArray[Any]]
"""For each query the rows of the results, best first."""


def pearson(scores: ArrayLike, gold: ArrayLike) -> float:
    """Compute Pearson's r with scipy; 0 if either side is constant.

    >>> pearson([1, 2, 3], [10, 20, 30])
    1.0
    >>> pearson([0.1, 0.1, 0.1], [1, 2, 3])
    0.0
    """
    from scipy.stats import NearConstantInputWarning, pearsonr

    x, y = _check_scores(scores, gold)
    if _is_constant(x) or _is_constant(y):
        return 0.0
    with one_blas_thread(), warnings.catch_warnings():  # the sums of BLAS depend on its number of threads
        warnings.simplefilter("ignore", NearConstantInputWarning)  # r is defined if the input is not constant
        return float(pearsonr(x, y).statistic)


def spearman(scores: ArrayLike, gold: ArrayLike) -> float:
    """Compute Spearman's rho: Pearson's r of the ranks; ties get the mean of their ranks.

    >>> spearman([1, 2, 4], [1, 10, 100])
    1.0
    """
    from scipy.stats import rankdata

    x, y = _check_scores(scores, gold)
    return pearson(rankdata(x), rankdata(y))


CORRELATIONS: dict[str, Correlation] = {"pearson": pearson, "spearman": spearman}


def averages(sets: Sequence[ScoredSet], correlation: Correlation = pearson) -> dict[str, float]:
    """Compute the four averages over sets that STS papers report.

    ``all``: one correlation over all pairs together; ``all_normalized``: the same after each set's scores are
    fitted to its gold scores by least squares (on the test gold, as the organizers of 2012 did);
    ``mean``: the plain mean over sets; ``weighted_mean``: weighted by pairs, the "Mean" of STS 2012.

    >>> averages([([1, 2], [1, 2]), ([2, 1, 0], [1, 2, 3])])["weighted_mean"]
    -0.2
    """
    checked = [_check_scores(scores, gold) for scores, gold in sets]
    each = np.array([correlation(x, y) for x, y in checked])
    gold = np.concatenate([y for _, y in checked])
    return {
        "all": correlation(np.concatenate([x for x, _ in checked]), gold),
        "all_normalized": correlation(np.concatenate([fit_to_gold(x, y) for x, y in checked]), gold),
        "mean": float(each.mean()),
        "weighted_mean": float(np.average(each, weights=[len(y) for _, y in checked])),
    }


def bootstrap_pearson(
    sets: Sequence[ScoredSet], n_samples: int = 1000, level: float = 0.95, seed: int = 0
) -> tuple[list[tuple[float, float]], tuple[float, float]]:
    """Compute bootstrap intervals of Pearson's r: of each set, and of the mean over sets.

    >>> bootstrap_pearson([([1, 2, 3, 4], [1, 2, 3, 4])], n_samples=10)
    ([(1.0, 1.0)], (1.0, 1.0))
    """
    rng = np.random.default_rng(seed)
    samples = np.zeros((len(sets), n_samples))
    for row, (scores, gold) in enumerate(sets):
        x, y = _check_scores(scores, gold)
        indices = np.array([_resample_indices(y, rng) for _ in range(n_samples)])
        samples[row] = _rowwise_pearson(x[indices], y[indices])
    bounds = [(1 - level) / 2, (1 + level) / 2]
    each = [(float(low), float(high)) for low, high in np.quantile(samples, bounds, axis=1).T]
    low, high = np.quantile(samples.mean(axis=0), bounds)
    return each, (float(low), float(high))


def _resample_indices(gold: Array, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw indices with replacement; draw again if all have one gold score, where r is undefined."""
    while True:
        indices = rng.integers(len(gold), size=len(gold))
        if not _is_constant(gold[indices]) or _is_constant(gold):
            return indices


def _rowwise_pearson(x: Array, y: Array) -> Array:
    """Compute Pearson's r of each row of ``x`` with that of ``y``; 0 where one is constant.

    scipy handles one row at a time, which takes a minute for 1,000 samples of ten sets.
    """
    varied = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)
    x, y = (rows - rows.mean(axis=1, keepdims=True) for rows in (x, y))
    lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    inner = np.einsum("ij,ij->i", x, y)
    return np.asarray(np.divide(inner, lengths, out=np.zeros(len(x)), where=varied & (lengths > 0)))


def fit_to_gold(scores: ArrayLike, gold: ArrayLike) -> Array:
    """Fit the scores to the gold scores by linear regression.

    >>> fit_to_gold([0, 1, 2], [5, 3, 1])
    array([5., 3., 1.])
    """
    from scipy.stats import linregress

    x, y = _check_scores(scores, gold)
    if _is_constant(x):
        return np.full(len(y), y.mean())
    with one_blas_thread():
        line = linregress(x, y)
    return np.asarray(line.slope * x + line.intercept)


def accuracy(predicted: ArrayLike, gold: ArrayLike) -> float:
    """Compute the fraction of correct labels.

    >>> accuracy([1, 0, 1, 1], [1, 0, 0, 1])
    0.75
    """
    x, y = _check_scores(predicted, gold)
    return float(np.mean(x == y))


def f1(predicted: ArrayLike, gold: ArrayLike) -> float:
    """Compute the harmonic mean of precision and recall of label 1; 0 without a true positive.

    >>> f1([1, 0, 1, 1], [1, 0, 0, 1])
    0.8
    """
    from sklearn.metrics import f1_score

    x, y = _check_scores(predicted, gold)
    return float(f1_score(y, x, zero_division=0))


THRESHOLDS = tuple(k / 10 for k in range(1, 10))
"""Scores at which `match_metrics` measures precision, recall and F1."""


def match_metrics(scores: ArrayLike, labels: ArrayLike) -> dict[str, float]:
    """Compute how well scores tell matches, label 1, from other pairs, label 0.

    The metrics are average precision, calibration error (of scores taken as probabilities), the best F1 with
    its threshold, and precision, recall and F1 at each of `THRESHOLDS`.

    >>> metrics = match_metrics([0.9, 0.6, 0.2], [1, 0, 1])
    >>> round(metrics["average_precision"], 3), metrics["best_f1"], metrics["precision_at_0.5"]
    (0.833, 0.8, 0.5)
    """
    from sklearn.metrics import average_precision_score

    x, y = _check_scores(scores, labels)
    order = np.argsort(-x, kind="stable")
    n_right, n_accepted = np.cumsum(y[order]), np.arange(1, len(y) + 1)
    f1_scores = 2 * n_right / (n_accepted + y.sum())
    is_last = np.append(np.diff(x[order]) != 0, True)  # equal scores are accepted together
    best = int(np.argmax(np.where(is_last, f1_scores, -1)))
    metrics = {
        "average_precision": float(average_precision_score(y, x)) if y.any() else 0.0,
        "calibration_error": calibration_error(np.clip(x, 0, 1), y),
        "best_f1": float(f1_scores[best]),
        "best_f1_threshold": float(x[order][best]),
    }
    for threshold in THRESHOLDS:
        accepted = x >= threshold
        right = float(y[accepted].sum())
        metrics[f"precision_at_{threshold}"] = right / max(int(accepted.sum()), 1)
        metrics[f"recall_at_{threshold}"] = right / max(float(y.sum()), 1.0)
        metrics[f"f1_at_{threshold}"] = 2 * right / max(float(accepted.sum() + y.sum()), 1.0)
    return metrics


def calibration_error(probabilities: ArrayLike, labels: ArrayLike) -> float:
    """Compute the expected calibration error over ten bins of equal width.

    >>> round(calibration_error([0.9, 0.9, 0.1], [1, 1, 0]), 3)
    0.1
    """
    p, y = _check_scores(probabilities, labels)
    bins = np.minimum((10 * p).astype(np.int64), 9)
    return float(np.abs(np.bincount(bins, weights=p - y)).sum() / len(p))


def best_threshold(scores: ArrayLike, labels: ArrayLike) -> float:
    """Return the threshold t with the highest accuracy of "label 1 if score >= t"; the lowest on ties.

    It lies midway between two adjacent scores, or outside all of them.

    >>> best_threshold([0.25, 0.5, 0.75], [0, 0, 1])
    0.625
    """
    x, y = _check_scores(scores, labels)
    values, inverse = np.unique(x, return_inverse=True)
    below, above = values[:-1], values[1:]
    middle = below / 2 + above / 2
    middle = np.where(middle > below, middle, above)  # adjacent floats have no midpoint
    ends = np.nextafter(values[[0, -1]], [-np.inf, np.inf])
    ones = np.bincount(inverse, weights=y == 1, minlength=len(values))
    zeros = np.bincount(inverse, weights=y != 1, minlength=len(values))
    right = ones.sum() + np.concatenate([[0], np.cumsum(zeros - ones)])
    return float(np.concatenate([ends[:1], middle, ends[1:]])[np.argmax(right)])


def classification_metrics(
    gold: Sequence[str], predicted: Sequence[str], scores: Array, classes: Sequence[str]
) -> dict[str, float]:
    """Compute accuracy, and F1 and average precision as means over the classes of the gold labels.

    >>> scores = np.array([-1.0, 2.0, 0.5])
    >>> metrics = classification_metrics(["a", "b", "a"], ["a", "b", "b"], scores, ["a", "b"])
    >>> {name: round(value, 3) for name, value in metrics.items()}
    {'accuracy': 0.667, 'f1': 0.667, 'average_precision': 1.0}
    """
    from sklearn.metrics import accuracy_score, average_precision_score, f1_score

    check_labels(gold, classes)
    wide = np.stack([-scores, scores], axis=1) if scores.ndim == 1 else scores
    labels = np.asarray(gold)
    columns = [column for column, name in enumerate(classes) if (labels == name).any()]
    present = [classes[column] for column in columns]
    macro_f1 = f1_score(gold, predicted, labels=present, average="macro", zero_division=0)
    precisions = [average_precision_score(labels == classes[column], wide[:, column]) for column in columns]
    return {
        "accuracy": float(accuracy_score(gold, predicted)),
        "f1": float(macro_f1),
        "average_precision": float(np.mean(precisions)),
    }


def check_labels(gold: Sequence[str], classes: Sequence[str]) -> None:
    """Raise an error if a test label does not occur among the training labels.

    >>> check_labels(["a", "c"], ["a", "b", "a"])
    Traceback (most recent call last):
    tacit.errors.InputError: the test label 'c' is not among the training labels: a, b
    """
    unknown = sorted(set(gold) - set(classes))
    if unknown:
        known = ", ".join(sorted(set(classes)))
        raise InputError(f"the test label {unknown[0]!r} is not among the training labels: {known}")


def recall_at(k: int, results: RankedRows, relevant: Sequence[Sequence[int]]) -> float:
    """Compute the mean fraction of each query's relevant rows among its first k results.

    >>> recall_at(2, [np.array([5, 3, 1])], [[3, 1]])
    0.5
    """
    recalls = [np.isin(wanted, rows[:k]).mean() for rows, wanted in zip(results, relevant, strict=True)]
    return float(np.mean(recalls))


def mean_reciprocal_rank(results: RankedRows, relevant: Sequence[Sequence[int]]) -> float:
    """Compute the mean of 1 / rank of the first relevant row, 0 if no result is relevant.

    >>> mean_reciprocal_rank([np.array([5, 3, 1])], [[3, 1]])
    0.5
    """
    ranks = (np.flatnonzero(np.isin(rows, wanted)) for rows, wanted in zip(results, relevant, strict=True))
    return float(np.mean([1 / (rank[0] + 1) if len(rank) else 0.0 for rank in ranks]))


def _is_constant(x: Array) -> bool:
    return bool(x.min() == x.max())


def _check_scores(scores: ArrayLike, gold: ArrayLike) -> tuple[Array, Array]:
    """Convert both to float arrays of equal length without NaN or infinity."""
    x, y = np.asarray(scores, dtype=np.float64), np.asarray(gold, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise InputError(f"scores of shape {x.shape}, gold of shape {y.shape}: give one score per gold value")
    if not len(x):
        raise InputError("there are no scores to measure: give at least one")
    for name, values in (("score", x), ("gold score", y)):
        if not np.isfinite(values).all():
            row = int(np.argmin(np.isfinite(values)))
            raise InputError(f"{name} {row + 1} of {len(values)} is {values[row]}: give finite numbers")
    return x, y
