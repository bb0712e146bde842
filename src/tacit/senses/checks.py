"""Parameters of this room, checked before any work starts."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from tacit.errors import InputError


def whole(name: str, value: Any, least: int, most: int) -> None:
    """Raise an error unless a value is a whole number in its range.

    >>> whole("n_components", 0, 1, 10_000)
    Traceback (most recent call last):
    tacit.errors.InputError: n_components=0: give a whole number from 1 to 10,000
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise InputError(f"{name}={value!r}: give a whole number from {least:,} to {most:,}")


def number(name: str, value: Any, least: float, most: float) -> None:
    """Raise an error unless a value is a finite number in its range.

    >>> number("threshold", 2, 0, 1)
    Traceback (most recent call last):
    tacit.errors.InputError: threshold=2: give a number from 0 to 1
    """
    fits = not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(float(value))
    if not fits or not least <= float(value) <= most:
        raise InputError(f"{name}={value!r}: give a number from {least:g} to {most:g}")
