"""Compute experiments in an order in which they share what they read and train, in one process or several."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import groupby
from multiprocessing import active_children, get_context
from multiprocessing.queues import Queue
from queue import Empty
from typing import Any, TypeAlias

from papers.experiments import Experiment
from papers.laboratory import Laboratory
from papers.run_cache import RunRecord
from papers.senses.training import CorpusSettings
from tacit.compute.threads import usable_threads

Done: TypeAlias = "Queue[tuple[Experiment, RunRecord]]"
_LOOK = 0.2
"""Seconds between two looks whether a worker failed."""


def missing(wanted: Iterable[Experiment], laboratory: Laboratory) -> list[Experiment]:
    """Return the experiments that have no record, each once, in the order in which to run them."""
    return in_order(each for each in wanted if laboratory.find_run(each) is None)


def in_order(experiments: Iterable[Experiment]) -> list[Experiment]:
    """Return distinct experiments so that what is read and trained serves several of them.

    Of one chain of LDA the shorter first, which is then taken further; the systems of senses that share a
    reading of their text, which takes longest, one after another; else seed by seed.
    """
    distinct = {experiment.title: experiment for experiment in experiments}
    return sorted(distinct.values(), key=lambda each: (*_shared(each), _steps(each), each.training))


def _shared(experiment: Experiment) -> tuple[Any, ...]:
    """Return what experiments have in common that are best run by one process, one after another."""
    parameters = dict(experiment.model.parameters)
    parameters.pop("n_iter", None)
    read = tuple(f"{name}={parameters[name]}" for name in CorpusSettings._fields if name in parameters)
    reading = read if "features" in parameters else ()
    kind = experiment.model.kind
    chain = str(sorted(parameters.items())) if kind in ("lda", "few-labels") else ""
    seed = 0 if kind == "few-labels" else experiment.seed  # one set of features serves all seeds
    return reading, seed, experiment.corpus, kind, chain


def _steps(experiment: Experiment) -> int:
    return int(experiment.model.parameters.get("n_iter", 0)) if experiment.model.kind == "lda" else 0


def compute_all(
    experiments: Sequence[Experiment], laboratory: Laboratory, jobs: int = 1
) -> Iterator[tuple[Experiment, RunRecord]]:
    """Compute experiments, whatever the cache has, and give each with its record as soon as it is done.

    ``jobs`` processes share the threads there are.
    """
    if jobs == 1:
        for experiment in experiments:
            yield experiment, laboratory.compute(experiment)
        return
    groups = [list(group) for _, group in groupby(experiments, key=_shared)]
    threads = max(usable_threads(laboratory.threads) // jobs, 1)
    arguments = (laboratory.cache.file, laboratory.data, threads)
    context = get_context("spawn")
    done: Done = context.Queue()
    with ProcessPoolExecutor(jobs, context, _begin, (done,)) as pool:
        try:
            futures = [pool.submit(_compute_group, group, arguments) for group in groups]
            yield from _arriving(done, futures, len(experiments))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def run_all(experiments: Sequence[Experiment], laboratory: Laboratory, jobs: int = 1) -> Iterator[Experiment]:
    """Compute experiments and give each when its record is in the cache; this process alone writes there."""
    for experiment, record in compute_all(experiments, laboratory, jobs):
        laboratory.cache.append(record)
        yield experiment


def _arriving(
    done: Done, futures: Sequence[Future[None]], count: int
) -> Iterator[tuple[Experiment, RunRecord]]:
    """Give so many experiments, each when a worker has sent its record; raise what failed in one."""
    while count:
        try:
            yield done.get(timeout=_LOOK)
            count -= 1
        except Empty:
            for future in futures:
                if future.done():
                    future.result()


def _silence_logs() -> None:
    """Drop what the library logs; the reports say how many texts have no known word."""
    logging.getLogger("tacit").addHandler(logging.NullHandler())
    logging.getLogger("tacit").propagate = False


_laboratories: dict[tuple[Any, ...], Laboratory] = {}
_done: list[Done] = []
"""Of a worker: where it sends its records."""


def _begin(done: Done) -> None:
    """Start a worker; it ends at Ctrl-C without a word, as the process that started it reports that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _done.append(done)
    _silence_logs()


def _compute_group(group: list[Experiment], arguments: tuple[Any, ...]) -> None:
    """Compute experiments in a worker, which keeps its laboratory, and so the texts it holds."""
    laboratory = _laboratories.setdefault(arguments, Laboratory(*arguments))
    for experiment in group:
        _done[0].put((experiment, laboratory.compute(experiment)))
