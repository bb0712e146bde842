"""A mixture of multinomials over sparse rows: what it is, and how it is learnt from a random start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.factorize.als import Rows
from tacit.factorize.mixture import anneal

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[Any]


@dataclass(frozen=True)
class Mixture:
    """Components over columns: ``log_columns`` is columns x components, ``log_weights`` one a component."""

    log_columns: Array
    log_weights: Array

    def joint(self, X: csr_array) -> Array:
        """log p(row, component), rows x components, but for a constant of the row."""
        joint: Array = X @ self.log_columns + self.log_weights
        return joint

    def posterior(self, X: csr_array) -> Array:
        """p(component | row), rows x components."""
        return posterior(self.joint(X))


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


def log_likelihood(joint: Array) -> float:
    """The sum over rows of log sum_c p(row, c)."""
    return float(log_likelihoods(joint).sum())


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
