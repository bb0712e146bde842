"""Multinomial mixture by annealed EM, with consensus over restarts.

Each component is a distribution over the columns, with prior counts. The responsibilities of the components
for each row are flattened by an exponent that rises to 1, so that a poor start has little effect. Several
fits are averaged. ``em_reference`` has the steps in a few lines of numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.compute.csr import CSRArrays
from tacit.compute.threads import run_blocks
from tacit.jit import njit_cached
from tacit.types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

ANNEALING = np.linspace(0.2, 1.0, 30)  # exponents of the EM steps of one fit
CONSENSUS_STEPS = 5  # EM steps from the average of several fits


@dataclass(frozen=True)
class Mixture:
    """A mixture model: ``log_prob`` is columns x components, ``log_weights`` has one number per component."""

    log_prob: Array
    log_weights: Array

    def joint_log_prob(self, X: csr_array) -> Array:
        """Compute log p(row, component), rows x components, up to a constant of each row."""
        return X @ self.log_prob + self.log_weights


def posterior(joint: Array) -> Array:
    """Convert joint log-probabilities to responsibilities, which sum to 1 in each row.

    >>> posterior(np.log([[1.0, 3.0]]))
    array([[0.25, 0.75]])
    """
    scaled = np.exp(joint - joint.max(axis=1, keepdims=True))
    return scaled / scaled.sum(axis=1, keepdims=True)


def score_samples(joint: Array) -> Array:
    """Compute the log-likelihood of each row, log sum_c p(row, c)."""
    maxima = joint.max(axis=1)
    return maxima + np.log(np.exp(joint - maxima[:, None]).sum(axis=1))


def fit_mixture(X: csr_array, n_components: int, prior: float, seed: Any = 0) -> tuple[Mixture, Array]:
    """Fit a mixture to the rows of a matrix; return it and the responsibilities of the rows.

    ``prior`` is the Dirichlet prior: this many counts for each column on average, distributed like the
    columns in all rows.

    >>> from scipy.sparse import csr_array
    >>> X = csr_array([[3.0, 0, 0], [2, 0, 0], [0, 2, 2], [0, 1, 3]])
    >>> _, responsibilities = fit_mixture(X, 2, prior=0.1)
    >>> labels = responsibilities.argmax(axis=1)
    >>> [int(label == labels[0]) for label in labels]
    [1, 1, 0, 0]
    """
    start = np.random.default_rng(seed).dirichlet(np.ones(n_components), X.shape[0])
    return run_em(X, start, prior, ANNEALING)


def run_em(X: csr_array, responsibilities: Array, prior: float, exponents: Array) -> tuple[Mixture, Array]:
    """Run one EM step for each exponent; return the mixture and the new responsibilities."""
    background = np.asarray(X.sum(axis=0)).ravel().astype(np.float64) + 1e-9
    prior_counts = prior * len(background) * background / background.sum()
    responsibilities = responsibilities.copy()
    rows = CSRArrays.from_scipy(X, np.float64)
    arrays = rows.indptr, rows.indices, rows.data
    return Mixture(*run_annealed_em(*arrays, responsibilities, prior_counts, exponents)), responsibilities


def fit_consensus_mixture(
    X: csr_array, n_components: int, prior: float, n_restarts: int, seed: int, n_threads: int = 1
) -> tuple[Mixture, Array]:
    """Fit several mixtures, average their responsibilities, and run a few EM steps from there.

    A single fit, even the most likely, stops at a local optimum that depends on its start; the average does
    not.
    """
    fits = run_blocks(
        lambda start: fit_mixture(X, n_components, prior, seed=[seed, start]), range(n_restarts), n_threads
    )
    likelihoods = [float(score_samples(mixture.joint_log_prob(X)).sum()) for mixture, _ in fits]
    best_first = np.argsort(likelihoods, kind="stable")[::-1]
    average = average_clusterings([fits[number][1] for number in best_first])
    return run_em(X, average, prior, np.ones(CONSENSUS_STEPS))


def choose_n_components(
    X: csr_array, max_components: int, prior: float, n_restarts: int, seed: int, n_threads: int = 1
) -> int:
    """Choose the smallest number of components with a held-out likelihood close to the best.

    Close means within one standard error.
    """
    n = X.shape[0]
    if n < 2 * max_components:
        return 1
    is_held_out = np.random.default_rng(seed).permutation(n) < n // 5
    scores = []
    for n_components in range(1, max_components + 1):
        mixture, _ = fit_consensus_mixture(X[~is_held_out], n_components, prior, n_restarts, seed, n_threads)
        scores.append(score_samples(mixture.joint_log_prob(X[is_held_out])))
    best = scores[int(np.argmax([score.sum() for score in scores]))]
    for n_components, score in enumerate(scores, 1):
        deficit = best - score
        if deficit.mean() <= deficit.std() / np.sqrt(len(deficit)):
            return n_components
    return max_components


def average_clusterings(clusterings: Sequence[Array]) -> Array:
    """Average several soft clusterings, rows x clusters each, whose clusters may be in any order.

    The clusters of each are matched to the sum of those before it; the first one sets the order.

    >>> import numpy as np
    >>> one = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> average_clusterings([one, one[:, ::-1]])
    array([[1., 0.],
           [1., 0.],
           [0., 1.]])
    """
    from scipy.optimize import linear_sum_assignment

    total: Array = clusterings[0].copy()
    for other in clusterings[1:]:
        _, order = linear_sum_assignment(total.T @ other, maximize=True)
        total += other[:, order]
    return total / len(clusterings)


@njit_cached(fastmath={"reassoc", "contract", "nsz"})
def run_annealed_em(indptr, indices, data, responsibilities, prior_counts, exponents):  # type: ignore[no-untyped-def]
    """Run one EM step for each exponent; ``responsibilities`` (rows x components) are overwritten.

    Returns the log-probabilities of the columns (columns x components) and the log-weights of the components.
    """
    n, k = responsibilities.shape
    log_prob = np.empty((len(prior_counts), k))
    log_weights = np.empty(k)
    joint = np.empty(k)
    for exponent in exponents:
        m_step(indptr, indices, data, responsibilities, prior_counts, log_prob, log_weights)
        for i in range(n):
            joint[:] = log_weights
            for p in range(indptr[i], indptr[i + 1]):
                column, x = indices[p], data[p]
                for c in range(k):
                    joint[c] += x * log_prob[column, c]
            maximum, total = joint.max(), 0.0
            for c in range(k):
                joint[c] = np.exp(exponent * (joint[c] - maximum))
                total += joint[c]
            for c in range(k):
                responsibilities[i, c] = joint[c] / total
    return log_prob, log_weights


@njit_cached(fastmath={"reassoc", "contract", "nsz"})
def m_step(indptr, indices, data, responsibilities, prior_counts, log_prob, log_weights):  # type: ignore[no-untyped-def]
    """Compute ``log_prob`` and ``log_weights`` from the responsibilities, in place."""
    n, k = responsibilities.shape
    for column in range(len(prior_counts)):
        log_prob[column] = prior_counts[column]
    log_weights[:] = 1.0
    for i in range(n):
        log_weights += responsibilities[i]
        for p in range(indptr[i], indptr[i + 1]):
            column, x = indices[p], data[p]
            for c in range(k):
                log_prob[column, c] += x * responsibilities[i, c]
    sums = np.zeros(k)
    for column in range(len(prior_counts)):
        sums += log_prob[column]
    log_prob[:] = np.log(log_prob) - np.log(sums)
    log_weights[:] = np.log(log_weights) - np.log(log_weights.sum())
