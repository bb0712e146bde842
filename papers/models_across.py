"""The models across languages that tacit trains, from their specifications: b-WMF, x-WMF."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from papers.experiments import Experiment
from papers.models import parted, settings_of
from papers.sources import ParallelTexts
from tacit.evaluation.scorers import ModelScorer
from tacit.factorize.settings import PAPER
from tacit.models.incremental import append_borrowed_words, find_borrowable_words
from tacit.models.language import Language
from tacit.models.text_model import TextModel
from tacit.text.vectorizer import TextVectorizer
from tacit.training.bilingual import BilingualWMF
from tacit.training.wtmf import WTMF

_ADDED = ("missing_weight", "borrow", "translate")
"""What is said of a language that is added."""

_last: dict[str, Any] = {}
"""The crosslingual model trained last, by the title of its training.

The measures of one trained model are several experiments; those that share a training follow each other.
"""

_trained: dict[str, TextModel] = {}
MOST_TRAINED = 4
"""Trainings held at once: one of 100,000 words and 300 components takes 200 MB."""


class ClippedScorer(ModelScorer):
    """A model of several languages; the paper counts a negative cosine as 0."""

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> Any:
        """The measure of each pair, none below 0."""
        return np.maximum(super().score_pairs(a, b), 0)


def b_wmf(experiment: Experiment, texts: ParallelTexts, data: str | Path | None, threads: int | None) -> Any:
    """A ``BilingualWMF`` of the languages named, over every pair with English."""
    return _scorer(experiment, lambda: _bilingual(experiment, texts, threads))


def x_wmf(experiment: Experiment, texts: ParallelTexts, data: str | Path | None, threads: int | None) -> Any:
    """A model of English, to which the languages named are added."""
    return _scorer(experiment, lambda: _pivot(experiment, texts, threads))


def _scorer(experiment: Experiment, make: Callable[[], Any]) -> ClippedScorer:
    if experiment.training not in _last:
        _last.clear()
        _last[experiment.training] = make()
    measure = experiment.model.parameters.get("measure", "latent")
    return ClippedScorer(_last[experiment.training], "crosslingual", measure)


def _bilingual(experiment: Experiment, texts: ParallelTexts, threads: int | None) -> TextModel:
    own, vectorizer, codes = _across(experiment)
    strength, borrow = own.pop("text_regularization", None), own.pop("added_borrow", False)
    given = {**PAPER, "random_state": experiment.seed, "n_threads": threads, **own}
    rows = (
        (pair[0], *(pair[1] if code == other else None for other in codes))
        for code in codes
        for pair in texts.pairs[code]
    )
    trained = _shared(
        experiment,
        given,
        vectorizer,
        lambda: BilingualWMF(["en", *codes], vectorizer, **given).fit(rows).model_,
    )
    languages = {code: _encoding(each, strength) for code, each in trained.languages.items()}
    for code in codes if borrow else ():
        columns = find_borrowable_words(languages[code].vectorizer, languages["en"])
        languages[code] = append_borrowed_words(languages[code], languages["en"], columns)
    return TextModel(languages, trained.provenance, threads)


def _pivot(experiment: Experiment, texts: ParallelTexts, threads: int | None) -> TextModel:
    own, vectorizer, codes = _across(experiment)
    added = {name: own.pop(f"added_{name}") for name in _ADDED if f"added_{name}" in own}
    strength = own.pop("text_regularization", None)
    given = {"random_state": experiment.seed, "n_threads": threads, **own}
    trained = _shared(
        experiment,
        given,
        vectorizer,
        lambda: WTMF.paper(vectorizer=vectorizer, **given).fit(texts.english).model_,
    )
    model = TextModel({"en": _encoding(trained.pivot, strength)}, trained.provenance, threads)
    for code in codes:
        model.add_language(code, texts.pairs[code], **added)
    return model


def _encoding(language: Language, strength: float | None) -> Language:
    """The same language, but for what long vectors cost where a text is encoded; the trained one stays."""
    own = copy(language.vectorizer)
    return replace(language, vectorizer=own, text_regularization=strength, score_quantiles={})


def _shared(
    experiment: Experiment, given: dict[str, Any], vectorizer: TextVectorizer, make: Callable[[], TextModel]
) -> TextModel:
    """What was trained with these settings before, or is now: ways to add or to encode share a training."""
    chosen = (experiment.model.kind, experiment.corpus, sorted(given.items()), vectorizer.params_to_dict())
    key = str(chosen)
    if key not in _trained:
        if len(_trained) >= MOST_TRAINED:
            _trained.pop(next(iter(_trained)))
        _trained[key] = make()
    return _trained[key]


def _across(experiment: Experiment) -> tuple[dict[str, Any], TextVectorizer, list[str]]:
    """The model's own parameters without its measure, the vectorizer, and the languages beside English."""
    own, vectorizer = parted(experiment.model.parameters)
    own.pop("measure", None)
    return own, vectorizer, own.pop("languages").split()


def resolve_b_wmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting of a b-WMF, defaults included."""
    own, vectorizer = parted(parameters)
    usual = {"measure": "latent", "languages": "", "text_regularization": None, "added_borrow": False}
    fixed = {name: own.pop(name, default) for name, default in usual.items()}
    return {**settings_of(BilingualWMF(["en", "xx"], vectorizer, **{**PAPER, **own})), **fixed}


def resolve_x_wmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting of an x-WMF, defaults included."""
    from inspect import signature

    own, vectorizer = parted(parameters)
    fixed = {name: own.pop(name, default) for name, default in (("measure", "latent"), ("languages", ""))}
    usual = signature(TextModel.add_language).parameters
    added = {f"added_{name}": own.pop(f"added_{name}", usual[name].default) for name in _ADDED}
    return {**settings_of(WTMF.paper(vectorizer=vectorizer, **own)), **added, **fixed}
