"""Two EM algorithms in plain Python (test oracles): IBM model 1 and the multinomial mixture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tacit.factorize.mixture import posterior

Array = NDArray[np.float64]


def fit_ibm_model1(pairs: Sequence[tuple[list[int], list[int]]], n_iter: int) -> dict[tuple[int, int], float]:
    """Estimate t(f|e) by IBM model 1 (Brown et al. 1993); word -1 of the first texts is the NULL word.

    >>> table = fit_ibm_model1([([0, 1], [5, 6]), ([0], [5])], 20)
    >>> table[0, 5] > 0.9, table[1, 6] > 0.9
    (True, True)
    """
    t: dict[tuple[int, int], float] = {}
    for es, fs in pairs:
        t |= {(e, f): 1.0 for e in (-1, *es) for f in fs}
    for _ in range(n_iter):
        count = dict.fromkeys(t, 0.0)
        for es, fs in pairs:
            for f in fs:
                denominator = sum(t[e, f] for e in (-1, *es))
                for e in (-1, *es):
                    count[e, f] += t[e, f] / denominator
        totals: dict[int, float] = {}
        for (e, _), value in count.items():
            totals[e] = totals.get(e, 0.0) + value
        t = {(e, f): value / totals[e] for (e, f), value in count.items()}
    return t


def m_step(X: Array, responsibilities: Array, prior_counts: Array) -> tuple[Array, Array]:
    """Compute log-probabilities (columns x components) and log-weights of the components.

    >>> log_prob, log_weights = m_step(np.eye(2), np.eye(2), np.ones(2))
    >>> np.exp(log_prob).round(3).tolist(), np.exp(log_weights).tolist()
    ([[0.667, 0.333], [0.333, 0.667]], [0.5, 0.5])
    """
    counts = X.T @ responsibilities + prior_counts[:, None]
    sizes = responsibilities.sum(axis=0) + 1
    return np.log(counts / counts.sum(axis=0)), np.log(sizes / sizes.sum())


def run_annealed_em(
    X: Array, responsibilities: Array, prior_counts: Array, exponents: Array
) -> tuple[Array, Array, Array]:
    """Run one EM step for each exponent; return log-probabilities, log-weights and responsibilities."""
    for exponent in exponents:
        log_prob, log_weights = m_step(X, responsibilities, prior_counts)
        responsibilities = posterior(exponent * (X @ log_prob + log_weights))
    return log_prob, log_weights, responsibilities
