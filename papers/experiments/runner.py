"""Run pending experiments and record their metrics, in one process or several."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import groupby
from multiprocessing import active_children, get_context
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from typing import Any, TypeAlias

from papers.experiments.corpora import CORPORA, Corpus
from papers.experiments.measurement import TASKS, measure_tasks
from papers.experiments.model_kinds import find_model_kind, train
from papers.experiments.run_cache import RUNS, Numbers, RunCache, RunKey, RunRecord, data_digest
from papers.senses.training import CorpusSettings
from papers.specs import Experiment
from tacit.compute.threads import effective_n_threads
from tacit.errors import InputError
from tacit.models.measures import SCORE_VERSIONS


class ExperimentRunner:
    """Runs experiments and records the results.

    Parameters
    ----------
    runs : the file of run records; a stopped run is resumed from it.
    data : the folder of corpora and evaluation data; left out, ``$TACIT_DATA``.
    threads : for WTMF; None for every core.
    """

    def __init__(
        self, runs: str | Path = RUNS, data: str | Path | None = None, threads: int | None = None
    ) -> None:
        """Store the arguments."""
        self.cache = RunCache(runs)
        self.data = data
        self.threads = threads
        self._texts: tuple[str, Any] = ("", [])
        self._digests: dict[str, str] = {}

    def check_inputs(self, experiments: Iterable[Experiment]) -> None:
        """Raise an error if a corpus file or a kind of model is missing."""
        experiments = list(experiments)
        self.cache.records()
        for corpus in dict.fromkeys(experiment.corpus for experiment in experiments):
            find_corpus(corpus).files(self.data)
        for experiment in experiments:
            find_model_kind(experiment.model.kind)

    def find_run(self, experiment: Experiment) -> RunRecord | None:
        """Return the record of an experiment, or None."""
        return self.cache.find(self.key(experiment))

    def run(self, experiment: Experiment) -> RunRecord:
        """Return the record of an experiment; compute and append it if there is none."""
        record = self.find_run(experiment)
        if record is None:
            record = self.compute(experiment)
            self.cache.append(record)
        return record

    def compute(self, experiment: Experiment) -> RunRecord:
        """Train and measure without the cache."""
        return RunRecord.measure(self.key(experiment), lambda: self._numbers(experiment))

    def numbers(self, experiment: Experiment) -> Numbers:
        """Return the numbers of an experiment by ``task/set/measure``."""
        return self.run(experiment).numbers

    def key(self, experiment: Experiment) -> RunKey:
        """Return the key of the record of an experiment."""
        corpus, kind = find_corpus(experiment.corpus), find_model_kind(experiment.model.kind)
        if experiment.corpus not in self._digests:
            self._digests[experiment.corpus] = data_digest(corpus.files(self.data))
        settings = resolved(experiment)
        score_version = SCORE_VERSIONS.get(str(settings.get("measure")), 1)
        return RunKey(
            corpus.describe_input(),
            self._digests[experiment.corpus],
            experiment.model.kind,
            settings,
            experiment.seed,
            kind.results_version + score_version - 1,
        )

    def _numbers(self, experiment: Experiment) -> Numbers:
        """Train and measure on the tasks of the corpus, or by the measure of the model kind."""
        kind = find_model_kind(experiment.model.kind)
        if kind.measure is not None:
            return kind.measure(experiment, self.data)
        texts = self._corpus_texts(experiment.corpus) if kind.reads_corpus else []
        scorer = train(experiment, texts, self.data, self.threads)
        tasks = [TASKS[task] for task in find_corpus(experiment.corpus).tasks]
        return measure_tasks(tasks, scorer, self.data)

    def _corpus_texts(self, name: str) -> Any:
        """Return the texts of a corpus; the last corpus is cached."""
        if self._texts[0] != name:
            self._texts = ("", [])
            self._texts = (name, find_corpus(name).texts(self.data))
        return self._texts[1]


def resolved(experiment: Experiment) -> dict[str, Any]:
    """Return all settings of an experiment's model, with defaults, as plain values.

    ``urls="split"`` is left out: runs were recorded before there was a choice.
    """
    settings = dict(find_model_kind(experiment.model.kind).resolve(experiment.model.parameters))
    if settings.get("urls") == "split":
        del settings["urls"]
    return {name: value if _is_plain(value) else str(value) for name, value in sorted(settings.items())}


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str | list)


def find_corpus(name: str) -> Corpus:
    """Return a corpus by name.

    >>> find_corpus("news")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'news'; there are definitions, ...
    """
    if name not in CORPORA:
        raise InputError(f"no corpus is called {name!r}; there are {', '.join(CORPORA)}")
    return CORPORA[name]


Done: TypeAlias = "Queue[tuple[Experiment, RunRecord]]"
_POLL_SECONDS = 0.2
"""Seconds between two checks for failed workers."""


def pending_experiments(experiments: Iterable[Experiment], runner: ExperimentRunner) -> list[Experiment]:
    """Return the experiments that have no record, each once, in the order in which to run them."""
    return sort_for_sharing(experiment for experiment in experiments if runner.find_run(experiment) is None)


def sort_for_sharing(experiments: Iterable[Experiment]) -> list[Experiment]:
    """Sort distinct experiments so that those that share texts or trainings follow each other.

    Of one chain of LDA the shorter first, which is then taken further; the systems of senses that share a
    reading of their text, which takes longest, one after another; else seed by seed.
    """
    distinct = {experiment.title: experiment for experiment in experiments}
    return sorted(distinct.values(), key=lambda item: (*_group_key(item), _steps(item), item.training_key))


def _group_key(experiment: Experiment) -> tuple[Any, ...]:
    """Return a key for experiments that one process should run in sequence."""
    parameters = dict(experiment.model.parameters)
    parameters.pop("n_iter", None)
    corpus_settings = tuple(
        f"{name}={parameters[name]}" for name in CorpusSettings._fields if name in parameters
    )
    corpus_key = corpus_settings if "features" in parameters else ()
    kind = experiment.model.kind
    chain = str(sorted(parameters.items())) if kind in ("lda", "few-labels") else ""
    seed = 0 if kind == "few-labels" else experiment.seed  # one set of features serves all seeds
    return corpus_key, seed, experiment.corpus, kind, chain


def _steps(experiment: Experiment) -> int:
    return int(experiment.model.parameters.get("n_iter", 0)) if experiment.model.kind == "lda" else 0


def compute_experiments(
    experiments: Sequence[Experiment], runner: ExperimentRunner, jobs: int = 1
) -> Iterator[tuple[Experiment, RunRecord]]:
    """Compute experiments without the cache, and yield each with its record when it is done.

    ``jobs`` processes share the threads there are.
    """
    if jobs == 1:
        for experiment in experiments:
            yield experiment, runner.compute(experiment)
        return
    groups = [list(group) for _, group in groupby(experiments, key=_group_key)]
    threads = max(effective_n_threads(runner.threads) // jobs, 1)
    arguments = (runner.cache.file, runner.data, threads)
    context = get_context("spawn")
    done: Done = context.Queue()
    with ProcessPoolExecutor(jobs, context, _init_worker, (done,)) as pool:
        try:
            futures = [pool.submit(_compute_group, group, arguments) for group in groups]
            yield from _iter_finished(done, futures, len(experiments))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def run_experiments(
    experiments: Sequence[Experiment], runner: ExperimentRunner, jobs: int = 1
) -> Iterator[Experiment]:
    """Compute experiments and yield each when its record is in the cache, which only this process writes."""
    for experiment, record in compute_experiments(experiments, runner, jobs):
        runner.cache.append(record)
        yield experiment


def _iter_finished(
    done: Done, futures: Sequence[Future[None]], count: int
) -> Iterator[tuple[Experiment, RunRecord]]:
    """Yield experiments when a worker sends their records; raise the error of a failed worker."""
    while count:
        try:
            yield done.get(timeout=_POLL_SECONDS)
            count -= 1
        except Empty:
            for future in futures:
                if future.done():
                    future.result()


def _silence_logs() -> None:
    """Silence the logs of the library."""
    logging.getLogger("tacit").addHandler(logging.NullHandler())
    logging.getLogger("tacit").propagate = False


_runners: dict[tuple[Any, ...], ExperimentRunner] = {}
_done: list[Done] = []
"""The callback to which a worker process sends its records."""


def _init_worker(done: Done) -> None:
    """Start a worker; it ends at Ctrl-C without a word, as the process that started it reports that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _done.append(done)
    _silence_logs()


def _compute_group(group: list[Experiment], arguments: tuple[Any, ...]) -> None:
    """Compute experiments in a worker, which keeps its runner, and so the texts it holds."""
    runner = _runners.setdefault(arguments, ExperimentRunner(*arguments))
    for experiment in group:
        _done[0].put((experiment, runner.compute(experiment)))
