"""What is given to an index with its texts, checked at the door: ids and columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tacit.errors import InputError


def repeated(names: list[str]) -> str | None:
    """The first name that stands there a second time."""
    if len(set(names)) == len(names):
        return None
    seen: set[str] = set()
    return next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def as_name(name: Any) -> str:
    """An id as it is kept."""
    if isinstance(name, int | np.integer) and not isinstance(name, bool):
        return str(name)
    if not isinstance(name, str):
        raise InputError(f"an id is a {type(name).__name__}, not a string or a whole number: {name!r}")
    return name


def as_json(columns: Iterable[Mapping[str, Any]] | None, n: int) -> list[str]:
    """The columns of n texts as they are kept, a line of JSON each."""
    if columns is None:
        return ["{}"] * n
    try:
        kept = [json.dumps(dict(row), ensure_ascii=False, allow_nan=False) for row in columns]
    except (TypeError, ValueError) as error:
        raise InputError(f"a column holds what JSON cannot ({error}): keep text and numbers") from None
    if len(kept) != n:
        raise InputError(f"columns for {len(kept)} texts, and there are {n}: give one for each")
    return kept
