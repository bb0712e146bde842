"""Runs experiments, each once: its numbers are written the moment they are known."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

from papers.baselines.lda import check_tomotopy
from papers.beyond import across_years
from papers.corpora import CORPORA, Corpus
from papers.experiments import Experiment
from papers.few_labels import measure_few_labels
from papers.med import measure_alignment, measure_queries, measure_query
from papers.sts12_ranks import official_ranks
from papers.tasks import TASKS
from papers.trainers import TRAINERS, can_score, train
from tacit.errors import InputError
from tacit.evaluation.results import AVERAGES, Result
from tacit.evaluation.run import evaluate

Numbers = dict[str, float]

CLASSIFICATIONS: dict[str, Callable[[Experiment, str | Path | None], Numbers]] = {
    "med-alignment": measure_alignment,
    "med-query": measure_query,
    "med-queries": measure_queries,
    "few-labels": measure_few_labels,
}
"""By kind of model: what trains a classifier and measures it."""


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
        self.cache = Path(cache)
        self.data = data
        self.threads = threads
        self._texts: tuple[str, Any] = ("", [])

    def check(self, experiments: Iterable[Experiment]) -> None:
        """Refuse, before work starts, what could not be run to its end."""
        experiments = list(experiments)
        self.cache.mkdir(parents=True, exist_ok=True)
        for corpus in dict.fromkeys(experiment.corpus for experiment in experiments):
            find_corpus(corpus).files(self.data)
        kinds = {experiment.model.kind for experiment in experiments if self.known(experiment) is None}
        unknown = kinds - {*TRAINERS, *CLASSIFICATIONS}
        if unknown:
            known = ", ".join([*TRAINERS, *CLASSIFICATIONS])
            raise InputError(f"no model is called {min(unknown)!r}; there are {known}")
        if "lda" in kinds:
            check_tomotopy()

    def known(self, experiment: Experiment) -> Numbers | None:
        """The numbers of an earlier run; None where there are none, or the file is damaged."""
        try:
            kept = json.loads(self._file(experiment).read_text(encoding="utf-8"))
            return {str(key): float(value) for key, value in kept["numbers"].items()}
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def numbers(self, experiment: Experiment) -> Numbers:
        """The numbers of an experiment by ``task/set/measure``: kept ones, or from training now."""
        kept = self.known(experiment)
        if kept is not None:
            return kept
        start = perf_counter()
        found = self._run(experiment)
        seconds = round(perf_counter() - start, 1)
        _write_whole(self._file(experiment), {**experiment.to_dict(), "seconds": seconds, "numbers": found})
        return found

    def _run(self, experiment: Experiment) -> Numbers:
        """Train and measure: by the tasks of the corpus, or as the model's own measure does it."""
        if experiment.model.kind in CLASSIFICATIONS:
            return CLASSIFICATIONS[experiment.model.kind](experiment, self.data)
        scorer = train(experiment, self._corpus_texts(experiment.corpus), self.data, self.threads)
        found: Numbers = {}
        for task in find_corpus(experiment.corpus).tasks:
            if can_score(scorer, task):
                found |= self._measured(evaluate(TASKS[task], scorer, self.data))
        return found | across_years(found)

    def _measured(self, result: Result) -> Numbers:
        """Everything a result says, under flat names, with the official ranks where there are any."""
        found = {
            f"{result.task}/{name}/{measure}": float(value)
            for name, numbers in result.sets.items()
            for measure, value in numbers.items()
        }
        for name in AVERAGES:
            if name in result.summary:
                found[f"{result.task}/{name}/pearson"] = float(result.summary[name])
            for end in ("pearson_low", "pearson_high"):
                if f"{name}_{end}" in result.summary:
                    found[f"{result.task}/{name}/{end}"] = float(result.summary[f"{name}_{end}"])
        if result.task == "sts12":
            ranks = official_ranks(result, self.data)
            found |= {f"sts12/{name}/rank": float(place) for name, place in ranks.items()}
        return found

    def _file(self, experiment: Experiment) -> Path:
        files = find_corpus(experiment.corpus).files(self.data)
        sizes = {path: file.stat().st_size for path, file in files.items()}
        return self.cache / f"{experiment.fingerprint(sizes)}.json"

    def _corpus_texts(self, name: str) -> Any:
        """The texts of a corpus; those of one corpus at a time are held."""
        if self._texts[0] != name:
            self._texts = ("", [])
            self._texts = (name, find_corpus(name).texts(self.data))
        return self._texts[1]


def find_corpus(name: str) -> Corpus:
    """The corpus of this name.

    >>> find_corpus("news")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'news'; there are definitions, ...
    """
    if name not in CORPORA:
        raise InputError(f"no corpus is called {name!r}; there are {', '.join(CORPORA)}")
    return CORPORA[name]


def _write_whole(file: Path, values: dict[str, object]) -> None:
    """Write JSON so that the file is there whole or not at all, even when stopped."""
    file.parent.mkdir(parents=True, exist_ok=True)  # where nobody called check
    part = file.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_text(json.dumps(values, indent=2, allow_nan=False) + "\n", encoding="utf-8")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
