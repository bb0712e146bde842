"""Measure a trained scorer on the tasks of its corpus, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.experiments import definition_retrieval
from papers.senses import system
from papers.specs import Experiment
from tacit.errors import InputError
from tacit.evaluation import TASKS as LIBRARY_TASKS
from tacit.evaluation import DataFile, Task
from tacit.evaluation.metrics import best_threshold
from tacit.evaluation.registry import AVERAGES, Result
from tacit.evaluation.scorers import score_known_pairs
from tacit.evaluation.tasks import find_files, read_columns

_STS12, _STSB = LIBRARY_TASKS["sts12"], LIBRARY_TASKS["stsb-languages"]

STS12_TRAIN = Task(
    "sts12-train",
    "SemEval 2012, the training pairs",
    _STS12.kind,
    tuple(DataFile(name, f"sts/sts12/train/{name}.tsv") for name in ("MSRpar", "MSRvid", "SMTeuroparl")),
    _STS12.licence,
)

SPANISH_DEV = replace(
    _STSB,
    name="spanish-dev",
    title="what settings are chosen by: STS Benchmark dev sets with Spanish, and the Spanish news of 2014",
    files=(
        *(file for file in _STSB.files if file.name in ("en-es", "es-es")),
        DataFile("news 2014", "crosslingual/sts/sts2014.es.news.tsv", languages=("es", "es")),
    ),
)

TASKS: dict[str, Task] = {
    **LIBRARY_TASKS,
    **{task.name: task for task in (STS12_TRAIN, SPANISH_DEV, definition_retrieval.TASK, system.TASK)},
}


OFFICIAL_RESULTS = "sts/sts12/official_results.tsv"
COLUMNS = {"all": "ALL", "all_normalized": "ALLnrm", "weighted_mean": "Mean"}
"""Our names of the three official averages, and their names in the file."""


def official_ranks(result: Result, data: str | Path | None = None) -> dict[str, int]:
    """Return the rank of a result among the 89 official runs, by each average and each set.

    The official runs are 88 submissions and a baseline; their "Mean" weights sets by pairs, as our
    ``weighted_mean``. The rank is one more than the number of better runs, compared at four digits like the
    official results. A result below all has rank 90.
    """
    if result.task != "sts12":
        raise InputError(f"official ranks are those of sts12, and this result is of {result.task!r}")
    (path,) = find_files("sts12", [OFFICIAL_RESULTS], data)
    names = [*(name for name in COLUMNS if name in result.summary), *result.sets]
    columns = zip(*read_columns(path, tuple(COLUMNS.get(name, name) for name in names)), strict=True)
    ranks = {}
    for name, column in zip(names, columns, strict=True):
        value = result.value("pearson", name)
        if value is not None:
            ranks[name] = rank(value, [float(cell) for cell in column])
    return ranks


def rank(value: float, others: list[float]) -> int:
    """Return the rank of a value among others, the greatest first, compared at four digits.

    >>> rank(0.69456, [0.8239, 0.6946, 0.3110])
    2
    """
    return 1 + sum(other > round(value, 4) for other in others)


SAMPLES = 1000

Array = NDArray[np.float64]
Scored = Sequence[tuple[Array, Array]]
"""The scores and the human scores of each set."""


def bootstrap_intervals(task: Task, scorer: Any, data: str | Path | None) -> dict[str, float]:
    """Return the bounds of the 95 % intervals of a task; empty if the task is not in ``BOOTSTRAPPED``."""
    if task.name not in BOOTSTRAPPED:
        return {}
    scored = []
    for file, pairs in task.kind.load(task, data):
        scores, _ = score_known_pairs(scorer, pairs.a, pairs.b, file.languages)
        scored.append((np.asarray(scores, np.float64), np.asarray(pairs.gold, np.float64)))
    samples = bootstrap_metrics(scored, BOOTSTRAPPED[task.name])
    ends = {name: np.quantile(values, (0.025, 0.975)) for name, values in samples.items()}
    return {
        f"{task.name}/{name}_{end}": float(value)
        for name, interval in ends.items()
        for end, value in zip(("low", "high"), interval, strict=True)
    }


def bootstrap_metrics(
    scored: Scored, measure: Callable[[Scored], dict[str, float]], n_samples: int = SAMPLES, seed: int = 0
) -> dict[str, Array]:
    """Compute a measure on ``n_samples`` bootstrap samples of the pairs of every set.

    >>> one = [(np.array([1.0, 2.0]), np.array([1.0, 0.0]))]
    >>> bootstrap_metrics(one, lambda sets: {"n": len(sets[0][0])}, n_samples=3)["n"].tolist()
    [2.0, 2.0, 2.0]
    """
    rng = np.random.default_rng(seed)
    samples: dict[str, list[float]] = {}
    for _ in range(n_samples):
        indices = [rng.integers(len(gold), size=len(gold)) for _, gold in scored]
        resampled = [(scores[rows], gold[rows]) for (scores, gold), rows in zip(scored, indices, strict=True)]
        for name, value in measure(resampled).items():
            samples.setdefault(name, []).append(value)
    return {name: np.array(values, np.float64) for name, values in samples.items()}


def paraphrase_accuracy(sets: Scored) -> dict[str, float]:
    """Return the accuracy on the second set with the best threshold of the first.

    >>> labels = np.array([0.0, 1.0])
    >>> paraphrase_accuracy([(np.array([0.1, 0.9]), labels), (np.array([0.2, 0.1]), labels)])
    {'test/accuracy': 0.5}
    """
    (scores, gold), (new, labels) = sets
    return {"test/accuracy": float(np.mean((new >= best_threshold(scores, gold)) == labels))}


def official_averages(sets: Scored) -> dict[str, float]:
    """Return the three averages of STS 2012, as ``tacit.evaluation.metrics.averages`` but without checks."""
    correlations = [_pearson(*scored_set) for scored_set in sets]
    gold = np.concatenate([human for _, human in sets])
    fitted = np.concatenate([_fitted(*scored_set) for scored_set in sets])
    return {
        "all/pearson": _pearson(np.concatenate([scores for scores, _ in sets]), gold),
        "all_normalized/pearson": _pearson(fitted, gold),
        "weighted_mean/pearson": float(np.average(correlations, weights=[len(human) for _, human in sets])),
    }


def _pearson(x: Array, y: Array) -> float:
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size else 0.0


def _fitted(x: Array, y: Array) -> Array:
    """Fit scores to the human scores by least squares."""
    around, mean = x - x.mean(), y.mean()
    size = float(around @ around)
    return np.asarray(mean + around * (float(around @ (y - mean)) / size if size else 0.0))


BOOTSTRAPPED: dict[str, Callable[[Scored], dict[str, float]]] = {
    "msr04": paraphrase_accuracy,
    "sts12": official_averages,
}
"""The metrics of a bootstrap sample, by task; the threshold of msr04 is found on resampled training pairs."""


TASK = "msr04"


def measure_random_labels(experiment: Experiment, data: str | Path | None) -> dict[str, float]:
    """Return the accuracy of random labels on the test pairs, with its bootstrap interval.

    No threshold is fitted, unlike for random scores.
    """
    task, key = TASKS[TASK], f"{TASK}/test/accuracy"
    (gold,) = [pairs.gold for file, pairs in task.kind.load(task, data) if file.name == "test"]
    tossed = np.random.default_rng(experiment.seed).integers(2, size=len(gold)).astype(np.float64)
    scored = [(tossed, np.asarray(gold, np.float64))]
    low, high = np.quantile(bootstrap_metrics(scored, _accuracy)["accuracy"], (0.025, 0.975))
    return {key: _accuracy(scored)["accuracy"], f"{key}_low": float(low), f"{key}_high": float(high)}


def _accuracy(sets: Scored) -> dict[str, float]:
    ((tossed, gold),) = sets
    return {"accuracy": float(np.mean(tossed == gold))}


Numbers = dict[str, float]

YEARS = ("sts13", "sts14", "sts15", "sts16")
ACROSS_YEARS = "sts13-16/mean/pearson"


def measure_tasks(tasks: Iterable[Task], scorer: Any, data: str | Path | None) -> Numbers:
    """Measure a scorer on tasks, with bootstrap intervals."""
    numbers: Numbers = {}
    for task in tasks:
        if can_score(scorer, task):
            sets, summary = task.kind.measure(task.kind.load(task, data), scorer, 0)
            result = Result(task.name, scorer.name, sets, summary, pairs=0)
            numbers |= flatten_result(result, data) | bootstrap_intervals(task, scorer, data)
    return numbers | mean_over_years(numbers)


def can_score(scorer: Any, task: Task) -> bool:
    """Return whether a scorer has all languages that the files of a task state."""
    codes = getattr(getattr(scorer, "model", None), "languages", None)
    required = {code for file in task.files for code in file.languages or ()}
    return codes is None or required <= set(codes)


def flatten_result(result: Result, data: str | Path | None) -> Numbers:
    """Return all numbers of a result by ``task/set/metric``, with the official ranks of STS 2012."""
    flat = {
        f"{result.task}/{name}/{measure}": float(value)
        for name, numbers in result.sets.items()
        for measure, value in numbers.items()
    }
    for name in AVERAGES:
        if name in result.summary:
            flat[f"{result.task}/{name}/pearson"] = float(result.summary[name])
        for end in ("pearson_low", "pearson_high"):
            if f"{name}_{end}" in result.summary:
                flat[f"{result.task}/{name}/{end}"] = float(result.summary[f"{name}_{end}"])
    if result.task == "sts12":
        ranks = official_ranks(result, data)
        flat |= {f"sts12/{name}/rank": float(value) for name, value in ranks.items()}
    return flat


def mean_over_years(numbers: dict[str, float]) -> dict[str, float]:
    """Return the mean of Pearson's r over all sets of 2013 to 2016, if all years were measured.

    >>> mean_over_years({f"{year}/a set/pearson": 0.5 for year in YEARS} | {"sts13/mean/pearson": 0.9})
    {'sts13-16/mean/pearson': 0.5}
    >>> mean_over_years({"sts13/a set/pearson": 0.5})
    {}
    """
    keys = [key.split("/") for key in numbers]
    sets = [key for key in keys if key[0] in YEARS and key[1] not in AVERAGES and key[2] == "pearson"]
    if {key[0] for key in sets} != set(YEARS):
        return {}
    return {ACROSS_YEARS: fmean(numbers["/".join(key)] for key in sets)}
