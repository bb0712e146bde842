"""What the papers print, from one file that transcribes every table and figure: ``published.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tacit.errors import InputError

FILE = Path(__file__).with_name("published.toml")
_NUMBER = re.compile(r"(-?\d+(?:\.(\d+))?)\s*(?:± ([\d.]+)|\(([\d.]+)\)|\((\d+)/\d+\))?")
_SETTING = re.compile(r"(w_m|lambda|alpha|beta|K) = ([\d.]+)")
_NAMES = {"w_m": "missing_weight", "lambda": "regularization", "K": "n_components"}


@dataclass(frozen=True)
class Printed:
    """A number as a paper prints it.

    >>> Printed.read("0.851 (0.012)")
    Printed(text='0.851 (0.012)', value=0.851, decimals=3, deviation=0.012, rank=None)
    >>> Printed.read("0.411(67/89)").rank
    67
    >>> Printed.read("-") is None
    True
    """

    text: str
    value: float
    decimals: int
    deviation: float | None = None
    rank: int | None = None

    @classmethod
    def read(cls, text: str) -> Printed | None:
        """A cell; None where the paper has no number, or has it in a drawing alone."""
        if text in ("-", "?"):
            return None
        found = _NUMBER.fullmatch(text)
        if found is None:
            raise InputError(f"{FILE.name} has {text!r} where a number is printed")
        value, fraction, plus, bracket, place = found.groups()
        deviation = plus or bracket
        spread = None if deviation is None else float(deviation)
        return cls(text, float(value), len(fraction or ""), spread, int(place) if place else None)


@dataclass(frozen=True)
class Published:
    """A table or figure: texts and numbers in the paper's rows and columns."""

    name: str
    paper: str
    title: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    percent: tuple[str, ...] = ()
    note: str = ""

    @classmethod
    def of(cls, name: str, values: Mapping[str, Any]) -> Published:
        """From the values of the file."""
        parts = {key: tuple(values.get(key, ())) for key in ("columns", "keys", "percent")}
        rows = tuple(tuple(row) for row in values["rows"])
        uneven = {len(row) for row in (parts["keys"], *rows)} - {len(parts["columns"])}
        if uneven:
            raise InputError(f"{FILE.name}: {name} has a row that does not fit its columns")
        return cls(name, values["paper"], values["title"], rows=rows, note=values.get("note", ""), **parts)

    @property
    def measured(self) -> dict[str, str]:
        """The columns of numbers, by our key."""
        return {key: column for key, column in zip(self.keys, self.columns, strict=True) if key}

    @property
    def texts(self) -> list[str]:
        """The columns that are no numbers."""
        return [column for column, key in zip(self.columns, self.keys, strict=True) if not key]

    def scale(self, key: str) -> int:
        """By how much ours is multiplied to stand beside the paper's."""
        return 100 if self.measured.get(key) in self.percent else 1

    @property
    def labels(self) -> list[str]:
        """What tells the rows apart: their texts, joined.

        >>> find_published("acl2012-table2").labels[-1]
        '7b. WTMF, w_m = 0.0005, lambda = 20'
        """
        return [
            ", ".join(
                text for text, key in zip(row, self.keys, strict=True) if not key and text not in ("", "-")
            )
            for row in self.rows
        ]

    def numbers(self, label: str) -> dict[str, Printed]:
        """What a row prints, by our key.

        >>> find_published("sem2012-table3").numbers("WTMF")["sts12/all/pearson"].value
        0.695
        """
        row = self.rows[self._place(label)]
        cells = {key: Printed.read(text) for text, key in zip(row, self.keys, strict=True) if key}
        return {key: printed for key, printed in cells.items() if printed is not None}

    def settings(self, label: str) -> dict[str, float]:
        """The settings that a row's own texts state, by our names.

        >>> find_published("acl2012-table2").settings("5. WTMF, w_m = 1, lambda = 0")
        {'missing_weight': 1.0, 'regularization': 0.0}
        """
        self._place(label)
        return {_NAMES.get(name, name): float(value) for name, value in _SETTING.findall(label)}

    def _place(self, label: str) -> int:
        if label not in self.labels:
            raise InputError(f"{self.name} prints no row {label!r}; there are {'; '.join(self.labels)}")
        return self.labels.index(label)


@lru_cache(maxsize=1)
def all_published() -> dict[str, Published]:
    """Every table and figure, by name, in the order of the file."""
    values = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: Published.of(name, table) for name, table in values.items()}


def find_published(name: str) -> Published:
    """A table or figure by its name.

    >>> find_published("acl2012-table9")
    Traceback (most recent call last):
    tacit.errors.InputError: the papers print no 'acl2012-table9'; there are acl2012-table1, ...
    """
    if name not in all_published():
        raise InputError(f"the papers print no {name!r}; there are {', '.join(all_published())}")
    return all_published()[name]
