"""The columns kept with the texts of a collection: what is in them, and which texts have a value.

A question may ask for some texts alone: those with one of the given values in each column. How many texts
have each value is counted under the *other* columns' conditions, so that a choice shows what another one in
the same column would give.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.search.collection import Collection
from tacit.search.segment import Segment
from tacit.search.strings import Strings

Where = Mapping[str, Sequence[Any]]
"""By column, the values one of which a text must have."""

SHOWN = 50
"""Values of a column that are counted for people, the most frequent first."""
_MOST_VALUES = 100_000
_SAMPLE = 1000


@dataclass(frozen=True)
class Column:
    """The distinct values of a column, and the number of its value for each row; -1 where it has none."""

    values: list[Any]
    codes: NDArray[np.int32]

    @property
    def tells_groups(self) -> bool:
        """Whether its values are few and return: a column to choose by."""
        return 0 < len(self.values) <= max(SHOWN, len(self.codes) // 20)


_KNOWN: WeakKeyDictionary[Segment, dict[str, Column]] = WeakKeyDictionary()


def columns_of(now: Collection) -> dict[str, Column]:
    """The columns of a collection; those of a segment are read once."""
    for segment in now.segments:
        if segment not in _KNOWN:
            _KNOWN[segment] = _read(segment.records)
    if len(now.segments) == 1:
        return _KNOWN[now.segments[0]]
    if "columns" not in now.__dict__:
        now.__dict__["columns"] = _joined(now)
    found: dict[str, Column] = now.__dict__["columns"]
    return found


def _joined(now: Collection) -> dict[str, Column]:
    """The columns of all segments, a value numbered as it first comes."""
    values: dict[str, dict[Any, int]] = {}
    codes: dict[str, NDArray[np.int32]] = {}
    for segment, first, last in now.parts:
        for name, column in _KNOWN[segment].items():
            places = values.setdefault(name, {})
            own = [places.setdefault(_key(value), len(places)) for value in column.values]
            whole = codes.setdefault(name, np.full(len(now.alive), -1, np.int32))
            whole[first:last] = np.array([*own, -1], np.int32)[column.codes]
    return {name: Column([value for _, value in values[name]], codes[name]) for name in values}


def _read(records: Strings) -> dict[str, Column]:
    n = len(records)
    values: dict[str, dict[Any, int]] = {}
    codes: dict[str, NDArray[np.int32]] = {}
    for row, record in enumerate(records):
        if record == "{}":
            continue
        for name, value in json.loads(record).items():
            if value is None or isinstance(value, list | dict):
                continue
            if name not in values:
                values[name], codes[name] = {}, np.full(n, -1, np.int32)
            places = values[name]
            if len(places) < _MOST_VALUES:
                codes[name][row] = places.setdefault(_key(value), len(places))
            else:
                codes[name][row] = places.get(_key(value), -1)
    return {name: Column([value for _, value in values[name]], codes[name]) for name in values}


def _key(value: Any) -> tuple[str, Any]:
    """True is not 1 here."""
    return type(value).__name__, value


def chosen(now: Collection, where: Where) -> NDArray[np.bool_]:
    """Which living rows have one of the values in each column."""
    columns, found = columns_of(now), now.alive.copy()
    for name, values in where.items():
        found &= _having(columns, name, values)
    return found


def _having(columns: dict[str, Column], name: str, values: Sequence[Any]) -> NDArray[np.bool_]:
    if name not in columns:
        there = ", ".join(map(repr, columns)) or "none"
        raise InputError(f"where: there is no column {name!r}; there are: {there}")
    column = columns[name]
    wanted = {_key(value) for value in values}
    places = [place for place, value in enumerate(column.values) if _key(value) in wanted]
    lookup = np.zeros(len(column.values) + 1, np.bool_)  # the last for rows without a value
    lookup[places] = True
    lookup[-1] = None in values
    return lookup[column.codes]


def counts(now: Collection, where: Where) -> dict[str, list[dict[str, Any]]]:
    """How many texts have each value of the columns to choose by, the most frequent values first."""
    columns = columns_of(now)
    having = {name: _having(columns, name, values) for name, values in where.items()}
    found = {}
    for name, column in columns.items():
        if not column.tells_groups and name not in where:
            continue
        rows = now.alive.copy()
        for other, mask in having.items():
            if other != name:
                rows &= mask
        codes = column.codes[rows]
        number = np.bincount(codes[codes >= 0], minlength=len(column.values))
        best = np.argsort(-number, kind="stable")[:SHOWN]
        asked = {_key(value) for value in where.get(name, ())}
        kept = [place for place in best.tolist() if number[place] or _key(column.values[place]) in asked]
        found[name] = [{"value": column.values[place], "n": int(number[place])} for place in kept]
    return found


def restricted(now: Collection, rows: NDArray[np.bool_]) -> Collection:
    """The collection with only these rows alive."""
    return replace(now, alive=rows)


def column_kinds(now: Collection) -> list[dict[str, str]]:
    """The columns and what they hold, by the first rows."""
    from tacit.corpora.guessing import kind_of

    rows = [json.loads(record) for record in list(now.records[:_SAMPLE])]
    names = dict.fromkeys(name for row in rows for name in row)
    return [{"name": name, "kind": kind_of([row.get(name) for row in rows])} for name in names]
