"""What a trained scorer reaches on the tasks of a corpus, under flat names: ``task/set/measure``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import Any

from papers.chance import intervals
from papers.sts12_ranks import official_ranks
from tacit.evaluation.results import AVERAGES, Result
from tacit.evaluation.tasks import Task

Numbers = dict[str, float]

YEARS = ("sts13", "sts14", "sts15", "sts16")
ACROSS_YEARS = "sts13-16/mean/pearson"


def measured(tasks: Iterable[Task], scorer: Any, data: str | Path | None) -> Numbers:
    """Everything that is measured, with the intervals that chance leaves."""
    found: Numbers = {}
    for task in tasks:
        if can_score(scorer, task):
            sets, summary = task.kind.measure(task.kind.load(task, data), scorer, 0)
            result = Result(task.name, scorer.name, sets, summary, pairs=0)
            found |= flat(result, data) | intervals(task, scorer, data)
    return found | across_years(found)


def can_score(scorer: Any, task: Task) -> bool:
    """Whether a scorer has every language that the files of a task are told to be in."""
    codes = getattr(getattr(scorer, "model", None), "languages", None)
    told = {code for file in task.files for code in file.languages or ()}
    return codes is None or told <= set(codes)


def flat(result: Result, data: str | Path | None) -> Numbers:
    """Everything a result says, with the official ranks where there are any."""
    found = {
        f"{result.task}/{name}/{measure}": float(value)
        for name, numbers in result.sets.items()
        for measure, value in numbers.items()
    }
    for name in AVERAGES:
        if name in result.summary:
            found[f"{result.task}/{name}/pearson"] = float(result.summary[name])
        for end in ("pearson_low", "pearson_high"):
            if f"{name}_{end}" in result.summary:
                found[f"{result.task}/{name}/{end}"] = float(result.summary[f"{name}_{end}"])
    if result.task == "sts12":
        ranks = official_ranks(result, data)
        found |= {f"sts12/{name}/rank": float(place) for name, place in ranks.items()}
    return found


def across_years(numbers: dict[str, float]) -> dict[str, float]:
    """The mean of Pearson's r over all sets of 2013 to 2016, where they were all measured.

    >>> across_years({f"{year}/a set/pearson": 0.5 for year in YEARS} | {"sts13/mean/pearson": 0.9})
    {'sts13-16/mean/pearson': 0.5}
    >>> across_years({"sts13/a set/pearson": 0.5})
    {}
    """
    keys = [key.split("/") for key in numbers]
    sets = [key for key in keys if key[0] in YEARS and key[1] not in AVERAGES and key[2] == "pearson"]
    if {key[0] for key in sets} != set(YEARS):
        return {}
    return {ACROSS_YEARS: fmean(numbers["/".join(key)] for key in sets)}
