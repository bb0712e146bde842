"""Runs the experiments that are not known yet, in the order that serves best, in one process or several."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import groupby
from multiprocessing import active_children, get_context
from multiprocessing.queues import Queue
from queue import Empty
from typing import Any

from papers.experiments import Experiment
from papers.laboratory import Laboratory
from papers.senses.training import Reading
from tacit.compute.threads import usable_threads

_LOOK = 0.2
"""Seconds between two looks whether a worker failed."""


def missing(wanted: Iterable[Experiment], laboratory: Laboratory) -> list[Experiment]:
    """What is to be run, seed by seed, so that what is read and sampled serves as long as it can.

    Of one chain of LDA the shorter first, which is then taken further; the systems of senses that share a
    reading of their text, which takes longest, one after another.
    """
    unknown = {experiment.title: experiment for experiment in wanted if laboratory.known(experiment) is None}
    return sorted(unknown.values(), key=lambda each: (*_shared(each), _steps(each), each.training))


def _shared(experiment: Experiment) -> tuple[Any, ...]:
    """What experiments have in common that are best run by one process, one after another."""
    parameters = dict(experiment.model.parameters)
    parameters.pop("n_iter", None)
    read = tuple(f"{name}={parameters[name]}" for name in Reading._fields if name in parameters)
    reading = read if "features" in parameters else ()
    chain = str(sorted(parameters.items())) if experiment.model.kind == "lda" else ""
    return reading, experiment.seed, experiment.corpus, experiment.model.kind, chain


def _steps(experiment: Experiment) -> int:
    return int(experiment.model.parameters.get("n_iter", 0)) if experiment.model.kind == "lda" else 0


def run_all(experiments: Sequence[Experiment], laboratory: Laboratory, jobs: int = 1) -> Iterator[Experiment]:
    """Run them; each is given when its numbers are kept. ``jobs`` processes share the threads there are."""
    if jobs == 1:
        for experiment in experiments:
            laboratory.run(experiment)
            yield experiment
        return
    groups = [list(group) for _, group in groupby(experiments, key=_shared)]
    threads = max(usable_threads(laboratory.threads) // jobs, 1)
    given = (laboratory.cache.folder, laboratory.data, threads)
    context = get_context("spawn")
    done: Queue[Experiment] = context.Queue()
    with ProcessPoolExecutor(jobs, context, _begin, (done,)) as pool:
        try:
            futures = [pool.submit(_run_group, group, given) for group in groups]
            yield from _arriving(done, futures, len(experiments))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def _arriving(done: Queue[Experiment], futures: Sequence[Future[None]], count: int) -> Iterator[Experiment]:
    """So many experiments, each when a worker says that it is done; raises what failed in one."""
    while count:
        try:
            yield done.get(timeout=_LOOK)
            count -= 1
        except Empty:
            for future in futures:
                if future.done():
                    future.result()


def silence() -> None:
    """Warnings about texts without known words are for the reports."""
    logging.getLogger("tacit").addHandler(logging.NullHandler())
    logging.getLogger("tacit").propagate = False


_laboratories: dict[tuple[Any, ...], Laboratory] = {}
_done: list[Queue[Experiment]] = []
"""Of a worker: where it says what is done."""


def _begin(done: Queue[Experiment]) -> None:
    """A worker ends at Ctrl-C without a word: the process that began it speaks."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _done.append(done)
    silence()


def _run_group(group: list[Experiment], given: tuple[Any, ...]) -> None:
    """Run experiments in a worker, which keeps its laboratory, and so the texts it holds."""
    laboratory = _laboratories.setdefault(given, Laboratory(*given))
    for experiment in group:
        laboratory.run(experiment)
        _done[0].put(experiment)
