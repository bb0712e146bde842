"""Argument checks that raise InputError with the value, the allowed range and a suggestion."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from tacit.errors import InputError

AUTO = "auto"
"""The value of a setting that is chosen from the data."""

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def is_auto(value: Any) -> bool:
    """Check whether a setting is to be chosen from the data."""
    return isinstance(value, str) and value == AUTO


def check_int(name: str, value: Any, min_value: int = 1, max_value: int | None = None, note: str = "") -> int:
    """Return an integer parameter as a Python int if it is in range; ``note`` is appended to the error.

    >>> check_int("k", 3)
    3
    >>> check_int("k", 2.5)
    Traceback (most recent call last):
    tacit.errors.InputError: k=2.5: expected an integer of at least 1
    """
    try:
        number = None if isinstance(value, bool) else value.__index__()
    except AttributeError:
        number = None
    if number is None or number < min_value or (max_value is not None and number > max_value):
        bounds = f"of at least {min_value}" if max_value is None else f"from {min_value} to {max_value:,}"
        problem = f"{name}={value!r}: expected an integer {bounds}{note and ', ' + note}"
        raise InputError(problem, parameter=name)
    return int(number)


def check_float(
    name: str, value: Any, min_value: float = 0.0, max_value: float = math.inf, *,
    exclusive_min: bool = False, note: str = "",
) -> float:  # fmt: skip
    """Return a numeric parameter as a float if it is finite and in range; ``note`` is appended to the error.

    With ``exclusive_min`` the value ``min_value`` itself is not allowed.

    >>> check_float("missing_weight", 2.0, max_value=1)
    Traceback (most recent call last):
    tacit.errors.InputError: missing_weight=2.0: expected a number from 0 to 1
    """
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    is_in_range = min_value < number <= max_value if exclusive_min else min_value <= number <= max_value
    if not (is_in_range and math.isfinite(number)):
        low, high = f"{min_value:g}", f"{max_value:g}"
        if exclusive_min:
            bounds = f"above {low}" if max_value == math.inf else f"above {low}, at most {high}"
        else:
            bounds = f"of at least {low}" if max_value == math.inf else f"from {low} to {high}"
        problem = f"{name}={value!r}: expected a number {bounds}{note and '; ' + note}"
        raise InputError(problem, parameter=name)
    return number


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Return a parameter that is one of ``choices``.

    >>> check_choice("measure", "blent", ["latent", "blend"])
    Traceback (most recent call last):
    tacit.errors.InputError: measure='blent': use one of latent, blend; did you mean blend?
    """
    allowed = list(choices)
    if not isinstance(value, str) or value not in allowed:
        hint = suggest_names(value, allowed) if isinstance(value, str) else ""
        raise InputError(f"{name}={value!r}: use one of {', '.join(allowed)}{hint}", parameter=name)
    return value


def suggest_names(word: str, names: Iterable[str], max_names: int = 1) -> str:
    """Return the end of an error message that suggests the most similar names; empty if none is similar.

    >>> suggest_names("serach", ["search", "train"])
    '; did you mean search?'
    """
    similar = close_names(word, names, max_names)
    return f"; did you mean {', '.join(similar)}?" if similar else ""


def close_names(word: str, names: Iterable[str], max_names: int = 1) -> list[str]:
    """Return the names most similar to a misspelled word, best first."""
    return get_close_matches(word.lower(), list(names), n=max_names)


def format_count(number: int, noun: str) -> str:
    """Format a number of things.

    >>> format_count(1, "text"), format_count(2000, "text")
    ('1 text', '2,000 texts')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def check_not_single_text(texts: object) -> None:
    """Raise InputError for a single string: iterating over it would yield characters, not texts."""
    if isinstance(texts, str | bytes):
        raise InputError("expected a list of texts, got a single text: put it in a list, [text]")


def check_text_input(texts: Any) -> None:
    """Raise InputError for a single string, a DataFrame, or a Series with missing values."""
    check_not_single_text(texts)
    if hasattr(texts, "columns"):
        kind = type(texts).__name__
        raise InputError(f"expected texts, got a {kind}: give one column, df['text']")
    is_missing = getattr(texts, "isna", None) or getattr(texts, "is_null", None)  # pandas or polars Series
    missing = [] if is_missing is None else list(is_missing())
    if any(missing):
        row = texts.index[missing.index(True)] if hasattr(texts, "index") else missing.index(True)
        raise InputError(f"row {row!r} has no text: drop missing values first")


def parse_bytes(size: str, name: str = "memory") -> int:
    """Parse a number of bytes; ``name`` is the name of the parameter for the error.

    >>> parse_bytes("2GB"), parse_bytes("512 MB"), parse_bytes("1.5g")
    (2000000000, 512000000, 1500000000)
    >>> parse_bytes("much")
    Traceback (most recent call last):
    tacit.errors.InputError: memory=much: give a size, such as 2GB or 500MB
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", size.lower())
    n_bytes = int(float(match[1]) * _UNITS[match[2]]) if match else 0
    if not n_bytes:
        raise InputError(f"{name}={size}: give a size, such as 2GB or 500MB", parameter=name)
    return n_bytes
