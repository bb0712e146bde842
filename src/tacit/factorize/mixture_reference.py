"""Multinomial mixture by annealed EM in plain numpy (test oracle)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def m_step(X: Array, responsibilities: Array, prior_counts: Array) -> tuple[Array, Array]:
    """Compute log-probabilities (columns x components) and log-weights of the components.

    >>> log_prob, log_weights = m_step(np.eye(2), np.eye(2), np.ones(2))
    >>> np.exp(log_prob).round(3).tolist(), np.exp(log_weights).tolist()
    ([[0.667, 0.333], [0.333, 0.667]], [0.5, 0.5])
    """
    counts = X.T @ responsibilities + prior_counts[:, None]
    sizes = responsibilities.sum(axis=0) + 1
    return np.log(counts / counts.sum(axis=0)), np.log(sizes / sizes.sum())


def posterior(joint: Array) -> Array:
    """Convert joint log-probabilities to responsibilities, which sum to 1 in each row (E-step)."""
    scaled = np.exp(joint - joint.max(axis=1, keepdims=True))
    responsibilities: Array = scaled / scaled.sum(axis=1, keepdims=True)
    return responsibilities


def run_annealed_em(
    X: Array, responsibilities: Array, prior_counts: Array, exponents: Array
) -> tuple[Array, Array, Array]:
    """Run one EM step for each exponent; return log-probabilities, log-weights and responsibilities."""
    for exponent in exponents:
        log_prob, log_weights = m_step(X, responsibilities, prior_counts)
        responsibilities = posterior(exponent * (X @ log_prob + log_weights))
    return log_prob, log_weights, responsibilities
