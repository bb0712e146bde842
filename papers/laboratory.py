"""Runs experiments, each once: its record is appended to the cache as soon as it is known."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from papers.corpora import CORPORA, Corpus
from papers.experiments import Experiment
from papers.measuring import measured
from papers.run_cache import RUNS, Numbers, RunCache, RunKey, RunRecord, data_digest
from papers.tasks import TASKS
from papers.trainers import find_kind, train
from tacit.errors import InputError


class Laboratory:
    """Where experiments are run and their records kept.

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

    def check(self, experiments: Iterable[Experiment]) -> None:
        """Raise an error, before work starts, for what could not be run to its end."""
        experiments = list(experiments)
        self.cache.records()
        for corpus in dict.fromkeys(experiment.corpus for experiment in experiments):
            find_corpus(corpus).files(self.data)
        for experiment in experiments:
            find_kind(experiment.model.kind)

    def find_run(self, experiment: Experiment) -> RunRecord | None:
        """Return the record of an experiment, or None where it has not been run."""
        return self.cache.find(self.key(experiment))

    def run(self, experiment: Experiment) -> RunRecord:
        """Return the record of an experiment, computed and appended to the cache where there is none."""
        record = self.find_run(experiment)
        if record is None:
            record = self.compute(experiment)
            self.cache.append(record)
        return record

    def compute(self, experiment: Experiment) -> RunRecord:
        """Train and measure, whatever the cache has."""
        return RunRecord.measure(self.key(experiment), lambda: self._numbers(experiment))

    def numbers(self, experiment: Experiment) -> Numbers:
        """Return the numbers of an experiment by ``task/set/measure``."""
        return self.run(experiment).numbers

    def key(self, experiment: Experiment) -> RunKey:
        """Return what the record of an experiment is found by."""
        corpus, kind = find_corpus(experiment.corpus), find_kind(experiment.model.kind)
        if experiment.corpus not in self._digests:
            self._digests[experiment.corpus] = data_digest(corpus.files(self.data))
        return RunKey(
            corpus.describe_input(),
            self._digests[experiment.corpus],
            experiment.model.kind,
            resolved(experiment),
            experiment.seed,
            kind.results_version,
        )

    def _numbers(self, experiment: Experiment) -> Numbers:
        """Train and measure: by the tasks of the corpus, or as the model's own measure does it."""
        kind = find_kind(experiment.model.kind)
        if kind.measure is not None:
            return kind.measure(experiment, self.data)
        texts = self._corpus_texts(experiment.corpus) if kind.reads_corpus else []
        scorer = train(experiment, texts, self.data, self.threads)
        tasks = [TASKS[task] for task in find_corpus(experiment.corpus).tasks]
        return measured(tasks, scorer, self.data)

    def _corpus_texts(self, name: str) -> Any:
        """The texts of a corpus; those of one corpus at a time are held."""
        if self._texts[0] != name:
            self._texts = ("", [])
            self._texts = (name, find_corpus(name).texts(self.data))
        return self._texts[1]


def resolved(experiment: Experiment) -> dict[str, Any]:
    """Return every setting of an experiment's model, defaults included, as plain values."""
    found = find_kind(experiment.model.kind).resolve(experiment.model.parameters)
    return {name: value if _plain(value) else str(value) for name, value in sorted(found.items())}


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str | list)


def find_corpus(name: str) -> Corpus:
    """The corpus of this name.

    >>> find_corpus("news")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'news'; there are definitions, ...
    """
    if name not in CORPORA:
        raise InputError(f"no corpus is called {name!r}; there are {', '.join(CORPORA)}")
    return CORPORA[name]
