"""The lambda of the highest alignment: a coarse look, then the root of the derivative."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from tacit.kernels.alignment import AlignmentWarning
from tacit.kernels.curve import Curve

_NEAR_PRIOR = 0.01


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
