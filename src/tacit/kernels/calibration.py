"""Probabilities from the distances of a support vector machine.

Distances say which class, not how surely. One number makes probabilities of them, softmax(a d), and is
chosen for the smallest logarithmic loss on texts that were held out of training (temperature scaling, Guo et
al. 2017). One number for all classes is what a few labels can tell, and it never changes which class comes
first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_RANGE = (-7.0, 7.0)
"""Of the logarithm of a: from no opinion at all to certainty."""


def probabilities(distances: Array, sharpness: float) -> Array:
    """The probability of each class: two columns for one column of distances, as for two classes.

    >>> probabilities(np.array([0.0, 1.0]), 2.0).round(2)
    array([[0.5 , 0.5 ],
           [0.12, 0.88]])
    """
    return np.asarray(np.exp(_log_softmax(sharpness * _by_class(distances))))


def find_sharpness(distances: Array, places: NDArray[np.int64]) -> float:
    """The a of the smallest logarithmic loss, where ``places`` are the right classes.

    As Platt (1999) does, the right class counts a little less than 1, or a few texts without an error would
    give certainty.

    >>> rng = np.random.default_rng(0)
    >>> right = rng.integers(2, size=5000)
    >>> d = np.where(rng.random(5000) < 0.8, 1.0, -1.0) * (2 * right - 1)  # four times of five the right side
    >>> round(find_sharpness(d, right), 1), round(float(np.log(0.8 / 0.2)), 1)
    (1.4, 1.4)
    """
    from scipy.optimize import minimize_scalar

    columns = _by_class(distances)
    n, k = columns.shape
    doubt = 1 / (n + 2)
    target = np.full((n, k), doubt / (k - 1))
    target[np.arange(n), places] = 1 - doubt

    def loss(log_sharpness: float) -> float:
        return -float(np.vdot(target, _log_softmax(np.exp(log_sharpness) * columns)))

    return float(np.exp(minimize_scalar(loss, bounds=_RANGE, method="bounded").x))


def _by_class(distances: Array) -> Array:
    return distances if distances.ndim == 2 else np.column_stack([-distances / 2, distances / 2])


def _log_softmax(columns: Array) -> Array:
    shifted = columns - columns.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))
