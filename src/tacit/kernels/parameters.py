"""The parameters of a kernel, checked before any work starts."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from tacit.errors import InputError
from tacit.kernels.alignment import MODES


def check_parameters(kernel: Any) -> None:
    """Raise an error that names the first value out of its range; lambda's bound is known after the fit."""
    strength = kernel.lambda_
    if isinstance(strength, str):
        if strength != "alignment":
            raise InputError(f"lambda_={strength!r}: give a number from 0, or 'alignment'")
    elif not _number(strength) or strength < 0:
        raise InputError(f"lambda_={strength!r}: give a number from 0, or 'alignment'")
    if not _number(kernel.power) or not 0 < kernel.power <= 1:
        raise InputError(f"power={kernel.power!r}: give a number above 0 up to 1; 1 is the paper's kernel")
    if kernel.alignment_mode not in MODES:
        raise InputError(f"alignment_mode={kernel.alignment_mode!r}: use one of {', '.join(MODES)}")
    n = kernel.n_components
    if n is not None and (isinstance(n, bool) or not isinstance(n, Integral) or n < 1):
        raise InputError(f"n_components={n!r}: give a whole number from 1, or None for every direction")


def _number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(float(value))
