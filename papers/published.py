"""Values printed in the papers, from ``published.toml``, and the comparison of ours with them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from pathlib import Path
from typing import Any

from tacit.errors import InputError

FILE = Path(__file__).with_name("published.toml")
_NUMBER = re.compile(r"(-?\d+(?:\.(\d+))?)\s*(?:± ([\d.]+)|\(([\d.]+)\)|\((\d+)/\d+\))?")
_SETTING = re.compile(r"(w_m|lambda|alpha|beta|K) = ([\d.]+)")
_NAMES = {"w_m": "missing_weight", "lambda": "regularization", "K": "n_components"}


@dataclass(frozen=True)
class PublishedValue:
    """A number as a paper prints it, with its deviation or rank.

    >>> PublishedValue.parse("0.851 (0.012)")
    PublishedValue(text='0.851 (0.012)', value=0.851, decimals=3, deviation=0.012, rank=None)
    >>> PublishedValue.parse("0.411(67/89)").rank
    67
    >>> PublishedValue.parse("-") is None
    True
    """

    text: str
    value: float
    decimals: int
    deviation: float | None = None
    rank: int | None = None

    @classmethod
    def parse(cls, text: str) -> PublishedValue | None:
        """Parse a cell; None if the paper has no number, or only a drawing."""
        if text in ("-", "?"):
            return None
        match = _NUMBER.fullmatch(text)
        if match is None:
            raise InputError(f"{FILE.name} has {text!r} where a number is printed")
        value, fraction, plus, bracket, rank = match.groups()
        printed = plus or bracket
        deviation = None if printed is None else float(printed)
        return cls(text, float(value), len(fraction or ""), deviation, int(rank) if rank else None)


@dataclass(frozen=True)
class PublishedTable:
    """A published table or figure: the cells in the paper's rows and columns.

    ``keys`` are our keys of the columns, empty for columns of text; ``percent`` are columns in per cent.
    """

    name: str
    paper: str
    title: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    percent: tuple[str, ...] = ()
    note: str = ""

    @classmethod
    def from_section(cls, name: str, values: Mapping[str, Any]) -> PublishedTable:
        """Make a table from its section of the file."""
        parts = {key: tuple(values.get(key, ())) for key in ("columns", "keys", "percent")}
        rows = tuple(tuple(row) for row in values["rows"])
        uneven = {len(row) for row in (parts["keys"], *rows)} - {len(parts["columns"])}
        if uneven:
            raise InputError(f"{FILE.name}: {name} has a row that does not fit its columns")
        return cls(name, values["paper"], values["title"], rows=rows, note=values.get("note", ""), **parts)

    @property
    def value_columns(self) -> dict[str, str]:
        """The titles of the columns of numbers, by our key."""
        return {key: column for key, column in zip(self.keys, self.columns, strict=True) if key}

    @property
    def label_columns(self) -> list[str]:
        """The titles of the columns of text."""
        return [column for column, key in zip(self.columns, self.keys, strict=True) if not key]

    def scale(self, key: str) -> int:
        """Return the factor from our numbers to the paper's: 100 for per cent, else 1."""
        return 100 if self.value_columns.get(key) in self.percent else 1

    @property
    def labels(self) -> list[str]:
        """The labels of the rows: their cells of text, joined.

        >>> find_published("acl2012-table2").labels[-1]
        '7b. WTMF, w_m = 0.0005, lambda = 20'
        """
        return [
            ", ".join(
                text for text, key in zip(row, self.keys, strict=True) if not key and text not in ("", "-")
            )
            for row in self.rows
        ]

    def numbers(self, label: str) -> dict[str, PublishedValue]:
        """Return the numbers of a row, by our key.

        >>> find_published("sem2012-table3").numbers("WTMF")["sts12/all/pearson"].value
        0.695
        """
        row = self.rows[self._row_index(label)]
        values = {key: PublishedValue.parse(text) for text, key in zip(row, self.keys, strict=True) if key}
        return {key: value for key, value in values.items() if value is not None}

    def settings(self, label: str) -> dict[str, float]:
        """Return the settings in the label of a row, by our names.

        >>> find_published("acl2012-table2").settings("5. WTMF, w_m = 1, lambda = 0")
        {'missing_weight': 1.0, 'regularization': 0.0}
        """
        self._row_index(label)
        return {_NAMES.get(name, name): float(value) for name, value in _SETTING.findall(label)}

    def _row_index(self, label: str) -> int:
        """Return the index of a row."""
        if label not in self.labels:
            raise InputError(f"{self.name} prints no row {label!r}; there are {'; '.join(self.labels)}")
        return self.labels.index(label)


@lru_cache(maxsize=1)
def all_published() -> dict[str, PublishedTable]:
    """Return all tables and figures by name, in the order of the file."""
    values = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: PublishedTable.from_section(name, table) for name, table in values.items()}


def find_published(name: str) -> PublishedTable:
    """Return a table or figure by name.

    >>> find_published("acl2012-table9")
    Traceback (most recent call last):
    tacit.errors.InputError: the papers print no 'acl2012-table9'; there are acl2012-table1, ...
    """
    if name not in all_published():
        raise InputError(f"the papers print no {name!r}; there are {', '.join(all_published())}")
    return all_published()[name]


REPRODUCED, SAMPLING_ERROR, SINGLE_RUN = "reproduced", "within sampling error", "single run"
ABOVE, BELOW, BETTER, WORSE = "above the paper", "below the paper", "better", "worse"
VERDICTS = (REPRODUCED, SAMPLING_ERROR, ABOVE, BELOW, BETTER, WORSE, SINGLE_RUN)


@dataclass(frozen=True)
class Verdict:
    """How our number compares with the paper's, and the reason.

    >>> str(Verdict("above the paper", "by 5.0 joint deviations"))
    'above the paper (by 5.0 joint deviations)'
    """

    name: str
    reason: str

    def __str__(self) -> str:
        """Return the name with the reason in brackets."""
        return f"{self.name} ({self.reason})"


def judge(
    published: PublishedValue,
    value: Mapping[str, Any],
    scale: int = 1,
    is_single_run: bool = False,
    is_error_rate: bool = False,
) -> Verdict:
    """Compare our number with the paper's.

    The joint deviation is that of the paper's runs and ours together; half a unit of the last printed digit
    is added for rounding. If the difference is larger, the paper's number may still lie in the bootstrap
    interval of the test pairs. ``is_single_run``: one of several runs is recorded.

    >>> paper = PublishedValue.parse("0.9511 ± 0.0003")
    >>> print(judge(paper, {"mean": 0.9514, "deviation": 0.0004}))
    reproduced (difference 0.0003, joint deviation 0.0005)
    >>> print(judge(paper, {"mean": 0.9526}))
    above the paper (by 5.0 joint deviations)
    >>> print(judge(PublishedValue.parse("71.51"), {"mean": 0.708, "interval": [0.686, 0.728]}, 100))
    within sampling error (the 95 % interval contains the paper's number)
    >>> print(judge(PublishedValue.parse("71.51"), {"mean": 0.65}, 100, is_single_run=True))
    single run (lower by 6.51; the deviation is not known)
    """
    difference = value["mean"] * scale - published.value
    joint = hypot(published.deviation or 0.0, (value.get("deviation") or 0.0) * scale)
    size = f"{abs(difference):.{published.decimals}f}"
    if abs(difference) <= joint + 0.5 * 10.0**-published.decimals:
        known = f"joint deviation {joint:.{published.decimals}f}" if joint else "no deviation is known"
        return Verdict(REPRODUCED, f"difference {size}, {known}")
    low, high = value.get("interval", (1, 0))
    if low * scale <= published.value <= high * scale:
        return Verdict(SAMPLING_ERROR, "the 95 % interval contains the paper's number")
    if is_single_run and "interval" not in value:
        direction = "higher" if difference > 0 else "lower"
        return Verdict(SINGLE_RUN, f"{direction} by {size}; the deviation is not known")
    names = (WORSE, BETTER) if is_error_rate else (ABOVE, BELOW)
    reason = f"by {abs(difference) / joint:.1f} joint deviations" if joint else f"by {size}"
    return Verdict(names[difference < 0], reason)
