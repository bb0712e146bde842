"""Columns stored with the texts: a record of each text as JSON, and the columns of a segment's records."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import format_count
from tacit.corpora.column_kinds import cell_kind, check_nesting, parse_date, parse_number
from tacit.errors import InputError, ModelError

Key = Any
"""Hashable form of a value; values that filters and counts treat as equal have equal keys."""

NO_VALUE, NESTED = -1, -2
"""Codes of rows whose column has no value, and of rows whose column has a list or an object."""

DEFAULT_MAX_COLUMNS, MAX_COLUMNS = 200, 10_000
"""Columns that can be filtered and counted, unless the index sets another limit, and the highest limit."""

_PARSERS = {"number": parse_number, "date": parse_date}


def make_key(value: Any, kind: str = "other") -> Key:
    """Return the key of a value in a column of this kind; True is not 1.

    >>> make_key("9.90", "number") == make_key(9.9, "number"), make_key("9.90", "text"), make_key(True)
    (True, '9.90', ('boolean', True))
    """
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, str) and kind in _PARSERS:
        parsed = _PARSERS[kind](value)
        return value if parsed is None else parsed
    return value


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a segment: its distinct values, and for each row the position of its value."""

    values: list[Any]
    codes: NDArray[np.int32]
    _keys: dict[str, list[Key]] = field(default_factory=dict)

    @cached_property
    def cell_kinds(self) -> list[str]:
        """The kind of each distinct value."""
        return [cell_kind(value) for value in self.values]

    def kinds_in(self, rows: NDArray[np.bool_]) -> set[str]:
        """Return the kinds of the values of some rows."""
        present = np.zeros(len(self.values) + 2, np.bool_)
        present[self.codes[rows]] = True
        kinds = {self.cell_kinds[code] for code in np.flatnonzero(present[:NESTED]).tolist()}
        return kinds | {"other"} if present[NESTED] else kinds

    def keys(self, kind: str) -> list[Key]:
        """Return the key of each distinct value in a column of this kind."""
        if kind not in self._keys:
            self._keys[kind] = [make_key(value, kind) for value in self.values]
        return self._keys[kind]


def column_names(records: Iterable[str]) -> dict[str, None]:
    """Return the names of the columns of records, in the order in which they occur."""
    return dict.fromkeys(chain.from_iterable(map(decode_record, records)))


def read_columns(records: Iterable[str], n_rows: int, names: AbstractSet[str]) -> dict[str, Column]:
    """Read the columns of ``n_rows`` records that have one of the names."""
    positions: defaultdict[str, dict[Key, int]] = defaultdict(dict)
    columns: dict[str, Column] = {}
    for row, record in enumerate(records):
        for name, value in decode_record(record).items():
            if name not in names:
                continue
            if name not in columns:
                columns[name] = Column([], np.full(n_rows, NO_VALUE, np.int32))
            column = columns[name]
            if isinstance(value, list | dict):
                column.codes[row] = NESTED
            elif value is not None:
                code = positions[name].setdefault(make_key(value), len(column.values))
                column.codes[row] = code
                if code == len(column.values):
                    column.values.append(value)
    return columns


def encode_records(columns: Iterable[Mapping[str, Any]] | None, n: int) -> list[str]:
    """Encode the columns of n texts as one JSON object each."""
    if columns is None:
        return ["{}"] * n
    columns = [dict(row) for row in columns]
    for row in columns:
        check_nesting(row)
    try:
        records = [json.dumps(row, ensure_ascii=False, allow_nan=False) for row in columns]
    except (TypeError, ValueError) as error:
        raise InputError(f"JSON cannot store a value of a column ({error}): use text and numbers") from None
    if len(records) != n:
        counts = f"columns of {format_count(len(records), 'row')} for {format_count(n, 'text')}"
        raise InputError(f"{counts}: give one row for each text")
    return records


def decode_record(record: str) -> dict[str, Any]:
    """Decode the columns of one text."""
    if record == "{}":
        return {}
    try:
        columns = json.loads(record)
    except (ValueError, RecursionError):
        columns = None
    if not isinstance(columns, dict):
        raise ModelError(f"the columns of a text are {record!r:.60}, no JSON object: build the index again")
    return columns
