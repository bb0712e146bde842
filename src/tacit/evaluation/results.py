"""Evaluation results as versioned JSON and as a comparison table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tacit import __version__
from tacit.errors import InputError
from tacit.evaluation.tasks import PublishedResult

FORMAT = 1
AVERAGES = ("all", "all_normalized", "mean", "weighted_mean")
"""Names of averages of Pearson's r over sets; those of Spearman's rho have the suffix ``_spearman``."""

_TOP_LEVEL_FIELDS = ("task", "scorer", "pairs", "without_known_words", "seconds", "tacit")


@dataclass(frozen=True)
class Result:
    """The metrics of a scorer on a task.

    Parameters
    ----------
    task : str
        The name of the task.
    scorer : str
        The name of the scorer.
    sets : mapping of str to mapping of str to float
        The metrics of each set, and its number of ``pairs``.
    summary : mapping of str to float
        The metrics over all sets: ``all``, ``mean``, ... for several similarity sets, ``pearson`` and
        ``spearman`` for one, ``accuracy`` and ``f1``, or ``atop``.
    pairs : int
        The number of scored pairs (for retrieval: queries).
    without_known_words : int
        The number of texts without a word that the scorer knows; their pairs score 0.
    seconds : float
        The time that scoring took.
    tacit : str
        The version of tacit.
    """

    task: str
    scorer: str
    sets: Mapping[str, Mapping[str, float]]
    summary: Mapping[str, float]
    pairs: int
    without_known_words: int = 0
    seconds: float = 0.0
    tacit: str = field(default=__version__)

    def value(self, metric: str, name: str) -> float | None:
        """Return a metric of a set or an average; None if there is none.

        >>> Result("t", "s", {}, {"mean": 0.5, "mean_spearman": 0.4}, 9).value("spearman", "mean")
        0.4
        """
        if name in self.sets:
            return self.sets[name].get(metric)
        return self.summary.get(name if metric == "pearson" else f"{name}_{metric}")

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values, with the summary on the top level."""
        fields = {name: getattr(self, name) for name in _TOP_LEVEL_FIELDS}
        sets = {name: dict(metrics) for name, metrics in self.sets.items()}
        return {"format": FORMAT, **fields, **self.summary, "sets": sets}

    def to_json(self) -> str:
        """Convert to indented JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)


def format_comparison(
    results: Sequence[Result], metric: str = "pearson", published: Sequence[PublishedResult] = ()
) -> str:
    """Format results on one task as a table: a row per scorer, a column per set or average.

    The published results that have this metric follow.

    >>> sets = {"test": {"pairs": 10, "accuracy": 0.7}}
    >>> print(format_comparison([Result("msr04", "ir", sets, {"accuracy": 0.7}, 10)], "accuracy"))
    msr04: accuracy
         test
    ir  .7000
    """
    tasks = list(dict.fromkeys(result.task for result in results))
    if len(tasks) != 1:
        raise InputError(f"a table compares results on one task, not on {len(tasks)}: {', '.join(tasks)}")
    columns = [*results[0].sets, *(name for name in AVERAGES if name in results[0].summary)]
    rows = [(result.scorer, [result.value(metric, name) for name in columns]) for result in results]
    for row in published:
        if metric in row.values:
            rows.append((row.name, [row.values[metric].get(name) for name in columns]))
    cells = [["", *columns], *([name, *map(_format_number, values)] for name, values in rows)]
    return "\n".join([f"{tasks[0]}: {metric}", *_align_columns(cells)])


def _format_number(value: float | None) -> str:
    """Format a number as papers do: .6946; an absent one is blank."""
    if value is None:
        return ""
    return f"{value:.4f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.4f}"


def _align_columns(rows: list[list[str]]) -> list[str]:
    """Pad the first column on the right, the others on the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
        ).rstrip()
        for row in rows
    ]
