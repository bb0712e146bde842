"""Runs experiments, each once: its numbers are written the moment they are known."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from papers.cache import Cache, Key, Numbers, Run, file_digest
from papers.code_digest import code_digest
from papers.corpora import CORPORA, Corpus
from papers.experiments import Experiment
from papers.measuring import measured
from papers.tasks import TASKS
from papers.trainers import find_kind, train
from tacit.errors import InputError

_ALWAYS = ("papers.measuring", "papers.sources")


class Laboratory:
    """Where experiments are run and their numbers kept, a JSON file each in ``cache``.

    Parameters
    ----------
    cache : the folder of the numbers; a stopped run is taken up from it.
    data : the folder of corpora and evaluation data; left out, ``$TACIT_DATA``.
    threads : for WTMF; None for every core.
    """

    def __init__(self, cache: str | Path, data: str | Path | None = None, threads: int | None = None) -> None:
        """Keep the choices."""
        self.cache = Cache(cache)
        self.data = data
        self.threads = threads
        self._texts: tuple[str, Any] = ("", [])

    def check(self, experiments: Iterable[Experiment]) -> None:
        """Refuse, before work starts, what could not be run to its end."""
        experiments = list(experiments)
        self.cache.folder.mkdir(parents=True, exist_ok=True)
        for corpus in dict.fromkeys(experiment.corpus for experiment in experiments):
            find_corpus(corpus).files(self.data)
        for experiment in experiments:
            find_kind(experiment.model.kind)

    def known(self, experiment: Experiment) -> Run | None:
        """What an earlier run of the same code gave; None where there is nothing."""
        return self.cache.find(self.key(experiment))

    def older(self, experiment: Experiment) -> Run | None:
        """What an earlier run of other code gave."""
        return self.cache.older(self.key(experiment))

    def run(self, experiment: Experiment) -> Run:
        """An experiment with its numbers by ``task/set/measure``: kept, or from training now."""
        kept = self.known(experiment)
        if kept is not None:
            return kept
        facts = experiment.to_dict() | {"resolved": resolved(experiment)}
        return self.cache.run(self.key(experiment), facts, lambda: self._numbers(experiment))

    def numbers(self, experiment: Experiment) -> Numbers:
        """The numbers of an experiment alone."""
        return self.run(experiment).numbers

    def key(self, experiment: Experiment) -> Key:
        """What the result of an experiment is kept under."""
        corpus = find_corpus(experiment.corpus)
        facts = {
            "corpus": corpus.read,
            "model": experiment.model.kind,
            "settings": resolved(experiment),
            "seed": experiment.seed,
            "data": {path: file_digest(file) for path, file in corpus.files(self.data).items()},
        }
        return Key.of(facts, code_digest(code_of(experiment)))

    def _numbers(self, experiment: Experiment) -> Numbers:
        """Train and measure: by the tasks of the corpus, or as the model's own measure does it."""
        measure = find_kind(experiment.model.kind).measure
        if measure is not None:
            return measure(experiment, self.data)
        texts = self._corpus_texts(experiment.corpus)
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
    """Every setting of an experiment's model, defaults included, as plain values."""
    found = find_kind(experiment.model.kind).resolve(experiment.model.parameters)
    return {name: value if _plain(value) else str(value) for name, value in sorted(found.items())}


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str | list)


def code_of(experiment: Experiment) -> frozenset[str]:
    """The modules that an experiment's computation starts from."""
    kind = find_kind(experiment.model.kind)
    if kind.measure is not None:
        return frozenset({kind.code})
    tasks = (TASKS[task].kind for task in find_corpus(experiment.corpus).tasks)
    measures = {function.__module__ for task in tasks for function in (task.load, task.measure)}
    return frozenset({kind.code, *_ALWAYS, *measures})


def find_corpus(name: str) -> Corpus:
    """The corpus of this name.

    >>> find_corpus("news")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'news'; there are definitions, ...
    """
    if name not in CORPORA:
        raise InputError(f"no corpus is called {name!r}; there are {', '.join(CORPORA)}")
    return CORPORA[name]
