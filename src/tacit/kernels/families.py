"""The ways in which similarity spreads, as functions of an eigenvalue: a family of kernels is an entry here.

A kernel of a family is k(a, b) = a'Sb with S = I + V diag(g) V', where V holds the directions in which
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


@dataclass(frozen=True)
class Family:
    """Gain and its slope in lambda, for x = w^p. The other numbers are lambdas in units of 1 / max x.

    ``legal`` ends the range, where ``ends`` says why, and belongs to it unless ``open_end``; the line search
    goes up to ``searched``; ``usual`` is the lambda where nothing else tells, ``tried`` are those of a
    cross-validation.
    """

    title: str
    gain: Callable[[Array, float], Array]
    slope: Callable[[Array, float], Array]
    legal: float
    open_end: bool
    ends: str
    searched: float
    usual: float
    tried: tuple[float, ...]

    def check(self, strength: float, largest: float) -> float:
        """Refuse a lambda outside the legal range where the largest x is ``largest``, and say the bound."""
        bound = self.legal / largest
        if not (0 <= strength < bound if self.open_end else 0 <= strength <= bound):
            end = "below" if self.open_end else "to"
            raise InputError(
                f"lambda_={strength:g} is outside the legal range of the {self.title} kernel here: "
                f"give 0 {end} {bound:.6g}, {self.ends}; or relative=True with 0 {end} {self.legal:g}; "
                "or 'auto'",
                parameter="lambda_",
            )
        return float(strength)


FAMILIES = {
    "exponential": Family(
        title="exponential",
        gain=lambda x, strength: np.asarray(np.expm1(strength * x)),
        slope=lambda x, strength: np.asarray(x * np.exp(strength * x)),
        legal=300.0,  # exp(300) squared is still a number
        open_end=False,
        ends="where exp overflows",
        searched=10.0,
        usual=6.0,
        tried=(2.0, 4.0, 6.0, 8.0),
    ),
    "vonneumann": Family(
        title="von Neumann",
        gain=lambda x, strength: np.asarray(strength * x / (1 - strength * x)),
        slope=lambda x, strength: np.asarray(x / (1 - strength * x) ** 2),
        legal=1.0,
        open_end=True,
        ends="1 / |K|, where the kernel ceases to be finite",
        searched=0.999,
        usual=0.8,
        tried=(0.5, 0.8, 0.95),
    ),
}
