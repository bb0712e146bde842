"""Linear SVM: hyper-parameters by cross-validation, probabilities by temperature scaling.

Probabilities are softmax(a d) of the decision values d. The number a minimizes the log loss
on texts that were held out of training (temperature scaling, Guo et al. 2017). One number for all classes can
be estimated from few labels, and it never changes which class comes first.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.svm import LinearSVC

Array = NDArray[np.float64]
CrossValidationCallback = Callable[[float, float, float], None]

C_GRID = (0.3, 1.0, 3.0, 10.0)

_LOG_BOUNDS = (-7.0, 7.0)
"""Bounds of log a: from equal probabilities to certainty."""


def select_by_cross_validation(
    features_at: Callable[[float], Any], lambdas: Sequence[float], costs: Sequence[float], y: NDArray[Any],
    callback: CrossValidationCallback | None = None, preferred: tuple[float, float] | None = None,
) -> tuple[float, float] | None:  # fmt: skip
    """Return lambda and C by cross-validated accuracy; None if a class has only one text.

    ``features_at(lambda)`` returns the features of the labelled texts. Among the pairs within one standard
    error of the best accuracy, the one nearest to the ``preferred`` pair is chosen (Breiman et al. 1984),
    because with few labels the accuracies differ by chance. Without a preferred pair it is the best pair, on
    ties the one with the C nearest to 1.
    """
    if len(lambdas) * len(costs) == 1:
        return lambdas[0], costs[0]
    folds = _stratified_folds(y)
    if folds is None:
        return None
    accuracies = {}
    for lam in lambdas:
        features = features_at(lam)
        for cost in costs:
            with _ignore_convergence_warnings():
                accuracy = float(cross_val_score(make_linear_svc(cost), features, y, cv=folds).mean())
            accuracies[lam, cost] = round(accuracy, 6)
            if callback is not None:
                callback(lam, cost, accuracy)
    best = max(accuracies.values())
    margin = 0.0 if preferred is None else np.sqrt(best * (1 - best) / len(y))
    target, cost = preferred or (lambdas[0], 1.0)
    candidates = [pair for pair, accuracy in accuracies.items() if accuracy >= best - margin]
    return min(candidates, key=lambda pair: (abs(pair[0] - target), abs(float(np.log(pair[1] / cost)))))


def cross_val_decisions(cost: float, features: Any, y: NDArray[Any]) -> Array | None:
    """Return out-of-fold decision values of each text; None if a class has only one text."""
    folds = _stratified_folds(y)
    if folds is None:
        return None
    svm = make_linear_svc(cost)
    with _ignore_convergence_warnings():
        return np.asarray(cross_val_predict(svm, features, y, cv=folds, method="decision_function"))


def make_linear_svc(cost: float) -> LinearSVC:
    """Make a linear support vector machine with a fixed seed."""
    return LinearSVC(C=cost, random_state=0, max_iter=10_000)


def _stratified_folds(y: NDArray[Any]) -> StratifiedKFold | None:
    """Return 5 folds (3 above 1,000 texts), or as many as the smallest class has texts; None if it has 1."""
    smallest = int(np.unique(y, return_counts=True)[1].min())
    if smallest < 2:
        return None
    return StratifiedKFold(min(5 if len(y) <= 1000 else 3, smallest), shuffle=True, random_state=0)


def _ignore_convergence_warnings() -> warnings.catch_warnings[None]:
    """Ignore these warnings in folds; the final fit warns once."""
    return warnings.catch_warnings(action="ignore", category=ConvergenceWarning)


def softmax_probabilities(decisions: Array, inverse_temperature: float) -> Array:
    """Convert decision values to class probabilities; one column of two classes gives two columns.

    >>> softmax_probabilities(np.array([0.0, 1.0]), 2.0).round(2)
    array([[0.5 , 0.5 ],
           [0.12, 0.88]])
    """
    return np.asarray(np.exp(_log_softmax(inverse_temperature * _as_two_columns(decisions))))


def fit_inverse_temperature(decisions: Array, classes: NDArray[np.int64]) -> float:
    """Return the a with the smallest log loss, where ``classes`` are the indices of the correct classes.

    As in Platt (1999), the target of the correct class is slightly below 1; otherwise a few texts without an
    error would give probabilities of 1.

    >>> rng = np.random.default_rng(0)
    >>> right = rng.integers(2, size=5000)
    >>> d = np.where(rng.random(5000) < 0.8, 1.0, -1.0) * (2 * right - 1)  # correct in 4 of 5 cases
    >>> round(fit_inverse_temperature(d, right), 1), round(float(np.log(0.8 / 0.2)), 1)
    (1.4, 1.4)
    """
    from scipy.optimize import minimize_scalar

    columns = _as_two_columns(decisions)
    n, k = columns.shape
    smoothing = 1 / (n + 2)
    target = np.full((n, k), smoothing / (k - 1))
    target[np.arange(n), classes] = 1 - smoothing

    def loss(log_a: float) -> float:
        return -float(np.vdot(target, _log_softmax(np.exp(log_a) * columns)))

    return float(np.exp(minimize_scalar(loss, bounds=_LOG_BOUNDS, method="bounded").x))


def _as_two_columns(decisions: Array) -> Array:
    """Return one column per class, also for two classes."""
    return decisions if decisions.ndim == 2 else np.column_stack([-decisions / 2, decisions / 2])


def _log_softmax(columns: Array) -> Array:
    shifted = columns - columns.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))
