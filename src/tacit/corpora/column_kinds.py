"""Kinds of cells and columns: number, date, boolean, link, text or other.

A column is numeric if every cell that is not empty is a number, or text such as ``9.90`` or ``-3``. Text with
leading zeros, more than 15 significant digits, an exponent or several points (postcodes, long ids, ``1e5``,
``1.2.3``) is not a number, because different cells could become equal numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from tacit.errors import InputError

MAX_DIGITS = 15
"""Maximum number of significant digits of a number; a float represents any 15 digits exactly."""

MAX_NESTING = 32
"""Levels of lists and objects in one cell."""

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
_LINK = re.compile(r"https?://\S+")

_EMPTY, _NUMERAL = "empty", "numeral"
_STRINGS = {_NUMERAL, "date", "link", "text"}


def parse_number(text: str) -> int | float | None:
    """Convert text to a number; return None if it is not one.

    >>> parse_number("9.90"), parse_number(" 12 "), parse_number("007"), parse_number("1.2.3")
    (9.9, 12, None, None)
    """
    text = text.strip()
    match = _NUMBER.fullmatch(text)
    if match is None or len(text.lstrip("-0.").replace(".", "")) > MAX_DIGITS:
        return None
    return float(text) if match[2] else int(text)


def parse_date(text: str) -> datetime | None:
    """Convert an ISO 8601 date, with or without a time, to a datetime; return None if it is not one.

    A date without a time is its midnight; a time without an offset is taken as UTC.

    >>> parse_date("2024-02-01") < parse_date("2024-02-01T08:30Z")
    True
    >>> parse_date("2024-02-30") is parse_date("01.02.2024") is None
    True
    """
    text = text.strip()
    if not _DATE.fullmatch(text):
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def check_nesting(columns: Mapping[str, Any], where: str = "") -> None:
    """Raise InputError for a cell with more than ``MAX_NESTING`` levels of lists and objects.

    ``where`` is the location of the row, for the error message.

    >>> check_nesting({"tags": ["a", ["b"]]})
    """
    for name, cell in columns.items():
        stack = [(cell, 1)]
        while stack:
            value, depth = stack.pop()
            if isinstance(value, Mapping | list | tuple):
                if depth > MAX_NESTING:
                    place = f"{where}: the column {name!r}" if where else f"the column {name!r}"
                    problem = f"has lists or objects of more than {MAX_NESTING} levels"
                    raise InputError(f"{place} {problem}: flatten it, or leave it out")
                inner = value.values() if isinstance(value, Mapping) else value
                stack += [(item, depth + 1) for item in inner]


def cell_kind(value: Any) -> str:
    """Return the kind of one cell; ``numeral`` is text that is a number, ``empty`` a cell without a value."""
    if value is None or isinstance(value, bool | int | float):
        return _EMPTY if value is None else "boolean" if isinstance(value, bool) else "number"
    if not isinstance(value, str):
        return "date" if isinstance(value, date) else "other"
    text = value.strip()
    if not text:
        return _EMPTY
    if parse_number(text) is not None:
        return _NUMERAL
    if _LINK.fullmatch(text):
        return "link"
    return "text" if parse_date(text) is None else "date"


def combine_kinds(kinds: Iterable[str]) -> str:
    """Return the kind of a column from the kinds of its cells.

    >>> combine_kinds(["numeral", "number", "empty"]), combine_kinds(["numeral", "text"])
    ('number', 'text')
    """
    present = {*kinds} - {_EMPTY}
    if not present:
        return "text"
    if present <= {"number", _NUMERAL}:
        return "number"
    if len(present) == 1:
        return present.pop()
    return "text" if present <= _STRINGS else "other"


def infer_column_kind(values: Iterable[Any]) -> str:
    """Return the kind of a column: number, date, boolean, link, text or other.

    >>> infer_column_kind(["9.90", "12", ""]), infer_column_kind(["01.02.2024", "1.2.3"])
    ('number', 'text')
    """
    return combine_kinds(map(cell_kind, values))
