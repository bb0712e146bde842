"""The two ways in which similarity spreads, as functions of an eigenvalue.

A kernel of the family is k(a, b) = a'Sb with S = I + V diag(g) V', where V holds the directions in which
terms go together and g = gain(w) grows with their strength w: lambda = 0 gives g = 0, the inner product.
``power`` flattens the spectrum first (w^p): 1 is the paper's kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError

Array = NDArray[np.float64]

_LARGEST_EXPONENT = 300.0
"""exp(300) squared is still a number."""


@dataclass(frozen=True)
class Family:
    """Gain and its slope in lambda, for x = w^p; ``legal`` and ``searched`` bound lambda times max x."""

    name: str
    gain: Callable[[Array, float], Array]
    slope: Callable[[Array, float], Array]
    legal: float
    searched: float
    open_end: bool

    def bound(self, largest: float) -> float:
        """The end of the legal range of lambda, where the largest x is ``largest``."""
        return self.legal / largest

    def search_bound(self, largest: float) -> float:
        """Where the line search for lambda ends."""
        return self.searched / largest

    def check(self, strength: float, largest: float) -> float:
        """Refuse a lambda outside the legal range, and say the bound."""
        bound = self.bound(largest)
        if not (0 <= strength < bound if self.open_end else 0 <= strength <= bound):
            end = "below" if self.open_end else "to"
            why = "1 / |K|, where the kernel ceases to be finite" if self.open_end else "where exp overflows"
            raise InputError(
                f"lambda_={strength:g} is outside the legal range of the {self.name} kernel here: "
                f"give 0 {end} {bound:.6g}, {why}; or relative=True with 0 {end} {self.legal:g}"
            )
        return float(strength)


def _vn_gain(x: Array, strength: float) -> Array:
    return np.asarray(strength * x / (1 - strength * x))


def _vn_slope(x: Array, strength: float) -> Array:
    return np.asarray(x / (1 - strength * x) ** 2)


def _exp_gain(x: Array, strength: float) -> Array:
    return np.asarray(np.expm1(strength * x))


def _exp_slope(x: Array, strength: float) -> Array:
    return np.asarray(x * np.exp(strength * x))


EXPONENTIAL = Family("exponential", _exp_gain, _exp_slope, _LARGEST_EXPONENT, 10.0, open_end=False)
VON_NEUMANN = Family("von Neumann", _vn_gain, _vn_slope, 1.0, 0.999, open_end=True)
