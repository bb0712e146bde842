"""The part of the systems that all rows share, and how many digits it leaves them.

With A0 = w_m P'P + lambda I = L L' and T = P L^-T, rounding grows in two ways. P'P is rounded, and A0^-1
blows that up by the *inflation* A0_kk (A0^-1)_kk, which tells how nearly a dimension is a sum of others.
And a row solves I + c T_V T_V', whose identity is lost where T_V is large: the largest eigenvalue of c T'T,
at most c / w_m, is the *spread*. With usual weights they are about 1 and 100. Where they are large (hardly
any missing weight and hardly any regularization) float32 would have no digit left, and a half-sweep runs in
float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.blas import one_blas_thread
from tacit.compute.small import lower_factor, lower_inverse, matmul
from tacit.errors import InputError

Array = NDArray[Any]

_FLOAT32_BEARS = 2048.0  # inflation or spread; the n x n form loses spread^1.5 times the rounding at worst
_FLOAT64_BEARS = 1e12
_SHORT_BEARS = 1e8
_SHORT = 0.75  # rows of at most this times K words take the n x n form: quicker up to there


@dataclass(frozen=True)
class SharedFactor:
    """L with L L' = w_m P'P + lambda I, its inverse, and what is known of rounding."""

    L: Array
    inverse: Array
    inflation: float
    spread: float
    rank: int

    @property
    def suits_float32(self) -> bool:
        """Whether float32 keeps digits enough."""
        return self.inflation <= _FLOAT32_BEARS and self.spread <= _FLOAT32_BEARS

    @property
    def most_short(self) -> int:
        """Up to how many words a row takes the n x n form: never more than the rank, or it is singular."""
        return min(int(_SHORT * len(self.L)), self.rank) if self.spread <= _FLOAT32_BEARS else self.rank

    def hard(self, X: Any, T: Array) -> NDArray[np.bool_]:
        """Which rows no Cholesky factor serves, by the trace of their T_V T_V'."""
        lengths = np.diff(X.indptr)
        if self.spread <= _SHORT_BEARS:
            return np.zeros(len(lengths), bool)
        norms = np.einsum("ik,ik->i", T, T)
        number = np.repeat(np.arange(len(lengths)), lengths)
        trace = np.bincount(number, norms[X.indices], minlength=len(lengths))
        return np.asarray(trace > np.where(lengths <= self.most_short, _SHORT_BEARS, _FLOAT64_BEARS))


def shared_factor(gram: Array, missing_weight: float, regularization: float) -> SharedFactor:
    """Factor w_m P'P + lambda I, where ``gram`` is P'P.

    >>> factor = shared_factor(np.diag([4.0, 0.0]), missing_weight=0.5, regularization=2.0)
    >>> float(factor.L[0, 0]), factor.rank, factor.suits_float32
    (2.0, 1, True)
    """
    used = gram.diagonal() != 0
    A = missing_weight * gram
    # A dimension nobody uses, or padding: any number serves, and one that has no part in the judgement.
    np.fill_diagonal(A, np.where(used, A.diagonal() + regularization, 1.0))
    L = lower_factor(A)
    with np.errstate(all="ignore"):
        inverse = lower_inverse(L)
        inflation = float(np.max(A.diagonal() * np.sum(inverse**2, axis=0)))
        spread = float(np.float64(1 - missing_weight) / missing_weight)
        if spread > _FLOAT32_BEARS:  # else the bound says enough, and the trace need not be computed
            spread = min(spread, float(np.sum(matmul(inverse, gram) * inverse)))
    return SharedFactor(L, inverse, inflation, spread, int(used.sum()))


def check_solvable(factor: SharedFactor, missing_weight: float, regularization: float) -> None:
    """Refuse a system that is singular even in float64."""
    if not (factor.inflation <= _FLOAT64_BEARS and np.isfinite(factor.spread)):
        raise InputError(
            f"singular system at regularization={regularization:g}, missing_weight={missing_weight:g}: "
            "raise regularization above 0, or lower n_components below the number of texts and of words"
        )


def solve_hard(X: Any, T: Array, c: float, rows: Array, Y: Array) -> float:
    """Y[r] = y for each of ``rows``, by the singular values of T_V: slow, but nothing is squared.

    y = T_V'(I + c T_V T_V')^-1 x = V diag(s / (1 + c s^2)) U'x, for T_V = U diag(s) V'; a singular value that
    is rounding counts as zero. Returns the loss that the rows explain.
    """
    explained = 0.0
    with one_blas_thread():
        for r in rows.tolist():
            row = slice(X.indptr[r], X.indptr[r + 1])
            U, s, Vt = np.linalg.svd(T[X.indices[row]], full_matrices=False)
            s[s <= max(U.shape[0], Vt.shape[1]) * np.finfo(np.float64).eps * s[0]] = 0
            seen = X.data[row] @ U
            along = s / (1 + c * s**2) * seen
            Y[r] = along @ Vt
            explained += float((along * s) @ seen)
    return explained
