"""Filters on the columns stored with the texts, and counts of their values.

A filter is a set of conditions that must all hold::

    {"team": ["billing", "post"]}       the team is one of these
    {"price": {">=": 5, "<": 10}}       the price is within a range
    {"team": {"!=": "billing"}}         the team is another one, or there is none

Numbers compare as numbers and ISO dates as dates, if all cells of the column that are not empty are such.
None stands for "no value". Which texts match does not depend on deleted texts or on how rows are split into
segments.
"""

from __future__ import annotations

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.corpora.column_kinds import parse_number
from tacit.errors import InputError
from tacit.search.record_columns import Key, make_key

if TYPE_CHECKING:
    from tacit.search.snapshot import Snapshot

Scalar = str | int | float | bool | date | None
Where = Mapping[str, Scalar | Iterable[Scalar] | Mapping[str, Scalar | Iterable[Scalar]]]
"""By column: a value, a list of which one must match, or values by operator."""

FacetCounts = dict[str, list[dict[str, Any]]]
"""By column: its values with the numbers of texts."""

_COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
OPERATORS = ("=", "!=", *_COMPARISONS)
_COMPARABLE = {
    "number": (int | float, "a number such as 9.90"),
    "date": (datetime, "an ISO date such as 2024-12-31"),
}

MAX_FACET_VALUES = 50
"""Values of a column that are counted, the most frequent first."""

MAX_NAMED_COLUMNS = 10
"""Columns that cannot be filtered and that are named."""

_NESTED_KEY = object()
"""Stands for any list or object: no value equals it."""

_SYMBOLS = re.escape("".join(sorted(set("".join(OPERATORS)))))
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_CONDITION = re.compile(
    rf"\s*({_QUOTED}|[^{_SYMBOLS}\"]*[^{_SYMBOLS}\"\s])\s*([{_SYMBOLS}]+)\s*({_QUOTED}|[^\"\s]*)\s*"
)


@dataclass(frozen=True)
class Condition:
    """A column, an operator and the keys of the values to compare with."""

    column: str
    operator: str
    keys: tuple[Key, ...]

    @classmethod
    def create(cls, column: str, operator: str, values: Any) -> Condition:
        """Check a condition: ``=`` and ``!=`` take one value or a list, other operators one value."""
        if operator not in OPERATORS:
            known = ", ".join(OPERATORS)
            raise InputError(f"where: {column!r} has the operator {operator!r}: use one of {known}")
        if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
            values = [values]
        elif operator in _COMPARISONS:
            raise InputError(f"where: {column} {operator} {values!r}: compare with one value")
        return cls(column, operator, tuple(_check_value(column, value) for value in values))

    def test_for(self, kind: str) -> Callable[[Key], bool]:
        """Return the test of a key of a column of this kind; the key of a row without a value is None."""
        if self.operator in _COMPARISONS:
            return self._comparison(kind)
        keys = {make_key(key, kind) for key in self.keys}
        return keys.__contains__ if self.operator == "=" else lambda key: key not in keys

    def _comparison(self, kind: str) -> Callable[[Key], bool]:
        (value,), compare = self.keys, _COMPARISONS[self.operator]
        problem = f"where: the column {self.column!r} is of type {kind}"
        if kind not in _COMPARABLE:
            raise InputError(f"{problem}: {self.operator} compares numbers and ISO dates")
        comparable, example = _COMPARABLE[kind]
        bound = make_key(value, kind)
        if not isinstance(bound, comparable):
            plain_value = value[1] if isinstance(value, tuple) else value  # the key of a boolean is a pair
            raise InputError(f"{problem}: compare it with {example}, not {plain_value!r}")
        return lambda key: isinstance(key, comparable) and compare(key, bound)


@dataclass(frozen=True)
class Filter:
    """Conditions that must all hold; without conditions every text matches. Hashable.

    With ``ids``, only texts with one of these ids match.

    >>> Filter.create({"team": ["post"], "price": {">=": 5, "<": 10}}).conditions[2]
    Condition(column='price', operator='<', keys=(10,))
    """

    conditions: tuple[Condition, ...] = ()
    ids: frozenset[str] | None = None

    @classmethod
    def create(cls, where: Where | Filter | None) -> Filter:
        """Check a filter given as a mapping from columns to conditions."""
        if where is None or isinstance(where, Filter):
            return where or cls()
        if not isinstance(where, Mapping):
            raise InputError(
                f"where={where!r}: give conditions by column, such as {{'price': {{'<': 10}}}}",
                parameter="where",
            )
        conditions = []
        for column, condition in where.items():
            by_operator = condition if isinstance(condition, Mapping) else {"=": condition}
            if not by_operator:
                raise InputError(f"where: the column {column!r} has no condition: leave it out")
            conditions += [Condition.create(column, *item) for item in by_operator.items()]
        return cls(tuple(conditions))

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Filter:
        """Read conditions such as ``price<10``, ``team="customer care"`` or ``"unit price">=5``.

        A value is the text, and also the number or the boolean that it writes; an empty one means no value.
        """
        conditions = []
        for text in texts:
            match = _CONDITION.fullmatch(text)
            if match is None:
                raise InputError(
                    f"where: {text!r} is not COLUMN OPERATOR VALUE, such as price<10 or "
                    f'team="customer care"; the operators are {", ".join(OPERATORS)}'
                )
            column, operator, value = _unquote(match[1]), match[2], _unquote(match[3])
            values = value if operator in _COMPARISONS else _possible_values(value)
            conditions.append(Condition.create(column, operator, values))
        return cls(tuple(conditions))


def _check_value(column: str, value: Any) -> Key:
    value = value.item() if isinstance(value, np.generic) else value
    value = value.isoformat() if isinstance(value, date) else value
    if not isinstance(value, str | int | float | None) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        raise InputError(
            f"where: the column {column!r} is compared with {value!r}: give a text, a number or a date"
        )
    return make_key(value)


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text


def _possible_values(text: str) -> list[Scalar]:
    """Return the values that a text may stand for in a column of any kind."""
    if not text:
        return ["", None]
    typed = parse_number(text), {"true": True, "false": False}.get(text.lower())
    return [text, *(value for value in typed if value is not None)]


def matching_rows(snapshot: Snapshot, where: Filter) -> NDArray[np.bool_]:
    """Return which rows are not deleted and match a filter."""
    masks = [_rows_meeting(snapshot, condition) for condition in where.conditions]
    return np.asarray(np.logical_and.reduce([_allowed_rows(snapshot, where), *masks]))


def _allowed_rows(snapshot: Snapshot, where: Filter) -> NDArray[np.bool_]:
    """Return which rows are not deleted and have one of the ids of a filter."""
    if where.ids is None:
        return snapshot.alive
    rows, allowed = snapshot.rows_of_ids(sorted(where.ids)), np.zeros_like(snapshot.alive)
    allowed[rows[rows >= 0]] = True
    return allowed


def _rows_meeting(snapshot: Snapshot, condition: Condition) -> NDArray[np.bool_]:
    kinds = snapshot.column_kinds
    if condition.column not in kinds and condition.column in snapshot.column_names:
        problem = f"where: the column {condition.column!r} is not one of the first {snapshot.max_columns:,}"
        raise InputError(problem, parameter="max_columns", remedy="build the index with more max_columns=N")
    if condition.column not in kinds:
        known = f"the columns are {', '.join(map(repr, kinds))}" if kinds else "the index has no columns"
        raise InputError(f"where: there is no column {condition.column!r}; {known}")
    kind = kinds[condition.column]
    test, masks = condition.test_for(kind), [np.zeros(0, np.bool_)]
    for segment in snapshot.segments:
        column = snapshot.record_columns(segment).get(condition.column)
        if column is None:
            masks.append(np.full(len(segment), test(None)))
        else:  # the codes NESTED and NO_VALUE are the last two positions
            results = [*map(test, column.keys(kind)), test(_NESTED_KEY), test(None)]
            masks.append(np.array(results, np.bool_)[column.codes])
    return np.concatenate(masks)


def facet_counts(snapshot: Snapshot, where: Filter) -> FacetCounts:
    """Count the texts with each value of the categorical columns and of the columns of the filter.

    A column is counted under the conditions on the *other* columns: what another choice in it would give.
    """
    masks: dict[str, NDArray[np.bool_]] = {}
    allowed = _allowed_rows(snapshot, where)
    for condition in where.conditions:
        rows = masks.get(condition.column, allowed)
        masks[condition.column] = rows & _rows_meeting(snapshot, condition)
    counts = {}
    for name, kind in snapshot.column_kinds.items():
        if name in masks or name in snapshot.categorical_columns:
            others = [mask for other, mask in masks.items() if other != name]
            rows = np.logical_and.reduce([allowed, *others])
            equal = [c for c in where.conditions if c.column == name and c.operator == "="]
            chosen = {make_key(key, kind) for condition in equal for key in condition.keys}
            counts[name] = _value_counts(snapshot, name, rows, chosen)
    return counts


def _value_counts(
    snapshot: Snapshot, name: str, rows: NDArray[np.bool_], chosen: set[Key]
) -> list[dict[str, Any]]:
    """Count the values of a column in some rows, most frequent first; ``chosen`` ones even without rows."""
    kind = snapshot.column_kinds[name]
    counts: Counter[Key] = Counter()
    values: dict[Key, Any] = {}
    for segment, first, last in snapshot.segment_ranges:
        column = snapshot.record_columns(segment).get(name)
        if column is None:
            continue
        codes = column.codes[rows[first:last]]
        numbers = np.bincount(codes[codes >= 0], minlength=len(column.values)).tolist()
        for key, value, number in zip(column.keys(kind), column.values, numbers, strict=True):
            counts[key] += number
            values.setdefault(key, key if kind == "number" else value)
    top = counts.most_common(MAX_FACET_VALUES)
    return [{"value": values[key], "n": number} for key, number in top if number or key in chosen]


def describe_other_columns(snapshot: Snapshot) -> list[str]:
    """Return a sentence with the columns that cannot be filtered, if there are any."""
    others = snapshot.column_names[snapshot.max_columns :]
    if not others:
        return []
    shown = ", ".join(f"{name!r:.40}" for name in others[:MAX_NAMED_COLUMNS])
    more = f" and {len(others) - MAX_NAMED_COLUMNS:,} more" if len(others) > MAX_NAMED_COLUMNS else ""
    first = f"only the first {snapshot.max_columns:,} columns can be filtered"
    return [f"{first}; the others are kept with the texts: {shown}{more}"]


def column_types(snapshot: Snapshot) -> list[dict[str, str]]:
    """Return the name and the kind of each column, as ``corpora.column_kinds`` has them."""
    return [{"name": name, "kind": kind} for name, kind in snapshot.column_kinds.items()]
