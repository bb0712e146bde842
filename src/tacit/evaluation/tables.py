"""Results as tables, in plain text or Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.errors import InputError
from tacit.evaluation.published import Figure
from tacit.evaluation.results import AVERAGES, Result

Row = list[str]


def render(result: Result, markdown: bool = False) -> str:
    """One result: a row a set, then a row an average, a column a measure.

    >>> sets = {"x": {"pairs": 10, "pearson": 0.5, "spearman": 0.25}}
    >>> print(render(Result("sick", "ir", sets, {"mean": 0.5, "mean_spearman": 0.25}, 10)))
    sick: ir
            pairs  pearson  spearman
    x          10    .5000     .2500
    mean             .5000     .2500
    """
    metrics = list(dict.fromkeys(metric for numbers in result.sets.values() for metric in numbers))
    rows = [["", *metrics]]
    for name in [*result.sets, *(name for name in AVERAGES if name in result.summary)]:
        rows.append([name, *(_shown(metric, result.value(metric, name)) for metric in metrics)])
    title = f"{result.task}: {result.scorer}"
    unknown = result.without_known_words
    notes = [f"{unknown} texts have no known word and score 0"] if unknown else []
    return "\n".join([title, *([""] if markdown else []), *_lines(rows, markdown), *notes])


def compare(
    results: Sequence[Result], metric: str = "pearson", figures: Sequence[Figure] = (), markdown: bool = False
) -> str:
    """Several results on one task by one measure: a row a scorer, a column a set or average.

    Published ``figures`` follow, where they have the measure.

    >>> sets = {"test": {"pairs": 10, "accuracy": 0.7}}
    >>> print(compare([Result("msr04", "ir", sets, {"accuracy": 0.7}, 10)], "accuracy"))
    msr04: accuracy
         test
    ir  .7000
    """
    tasks = list(dict.fromkeys(result.task for result in results))
    if len(tasks) != 1:
        raise InputError(f"a table compares results on one task, not on {len(tasks)}: {', '.join(tasks)}")
    places = [*results[0].sets, *(name for name in AVERAGES if name in results[0].summary)]
    rows = [["", *places]]
    for result in results:
        rows.append([result.scorer, *(_shown(metric, result.value(metric, place)) for place in places)])
    for figure in figures:
        if metric in figure.values:
            values = figure.values[metric]
            rows.append([figure.name, *(_shown(metric, values.get(place)) for place in places)])
    return "\n".join([f"{tasks[0]}: {metric}", *([""] if markdown else []), *_lines(rows, markdown)])


def _shown(metric: str, value: float | None) -> str:
    """A number as the papers write it: .6946; counts are whole, and what is absent is blank."""
    if value is None:
        return ""
    if metric in ("pairs", "without_known_words"):
        return f"{int(value)}"
    return f"{value:.4f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.4f}"


def _lines(rows: list[Row], markdown: bool) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = [
        [cell.ljust(width) if place == 0 else cell.rjust(width) for place, (cell, width) in enumerate(cells)]
        for cells in (zip(row, widths, strict=True) for row in rows)
    ]
    if not markdown:
        return ["  ".join(row).rstrip() for row in padded]
    lines = ["| " + " | ".join(row) + " |" for row in padded]
    rule = (
        "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    )
    return [lines[0], rule, *lines[1:]]
