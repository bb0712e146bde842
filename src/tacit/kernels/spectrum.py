"""Eigenbasis of term co-occurrence, and kernel families as functions of its eigenvalues.

The eigenvectors V of the co-occurrence of terms are stored as they are (terms x components) or, if all
components count and there are fewer documents than terms, through the documents: V = X'U diag(w)^-1/2.

A kernel is k(a, b) = a'Sb with S = I + V diag(g) V', where g = gain(w) increases with the eigenvalue w. With
lambda = 0, g = 0 and the kernel is the inner product. ``power`` flattens the spectrum first (w^p); 1 is the
kernel of the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import one_blas_thread
from tacit.errors import InputError
from tacit.factorize.spectral import column_eigenpairs, randomized_eigenpairs, row_eigenpairs

Array = NDArray[np.float64]

MAX_EXACT_SIZE = 4000
"""All components are computed up to this number of documents or terms, whichever are fewer."""
DEFAULT_RANK = 300


@dataclass(frozen=True)
class EigenBasis:
    """Eigenvalues, largest first, and V: ``basis``, or ``documents' basis`` if there are documents."""

    eigenvalues: Array
    basis: Array
    documents: Any = None

    def project(self, A: Any) -> Array:
        """Return the coordinates A V of sparse rows."""
        if self.documents is None:
            return np.asarray(A @ self.basis)
        with one_blas_thread():
            return np.asarray((A @ self.documents.T).toarray() @ self.basis)

    def back_project(self, coordinates: Array) -> Array:
        """Return V c, a value for each term."""
        product = self.basis @ coordinates
        return np.asarray(product if self.documents is None else self.documents.T @ product)


def decompose_terms(X: Any, n_components: int | None, centred: bool, random_state: Any) -> EigenBasis:
    """Compute all eigenpairs of X if it is small, else the ``n_components`` leading ones.

    >>> from scipy.sparse import csr_array
    >>> decompose_terms(csr_array(np.diag([3.0, 2.0, 1.0])), 2, False, 0).eigenvalues
    array([9., 4.])
    """
    size = min(X.shape)
    if n_components is None and size > MAX_EXACT_SIZE:
        n_components = DEFAULT_RANK
    if n_components is not None and n_components < size:
        return EigenBasis(*randomized_eigenpairs(X, n_components, centred, random_state=random_state))
    if X.shape[1] < X.shape[0]:
        return EigenBasis(*column_eigenpairs(X, centred))
    values, U = row_eigenpairs(X, centred)
    return EigenBasis(values, U / np.sqrt(values), X)


@dataclass(frozen=True)
class KernelFamily:
    """Gain and its derivative with respect to lambda, for x = w^p.

    The other numbers are lambdas in units of 1 / max x: ``max_lambda`` is the upper bound, excluded if
    ``is_open``, for the reason ``bound_reason``; the search by alignment goes up to ``max_searched_lambda``;
    cross-validation tries ``lambda_grid``.
    """

    title: str
    gain: Callable[[Array, float], Array]
    gain_derivative: Callable[[Array, float], Array]
    max_lambda: float
    is_open: bool
    bound_reason: str
    max_searched_lambda: float
    default_lambda: float
    lambda_grid: tuple[float, ...]

    def check_lambda(self, lam: float, largest: float) -> float:
        """Return lambda, or raise an error if it is out of range for the largest x."""
        bound = self.max_lambda / largest
        if not (0 <= lam < bound if self.is_open else 0 <= lam <= bound):
            end = "less than" if self.is_open else "at most"
            raise InputError(
                f"lambda_={lam:g} is out of range for the {self.title} kernel of these texts: give at "
                f"least 0 and {end} {bound:.6g} ({self.bound_reason}); or relative=True and {end} "
                f"{self.max_lambda:g}; or 'auto'",
                parameter="lambda_",
            )
        return float(lam)


FAMILIES = {
    "exponential": KernelFamily(
        title="exponential",
        gain=lambda x, lam: np.asarray(np.expm1(lam * x)),
        gain_derivative=lambda x, lam: np.asarray(x * np.exp(lam * x)),
        max_lambda=300.0,  # exp(300) squared does not overflow
        is_open=False,
        bound_reason="where exp overflows",
        max_searched_lambda=10.0,
        default_lambda=6.0,
        lambda_grid=(2.0, 4.0, 6.0, 8.0),
    ),
    "vonneumann": KernelFamily(
        title="von Neumann",
        gain=lambda x, lam: np.asarray(lam * x / (1 - lam * x)),
        gain_derivative=lambda x, lam: np.asarray(x / (1 - lam * x) ** 2),
        max_lambda=1.0,
        is_open=True,
        bound_reason="1 / |K|, where the kernel ceases to be finite",
        max_searched_lambda=0.999,
        default_lambda=0.8,
        lambda_grid=(0.5, 0.8, 0.95),
    ),
}
