"""The lambda of the highest alignment: a coarse look along its curve, then the root of the derivative.

Alignment is a function of lambda in closed form (propositions 6 and 7 of the paper, made general).

On the labelled texts the kernel is K(lambda) = C + Z diag(g) Z': C is lexical, Z holds their coordinates, and
only the gains g move with lambda. So numerator and denominator of the alignment are polynomials in g,

    y'Ky = y'Cy + sum_k g_k <z_k, y>^2         |K|^2 = |C|^2 + 2 sum_k g_k z_k'C z_k + g' (Z'Z o Z'Z) g

whose coefficients are computed once: a further lambda costs r^2 operations, and its derivative as many. Where
all texts are labelled and every direction counts, these are the paper's sums over eigenvalues, and a lambda
costs r. Centred and balanced alignment only change the rows.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.compute.blas import one_blas_thread
from tacit.kernels.families import Family
from tacit.kernels.target_alignment import AlignmentWarning, both_sides, viewed

Array = NDArray[np.float64]

_NEAR_PRIOR = 0.01


class Curve(Protocol):
    """Alignment and its slope at a lambda."""

    def at(self, strength: float) -> tuple[float, float]:
        """The alignment at lambda, and its derivative."""


@dataclass(frozen=True)
class _Coefficients:
    """Of one class against the rest."""

    constant: float
    linear: Array
    length: float
    cross: Array
    square: Array
    target: float

    def at(self, gain: Array, slope: Array) -> tuple[float, float]:
        turned = self.square @ gain
        top = self.constant + self.linear @ gain
        bottom = np.sqrt(self.length + 2 * self.cross @ gain + gain @ turned)
        top_slope = self.linear @ slope
        bottom_slope = (self.cross @ slope + turned @ slope) / bottom
        value = top / (bottom * self.target)
        return float(value), float((top_slope - top * bottom_slope / bottom) / (bottom * self.target))


class ClosedCurve:
    """The alignment of the kernel as it is."""

    def __init__(self, C: Array, Z: Array, x: Array, family: Family, signs: Array, mode: str) -> None:
        """Compute the coefficients; ``x`` are the eigenvalues to the power."""
        self.x, self.family = x, family
        with one_blas_thread():
            shared = mode != "balanced"  # else each class has weights of its own
            forms = _forms(C, Z, signs[:, 0], mode)
            self.classes = []
            for column in signs.T:
                if not shared:
                    forms = _forms(C, Z, column, mode)
                self.classes.append(_coefficients(*forms, viewed(Z, column, mode)[1]))

    def at(self, strength: float) -> tuple[float, float]:
        """The alignment at lambda, and its derivative."""
        gain, slope = self.family.gain(self.x, strength), self.family.slope(self.x, strength)
        found = np.array([one.at(gain, slope) for one in self.classes])
        value, derivative = found.mean(axis=0)
        return float(value), float(derivative)


def _forms(C: Array, Z: Array, column: Array, mode: str) -> tuple[Array, Array, float, Array, Array]:
    """What the numerator and the denominator are made of."""
    seen, rows = both_sides(C, column, mode), viewed(Z, column, mode)[0]
    across = rows.T @ rows
    np.multiply(across, across, out=across)
    return seen, rows, float(np.vdot(seen, seen)), np.einsum("ik,ik->k", rows, seen @ rows), across


def _coefficients(
    C: Array, Z: Array, length: float, cross: Array, square: Array, target: Array
) -> _Coefficients:
    constant = float(target @ C @ target)
    return _Coefficients(constant, (target @ Z) ** 2, length, cross, square, float(target @ target))


class EigenCurve:
    """Propositions 6 and 7 themselves: every text is labelled, so that the eigenvectors of K diagonalise all.

    A(lambda) = sum_i f_i <u_i, y>^2 / (m sqrt(sum_i f_i^2)), where f_i = w_i (1 + g_i).
    """

    def __init__(self, values: Array, U: Array, x: Array, family: Family, signs: Array) -> None:
        """Take the eigenvectors' products with the labels, which is all that is needed of them."""
        self.values, self.x, self.family = values, x, family
        self.agreement = ((signs.T @ U) ** 2).mean(axis=0)
        self.n_texts = len(signs)

    def at(self, strength: float) -> tuple[float, float]:
        """The alignment at lambda, and its derivative."""
        f = self.values * (1 + self.family.gain(self.x, strength))
        rise = self.values * self.family.slope(self.x, strength)
        top, square = self.agreement @ f, f @ f
        size = self.n_texts * np.sqrt(square)
        return float(top / size), float((self.agreement @ rise - top * (f @ rise) / square) / size)


class CosineCurve:
    """The alignment of the kernel divided to a diagonal of ones, which lambda moves too: no closed form, one
    product of matrices a lambda.
    """

    def __init__(self, C: Array, Z: Array, x: Array, family: Family, signs: Array, mode: str) -> None:
        """Keep the parts."""
        self.C, self.Z, self.x, self.family, self.signs, self.mode = C, Z, x, family, signs, mode

    def at(self, strength: float) -> tuple[float, float]:
        """The alignment at lambda, and its derivative."""
        with one_blas_thread():
            K = self.C + (self.Z * self.family.gain(self.x, strength)) @ self.Z.T
            rise = (self.Z * self.family.slope(self.x, strength)) @ self.Z.T
        diagonal = np.diag(K)
        scale = np.divide(1, np.sqrt(diagonal), out=np.zeros_like(diagonal), where=diagonal > 0)
        drift = np.diag(rise) * scale**2 / 2
        K *= scale[:, None] * scale
        rise = rise * (scale[:, None] * scale) - K * (drift[:, None] + drift)
        found = np.array([_aligned(K, rise, column, self.mode) for column in self.signs.T])
        value, derivative = found.mean(axis=0)
        return float(value), float(derivative)


def _aligned(K: Array, rise: Array, column: Array, mode: str) -> tuple[float, float]:
    """The alignment of K with labels, and its change as K changes by ``rise``."""
    target = viewed(K, column, mode)[1]
    seen, moved = both_sides(K, column, mode), both_sides(rise, column, mode)
    length = float(np.linalg.norm(seen))
    top, top_slope = target @ seen @ target, target @ moved @ target
    size = length * (target @ target)
    return float(top / size), float((top_slope - top * np.vdot(seen, moved) / length**2) / size)


@dataclass(frozen=True)
class LineSearch:
    """What was found: lambda, its alignment, the prior's, and whether lambda lies at an end of the range."""

    lambda_: float
    alignment: float
    prior: float
    at_bound: bool
    bound: float

    def warn(self, mode: str) -> None:
        """Say where the result is not to be trusted."""
        if self.at_bound:
            end = (
                "0, the plain inner product"
                if self.lambda_ == 0
                else f"{self.bound:.4g}, the end of the range"
            )
            warnings.warn(
                f"alignment is highest at lambda = {end}: it has no peak inside; "
                "choose lambda_ by cross-validation, or another alignment_mode",
                AlignmentWarning,
                stacklevel=4,
            )
        if mode == "uncentred" and self.alignment <= self.prior + _NEAR_PRIOR:
            warnings.warn(
                f"the alignment of {self.alignment:.3f} tells no more than the class prior: a kernel that "
                f"calls all texts alike has {self.prior:.3f}; use alignment_mode='balanced' or 'centred'",
                AlignmentWarning,
                stacklevel=4,
            )


def search(curve: Curve, bound: float, prior: float, points: int = 33) -> LineSearch:
    """The best lambda from 0 to ``bound``; between the neighbours of the best of ``points``, where the
    derivative is zero.
    """
    from scipy.optimize import brentq

    grid = np.linspace(0, bound, points)
    seen = [curve.at(float(strength)) for strength in grid]
    best = int(np.argmax([value for value, _ in seen]))
    slope = seen[best][1]
    if (best == 0 and slope <= 0) or (best == points - 1 and slope >= 0):
        return LineSearch(float(grid[best]), seen[best][0], prior, True, bound)
    low, high = (best, best + 1) if slope > 0 else (best - 1, best)
    if seen[low][1] * seen[high][1] > 0:  # a peak between the points that a coarse look cannot tell
        return LineSearch(float(grid[best]), seen[best][0], prior, False, bound)
    found = float(brentq(lambda strength: curve.at(strength)[1], grid[low], grid[high], xtol=bound * 1e-4))
    return LineSearch(found, curve.at(found)[0], prior, False, bound)
