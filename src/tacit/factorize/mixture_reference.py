"""A mixture of multinomials by annealed expectation-maximization, in plain numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def estimate(X: Array, shares: Array, pseudo: Array) -> tuple[Array, Array]:
    """The M-step: the logarithms of the components (columns x components) and of their weights.

    >>> logs, weights = estimate(np.eye(2), np.eye(2), np.ones(2))
    >>> np.exp(logs).round(3).tolist(), np.exp(weights).tolist()
    ([[0.667, 0.333], [0.333, 0.667]], [0.5, 0.5])
    """
    counts = X.T @ shares + pseudo[:, None]
    sizes = shares.sum(axis=0) + 1
    return np.log(counts / counts.sum(axis=0)), np.log(sizes / sizes.sum())


def posterior(joint: Array) -> Array:
    """The E-step: joint log-probabilities as shares that sum to 1 in each row."""
    raised = np.exp(joint - joint.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares


def anneal(X: Array, shares: Array, pseudo: Array, exponents: Array) -> tuple[Array, Array, Array]:
    """A step for every exponent; returns the components, their weights and the last shares."""
    for exponent in exponents:
        logs, weights = estimate(X, shares, pseudo)
        shares = posterior(exponent * (X @ logs + weights))
    return logs, weights, shares
