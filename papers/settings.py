"""The papers' settings beside those of the rows that follow them: nothing departs in silence."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from papers.corpora import facts
from papers.laboratory import resolved
from papers.published import all_published
from papers.tables import Reproduction, Row
from tacit.errors import InputError

FILE = Path(__file__).with_name("settings.toml")
NONE = "none"
"""What is not there: TOML has no word for it."""


@lru_cache(maxsize=1)
def transcribed() -> dict[str, dict[str, Any]]:
    """Every section of the transcription, by ``paper.model``."""
    papers = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        f"{paper}.{name}": {setting: None if value == NONE else value for setting, value in values.items()}
        for paper, models in papers.items()
        for name, values in models.items()
    }


def stated(table: Reproduction, row: Row) -> dict[str, Any]:
    """What the paper states for the row that one of ours follows."""
    found: dict[str, Any] = {}
    for section in row.follows:
        if section not in transcribed():
            raise InputError(f"{FILE.name} has no section {section!r}; there are {', '.join(transcribed())}")
        found |= transcribed()[section]
    if row.under and table.name in all_published():
        found |= all_published()[table.name].settings(row.under)
    return found


def ours(table: Reproduction, row: Row) -> dict[str, Any]:
    """The settings that a row really has: its model's, its corpus's, and its runs."""
    experiments = table.of_row(row, table.runs)
    return {**facts(experiments[0].corpus), **resolved(experiments[0]), "runs": len(experiments)}


def departures(table: Reproduction, row: Row) -> dict[str, tuple[Any, Any]]:
    """Where a row has something else than the paper states: the paper's and ours, by setting."""
    if not row.follows or row.model is None:
        return {}
    has = ours(table, row)
    return {
        name: (value, has.get(name, "not said"))
        for name, value in stated(table, row).items()
        if name not in has or has[name] != value
    }
