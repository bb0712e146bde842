"""Logistic regression with a Gaussian prior, by Newton's method with a line search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.compute.threads import one_blas_thread, split_range
from tacit.types import Array

_MAX_STEPS = 100
_TOLERANCE = 1e-10
_BLOCK_ROWS = 1 << 17
_SAMPLE_ROWS = 1 << 18


@dataclass(frozen=True)
class Scaling:
    """Mean and standard deviation of each feature; scaled features are clipped to ``limit``."""

    mean: Array
    std: Array
    limit: float = np.inf

    @classmethod
    def fit(cls, features: Array, limit: float = np.inf) -> Scaling:
        """Learn mean and standard deviation from evenly spaced rows; a constant feature is scaled to 0."""
        sample = features[:: len(features) // _SAMPLE_ROWS + 1].astype(np.float64)
        if not len(sample):
            sample = np.zeros((1, features.shape[1]))
        std = sample.std(axis=0)
        return cls(sample.mean(axis=0), np.where(std > 1e-9, std, np.inf), limit)

    def apply(self, features: Array) -> Array:
        """Return the features in units of standard deviations from the mean."""
        return np.clip((features - self.mean) / self.std, -self.limit, self.limit)


@dataclass(frozen=True)
class LogisticModel:
    """Log odds as a weighted sum of scaled features plus an intercept."""

    scaling: Scaling
    weights: Array
    intercept: float

    def parts(self, features: Array) -> Array:
        """Return what each feature adds to the log odds, relative to an average pair."""
        return self.scaling.apply(features) * self.weights

    def log_odds(self, features: Array) -> Array:
        """Return the log odds of each row of features."""
        odds = np.empty(len(features))
        for start, stop in split_range(len(features), _BLOCK_ROWS):
            odds[start:stop] = self.parts(features[start:stop]).sum(axis=1) + self.intercept
        return odds


def sigmoid(x: Array) -> Array:
    """Return 1 / (1 + e^-x) without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0]))
    array([0. , 0.5, 1. ])
    """
    return (1 + np.tanh(x / 2)) / 2


def logit(p: Any) -> Any:
    """Return ln(p / (1 - p)); probabilities are kept 1e-9 away from 0 and 1.

    >>> float(logit(0.5))
    0.0
    """
    p = np.clip(p, 1e-9, 1 - 1e-9)
    return np.log(p / (1 - p))


def fit_logistic(
    X: Array, y: Array, row_weights: Array, prior_mean: Array, precision: Array
) -> tuple[Array, Array]:
    """Return the most probable weights, the intercept last, and their posterior covariance (Laplace).

    Parameters
    ----------
    X : array of shape (n, n_features)
        Scaled features.
    y : array of shape (n,)
        Labels from 0 to 1.
    row_weights : array of shape (n,)
        Weight of each row.
    prior_mean, precision : array of shape (n_features + 1,)
        Mean and inverse variance of the Gaussian prior.
    """
    A = np.column_stack([X, np.ones(len(X))])
    theta = prior_mean.astype(np.float64)
    with one_blas_thread():
        loss = _loss(A, y, row_weights, theta, prior_mean, precision)
        for _ in range(_MAX_STEPS):
            p = sigmoid(A @ theta)
            gradient = A.T @ (row_weights * (p - y)) + precision * (theta - prior_mean)
            hessian = (A.T * (row_weights * p * (1 - p))) @ A + np.diag(precision)
            step = np.linalg.solve(hessian, gradient)
            decrease = float(gradient @ step)
            if decrease < _TOLERANCE * max(1.0, abs(loss)):
                break
            scale = 1.0  # a full step diverges in a third of the fits to few judgements
            while scale > 1e-6:
                next_theta = theta - scale * step
                next_loss = _loss(A, y, row_weights, next_theta, prior_mean, precision)
                if next_loss <= loss - 1e-4 * scale * decrease:
                    break
                scale /= 2
            theta, loss = next_theta, next_loss
        return theta, np.linalg.inv(hessian)


def _loss(A: Array, y: Array, row_weights: Array, theta: Array, mean: Array, precision: Array) -> float:
    odds = A @ theta
    return float(row_weights @ (np.logaddexp(0, odds) - y * odds) + precision @ (theta - mean) ** 2 / 2)
