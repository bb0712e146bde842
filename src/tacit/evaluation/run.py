"""Run a task on a scorer."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

from tacit.errors import InputError
from tacit.evaluation.catalogue import find_task, pairs_task
from tacit.evaluation.results import Result
from tacit.evaluation.scorers import PairScorer
from tacit.evaluation.tasks import Task


def evaluate(task: str | Task, scorer: Any, data: str | Path | None = None, seed: int = 0) -> Result:
    """What a scorer reaches on a task.

    Parameters
    ----------
    task : a name (see ``TASKS``) or a task.
    scorer : a ``PairScorer``; for ``search`` a ``Searcher``.
    data : the folder of evaluation data; left out, ``$TACIT_DATA``.
    seed : draws the development queries of ``search``; tasks of pairs have nothing random.
    """
    task = find_task(task) if isinstance(task, str) else task
    if not any(hasattr(scorer, method) for method in task.kind.needs):
        needed = " or ".join(task.kind.needs)
        raise InputError(f"{task.name} needs a scorer with {needed}, which {type(scorer).__name__} has not")
    loaded = task.kind.load(task, data)
    start = perf_counter()
    sets, summary = task.kind.measure(loaded, scorer, seed)
    seconds = round(perf_counter() - start, 3)
    counted = [sets[task.kind.whole]] if task.kind.whole else list(sets.values())
    pairs, unknown = (
        sum(int(numbers[name]) for numbers in counted) for name in ("pairs", "without_known_words")
    )
    return Result(task.name, scorer.name, sets, summary, pairs, unknown, seconds)


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
