"""From the specification of a model to a trained scorer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from papers import models
from papers.baselines import LDAScorer, LSAScorer, NgramScorer, RandomRanker
from papers.experiments import Experiment
from papers.senses.training import senses_system
from papers.tasks import TASKS
from tacit.errors import InputError
from tacit.evaluation.baselines import PrefixScorer, TfidfScorer

Texts = Any
"""A list of texts, or for the crosslingual models ``ParallelTexts``."""

Trainer = Callable[[Experiment, Texts, str | Path | None, int | None], Any]
"""From an experiment, its texts, the data folder and a number of threads to a scorer."""


def train(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    """The scorer an experiment describes, trained.

    >>> from papers.experiments import Model
    >>> train(Experiment("definitions", Model("lsi")), [], None, None)
    Traceback (most recent call last):
    tacit.errors.InputError: no model is called 'lsi'; there are ir, ngram, ngram-tfidf, lsa, lda, random, ...
    """
    kind = experiment.model.kind
    if kind not in TRAINERS:
        raise InputError(f"no model is called {kind!r}; there are {', '.join(TRAINERS)}")
    return TRAINERS[kind](experiment, texts, data, threads)


def can_score(scorer: Any, task: str) -> bool:
    """Whether a scorer has every language that the files of a task are told to be in.

    >>> can_score(RandomRanker(), "sts17")
    True
    """
    codes = getattr(getattr(scorer, "model", None), "languages", None)
    told = {code for file in TASKS[task].files for code in file.languages or ()}
    return codes is None or told <= set(codes)


def _baseline(make: Callable[..., Any], **fixed: Any) -> Trainer:
    """What is made of the parameters alone, and trained where it can be."""

    def trained(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
        scorer = make(**experiment.model.parameters, **fixed)
        return scorer.fit(texts) if hasattr(scorer, "fit") else scorer

    return trained


def _lda(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    """One thread, whatever was asked for: the sampler's numbers depend on how many there are."""
    own, vectorizer = models.parted(experiment)
    return LDAScorer(vectorizer=vectorizer, random_state=experiment.seed, **own).fit(texts)


def _random(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    return RandomRanker(experiment.seed)


def _senses(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    return senses_system(experiment, data, threads)


TRAINERS: dict[str, Trainer] = {
    "ir": _baseline(TfidfScorer),
    "ngram": _baseline(NgramScorer),
    "ngram-tfidf": _baseline(NgramScorer, tfidf=True),
    "lsa": _baseline(LSAScorer),
    "lda": _lda,
    "random": _random,
    "wtmf": models.wtmf,
    "wtmf-stopped": models.wtmf_stopped,
    "prefix": _baseline(PrefixScorer),
    "b-wmf": models.b_wmf,
    "x-wmf": models.x_wmf,
    "conservative": _senses,
    "liberal": _senses,
    "local": _senses,
}
"""By kind of model: what trains it."""
