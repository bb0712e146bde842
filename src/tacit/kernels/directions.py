"""The directions in which terms go together, V, and texts along them.

V is held as it is (terms x components) or, where every direction counts and documents are fewer than terms,
through the documents: V = X'U diag(w)^-1/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.blas import one_blas_thread
from tacit.factorize.spectral import eigenpairs, leading, term_eigenpairs

Array = NDArray[np.float64]

EXACT_UP_TO = 4000
"""Documents, or terms, whichever are fewer."""
RANK_ABOVE = 300


@dataclass(frozen=True)
class Directions:
    """Eigenvalues, largest first, and V: ``basis``, or ``documents' basis`` where there are documents."""

    values: Array
    basis: Array
    documents: Any = None

    def project(self, A: Any) -> Array:
        """The coordinates A V of sparse rows."""
        if self.documents is None:
            return np.asarray(A @ self.basis)
        with one_blas_thread():
            return np.asarray((A @ self.documents.T).toarray() @ self.basis)

    def expand(self, coordinates: Array) -> Array:
        """V c: what coordinates say of each term."""
        found = self.basis @ coordinates
        return np.asarray(found if self.documents is None else self.documents.T @ found)


def find_directions(X: Any, n_components: int | None, centred: bool, random_state: Any) -> Directions:
    """Every direction of X where that is quick, or the ``n_components`` leading ones.

    >>> from scipy.sparse import csr_array
    >>> find_directions(csr_array(np.diag([3.0, 2.0, 1.0])), 2, False, 0).values
    array([9., 4.])
    """
    fewest = min(X.shape)
    if n_components is None and fewest > EXACT_UP_TO:
        n_components = RANK_ABOVE
    if n_components is not None and n_components < fewest:
        return Directions(*leading(X, n_components, centred, random_state=random_state))
    if X.shape[1] < X.shape[0]:
        return Directions(*term_eigenpairs(X, centred))
    values, U = eigenpairs(X, centred)
    return Directions(values, U / np.sqrt(values), X)
