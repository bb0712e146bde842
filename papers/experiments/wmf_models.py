"""Train WTMF, b-WMF and x-WMF from their specifications."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from papers.experiments import definition_retrieval
from papers.experiments.corpora import ParallelTexts
from papers.specs import Experiment
from tacit.compute import cosine
from tacit.evaluation.scorers import ModelScorer, TextMatrix, VectorScorer
from tacit.evaluation.search_task import RetrievalData, load_retrieval, split_dev_test
from tacit.factorize.wmf_settings import PAPER_SETTINGS
from tacit.models.incremental import append_borrowed_words, find_borrowable_words
from tacit.models.language import Language
from tacit.models.text_model import TextModel
from tacit.text.vectorizer import TextVectorizer
from tacit.training.bilingual import BilingualWMF
from tacit.training.wtmf import WTMF

_TEXT = ("normalize", "min_df", "min_count", "tf", "numbers", "accents")
"""The parameters that are the vectorizer's."""

_ASIDE = ("random_state", "n_threads", "callback")
"""The seed stands beside the settings; the others change no bit."""


class LatentScorer(ModelScorer, VectorScorer):
    """A WTMF model by the cosine of its vectors, which ranks many candidates too.

    >>> from tacit import WTMF, TextVectorizer
    >>> model = WTMF(TextVectorizer(min_df=1), n_components=2, missing_weight=0.1, regularization=1.0)
    >>> scorer = LatentScorer(model.fit(["a cat sat", "a dog ran", "a cat ran"]))
    >>> a, b = scorer.vectors(["cat"], ["dog", "ran"])
    >>> (a @ b.T).shape
    (1, 2)
    """

    def __init__(self, model: Any, name: str = "wtmf") -> None:
        """Store the model; ``name`` is its name in tables."""
        super().__init__(model, name, "latent")

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """Return the unit latent vectors of both collections."""
        return cosine.normalize_rows(self.model.encode(a)), cosine.normalize_rows(self.model.encode(b))


def train_wtmf(experiment: Experiment, texts: list[str], data: str | Path | None, threads: int | None) -> Any:
    """Train WTMF and return a scorer with one of its measures."""
    own, vectorizer = split_parameters(experiment.model.parameters)
    measure = own.pop("measure", "latent")
    model = WTMF.paper(vectorizer=vectorizer, random_state=experiment.seed, n_threads=threads, **own)
    model.fit(texts)
    return LatentScorer(model) if measure == "latent" else ModelScorer(model, "wtmf", measure)


def train_wtmf_early_stopped(
    experiment: Experiment, texts: list[str], data: str | Path | None, threads: int | None
) -> Any:
    """WTMF after the sweep with the best ATOP of the dev queries.

    ``n_iter`` sweeps at most, and none after ``patience`` sweeps without gain. Each number of sweeps is
    trained from the start: the same seed gives the same bits, and the best comes early.
    """
    own, vectorizer = split_parameters(experiment.model.parameters)
    patience, most = own.pop("patience"), own.pop("n_iter")
    retrieval = load_retrieval(definition_retrieval.TASK, data)
    dev = retrieval.select_queries(split_dev_test(len(retrieval.queries))[0])

    def after(sweeps: int) -> LatentScorer:
        given = {"vectorizer": vectorizer, "random_state": experiment.seed, "n_threads": threads, **own}
        return LatentScorer(WTMF.paper(**given, n_iter=sweeps).fit(texts))

    return select_best_sweep(after, lambda scorer: dev_atop(scorer, dev), most, patience)


def select_best_sweep(
    after: Callable[[int], Any], measure: Callable[[Any], float], most: int, patience: int
) -> Any:
    """Return the model with the best measure; stop after ``patience`` sweeps without gain.

    >>> curve = {1: 0.7, 2: 0.9, 3: 0.8, 4: 0.8, 5: 1.0}
    >>> select_best_sweep(lambda sweeps: sweeps, curve.get, most=5, patience=2)
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


def dev_atop(scorer: VectorScorer, dev: RetrievalData) -> float:
    """Return the mean ATOP of the dev queries."""
    return float(definition_retrieval.measure_atop(scorer, dev).full.mean())


def split_parameters(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], TextVectorizer]:
    """Split parameters into those of the model, and a vectorizer with the others."""
    own = dict(parameters)
    return own, TextVectorizer.paper(**{name: own.pop(name) for name in _TEXT if name in own})


def trainer_settings(trainer: Any) -> dict[str, Any]:
    """Return the settings of a trainer and its vectorizer that affect results."""
    found = trainer.get_params(deep=False)
    words = found.pop("vectorizer").get_params()
    return {name: value for name, value in {**found, **words}.items() if name not in _ASIDE}


def resolve_wtmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve all settings of WTMF, with defaults.

    >>> found = resolve_wtmf({"missing_weight": 0.05})
    >>> found["missing_weight"], found["regularization"], found["normalize"], found["measure"]
    (0.05, 20.0, 'stem', 'latent')
    """
    own, vectorizer = split_parameters(parameters)
    beside = {"measure": own.pop("measure", "latent"), "patience": own.pop("patience", None)}
    return {**trainer_settings(WTMF.paper(vectorizer=vectorizer, **own)), **beside}


_ADDED = ("missing_weight", "borrow", "translate")
"""Parameters for adding a language."""

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
        """Return the measure of each pair, clipped at 0."""
        return np.maximum(super().score_pairs(a, b), 0)


def train_b_wmf(
    experiment: Experiment, texts: ParallelTexts, data: str | Path | None, threads: int | None
) -> Any:
    """Train ``BilingualWMF`` on the pairs of several languages with English."""
    return _scorer(experiment, lambda: _bilingual(experiment, texts, threads))


def train_x_wmf(
    experiment: Experiment, texts: ParallelTexts, data: str | Path | None, threads: int | None
) -> Any:
    """Train an English model and add languages to it."""
    return _scorer(experiment, lambda: _pivot(experiment, texts, threads))


def _scorer(experiment: Experiment, make: Callable[[], Any]) -> ClippedScorer:
    if experiment.training_key not in _last:
        _last.clear()
        _last[experiment.training_key] = make()
    measure = experiment.model.parameters.get("measure", "latent")
    return ClippedScorer(_last[experiment.training_key], "crosslingual", measure)


def _bilingual(experiment: Experiment, texts: ParallelTexts, threads: int | None) -> TextModel:
    own, vectorizer, codes = _across(experiment)
    strength, borrow = own.pop("text_regularization", None), own.pop("added_borrow", False)
    given = {**PAPER_SETTINGS, "random_state": experiment.seed, "n_threads": threads, **own}
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
    """Return a copy of a language with another regularization of encoded texts."""
    own = copy(language.vectorizer)
    return replace(language, vectorizer=own, text_regularization=strength, score_quantiles={})


def _shared(
    experiment: Experiment, given: dict[str, Any], vectorizer: TextVectorizer, make: Callable[[], TextModel]
) -> TextModel:
    """Return a cached model with these settings, or train it."""
    chosen = (experiment.model.kind, experiment.corpus, sorted(given.items()), vectorizer.params_to_dict())
    key = str(chosen)
    if key not in _trained:
        if len(_trained) >= MOST_TRAINED:
            _trained.pop(next(iter(_trained)))
        _trained[key] = make()
    return _trained[key]


def _across(experiment: Experiment) -> tuple[dict[str, Any], TextVectorizer, list[str]]:
    """Return the parameters of the model without its measure, the vectorizer, and the other languages."""
    own, vectorizer = split_parameters(experiment.model.parameters)
    own.pop("measure", None)
    return own, vectorizer, own.pop("languages").split()


def resolve_b_wmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve all settings of b-WMF, with defaults."""
    own, vectorizer = split_parameters(parameters)
    usual = {"measure": "latent", "languages": "", "text_regularization": None, "added_borrow": False}
    fixed = {name: own.pop(name, default) for name, default in usual.items()}
    return {**trainer_settings(BilingualWMF(["en", "xx"], vectorizer, **{**PAPER_SETTINGS, **own})), **fixed}


def resolve_x_wmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve all settings of x-WMF, with defaults."""
    from inspect import signature

    own, vectorizer = split_parameters(parameters)
    fixed = {name: own.pop(name, default) for name, default in (("measure", "latent"), ("languages", ""))}
    usual = signature(TextModel.add_language).parameters
    added = {f"added_{name}": own.pop(f"added_{name}", usual[name].default) for name in _ADDED}
    return {**trainer_settings(WTMF.paper(vectorizer=vectorizer, **own)), **added, **fixed}
