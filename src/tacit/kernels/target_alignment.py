"""How well a kernel agrees with labels.

The alignment of K with labels y is the cosine between K and yy' (Cristianini et al. 2001). Uncentred, it
mostly sees the class prior: a kernel that calls all texts alike scores (mean y)^2. ``centred`` takes the mean
off first (Cortes et al. 2012); ``balanced`` weighs both classes alike. Either gives such a kernel 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import choice
from tacit.errors import InputError

Array = NDArray[np.float64]
MODES = ("uncentred", "centred", "balanced")


class AlignmentWarning(UserWarning):
    """The lambda found by alignment is not to be trusted; the message says why and what to do."""


def target_alignment(K: Any, y: Any, mode: str = "uncentred") -> float:
    """The alignment of a kernel matrix with labels; the mean of one-vs-rest for more than two classes.

    Parameters
    ----------
    K : texts x texts.
    y : a label for each text, of any kind.
    mode : "uncentred" (the paper's), "centred" or "balanced".

    >>> y = [1, 1, 1, 1, 1, 1, 1, 1, 1, -1]
    >>> target_alignment(np.ones((10, 10)), y)
    0.64
    >>> target_alignment(np.ones((10, 10)), y, mode="balanced")
    0.0
    """
    signs, K = one_vs_rest(y), np.asarray(K, dtype=np.float64)
    if K.shape != (len(signs), len(signs)):
        raise InputError(f"a kernel of shape {K.shape} for {len(signs)} labels: give one row and column each")
    if not np.isfinite(K).all():
        raise InputError("the kernel holds a value that is not finite: give finite numbers")
    return float(np.mean([_cosine(K, column, mode) for column in signs.T]))


def one_vs_rest(y: Any) -> Array:
    """Labels as columns of 1 and -1: one column for two classes, else one a class.

    >>> one_vs_rest(["a", "b", "a"])
    array([[-1.], [ 1.], [-1.]])
    >>> one_vs_rest([3, 3])
    Traceback (most recent call last):
    tacit.errors.InputError: all 2 labels are 3: give texts of at least two classes
    """
    labels = np.asarray(y)
    if labels.ndim != 1 or not len(labels):
        raise InputError(f"labels of shape {labels.shape}: give a label for each text")
    classes = np.unique(labels)
    if len(classes) == 1:
        shown = repr(classes[0].item())
        raise InputError(f"all {len(labels)} labels are {shown}: give texts of at least two classes")
    kept = classes[1:] if len(classes) == 2 else classes
    return np.where(labels[:, None] == kept, 1.0, -1.0)


def prior(y: Any) -> float:
    """The uncentred alignment of a kernel that calls all texts alike, (mean y)^2.

    >>> prior([1, 1, 1, -1])
    0.25
    """
    return float(np.mean(one_vs_rest(y).mean(axis=0) ** 2))


def viewed(rows: Array, signs: Array, mode: str) -> tuple[Array, Array]:
    """Rows and a column of signs as a mode sees them: as they are, less their mean, or weighed by class.

    >>> viewed(np.ones((4, 1)), np.array([1.0, -1.0, -1.0, -1.0]), "centred")[1]
    array([ 1.5, -0.5, -0.5, -0.5])
    """
    if mode == "uncentred":
        return rows, signs
    if mode == "centred":
        return rows - rows.mean(axis=0), signs - signs.mean()
    choice("mode", mode, MODES)
    weights = np.sqrt(np.where(signs > 0, 0.5 / (signs > 0).sum(), 0.5 / (signs < 0).sum()))
    return rows * weights[:, None], signs * weights


def both_sides(K: Array, signs: Array, mode: str) -> Array:
    """A kernel matrix as a mode sees it, rows and columns."""
    return viewed(viewed(K, signs, mode)[0].T, signs, mode)[0].T


def _cosine(K: Array, signs: Array, mode: str) -> float:
    target, seen = viewed(K, signs, mode)[1], both_sides(K, signs, mode)
    length = np.linalg.norm(seen) * (target @ target)
    value = float(target @ seen @ target / length) if length > 0 else 0.0
    return value if abs(value) > 1e-12 else 0.0
