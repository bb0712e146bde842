"""Texts in the directions in which terms go together.

Two ways to hold V, the terms' directions: as it is (terms x components), or, where every direction counts,
through the documents, V = X'U diag(w)^-1/2, because documents are fewer than terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.factorize.spectral import eigenpairs, leading, one_thread, term_eigenpairs

Array = NDArray[np.float64]

EXACT_UP_TO = 4000
"""Documents, or terms, whichever are fewer."""
RANK_ABOVE = 300


class Space(Protocol):
    """Eigenvalues, and the way from a text to its coordinates and from coordinates to terms."""

    @property
    def values(self) -> Array:
        """The eigenvalues, largest first."""

    def project(self, A: Any) -> Array:
        """The coordinates A V of sparse rows."""

    def expand(self, coordinates: Array) -> Array:
        """V c: what coordinates say of each term."""


@dataclass(frozen=True)
class TermSpace:
    """V as it is."""

    values: Array
    V: Array

    def project(self, A: Any) -> Array:
        """The coordinates A V of sparse rows."""
        return np.asarray(A @ self.V)

    def expand(self, coordinates: Array) -> Array:
        """V c: what coordinates say of each term."""
        return np.asarray(self.V @ coordinates)


@dataclass(frozen=True)
class DocumentSpace:
    """V through the documents X; ``scaled`` is U diag(w)^-1/2."""

    values: Array
    X: Any
    scaled: Array

    def project(self, A: Any) -> Array:
        """The coordinates A V of sparse rows, A X' first."""
        with one_thread():
            return np.asarray((A @ self.X.T).toarray() @ self.scaled)

    def own(self) -> Array:
        """The coordinates of the documents themselves where X is not centred, X V = U diag(w)^1/2."""
        return self.scaled * self.values

    def expand(self, coordinates: Array) -> Array:
        """V c: what coordinates say of each term."""
        return np.asarray(self.X.T @ (self.scaled @ coordinates))


def make_space(X: Any, n_components: int | None, centred: bool, random_state: Any) -> Space:
    """Every direction of X where that is quick, or the ``n_components`` leading ones.

    >>> from scipy.sparse import csr_array
    >>> make_space(csr_array(np.diag([3.0, 2.0, 1.0])), 2, False, 0).values
    array([9., 4.])
    """
    fewest = min(X.shape)
    if n_components is None and fewest > EXACT_UP_TO:
        n_components = RANK_ABOVE
    if n_components is not None and n_components < fewest:
        return TermSpace(*leading(X, n_components, centred, random_state=random_state))
    if X.shape[1] < X.shape[0]:
        return TermSpace(*term_eigenpairs(X, centred))
    values, U = eigenpairs(X, centred)
    return DocumentSpace(values, X, U / np.sqrt(values))
