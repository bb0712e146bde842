"""Tasks on text pairs: correlation with human scores, or paraphrase labels by threshold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.evaluation.metrics import (
    CORRELATIONS,
    accuracy,
    averages,
    best_threshold,
    bootstrap_pearson,
    f1,
    match_metrics,
)
from tacit.evaluation.scorers import make_pair_scorers, score_known_pairs
from tacit.evaluation.tasks import (
    DataFile,
    Metrics,
    ScoredPairs,
    Task,
    TaskKind,
    TaskMetrics,
    combine_sides,
    drop_marked,
    read_scored_pairs,
)

ScoresBySet = dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]
"""For each set the scores and the human scores."""

PairSets = list[tuple[DataFile, ScoredPairs]]


def load_pairs(task: Task, data: str | Path | None = None) -> PairSets:
    """Read the pairs of a task, one set per file."""
    paths = task.locate_files(data)
    sets = []
    for file in task.files:
        pairs = read_scored_pairs(paths[file.path], file.read_options)
        if file.second_text_file:
            pairs = combine_sides(pairs, read_scored_pairs(paths[file.second_text_file]), file.name)
        if file.exclusion_file:
            pairs = drop_marked(pairs, paths[file.exclusion_file])
        sets.append((file, pairs))
    return sets


def make_pair_task_kind(
    summarize: Callable[[ScoresBySet, dict[str, Metrics]], Metrics],
    metrics: tuple[str, ...] = tuple(CORRELATIONS),
) -> TaskKind:
    """Make a kind of pair tasks; ``summarize`` adds the metrics of each set and returns those over all."""

    def measure(sets: PairSets, scorer: Any, seed: int) -> TaskMetrics:
        scored: ScoresBySet = {}
        by_set: dict[str, Metrics] = {}
        for file, pairs in sets:
            scores, unknown = score_known_pairs(scorer, pairs.a, pairs.b, file.languages)
            scored[file.name] = scores, pairs.gold
            by_set[file.name] = {"pairs": len(pairs), "without_known_words": unknown}
        return by_set, summarize(scored, by_set)

    return TaskKind(("score_pairs",), metrics, load_pairs, measure, make_pair_scorers)


def _add_correlations(scored: ScoresBySet, by_set: dict[str, Metrics]) -> None:
    for name, (scores, gold) in scored.items():
        by_set[name] |= {metric: correlate(scores, gold) for metric, correlate in CORRELATIONS.items()}


def _summarize_similarity(scored: ScoresBySet, by_set: dict[str, Metrics]) -> Metrics:
    _add_correlations(scored, by_set)
    pearson, spearman = (averages(list(scored.values()), correlate) for correlate in CORRELATIONS.values())
    return pearson | {f"{name}_spearman": value for name, value in spearman.items()}


def _summarize_crosslingual(scored: ScoresBySet, by_set: dict[str, Metrics]) -> Metrics:
    summary = _summarize_similarity(scored, by_set)
    intervals, mean = bootstrap_pearson(list(scored.values()))
    for name, (low, high) in zip(scored, intervals, strict=True):
        by_set[name] |= {"pearson_low": low, "pearson_high": high}
    pearson = {name: by_set[name]["pearson"] for name in scored}
    return pearson | summary | {"mean_pearson_low": mean[0], "mean_pearson_high": mean[1]}


def _summarize_first_set(scored: ScoresBySet, by_set: dict[str, Metrics]) -> Metrics:
    _add_correlations(scored, by_set)
    first = by_set[next(iter(scored))]
    return {metric: first[metric] for metric in CORRELATIONS}


def _summarize_own_pairs(scored: ScoresBySet, by_set: dict[str, Metrics]) -> Metrics:
    """Add the correlations, and for labels 0 and 1 how well the scores find the matches."""
    summary = _summarize_first_set(scored, by_set)
    for name, (scores, gold) in scored.items():
        if np.isin(gold, (0, 1)).all():
            by_set[name] |= match_metrics(scores, gold)
    return summary


def _summarize_paraphrase(scored: ScoresBySet, by_set: dict[str, Metrics]) -> Metrics:
    for name, (_, gold) in scored.items():
        if not np.isin(gold, (0, 1)).all():
            raise InputError(f"the set {name!r} has a label other than 0 and 1")
    train, test = scored
    threshold = best_threshold(*scored[train])
    for name, (scores, gold) in scored.items():
        labels = scores >= threshold
        by_set[name] |= {"accuracy": accuracy(labels, gold), "f1": f1(labels, gold), "threshold": threshold}
    return {metric: by_set[test][metric] for metric in ("accuracy", "f1")}


SIMILARITY = make_pair_task_kind(_summarize_similarity)
"""Correlations of each set, and their averages."""

CROSSLINGUAL = make_pair_task_kind(_summarize_crosslingual)
"""Like similarity, with each set's r beside the averages, and bootstrap intervals."""

PER_SET = make_pair_task_kind(_summarize_first_set)
"""Correlations of each set; the summary is that of the first set."""

OWN_PAIRS = make_pair_task_kind(
    _summarize_own_pairs, (*CORRELATIONS, "average_precision", "calibration_error", "best_f1")
)
"""Like ``PER_SET``; for labels 0 and 1 also average precision, calibration, and F1 at thresholds."""

PARAPHRASE = make_pair_task_kind(_summarize_paraphrase, ("accuracy", "f1"))
"""Labels by the threshold with the highest accuracy on the first set."""
