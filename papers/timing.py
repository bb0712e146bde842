"""How long runs take, and how many are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def seconds_a_step(rows: Sequence[Row]) -> dict[str, float]:
    """The mean time of an iteration by kind of model, of all runs there are; of a run that has none.

    >>> seconds_a_step([{"kind": "wtmf", "cpu_seconds": 90.0, "runs": 2, "n_iter": 20}])
    {'wtmf': 2.25}
    >>> seconds_a_step([{"kind": "ir", "cpu_seconds": 0, "runs": 0, "n_iter": None}])
    {}
    """
    timed: dict[str, list[float]] = {}
    for row in rows:
        if row["runs"]:
            total = timed.setdefault(row["kind"], [0.0, 0.0])
            total[0] += row["cpu_seconds"]
            total[1] += row["runs"] * steps(row)
    return {kind: spent / made for kind, (spent, made) in timed.items()}


def steps(row: Row) -> int:
    """The iterations of a run; 1 where there are none."""
    return int(row["n_iter"] or 1)


def missing(row: Row) -> int:
    """Return how many runs a row lacks."""
    return max(int(row["wanted"]) - int(row["runs"]), 0)


def whole(rows: Sequence[Row], seconds: Mapping[str, float]) -> str:
    """What all of it takes, as far as runs of its kind were timed; nothing where none was.

    >>> row = {"kind": "wtmf", "n_iter": 20, "wanted": 10}
    >>> whole([row], {"wtmf": 3.0}), whole([row], {})
    ('All runs take about 10 minutes of one processor.', '')
    """
    spent, unknown = _spent([(row, int(row["wanted"])) for row in rows], seconds)
    return f"All runs take about {duration(spent)}{_beside(unknown)}." if spent else ""


def left(rows: Sequence[Row], seconds: Mapping[str, float]) -> str:
    """What is still to be run and how long that takes, by what runs of its kind took.

    >>> row = {"kind": "wtmf", "n_iter": 20, "wanted": 10, "runs": 4}
    >>> left([row], {"wtmf": 3.0}), left([{**row, "runs": 10}], {})
    ('6 runs are left: 6 minutes of one processor', 'No run is left')
    >>> left([{**row, "wanted": 5, "kind": "lda"}], {})
    '1 run is left, of a kind never timed (lda)'
    """
    counted = [(row, missing(row)) for row in rows]
    count = sum(number for _, number in counted)
    if not count:
        return "No run is left"
    told = "1 run is left" if count == 1 else f"{count:,} runs are left"
    spent, unknown = _spent(counted, seconds)
    if not spent:
        return f"{told}, of a kind never timed ({', '.join(unknown)})"
    return f"{told}: {duration(spent)}{_beside(unknown)}"


def _spent(counted: Sequence[tuple[Row, int]], seconds: Mapping[str, float]) -> tuple[float, list[str]]:
    """The time of so many runs of each row, and the kinds that were never timed."""
    spent = sum(number * steps(row) * seconds.get(row["kind"], 0.0) for row, number in counted)
    return spent, sorted({row["kind"] for row, number in counted if number and row["kind"] not in seconds})


def _beside(unknown: Sequence[str]) -> str:
    return f", beside those never timed ({', '.join(unknown)})" if unknown else ""


def duration(seconds: float) -> str:
    """A time of one processor.

    >>> duration(40), duration(60), duration(5400), duration(4 * 3600)
    ('40 seconds of one processor', '1 minute of one processor', '90 minutes of one processor', ...)
    """
    number, unit = (
        (seconds, "second")
        if seconds < 60
        else (seconds / 60, "minute")
        if seconds < 7200
        else (seconds / 3600, "hour")
    )
    amount = f"{number:.1f}" if unit == "hour" else f"{number:.0f}"
    return f"{amount} {unit}{'' if amount == '1' else 's'} of one processor"
