"""From the specification of a model to a trained scorer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tacit.errors import InputError
from tacit.evaluation.baselines import LDAScorer, RandomScorer, WTMFScorer, baseline
from tacit.evaluation.cdr import Retrieval, load_retrieval, measure_atop, split
from tacit.evaluation.reproduction.crosslingual import b_wmf, x_wmf
from tacit.evaluation.reproduction.experiments import Experiment
from tacit.evaluation.tasks import find_task
from tacit.sentences.wtmf import WTMF
from tacit.text.vectorizer import TextVectorizer

Texts = Any
"""A list of texts, or for the crosslingual models ``ParallelTexts``."""


def train(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    """The scorer an experiment describes, trained.

    >>> from tacit.evaluation.reproduction.experiments import Model
    >>> train(Experiment("definitions", Model("lsi")), [], None, None)
    Traceback (most recent call last):
    tacit.errors.InputError: no model is called 'lsi'; there are ir, ngram, ngram-tfidf, lsa, lda, random, ...
    """
    kind = experiment.model.kind
    if kind not in KINDS:
        raise InputError(f"no model is called {kind!r}; there are {', '.join(KINDS)}")
    return KINDS[kind](experiment, texts, data, threads)


def can_score(scorer: Any, task: str) -> bool:
    """Whether a scorer has every language that the files of a task are told to be in.

    >>> can_score(RandomScorer(), "sts17")
    True
    """
    model = getattr(scorer, "model", None)
    codes = getattr(model, "languages_", None)
    told = {code for file in find_task(task).files for code in file.languages or ()}
    return codes is None or told <= set(codes)


def _plain(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    return baseline(experiment.model.kind, texts, **experiment.model.parameters)


def _lda(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    """One thread, whatever was asked for: the sampler's numbers depend on how many there are."""
    parameters, vectorizer = _parted(experiment.model.parameters)
    return LDAScorer(vectorizer=vectorizer, random_state=experiment.seed, **parameters).fit(texts)


def _random(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    return RandomScorer(experiment.seed)


def _wtmf(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    parameters, vectorizer = _parted(experiment.model.parameters)
    measure = parameters.pop("measure", "latent")
    model = WTMF(vectorizer, random_state=experiment.seed, n_threads=threads, **parameters)
    return WTMFScorer(model.fit(texts), measure=measure)


def _wtmf_stopped(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    """WTMF after the sweep with the best ATOP of the dev queries.

    ``n_iter`` sweeps at most, and none after ``patience`` sweeps without gain. Each number of sweeps is
    trained from the start: the same seed gives the same bits, and the best comes early.
    """
    parameters, vectorizer = _parted(experiment.model.parameters)
    patience, most = parameters.pop("patience"), parameters.pop("n_iter")
    retrieval = load_retrieval(data)
    dev = retrieval.take(split(len(retrieval.queries))[0])

    def after(sweeps: int) -> WTMFScorer:
        model = WTMF(vectorizer, random_state=experiment.seed, n_threads=threads, n_iter=sweeps, **parameters)
        return WTMFScorer(model.fit(texts))

    return best_sweep(after, lambda scorer: dev_atop(scorer, dev), most, patience)


def _senses(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    from tacit.evaluation.reproduction.senses import senses_system

    return senses_system(experiment, data, threads)


def best_sweep(after: Callable[[int], Any], measure: Callable[[Any], float], most: int, patience: int) -> Any:
    """What ``after(sweeps)`` gives at the best measure; stops after ``patience`` sweeps without gain.

    >>> curve = {1: 0.7, 2: 0.9, 3: 0.8, 4: 0.8, 5: 1.0}
    >>> best_sweep(lambda sweeps: sweeps, curve.get, most=5, patience=2)
    2
    """
    best, highest, since = None, float("-inf"), 0
    for sweeps in range(1, most + 1):
        found = after(sweeps)
        value = measure(found)
        if value > highest:
            best, highest, since = found, value, 0
        else:
            since += 1
        if since >= patience:
            break
    return best


def dev_atop(scorer: Any, dev: Retrieval) -> float:
    """The mean ATOP of the dev queries by their full ranks."""
    return float(measure_atop(scorer, dev).full.mean())


def _parted(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], TextVectorizer]:
    """The model's own parameters, and the vectorizer of ``min_df`` and ``tf``."""
    own = dict(parameters)
    return own, TextVectorizer(min_df=own.pop("min_df", 2), tf=own.pop("tf", "raw"))


Maker = Callable[[Experiment, Texts, str | Path | None, int | None], Any]

KINDS: dict[str, Maker] = {
    "ir": _plain,
    "ngram": _plain,
    "ngram-tfidf": _plain,
    "lsa": _plain,
    "lda": _lda,
    "random": _random,
    "wtmf": _wtmf,
    "wtmf-stopped": _wtmf_stopped,
    "prefix": _plain,
    "b-wmf": b_wmf,
    "x-wmf": x_wmf,
    "conservative": _senses,
    "liberal": _senses,
    "local": _senses,
}
"""By kind: what trains it."""
