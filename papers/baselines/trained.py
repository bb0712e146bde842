"""The baselines, trained from their specifications."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

from papers.baselines.lda import Chain, LDAScorer
from papers.baselines.lsa import LSAScorer
from papers.baselines.ngrams import NgramScorer
from papers.baselines.random_ranker import RandomRanker
from papers.baselines.scorers import TfidfScorer
from papers.experiments import Experiment
from papers.models import parted
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
_chains: dict[str, Chain] = {}
"""The chain sampled last, by all that its experiments share: those of fewer iterations come first."""


def baseline(experiment: Experiment, texts: Any, data: str | Path | None, threads: int | None) -> Any:
    """A baseline, trained where it can be."""
    kind = experiment.model.kind
    given = _given(kind, experiment.model.parameters)
    if kind == "random":
        return RandomRanker(experiment.seed)
    if kind == "lda":
        scorer = LDAScorer(random_state=experiment.seed, **given)
        return scorer.fit(texts, _chain(experiment))
    scorer = MAKERS[kind](**given)
    return scorer.fit(texts) if hasattr(scorer, "fit") else scorer


def _chain(experiment: Experiment) -> Chain:
    shared = {name: value for name, value in experiment.model.parameters.items() if name != "n_iter"}
    name = f"{experiment.corpus} {experiment.seed} {sorted(shared.items())}"
    if name not in _chains:
        _chains.clear()
        _chains[name] = Chain()
    return _chains[name]


def resolve_baseline(kind: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """What gives every setting of a baseline, defaults included.

    >>> resolve_baseline("ngram")({})
    {'longest': 3, 'tfidf': False, 'language': 'en', 'normalize': 'stem'}
    """

    def resolve(parameters: Mapping[str, Any]) -> dict[str, Any]:
        usual = {name: told.default for name, told in signature(MAKERS[kind]).parameters.items()}
        found = usual | _given(kind, parameters)
        if "vectorizer" in found:
            found |= found.pop("vectorizer").get_params()
        return {name: value for name, value in found.items() if name not in _SEEDS}

    return resolve


def _given(kind: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the maker."""
    if "vectorizer" not in signature(MAKERS[kind]).parameters:
        return {**parameters, **({"tfidf": True} if kind == "ngram-tfidf" else {})}
    own, vectorizer = parted(parameters)
    return {**own, "vectorizer": vectorizer}
