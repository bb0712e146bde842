"""Registry of model kinds: training function, resolved settings, results version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from papers.baselines.lda import GibbsChain, LDAScorer
from papers.baselines.scorers import LSAScorer, NgramScorer, RandomRanker, TfidfScorer
from papers.experiments.few_labels import measure_few_labels, resolve_few_labels
from papers.experiments.measurement import measure_random_labels
from papers.experiments.medline import measure_alignment, measure_queries, measure_query, resolve_med
from papers.experiments.wmf_models import (
    resolve_b_wmf,
    resolve_wtmf,
    resolve_x_wmf,
    split_parameters,
    train_b_wmf,
    train_wtmf,
    train_wtmf_early_stopped,
    train_x_wmf,
)
from papers.senses.system import random_senses
from papers.senses.training import resolve_senses, train_senses_system
from papers.specs import Experiment
from tacit.errors import InputError
from tacit.evaluation.scorers import PrefixScorer

MAKERS: Mapping[str, Callable[..., Any]] = {
    "ir": TfidfScorer,
    "ngram": NgramScorer,
    "ngram-tfidf": NgramScorer,
    "lsa": LSAScorer,
    "lda": LDAScorer,
    "prefix": PrefixScorer,
    "random": RandomRanker,
}
_SEEDS = ("random_state", "seed")
_chains: dict[str, GibbsChain] = {}
"""The last chain, by the settings that its experiments share; fewer iterations are run first."""


def train_baseline(experiment: Experiment, texts: Any, data: str | Path | None, threads: int | None) -> Any:
    """Make a baseline, and train it if it can be trained."""
    kind = experiment.model.kind
    arguments = _maker_arguments(kind, experiment.model.parameters)
    if kind == "random":
        return RandomRanker(experiment.seed)
    if kind == "lda":
        scorer = LDAScorer(random_state=experiment.seed, **arguments)
        return scorer.fit(texts, _chain(experiment))
    scorer = MAKERS[kind](**arguments)
    return scorer.fit(texts) if hasattr(scorer, "fit") else scorer


def _chain(experiment: Experiment) -> GibbsChain:
    shared = {name: value for name, value in experiment.model.parameters.items() if name != "n_iter"}
    name = f"{experiment.corpus} {experiment.seed} {sorted(shared.items())}"
    if name not in _chains:
        _chains.clear()
        _chains[name] = GibbsChain()
    return _chains[name]


def resolve_baseline(kind: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a function that resolves all settings of a baseline, with defaults.

    >>> resolve_baseline("ngram")({})
    {'longest': 3, 'tfidf': False, 'language': 'en', 'normalize': 'stem'}
    """

    def resolve(parameters: Mapping[str, Any]) -> dict[str, Any]:
        defaults = {name: parameter.default for name, parameter in signature(MAKERS[kind]).parameters.items()}
        settings = defaults | _maker_arguments(kind, parameters)
        if "vectorizer" in settings:
            settings |= settings.pop("vectorizer").get_params()
        return {name: value for name, value in settings.items() if name not in _SEEDS}

    return resolve


def _maker_arguments(kind: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the constructor arguments of a baseline."""
    if "vectorizer" not in signature(MAKERS[kind]).parameters:
        return {**parameters, **({"tfidf": True} if kind == "ngram-tfidf" else {})}
    arguments, vectorizer = split_parameters(parameters)
    return {**arguments, "vectorizer": vectorizer}


Texts = Any
"""A list of texts, or for the crosslingual models ``ParallelTexts``."""

Trainer = Callable[[Experiment, Texts, str | Path | None, int | None], Any]
"""Returns a scorer for an experiment, its texts, the data folder and a number of threads."""

Resolver = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Returns all settings, with defaults, for the parameters of a model."""


@dataclass(frozen=True)
class ModelKind:
    """A kind of model: how it is trained, or trained and measured, and its settings.

    ``reads_corpus`` is False for models that are not trained: the texts of the corpus are then not read.
    ``results_version`` is part of the keys of recorded runs. Raise it when a change to the code changes the
    numbers of this kind: recorded runs of the version before are then no longer found.
    """

    train: Trainer | None
    resolve: Resolver
    measure: Callable[[Experiment, str | Path | None], dict[str, float]] | None = None
    reads_corpus: bool = True
    results_version: int = 1


MODEL_KINDS: dict[str, ModelKind] = {
    **{
        name: ModelKind(train_baseline, resolve_baseline(name), reads_corpus=hasattr(maker, "fit"))
        for name, maker in MAKERS.items()
    },
    "wtmf": ModelKind(train_wtmf, resolve_wtmf),
    "wtmf-stopped": ModelKind(train_wtmf_early_stopped, resolve_wtmf),
    "b-wmf": ModelKind(train_b_wmf, resolve_b_wmf),
    "x-wmf": ModelKind(train_x_wmf, resolve_x_wmf),
    **{
        name: ModelKind(train_senses_system, lambda given, name=name: resolve_senses(name, given))  # type: ignore[misc]
        for name in ("conservative", "liberal", "local")
    },
    "drawn-senses": ModelKind(random_senses, dict),
    "coin": ModelKind(None, dict, measure_random_labels),
    "med-alignment": ModelKind(None, resolve_med, measure_alignment),
    "med-query": ModelKind(None, resolve_med, measure_query),
    "med-queries": ModelKind(None, resolve_med, measure_queries),
    "few-labels": ModelKind(None, resolve_few_labels, measure_few_labels),
}


def find_model_kind(name: str) -> ModelKind:
    """Return a kind of model by name.

    >>> find_model_kind("lsi")
    Traceback (most recent call last):
    tacit.errors.InputError: no model is called 'lsi'; there are ir, ngram, ngram-tfidf, lsa, lda, ...
    """
    if name not in MODEL_KINDS:
        raise InputError(f"no model is called {name!r}; there are {', '.join(MODEL_KINDS)}")
    return MODEL_KINDS[name]


def train(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    """Train the scorer of an experiment."""
    kind = find_model_kind(experiment.model.kind)
    if kind.train is None:
        raise InputError(f"{experiment.model.kind} is measured by itself, not trained")
    return kind.train(experiment, texts, data, threads)
