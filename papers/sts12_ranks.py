"""Where a result on STS 2012 would have stood among the 89 official runs."""

from __future__ import annotations

from pathlib import Path

from tacit.errors import InputError
from tacit.evaluation.results import Result
from tacit.evaluation.tasks import find_files, read_columns

OFFICIAL_RESULTS = "sts/sts12/official_results.tsv"
COLUMNS = {"all": "ALL", "all_normalized": "ALLnrm", "weighted_mean": "Mean"}
"""Our names of the three official averages, and the file's."""


def official_ranks(result: Result, data: str | Path | None = None) -> dict[str, int]:
    """The rank of a result among the 89 runs (88 submitted, one baseline), by each average and each set.

    The official "Mean" weighs sets by their pairs: our ``weighted_mean``. A rank is one more than the number
    of runs that are better; figures are rounded to four digits first, as the official ones are. A result
    below all of them is 90th.
    """
    if result.task != "sts12":
        raise InputError(f"official ranks are those of sts12, and this result is of {result.task!r}")
    (path,) = find_files("sts12", [OFFICIAL_RESULTS], data)
    names = [*(name for name in COLUMNS if name in result.summary), *result.sets]
    columns = zip(*read_columns(path, tuple(COLUMNS.get(name, name) for name in names)), strict=True)
    found = {}
    for name, column in zip(names, columns, strict=True):
        value = result.value("pearson", name)
        if value is not None:
            found[name] = rank(value, [float(cell) for cell in column])
    return found


def rank(value: float, others: list[float]) -> int:
    """The place of a value among others, the greatest first, compared at four digits.

    >>> rank(0.69456, [0.8239, 0.6946, 0.3110])
    2
    """
    return 1 + sum(other > round(value, 4) for other in others)
