"""A table of steps: what each change brings, with its deviation, and what is left to the paper's figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from statistics import stdev
from typing import Any

from papers.published import find_published
from papers.run_cache import RunRecord
from papers.tables import Reproduction


def step_deviations(before: Mapping[int, RunRecord], after: Mapping[int, RunRecord]) -> dict[str, float]:
    """How far the difference of two models varies over the seeds that both were trained from, by number.

    >>> def run(value): return RunRecord(None, {"r": value}, "c0ffee", True, "", 0.0, 0.0)
    >>> step_deviations({0: run(0.25), 1: run(0.5)}, {0: run(0.5), 1: run(0.75), 2: run(0.0)})
    {'r': 0.0}
    >>> step_deviations({0: run(0.25)}, {0: run(0.5)})
    {}
    """
    seeds = sorted(set(before) & set(after))
    if len(seeds) < 2:
        return {}
    shared = set.intersection(*(set(runs[seed].numbers) for seed in seeds for runs in (before, after)))
    return {
        key: stdev(after[seed].numbers[key] - before[seed].numbers[key] for seed in seeds) for key in shared
    }


def with_steps(
    table: Reproduction, report: Sequence[Mapping[str, Any]], rows: Sequence[list[str]]
) -> Iterator[list[str]]:
    """The rows, group by group, each number with the step that led to it; below them their sum, and what is
    left to the paper's figure.

    Steps are differences of the numbers as they are shown, so that what stands there adds up.
    """
    for label, pairs in groupby(zip(report, rows, strict=True), key=lambda pair: pair[0]["group"]):
        yield from _of_group(table, label, list(pairs))


def _of_group(
    table: Reproduction, label: str, pairs: Sequence[tuple[Mapping[str, Any], list[str]]]
) -> Iterator[list[str]]:
    yield [f"**{label}**", *[""] * (len(table.columns) + 1)]
    first: list[str] = []
    last: list[str] = []
    for row, cells in pairs:
        if not row["values"]:
            yield cells
            continue
        title, *shown, runs = cells
        numbers = [cell.partition(" ")[0] for cell in shown]
        steps = _steps(table, last, numbers, row) if last else [""] * len(numbers)
        yield [title, *(f"{cell} {step}".strip() for cell, step in zip(numbers, steps, strict=True)), runs]
        first, last = first or numbers, numbers
    if first:
        yield ["sum of the steps", *map(_difference, first, last), ""]
    if all(row["values"] for row, _ in pairs):
        printed = find_published(table.towards).numbers(label)
        texts = [printed[cell.key].text if cell.key in printed else "" for cell in table.columns]
        yield ["left to the paper's figure", *map(_difference, last, texts), ""]
        yield ["the paper's figure", *(f"**{text}**" if text else "" for text in texts), ""]


def _steps(
    table: Reproduction, before: Sequence[str], after: Sequence[str], row: Mapping[str, Any]
) -> list[str]:
    """What stands behind the numbers of a row: the steps to them, with their deviations where there are."""
    found = []
    for cell, old, new in zip(table.columns, before, after, strict=True):
        step, places = _difference(old, new), len(new.partition(".")[2])
        varies = row["values"].get(cell.key, {}).get("step_deviation")
        step += f" ± {varies * cell.scale:.{places}f}" if step and varies is not None else ""
        found.append(f"({step})" if step else "")
    return found


def _difference(before: str, after: str) -> str:
    """Of two numbers as they are shown; nothing where one is not there.

    >>> _difference("0.6990", "0.7095"), _difference("0.8619", "0.87"), _difference("0.8619", "")
    ('+0.0105', '+0.0081', '')
    """
    if not before or not after:
        return ""
    places = max(len(text.partition(".")[2]) for text in (before, after))
    return f"{float(after) - float(before):+.{places}f}"
