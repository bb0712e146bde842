"""Cholesky factor of w_m P'P + lambda I, shared by all rows, and its conditioning.

With A0 = w_m P'P + lambda I = L L' and T = P L^-T, rounding errors grow in two ways:

- P'P is rounded, and A0^-1 amplifies this by the *variance inflation* A0_kk (A0^-1)_kk, which is large where
  a dimension is nearly a linear combination of others.
- A row solves I + c T_V T_V', whose identity is lost where T_V is large. The bound is the largest eigenvalue
  of c T'T, at most c / w_m.

With usual weights they are about 1 and 100. Where they are large (hardly any missing weight and hardly any
regularization), float32 would lose all digits, and a half-sweep runs in float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.csr import CSRArrays
from tacit.compute.threads import one_blas_thread
from tacit.compute.tiles import jit
from tacit.errors import InputError
from tacit.types import Array

_FLOAT32_LIMIT = 2048.0  # the n x n form loses max_eigenvalue^1.5 times the rounding at worst
_FLOAT64_LIMIT = 1e12
_SHORT_FORM_LIMIT = 1e8
_SHORT_FORM_SHARE = 0.75  # the n x n form is faster for rows with up to this share of K columns


@dataclass(frozen=True)
class SharedFactor:
    """L with L L' = w_m P'P + lambda I, its inverse, its conditioning, and the rank of P'P."""

    L: Array
    inverse: Array
    variance_inflation: float
    max_eigenvalue: float
    rank: int

    @property
    def is_float32_safe(self) -> bool:
        """Whether a half-sweep in float32 is precise enough."""
        return self.variance_inflation <= _FLOAT32_LIMIT and self.max_eigenvalue <= _FLOAT32_LIMIT

    @property
    def max_short_length(self) -> int:
        """Number of columns up to which a row takes the n x n form, which is singular above the rank."""
        if self.max_eigenvalue > _FLOAT32_LIMIT:
            return self.rank
        return min(int(_SHORT_FORM_SHARE * len(self.L)), self.rank)

    def find_ill_conditioned_rows(self, X: CSRArrays, T: Array) -> NDArray[np.bool_]:
        """Mark rows for which a Cholesky factorization is not precise enough, by the trace of T_V T_V'."""
        lengths = np.diff(X.indptr)
        if self.max_eigenvalue <= _SHORT_FORM_LIMIT:
            return np.zeros(len(lengths), bool)
        norms = np.einsum("ik,ik->i", T, T)
        row_of = np.repeat(np.arange(len(lengths)), lengths)
        trace = np.bincount(row_of, norms[X.indices], minlength=len(lengths))
        limits = np.where(lengths <= self.max_short_length, _SHORT_FORM_LIMIT, _FLOAT64_LIMIT)
        return np.asarray(trace > limits)


def factor_shared_matrix(gram: Array, missing_weight: float, regularization: float) -> SharedFactor:
    """Factor w_m P'P + lambda I, where ``gram`` is P'P.

    >>> factor = factor_shared_matrix(np.diag([4.0, 0.0]), missing_weight=0.5, regularization=2.0)
    >>> float(factor.L[0, 0]), factor.rank, factor.is_float32_safe
    (2.0, 1, True)
    """
    is_used = gram.diagonal() != 0
    A = missing_weight * gram
    # An unused dimension, or padding: any positive number works, and 1 does not affect the conditioning.
    np.fill_diagonal(A, np.where(is_used, A.diagonal() + regularization, 1.0))
    L = cholesky_lower(A)
    with np.errstate(all="ignore"):
        inverse = invert_lower(L)
        variance_inflation = float(np.max(A.diagonal() * np.sum(inverse**2, axis=0)))
        max_eigenvalue = float(np.float64(1 - missing_weight) / missing_weight)
        if max_eigenvalue > _FLOAT32_LIMIT:  # otherwise the bound is enough, and no trace is computed
            max_eigenvalue = min(max_eigenvalue, float(np.sum(matmul_float64(inverse, gram) * inverse)))
    return SharedFactor(L, inverse, variance_inflation, max_eigenvalue, int(is_used.sum()))


def check_solvable(factor: SharedFactor, missing_weight: float, regularization: float) -> None:
    """Raise `InputError` for a system that is singular even in float64."""
    if not (factor.variance_inflation <= _FLOAT64_LIMIT and np.isfinite(factor.max_eigenvalue)):
        raise InputError(
            f"singular system at regularization={regularization:g}, missing_weight={missing_weight:g}: "
            "raise regularization above 0, or lower n_components below the number of texts and of words"
        )


def solve_rows_by_svd(X: CSRArrays, T: Array, c: Any, rows: Array, Y: Array) -> float:
    """Solve ill-conditioned rows by the SVD of T_V: slow, but nothing is squared.

    Y[r] = T_V'(I + c T_V T_V')^-1 x = V diag(s / (1 + c s^2)) U'x, for T_V = U diag(s) V'; singular values
    of the size of rounding errors count as zero. Returns the loss that the rows explain.
    """
    explained_loss = 0.0
    with one_blas_thread():
        for r in rows.tolist():
            row = slice(X.indptr[r], X.indptr[r + 1])
            U, s, Vt = np.linalg.svd(T[X.indices[row]], full_matrices=False)
            s[s <= max(U.shape[0], Vt.shape[1]) * np.finfo(np.float64).eps * s[0]] = 0
            projected = X.data[row] @ U
            coefficients = s / (1 + c * s**2) * projected
            Y[r] = coefficients @ Vt
            explained_loss += float((coefficients * s) @ projected)
    return explained_loss


# Small dense matrices in float64, without BLAS, so that their bits are the same on every machine.


@jit
def cholesky_lower(A):  # type: ignore[no-untyped-def]
    """Compute L with L L' = A; a pivot that is not positive gives NaN.

    >>> cholesky_lower(np.array([[4.0, 0.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    n = len(A)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            value = A[i, j]
            for k in range(j):
                value -= L[i, k] * L[j, k]
            L[i, j] = np.sqrt(value) if i == j else value / L[j, j]
    return L


@jit
def invert_lower(L):  # type: ignore[no-untyped-def]
    """Invert a lower triangular matrix.

    >>> invert_lower(np.array([[2.0, 0.0], [1.0, 2.0]]))
    array([[ 0.5 ,  0.  ],
           [-0.25,  0.5 ]])
    """
    n = len(L)
    inverse = np.zeros((n, n))
    for j in range(n):
        inverse[j, j] = 1 / L[j, j]
        for i in range(j + 1, n):
            value = 0.0
            for k in range(j, i):
                value -= L[i, k] * inverse[k, j]
            inverse[i, j] = value / L[i, i]
    return inverse


@jit
def matmul_float64(A, B):  # type: ignore[no-untyped-def]
    """Compute A @ B in float64.

    >>> matmul_float64(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])
    """
    product = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            for j in range(B.shape[1]):
                product[i, j] += A[i, k] * B[k, j]
    return product
