"""Kernel-target alignment, its derivative with respect to lambda, and the search for the best lambda.

The alignment of K with labels y is the cosine between K and yy' (Cristianini et al. 2001). Uncentred, it
depends mostly on the class prior: a constant kernel scores (mean y)^2. ``centred`` subtracts the mean first
(Cortes et al. 2012); ``balanced`` gives both classes the same weight. Both give a constant kernel 0.

The kernel of the labelled texts is K(lambda) = C + Z diag(g) Z', where C is lexical, Z holds the coordinates
of the texts, and only the gains g depend on lambda.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice
from tacit.compute.threads import one_blas_thread
from tacit.errors import InputError
from tacit.kernels.spectrum import KernelFamily

Array = NDArray[np.float64]
ALIGNMENT_MODES = ("uncentred", "centred", "balanced")

MAX_ALIGNMENT_TEXTS = 2000
"""The largest number of labelled texts that alignment is computed on."""

_NEAR_PRIOR = 0.01


class AlignmentWarning(UserWarning):
    """The lambda chosen by alignment may be wrong; the message says why and what to do."""


def target_alignment(K: Any, y: Any, mode: str = "uncentred") -> float:
    """Compute the alignment of a kernel matrix with labels; the mean of one-vs-rest for several classes.

    Parameters
    ----------
    K : array-like of shape (n_texts, n_texts)
        The kernel matrix.
    y : array-like of shape (n_texts,)
        A label for each text.
    mode : str
        "uncentred" (the paper's), "centred" or "balanced".

    Returns
    -------
    float
        The alignment, from -1 to 1.

    Raises
    ------
    InputError
        If the shapes differ, a value is not finite, or there is only one class.

    Examples
    --------
    >>> y = [1, 1, 1, 1, 1, 1, 1, 1, 1, -1]
    >>> target_alignment(np.ones((10, 10)), y)
    0.64
    >>> target_alignment(np.ones((10, 10)), y, mode="balanced")
    0.0
    """
    signs, K = one_vs_rest_signs(y), np.asarray(K, dtype=np.float64)
    if K.shape != (len(signs), len(signs)):
        raise InputError(f"kernel of shape {K.shape} for {len(signs)} labels: give a row and column for each")
    if not np.isfinite(K).all():
        raise InputError("the kernel holds a value that is not finite: give finite numbers")
    return float(np.mean([_cosine(K, column, mode) for column in signs.T]))


def one_vs_rest_signs(y: Any) -> Array:
    """Convert labels to columns of 1 and -1: one column for two classes, else one per class.

    >>> one_vs_rest_signs(["a", "b", "a"])
    array([[-1.], [ 1.], [-1.]])
    >>> one_vs_rest_signs([3, 3])
    Traceback (most recent call last):
    tacit.errors.InputError: all 2 labels are 3: give texts of at least two classes
    """
    labels = np.asarray(y)
    if labels.ndim != 1 or not len(labels):
        raise InputError(f"labels of shape {labels.shape}: give a label for each text")
    classes = np.unique(labels)
    if len(classes) == 1:
        label = repr(classes[0].item())
        raise InputError(f"all {len(labels)} labels are {label}: give texts of at least two classes")
    positive = classes[1:] if len(classes) == 2 else classes
    return np.where(labels[:, None] == positive, 1.0, -1.0)


def prior_alignment(y: Any) -> float:
    """Compute the uncentered alignment of a constant kernel, (mean y)^2.

    >>> prior_alignment([1, 1, 1, -1])
    0.25
    """
    return float(np.mean(one_vs_rest_signs(y).mean(axis=0) ** 2))


def sample_indices(n: int) -> NDArray[np.int64]:
    """Return all indices, or a fixed random sample of ``MAX_ALIGNMENT_TEXTS``."""
    if n <= MAX_ALIGNMENT_TEXTS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).permutation(n)[:MAX_ALIGNMENT_TEXTS])


def apply_mode(rows: Array, signs: Array, mode: str) -> tuple[Array, Array]:
    """Apply an alignment mode to rows and signs: unchanged, minus their mean, or weighted by class.

    >>> apply_mode(np.ones((4, 1)), np.array([1.0, -1.0, -1.0, -1.0]), "centred")[1]
    array([ 1.5, -0.5, -0.5, -0.5])
    """
    if mode == "uncentred":
        return rows, signs
    if mode == "centred":
        return rows - rows.mean(axis=0), signs - signs.mean()
    check_choice("mode", mode, ALIGNMENT_MODES)
    weights = np.sqrt(np.where(signs > 0, 0.5 / (signs > 0).sum(), 0.5 / (signs < 0).sum()))
    return rows * weights[:, None], signs * weights


def apply_mode_to_kernel(K: Array, signs: Array, mode: str) -> Array:
    """Apply an alignment mode to the rows and columns of a kernel matrix."""
    return apply_mode(apply_mode(K, signs, mode)[0].T, signs, mode)[0].T


def _cosine(K: Array, signs: Array, mode: str) -> float:
    """Return the alignment of K with one column of labels; values that are 0 but for rounding become 0."""
    target, K = apply_mode(K, signs, mode)[1], apply_mode_to_kernel(K, signs, mode)
    length = np.linalg.norm(K) * (target @ target)
    value = float(target @ K @ target / length) if length > 0 else 0.0
    return value if abs(value) > 1e-12 else 0.0


AlignmentCurve = Callable[[float], tuple[float, float]]
"""A function that returns the alignment at a lambda, and its derivative."""


def spectral_alignment(
    eigenvalues: Array, U: Array, x: Array, family: KernelFamily, signs: Array
) -> AlignmentCurve:
    """Return the uncentred alignment in closed form, if all texts are labelled (propositions 6 and 7).

    A(lambda) = sum_i f_i <u_i, y>^2 / (m sqrt(sum_i f_i^2)), where f_i = w_i (1 + g_i).
    """
    agreement = ((signs.T @ U) ** 2).mean(axis=0)

    def evaluate(lam: float) -> tuple[float, float]:
        f = eigenvalues * (1 + family.gain(x, lam))
        df = eigenvalues * family.gain_derivative(x, lam)
        top, square = agreement @ f, f @ f
        size = len(signs) * np.sqrt(square)
        return float(top / size), float((agreement @ df - top * (f @ df) / square) / size)

    return evaluate


def dense_alignment(
    C: Array, Z: Array, x: Array, family: KernelFamily, signs: Array, mode: str, cosine: bool
) -> AlignmentCurve:
    """Return the alignment of C + Z diag(g(x)) Z', divided to a diagonal of ones if ``cosine``.

    Each evaluation computes one matrix product for the kernel, and one for its derivative.
    """

    def evaluate(lam: float) -> tuple[float, float]:
        with one_blas_thread():
            K = C + (Z * family.gain(x, lam)) @ Z.T
            dK = (Z * family.gain_derivative(x, lam)) @ Z.T
        if cosine:
            diagonal = np.diag(K)
            scale = np.divide(1, np.sqrt(diagonal), out=np.zeros_like(diagonal), where=diagonal > 0)
            drift = np.diag(dK) * scale**2 / 2
            K *= scale[:, None] * scale
            dK = dK * (scale[:, None] * scale) - K * (drift[:, None] + drift)
        pairs = np.array([_alignment_and_slope(K, dK, column, mode) for column in signs.T])
        value, derivative = pairs.mean(axis=0)
        return float(value), float(derivative)

    return evaluate


def _alignment_and_slope(K: Array, dK: Array, column: Array, mode: str) -> tuple[float, float]:
    """Return the alignment of K with labels, and its derivative in the direction ``dK``."""
    target = apply_mode(K, column, mode)[1]
    K, dK = apply_mode_to_kernel(K, column, mode), apply_mode_to_kernel(dK, column, mode)
    length = float(np.linalg.norm(K))
    top, top_slope = target @ K @ target, target @ dK @ target
    size = length * (target @ target)
    return float(top / size), float((top_slope - top * np.vdot(K, dK) / length**2) / size)


@dataclass(frozen=True)
class LambdaSearchResult:
    """The best lambda, its alignment, that of the prior, and whether lambda is at an end of the range."""

    lambda_: float
    alignment: float
    prior: float
    at_bound: bool
    bound: float

    def warn_if_unreliable(self, mode: str) -> None:
        """Warn if lambda is at a bound, or if the alignment is hardly above that of the class prior."""
        problems = []
        if self.at_bound:
            is_lexical = self.lambda_ == 0
            end = "0, the plain inner product" if is_lexical else f"{self.bound:.4g}, the end of the range"
            problems.append(
                f"alignment is highest at lambda = {end}: it has no peak inside; "
                "choose lambda_ by cross-validation, or another alignment_mode"
            )
        if mode == "uncentred" and self.alignment <= self.prior + _NEAR_PRIOR:
            problems.append(
                f"the alignment of {self.alignment:.3f} is no better than the class prior: a constant kernel "
                f"has {self.prior:.3f}; use alignment_mode='balanced' or 'centred'"
            )
        for problem in problems:
            warnings.warn(problem, AlignmentWarning, stacklevel=4)


def search_lambda(
    curve: AlignmentCurve, bound: float, prior: float, n_points: int = 33
) -> LambdaSearchResult:
    """Search for the lambda from 0 to ``bound`` with the highest alignment.

    The best of ``n_points`` equally spaced points is refined to the root of the derivative beside it.
    """
    from scipy.optimize import brentq

    grid = np.linspace(0, bound, n_points)
    values = [curve(float(lam)) for lam in grid]
    best = int(np.argmax([value for value, _ in values]))
    slope = values[best][1]
    if (best == 0 and slope <= 0) or (best == n_points - 1 and slope >= 0):
        return LambdaSearchResult(float(grid[best]), values[best][0], prior, True, bound)
    low, high = (best, best + 1) if slope > 0 else (best - 1, best)
    if values[low][1] * values[high][1] > 0:  # the grid is too coarse to bracket the peak
        return LambdaSearchResult(float(grid[best]), values[best][0], prior, False, bound)
    root = float(brentq(lambda lam: curve(lam)[1], grid[low], grid[high], xtol=bound * 1e-4))
    return LambdaSearchResult(root, curve(root)[0], prior, False, bound)
