"""Values checked at the door: an error names the value, what is allowed and, where it helps, a near name."""

from __future__ import annotations

import math
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from tacit.errors import InputError


def whole(name: str, value: Any, least: int = 1, most: int | None = None, what: str = "") -> int:
    """A whole number in a range, as Python's own.

    >>> whole("k", 3)
    3
    >>> whole("k", 2.5)
    Traceback (most recent call last):
    tacit.errors.InputError: k=2.5: give a whole number from 1
    """
    try:
        number = None if isinstance(value, bool) else value.__index__()
    except AttributeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        to = "" if most is None else f" to {most:,}"
        raise InputError(
            f"{name}={value!r}: give a whole number from {least}{to}{what and ', ' + what}", parameter=name
        )
    return int(number)


def number(
    name: str, value: Any, least: float = 0.0, most: float = math.inf, *, above: bool = False, what: str = ""
) -> float:
    """A finite number in a range; with ``above``, the least itself is out of it.

    >>> number("missing_weight", 2.0, most=1)
    Traceback (most recent call last):
    tacit.errors.InputError: missing_weight=2.0: give a number from 0 to 1
    """
    try:
        found = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found) or not least <= found <= most or (above and found == least):
        to = "" if most == math.inf else f" to {most:g}"
        begin = f"above {least:g}" if above else f"from {least:g}"
        raise InputError(f"{name}={value!r}: give a number {begin}{to}{what and '; ' + what}", parameter=name)
    return found


def choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """One of some names.

    >>> choice("measure", "blent", ["latent", "blend"])
    Traceback (most recent call last):
    tacit.errors.InputError: measure='blent': use one of latent, blend; did you mean blend?
    """
    allowed = list(choices)
    if not isinstance(value, str) or value not in allowed:
        hint = did_you_mean(value, allowed) if isinstance(value, str) else ""
        raise InputError(f"{name}={value!r}: use one of {', '.join(allowed)}{hint}", parameter=name)
    return value


def did_you_mean(word: str, names: Iterable[str], most: int = 1) -> str:
    """The end of a message that offers the nearest names; nothing where none is near.

    >>> did_you_mean("serach", ["search", "train"])
    '; did you mean search?'
    """
    near = near_names(word, names, most)
    return f"; did you mean {', '.join(near)}?" if near else ""


def near_names(word: str, names: Iterable[str], most: int = 1) -> list[str]:
    """The names that a word may have been meant for, the nearest first."""
    return get_close_matches(word.lower(), list(names), n=most)


def no_single_text(texts: object) -> None:
    """Raise an error for a text given where a list of texts is expected: its letters are not meant."""
    if isinstance(texts, str | bytes):
        raise InputError("one text was given where a list of texts is expected: put it in a list, [text]")


def only_texts(texts: Any) -> None:
    """Raise an error for what is no list of texts: a single one, a table, or a column with gaps."""
    no_single_text(texts)
    if hasattr(texts, "columns"):
        kind = type(texts).__name__
        raise InputError(f"a {kind} was given where texts are expected: give one column, df['text']")
    missing = getattr(texts, "isna", None) or getattr(texts, "is_null", None)  # a Series has one of them
    gaps = [] if missing is None else list(missing())
    if any(gaps):
        row = texts.index[gaps.index(True)] if hasattr(texts, "index") else gaps.index(True)
        raise InputError(f"row {row!r} has no text: drop missing values first")
