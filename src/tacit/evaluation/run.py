"""Run a task on a scorer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.evaluation.cdr import load_retrieval, measure_atop, split
from tacit.evaluation.data import ScoredPairs, crossed, find_files, read_scored_pairs, unmarked
from tacit.evaluation.known import score_known
from tacit.evaluation.metrics import CORRELATIONS, accuracy, averages, best_threshold, bootstrap, f1
from tacit.evaluation.protocols import PairScorer, speaking
from tacit.evaluation.results import Result
from tacit.evaluation.searching import FIRST, recall_at, reciprocal_rank
from tacit.evaluation.tasks import Task, find_task, pairs_task

Numbers = dict[str, float]
Scored = dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]


def evaluate(task: str | Task, scorer: Any, data: str | Path | None = None, seed: int = 0) -> Result:
    """What a scorer reaches on a task.

    Parameters
    ----------
    task : a name (see ``TASKS``) or a task.
    scorer : a ``PairScorer``; for ``cdr`` a ``Ranker``, for ``search`` a ``Searcher``, for ``wsi10`` a
        ``SenseSystem``.
    data : the folder of evaluation data; left out, ``$TACIT_DATA``.
    seed : draws the development set and the samples of ``cdr``; other tasks have nothing random.
    """
    task = find_task(task) if isinstance(task, str) else task
    needed = {"retrieval": "many_to_many", "search": "find", "senses": "key"}.get(task.kind, "score_pairs")
    if not hasattr(scorer, needed):
        raise InputError(f"{task.name} needs a scorer with {needed}, which {type(scorer).__name__} has not")
    if task.kind == "retrieval":
        return _evaluate_retrieval(task, scorer, data, seed)
    if task.kind == "search":
        return _evaluate_search(task, scorer, data, seed)
    if task.kind == "senses":
        return _evaluate_senses(task, scorer, data)
    sets = load_pairs(task, data)
    start = perf_counter()
    scored: Scored = {}
    numbers: dict[str, Numbers] = {}
    spoken = {file.name: file.languages for file in task.files}
    for name, pairs in sets.items():
        scores, unknown = score_known(speaking(scorer, spoken[name]), pairs.a, pairs.b)
        scored[name] = scores, pairs.gold
        numbers[name] = {"pairs": len(pairs), "without_known_words": unknown}
    summary = _MEASURES[task.kind](scored, numbers)
    return _result(task, scorer.name, numbers, summary, perf_counter() - start)


def evaluate_pairs(path: str | Path, scorer: PairScorer) -> Result:
    """What a scorer reaches on a file of the user's: score, text, text, with tabs between.

    >>> from tempfile import TemporaryDirectory
    >>> from tacit.evaluation.baselines import SurfaceScorer
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.tsv")
    ...     _ = path.write_text("5\\ta cat\\ta cat\\n2\\ta cat\\ta dog\\n0\\ta cat\\tstocks\\n")
    ...     evaluate_pairs(path, SurfaceScorer()).summary["spearman"]
    1.0
    """
    return evaluate(pairs_task(path), scorer)


def load_pairs(task: str | Task, data: str | Path | None = None) -> dict[str, ScoredPairs]:
    """The pairs of a task, by set."""
    task = find_task(task) if isinstance(task, str) else task
    paths = dict(zip(task.paths, find_files(task.name, task.paths, data), strict=True))
    sets = {}
    for file in task.files:
        pairs = read_scored_pairs(paths[file.path])
        if file.second:
            pairs = crossed(pairs, read_scored_pairs(paths[file.second]), file.name)
        sets[file.name] = unmarked(pairs, paths[file.unmarked_in]) if file.unmarked_in else pairs
    return sets


def _correlate(scored: Scored, numbers: dict[str, Numbers]) -> None:
    for name, (scores, gold) in scored.items():
        numbers[name] |= {metric: measure(scores, gold) for metric, measure in CORRELATIONS.items()}


def _similarity(scored: Scored, numbers: dict[str, Numbers]) -> Numbers:
    """Correlations of each set, and their averages."""
    _correlate(scored, numbers)
    sets = list(scored.values())
    of_r, of_rho = (averages(sets, CORRELATIONS[metric]) for metric in ("pearson", "spearman"))
    return of_r | {f"{name}_spearman": value for name, value in of_rho.items()}


def _crosslingual(scored: Scored, numbers: dict[str, Numbers]) -> Numbers:
    """As similarity, with each set's r beside the averages, and bootstrap intervals."""
    summary = _similarity(scored, numbers)
    intervals, mean = bootstrap(list(scored.values()))
    for name, (low, high) in zip(scored, intervals, strict=True):
        numbers[name] |= {"pearson_low": low, "pearson_high": high}
    of_sets = {name: numbers[name]["pearson"] for name in scored}
    return of_sets | summary | {"mean_pearson_low": mean[0], "mean_pearson_high": mean[1]}


def _separate(scored: Scored, numbers: dict[str, Numbers]) -> Numbers:
    """Correlations of each set; the first set's are the headline."""
    _correlate(scored, numbers)
    first = numbers[next(iter(scored))]
    return {metric: first[metric] for metric in CORRELATIONS}


def _paraphrase(scored: Scored, numbers: dict[str, Numbers]) -> Numbers:
    """Labels by the threshold that is right most often on the first set."""
    for name, (_, gold) in scored.items():
        if not np.isin(gold, (0, 1)).all():
            raise InputError(f"the set {name!r} has a label other than 0 and 1")
    train, test = scored
    threshold = best_threshold(*scored[train])
    for name, (scores, gold) in scored.items():
        labels = scores >= threshold
        numbers[name] |= {"accuracy": accuracy(labels, gold), "f1": f1(labels, gold), "threshold": threshold}
    return {metric: numbers[test][metric] for metric in ("accuracy", "f1")}


_MEASURES: dict[str, Callable[[Scored, dict[str, Numbers]], Numbers]] = {
    "similarity": _similarity,
    "crosslingual": _crosslingual,
    "separate": _separate,
    "paraphrase": _paraphrase,
}


def _evaluate_retrieval(task: Task, ranker: Any, data: str | Path | None, seed: int) -> Result:
    retrieval = load_retrieval(data)
    start = perf_counter()
    atops = measure_atop(ranker, retrieval, seed)
    numbers: dict[str, Numbers] = {}
    for name, places in zip(("dev", "test"), split(len(retrieval.queries), seed), strict=True):
        numbers[name] = {
            "pairs": len(places),
            "without_known_words": int(np.count_nonzero(~atops.known[places])),
            "atop": float(atops.full[places].mean()),
            "atop_sampled": float(atops.sampled[places].mean()),
        }
    return _result(task, ranker.name, numbers, {"atop": numbers["test"]["atop"]}, perf_counter() - start)


def _evaluate_search(task: Task, searcher: Any, data: str | Path | None, seed: int) -> Result:
    retrieval = load_retrieval(data, task.name)
    start = perf_counter()
    found = searcher.find(retrieval.queries, retrieval.candidates, FIRST)
    numbers: dict[str, Numbers] = {}
    for name, places in zip(("dev", "test"), split(len(retrieval.queries), seed), strict=True):
        own = [found[place] for place in places], [retrieval.aligned[place] for place in places]
        counts: Numbers = {"pairs": len(places), "without_known_words": 0}
        numbers[name] = counts | {"recall_at_10": recall_at(10, *own), "mrr": reciprocal_rank(*own)}
    return _result(task, searcher.name, numbers, dict(numbers["test"]), perf_counter() - start)


def _evaluate_senses(task: Task, system: Any, data: str | Path | None) -> Result:
    from tacit.evaluation.senses.system import measure_system

    start = perf_counter()
    numbers = measure_system(system, data)
    summary = {"supervised_recall": numbers["all"]["supervised_recall"]}
    found = _result(task, system.name, numbers, summary, perf_counter() - start)
    whole = numbers["all"]  # nouns and verbs are its parts
    return replace(found, pairs=int(whole["pairs"]), without_known_words=int(whole["without_known_words"]))


def _result(task: Task, scorer: str, sets: dict[str, Numbers], summary: Numbers, seconds: float) -> Result:
    pairs = sum(int(numbers["pairs"]) for numbers in sets.values())
    unknown = sum(int(numbers["without_known_words"]) for numbers in sets.values())
    return Result(task.name, scorer, sets, summary, pairs, unknown, round(seconds, 3))
