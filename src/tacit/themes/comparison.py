"""Compare themes between the values of a column, and over time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tacit.corpora.column_kinds import infer_column_kind, parse_date, parse_number
from tacit.errors import InputError
from tacit.result_table import ResultTable

MAX_GROUPS = 30
"""Values of a column, the most frequent; the others are one group."""
REST = "(other values)"
NEW_OR_VANISHING_SHARE = 0.05
"""A theme is new if it has at most this share of its texts in the first half of the time."""
_Z = 1.96  # 95 % of a normal distribution
_MAX_PERIODS = 40
_PERIODS = {"day": 1.0, "week": 7.0, "month": 30.4, "quarter": 91.3, "year": 365.2}
"""Lengths in days."""


@dataclass(frozen=True)
class ThemeShare:
    """The share of a theme in a group of texts with its 95 % interval (Wilson), and in all texts."""

    group: str
    theme: str
    n_texts: int
    share: float
    low: float
    high: float
    overall: float

    @property
    def representation(self) -> str:
        """``over`` or ``under`` if the share in all texts is below or above the interval, else empty."""
        return "over" if self.low > self.overall else "under" if self.high < self.overall else ""


@dataclass(frozen=True)
class ThemeComparison(ResultTable):
    """Themes by the values of a column, or by periods of a column of dates.

    Parameters
    ----------
    column : str
        The column.
    period : str
        For dates: day, week, month, quarter or year; empty for other columns.
    groups : dict of str to int
        The values or periods, in order, with their numbers of texts.
    shares : list of ThemeShare
        The share of each theme in each group.
    trends : dict of str to str
        The themes that are "new" or "vanishing", for dates.
    """

    column: str
    period: str
    groups: dict[str, int]
    shares: list[ThemeShare]
    trends: dict[str, str]

    def table_columns(self) -> list[str]:
        """Return the names of the columns.

        Returns
        -------
        list of str
            The column, the theme, counts, shares and the interval.
        """
        return [self.column, "theme", "texts", "share", "low", "high", "overall", "representation"]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return a row for each group and theme.

        Returns
        -------
        list of tuple
            The cells.
        """
        return [
            (s.group, s.theme, s.n_texts, *(round(x, 4) for x in (s.share, s.low, s.high, s.overall)),
             s.representation)
            for s in self.shares
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values.

        Returns
        -------
        dict
            ``column``, ``period``, ``groups``, ``trends`` and ``shares``.
        """
        rows = [dict(zip(self.table_columns()[1:], row[1:], strict=True)) for row in self.table_rows()]
        shares = [{"group": row.group, **cells} for row, cells in zip(self.shares, rows, strict=True)]
        head = {"column": self.column, "period": self.period, "groups": self.groups}
        return head | {"trends": self.trends, "shares": shares}


def compare_themes(
    column: str, values: Sequence[Any], themes: Sequence[str], names: list[str]
) -> ThemeComparison:
    """Count themes by the values of a column: by period if these are dates.

    ``themes`` has the name of the theme of each value; ``names`` are all themes in order.
    """
    kind = infer_column_kind(values)
    period, groups, trends = "", _group_values(values), {}
    if kind == "date":
        dates = [None if value is None else parse_date(str(value)) for value in values]
        period, groups = _group_dates(dates)
        trends = _find_trends(dates, themes, names)
    pairs = [(group, theme) for group, theme in zip(groups, themes, strict=True) if group is not None]
    if not pairs:
        raise InputError(f"column {column!r} is empty: name another column")
    sizes, counts = Counter(group for group, _ in pairs), Counter(pairs)
    totals = Counter(theme for _, theme in pairs)
    ordered = sorted(sizes, key=lambda group: _sort_key(group, kind, sizes[group]))
    shares = []
    for group in ordered:
        for name in names:
            n = counts[group, name]
            low, high = wilson_interval(n, sizes[group])
            overall = totals[name] / len(pairs)
            shares.append(ThemeShare(group, name, n, n / sizes[group], low, high, overall))
    return ThemeComparison(column, period, {group: sizes[group] for group in ordered}, shares, trends)


def _sort_key(group: str, kind: str, size: int) -> tuple[bool, float, str]:
    """Sort dates and numbers by value, other groups by size, and the rest last."""
    by_number = {"date": 0.0, "number": parse_number(group) or 0.0}
    return group == REST, by_number.get(kind, -size), group


def wilson_interval(n_successes: int, n: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share (Wilson 1927).

    >>> [round(x, 3) for x in wilson_interval(3, 10)]
    [0.108, 0.603]
    """
    share, z2 = n_successes / n, _Z * _Z
    center = (share + z2 / (2 * n)) / (1 + z2 / n)
    margin = _Z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # exactly 0 and 1 at the ends, where rounding could leave a share outside of its interval
    return (center - margin if n_successes else 0.0), (center + margin if n_successes < n else 1.0)


def _group_values(values: Sequence[Any]) -> list[str | None]:
    """Return the group of each value; None for an empty one."""
    texts = [None if value is None or str(value).strip() == "" else str(value).strip() for value in values]
    counts = Counter(text for text in texts if text is not None)
    frequent = {text for text, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_GROUPS]}
    return [text if text is None or text in frequent else REST for text in texts]


def _group_dates(dates: Sequence[datetime | None]) -> tuple[str, list[str | None]]:
    """Choose the shortest period that gives at most 40 groups, and return it with the period of each date."""
    present = [date for date in dates if date is not None]
    n_days = (max(present) - min(present)).days
    period = next((name for name, length in _PERIODS.items() if n_days / length <= _MAX_PERIODS), "year")
    return period, [None if date is None else _format_period(date, period) for date in dates]


def _format_period(date: datetime, period: str) -> str:
    """Return the period of a date; a week is named by its Monday.

    >>> [_format_period(datetime(2024, 5, 1), period) for period in _PERIODS]
    ['2024-05-01', '2024-04-29', '2024-05', '2024-Q2', '2024']
    """
    if period == "week":
        return (date - timedelta(days=date.weekday())).strftime("%Y-%m-%d")
    if period == "quarter":
        return f"{date.year}-Q{(date.month + 2) // 3}"
    return date.strftime({"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}[period])


def _find_trends(dates: Sequence[datetime | None], themes: Sequence[str], names: list[str]) -> dict[str, str]:
    """Return new and vanishing themes: nearly all their texts are in the second or first half of the time."""
    present = [(date, theme) for date, theme in zip(dates, themes, strict=True) if date is not None]
    if not present:
        return {}
    first, last = (f(date for date, _ in present) for f in (min, max))
    middle = first + (last - first) / 2
    totals = Counter(theme for _, theme in present)
    early = Counter(theme for date, theme in present if date <= middle)
    trends = {}
    for name in names:
        share = early[name] / totals[name] if totals[name] and first < last else 0.5
        if min(share, 1 - share) <= NEW_OR_VANISHING_SHARE:
            trends[name] = "new" if share < 0.5 else "vanishing"
    return trends
