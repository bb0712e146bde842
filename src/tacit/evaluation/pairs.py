"""Tasks of pairs with people's scores: correlations and their averages, or labels by a threshold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.evaluation.data import ScoredPairs, crossed, read_scored_pairs, unmarked
from tacit.evaluation.metrics import CORRELATIONS, accuracy, averages, best_threshold, bootstrap, f1
from tacit.evaluation.model_scorers import text_scorers
from tacit.evaluation.scorers import score_known
from tacit.evaluation.tasks import DataFile, Kind, Measured, Numbers, Task

Scored = dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]
"""By set: the scores, and people's."""

Loaded = list[tuple[DataFile, ScoredPairs]]


def load_pairs(task: Task, data: str | Path | None = None) -> Loaded:
    """The pairs of a task, a set a file."""
    paths = task.found(data)
    sets = []
    for file in task.files:
        pairs = read_scored_pairs(paths[file.path], file.reading)
        if file.second:
            pairs = crossed(pairs, read_scored_pairs(paths[file.second]), file.name)
        sets.append((file, unmarked(pairs, paths[file.unmarked_in]) if file.unmarked_in else pairs))
    return sets


def pairs_kind(
    summarize: Callable[[Scored, dict[str, Numbers]], Numbers], metrics: tuple[str, ...] = tuple(CORRELATIONS)
) -> Kind:
    """Tasks of pairs: ``summarize`` adds the measures of each set, and gives those over all of them."""

    def measure(sets: Loaded, scorer: Any, seed: int) -> Measured:
        scored: Scored = {}
        numbers: dict[str, Numbers] = {}
        for file, pairs in sets:
            scores, unknown = score_known(scorer, pairs.a, pairs.b, file.languages)
            scored[file.name] = scores, pairs.gold
            numbers[file.name] = {"pairs": len(pairs), "without_known_words": unknown}
        return numbers, summarize(scored, numbers)

    return Kind(("score_pairs",), metrics, load_pairs, measure, text_scorers)


def _correlate(scored: Scored, numbers: dict[str, Numbers]) -> None:
    for name, (scores, gold) in scored.items():
        numbers[name] |= {metric: measure(scores, gold) for metric, measure in CORRELATIONS.items()}


def _similarity(scored: Scored, numbers: dict[str, Numbers]) -> Numbers:
    _correlate(scored, numbers)
    of_r, of_rho = (averages(list(scored.values()), measure) for measure in CORRELATIONS.values())
    return of_r | {f"{name}_spearman": value for name, value in of_rho.items()}


def _crosslingual(scored: Scored, numbers: dict[str, Numbers]) -> Numbers:
    summary = _similarity(scored, numbers)
    intervals, mean = bootstrap(list(scored.values()))
    for name, (low, high) in zip(scored, intervals, strict=True):
        numbers[name] |= {"pearson_low": low, "pearson_high": high}
    of_sets = {name: numbers[name]["pearson"] for name in scored}
    return of_sets | summary | {"mean_pearson_low": mean[0], "mean_pearson_high": mean[1]}


def _separate(scored: Scored, numbers: dict[str, Numbers]) -> Numbers:
    _correlate(scored, numbers)
    first = numbers[next(iter(scored))]
    return {metric: first[metric] for metric in CORRELATIONS}


def _paraphrase(scored: Scored, numbers: dict[str, Numbers]) -> Numbers:
    for name, (_, gold) in scored.items():
        if not np.isin(gold, (0, 1)).all():
            raise InputError(f"the set {name!r} has a label other than 0 and 1")
    train, test = scored
    threshold = best_threshold(*scored[train])
    for name, (scores, gold) in scored.items():
        labels = scores >= threshold
        numbers[name] |= {"accuracy": accuracy(labels, gold), "f1": f1(labels, gold), "threshold": threshold}
    return {metric: numbers[test][metric] for metric in ("accuracy", "f1")}


SIMILARITY = pairs_kind(_similarity)
"""Correlations of each set, and their averages."""

CROSSLINGUAL = pairs_kind(_crosslingual)
"""As similarity, with each set's r beside the averages, and bootstrap intervals."""

SEPARATE = pairs_kind(_separate)
"""Correlations of each set; the first set's are the headline."""

PARAPHRASE = pairs_kind(_paraphrase, ("accuracy", "f1"))
"""Labels by the threshold that is right most often on the first set."""
