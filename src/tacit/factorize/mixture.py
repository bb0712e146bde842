"""A mixture of multinomials over sparse rows, by annealed expectation-maximization.

Each component is a distribution over the columns, drawn towards given pseudo-counts; each row belongs to the
components by its posterior, flattened by an exponent that rises to 1, so that a poor start is forgotten.
Several fits agree on one. ``mixture_reference`` says the steps in a few lines of numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import run
from tacit.factorize.row_solver import Rows
from tacit.jit import njit_cached

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[Any]

STEPS = 5
"""Of expectation-maximization, after several fits have agreed."""


@dataclass(frozen=True)
class Mixture:
    """Components over columns: ``log_columns`` is columns x components, ``log_weights`` one a component."""

    log_columns: Array
    log_weights: Array

    def joint(self, X: csr_array) -> Array:
        """log p(row, component), rows x components, but for a constant of the row."""
        joint: Array = X @ self.log_columns + self.log_weights
        return joint


def posterior(joint: Array) -> Array:
    """Joint log-probabilities as shares that sum to 1 in each row.

    >>> posterior(np.log([[1.0, 3.0]]))
    array([[0.25, 0.75]])
    """
    raised = np.exp(joint - joint.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares


def log_likelihoods(joint: Array) -> Array:
    """log sum_c p(row, c) of every row."""
    top = joint.max(axis=1)
    found: Array = top + np.log(np.exp(joint - top[:, None]).sum(axis=1))
    return found


def fit_mixture(
    X: csr_array, n_components: int, prior: float, n_iter: int = 30, seed: Any = 0, start: float = 0.2
) -> tuple[Mixture, Array]:
    """Learn the components of a matrix; returns them and the posteriors of its rows.

    ``prior`` is the Dirichlet prior: so many counts a column, spread as the columns are in all rows.

    >>> from scipy.sparse import csr_array
    >>> X = csr_array([[3.0, 0, 0], [2, 0, 0], [0, 2, 2], [0, 1, 3]])
    >>> _, shares = fit_mixture(X, 2, prior=0.1)
    >>> labels = shares.argmax(axis=1)
    >>> [int(label == labels[0]) for label in labels]
    [1, 1, 0, 0]
    """
    shares = np.random.default_rng(seed).dirichlet(np.ones(n_components), X.shape[0])
    return refine(X, shares, prior, np.linspace(start, 1.0, n_iter))


def refine(X: csr_array, shares: Array, prior: float, exponents: Array) -> tuple[Mixture, Array]:
    """Take a step of expectation-maximization for every exponent, from given posteriors of the rows.

    Returns the components and the new posteriors.
    """
    background = np.asarray(X.sum(axis=0)).ravel().astype(np.float64) + 1e-9
    pseudo = prior * len(background) * background / background.sum()
    shares = shares.copy()
    rows = Rows.of(X, np.float64)
    mixture = Mixture(*anneal(rows.indptr, rows.indices, rows.data, shares, pseudo, exponents))
    return mixture, shares


def agreed_mixture(
    X: csr_array, n_components: int, prior: float, n_restarts: int, seed: int, n_threads: int = 1
) -> tuple[Mixture, Array]:
    """What several mixtures agree on, with the posteriors of its rows: a few steps from their mean.

    A single fit, even the most likely, stops at a local optimum; what chance did to it the mean forgets.
    """
    found = run(
        lambda start: fit_mixture(X, n_components, prior, seed=[seed, start]), range(n_restarts), n_threads
    )
    likelihoods = [float(log_likelihoods(mixture.joint(X)).sum()) for mixture, _ in found]
    best_first = np.argsort(likelihoods, kind="stable")[::-1]
    mean = mean_clustering([found[place][1] for place in best_first])
    return refine(X, mean, prior, np.ones(STEPS))


def choose_n_components(
    X: csr_array, most: int, prior: float, n_restarts: int, seed: int, n_threads: int = 1
) -> int:
    """The fewest components under which held-out rows are about as likely as under any number.

    About as likely: within one standard error of the best.
    """
    n = X.shape[0]
    if n < 2 * most:
        return 1
    held = np.random.default_rng(seed).permutation(n) < n // 5
    scores = []
    for n_components in range(1, most + 1):
        mixture, _ = agreed_mixture(X[~held], n_components, prior, n_restarts, seed, n_threads)
        scores.append(log_likelihoods(mixture.joint(X[held])))
    best = scores[int(np.argmax([score.sum() for score in scores]))]
    for n_components, score in enumerate(scores, 1):
        lag = best - score
        if lag.mean() <= lag.std() / np.sqrt(len(lag)):
            return n_components
    return most


def mean_clustering(shares: Sequence[Array]) -> Array:
    """The mean of several clusterings, rows x clusters each, whatever their clusters are called.

    Each is renamed so that it agrees most with the sum of those before it; the first gives the names.

    >>> import numpy as np
    >>> one = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> mean_clustering([one, one[:, ::-1]])
    array([[1., 0.],
           [1., 0.],
           [0., 1.]])
    """
    from scipy.optimize import linear_sum_assignment

    total: Array = shares[0].copy()
    for other in shares[1:]:
        _, names = linear_sum_assignment(total.T @ other, maximize=True)
        total += other[:, names]
    return total / len(shares)


@njit_cached(fastmath={"reassoc", "contract", "nsz"})
def anneal(indptr, indices, data, shares, pseudo, exponents):  # type: ignore[no-untyped-def]
    """Take a step for every exponent; ``shares`` (rows x components) is the start and is changed.

    Returns the logarithms of the components (columns x components) and of their weights.
    """
    n, k = shares.shape
    logs = np.empty((len(pseudo), k))
    weights = np.empty(k)
    joint = np.empty(k)
    for exponent in exponents:
        estimate(indptr, indices, data, shares, pseudo, logs, weights)
        for i in range(n):
            joint[:] = weights
            for p in range(indptr[i], indptr[i + 1]):
                column, x = indices[p], data[p]
                for c in range(k):
                    joint[c] += x * logs[column, c]
            top, total = joint.max(), 0.0
            for c in range(k):
                joint[c] = np.exp(exponent * (joint[c] - top))
                total += joint[c]
            for c in range(k):
                shares[i, c] = joint[c] / total
    return logs, weights


@njit_cached(fastmath={"reassoc", "contract", "nsz"})
def estimate(indptr, indices, data, shares, pseudo, logs, weights):  # type: ignore[no-untyped-def]
    """Fill the logarithms of the components and their weights from the shares."""
    n, k = shares.shape
    for column in range(len(pseudo)):
        for c in range(k):
            logs[column, c] = pseudo[column]
    weights[:] = 1.0
    for i in range(n):
        for c in range(k):
            weights[c] += shares[i, c]
        for p in range(indptr[i], indptr[i + 1]):
            column, x = indices[p], data[p]
            for c in range(k):
                logs[column, c] += x * shares[i, c]
    sums = np.zeros(k)
    for column in range(len(pseudo)):
        for c in range(k):
            sums[c] += logs[column, c]
    shift = np.log(sums)
    for column in range(len(pseudo)):
        for c in range(k):
            logs[column, c] = np.log(logs[column, c]) - shift[c]
    total = np.log(weights.sum())
    for c in range(k):
        weights[c] = np.log(weights[c]) - total
