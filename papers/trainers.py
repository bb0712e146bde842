"""From the specification of a model to a trained scorer, and to all of its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papers.baselines.trained import MAKERS, baseline, resolve_baseline
from papers.coin import measure_coin
from papers.experiments import Experiment
from papers.few_labels import measure_few_labels, resolve_few_labels
from papers.med import measure_alignment, measure_queries, measure_query, resolve_med
from papers.models import resolve_wtmf, wtmf, wtmf_stopped
from papers.models_across import b_wmf, resolve_b_wmf, resolve_x_wmf, x_wmf
from papers.senses.system import random_senses
from papers.senses.training import resolve_senses, train_senses_system
from tacit.errors import InputError

Texts = Any
"""A list of texts, or for the crosslingual models ``ParallelTexts``."""

Trainer = Callable[[Experiment, Texts, str | Path | None, int | None], Any]
"""From an experiment, its texts, the data folder and a number of threads to a scorer."""

Resolver = Callable[[Mapping[str, Any]], dict[str, Any]]
"""From the parameters that are given to all that there are."""


@dataclass(frozen=True)
class Kind:
    """A kind of model: what trains it, or what measures it by itself; and all of its settings.

    ``reads_corpus`` is False for what learns nothing: the texts of the corpus are then not read.
    ``results_version`` is part of the keys of recorded runs. Raise it when a change to the code changes the
    numbers of this kind: recorded runs of the version before are then no longer found.
    """

    train: Trainer | None
    resolve: Resolver
    measure: Callable[[Experiment, str | Path | None], dict[str, float]] | None = None
    reads_corpus: bool = True
    results_version: int = 1


KINDS: dict[str, Kind] = {
    **{
        name: Kind(baseline, resolve_baseline(name), reads_corpus=hasattr(maker, "fit"))
        for name, maker in MAKERS.items()
    },
    "wtmf": Kind(wtmf, resolve_wtmf),
    "wtmf-stopped": Kind(wtmf_stopped, resolve_wtmf),
    "b-wmf": Kind(b_wmf, resolve_b_wmf),
    "x-wmf": Kind(x_wmf, resolve_x_wmf),
    **{
        name: Kind(train_senses_system, lambda given, name=name: resolve_senses(name, given))  # type: ignore[misc]
        for name in ("conservative", "liberal", "local")
    },
    "drawn-senses": Kind(random_senses, dict),
    "coin": Kind(None, dict, measure_coin),
    "med-alignment": Kind(None, resolve_med, measure_alignment),
    "med-query": Kind(None, resolve_med, measure_query),
    "med-queries": Kind(None, resolve_med, measure_queries),
    "few-labels": Kind(None, resolve_few_labels, measure_few_labels),
}


def find_kind(name: str) -> Kind:
    """The kind of model of this name.

    >>> find_kind("lsi")
    Traceback (most recent call last):
    tacit.errors.InputError: no model is called 'lsi'; there are ir, ngram, ngram-tfidf, lsa, lda, ...
    """
    if name not in KINDS:
        raise InputError(f"no model is called {name!r}; there are {', '.join(KINDS)}")
    return KINDS[name]


def train(experiment: Experiment, texts: Texts, data: str | Path | None, threads: int | None) -> Any:
    """The scorer an experiment describes, trained."""
    kind = find_kind(experiment.model.kind)
    if kind.train is None:
        raise InputError(f"{experiment.model.kind} is measured by itself, not trained")
    return kind.train(experiment, texts, data, threads)
