"""Train WTMF, b-WMF and x-WMF from their specifications."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
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
"""Parameters of the vectorizer."""

_NOT_SETTINGS = ("random_state", "n_threads", "callback")
"""The seed is recorded apart from the settings; the others change no bit."""


@dataclass(eq=False)
class LatentScorer(ModelScorer, VectorScorer):
    """Scores texts by the cosine of their WTMF vectors; also ranks many candidates.

    >>> from tacit import WTMF, TextVectorizer
    >>> model = WTMF(TextVectorizer(min_df=1), n_components=2, missing_weight=0.1, regularization=1.0)
    >>> scorer = LatentScorer(model.fit(["a cat sat", "a dog ran", "a cat ran"]))
    >>> a, b = scorer.vectors(["cat"], ["dog", "ran"])
    >>> (a @ b.T).shape
    (1, 2)
    """

    name: str = "wtmf"
    measure: str = "latent"

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """Return the unit latent vectors of both collections."""
        return cosine.normalize_rows(self.model.encode(a)), cosine.normalize_rows(self.model.encode(b))


def train_wtmf(experiment: Experiment, texts: list[str], data: str | Path | None, threads: int | None) -> Any:
    """Train WTMF and return a scorer with one of its measures."""
    parameters, vectorizer = split_parameters(experiment.model.parameters)
    measure = parameters.pop("measure", "latent")
    model = WTMF.paper(vectorizer=vectorizer, random_state=experiment.seed, n_threads=threads, **parameters)
    model.fit(texts)
    return LatentScorer(model) if measure == "latent" else ModelScorer(model, "wtmf", measure)


def train_wtmf_early_stopped(
    experiment: Experiment, texts: list[str], data: str | Path | None, threads: int | None
) -> Any:
    """Train WTMF up to the sweep with the best ATOP of the dev queries.

    Training stops after ``n_iter`` sweeps, or after ``patience`` sweeps without gain. Each number of sweeps
    is trained from the start: the same seed gives the same bits, and the best number is small.
    """
    parameters, vectorizer = split_parameters(experiment.model.parameters)
    patience, max_sweeps = parameters.pop("patience"), parameters.pop("n_iter")
    retrieval = load_retrieval(definition_retrieval.TASK, data)
    dev = retrieval.select_queries(split_dev_test(len(retrieval.queries))[0])

    def after(sweeps: int) -> LatentScorer:
        arguments = {
            "vectorizer": vectorizer,
            "random_state": experiment.seed,
            "n_threads": threads,
            **parameters,
        }
        return LatentScorer(WTMF.paper(**arguments, n_iter=sweeps).fit(texts))

    return select_best_sweep(after, lambda scorer: dev_atop(scorer, dev), max_sweeps, patience)


def select_best_sweep(
    after: Callable[[int], Any], measure: Callable[[Any], float], max_sweeps: int, patience: int
) -> Any:
    """Return the model with the best measure; stop after ``patience`` sweeps without gain.

    >>> curve = {1: 0.7, 2: 0.9, 3: 0.8, 4: 0.8, 5: 1.0}
    >>> select_best_sweep(lambda sweeps: sweeps, curve.get, max_sweeps=5, patience=2)
    2
    """
    best, highest, n_without_gain = None, float("-inf"), 0
    for sweeps in range(1, max_sweeps + 1):
        model = after(sweeps)
        value = measure(model)
        if value > highest:
            best, highest, n_without_gain = model, value, 0
        else:
            n_without_gain += 1
        if n_without_gain >= patience:
            break
    return best


def dev_atop(scorer: VectorScorer, dev: RetrievalData) -> float:
    """Return the mean ATOP of the dev queries."""
    return float(definition_retrieval.measure_atop(scorer, dev).full.mean())


def split_parameters(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], TextVectorizer]:
    """Split parameters into those of the model, and a vectorizer with the others."""
    params = dict(parameters)
    return params, TextVectorizer.paper(**{name: params.pop(name) for name in _TEXT if name in params})


def trainer_settings(trainer: Any) -> dict[str, Any]:
    """Return the settings of a trainer and its vectorizer that affect results."""
    settings = trainer.get_params(deep=False)
    words = settings.pop("vectorizer").get_params()
    return {name: value for name, value in {**settings, **words}.items() if name not in _NOT_SETTINGS}


def resolve_wtmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve all settings of WTMF, with defaults.

    >>> settings = resolve_wtmf({"missing_weight": 0.05})
    >>> settings["missing_weight"], settings["regularization"], settings["normalize"], settings["measure"]
    (0.05, 20.0, 'stem', 'latent')
    """
    params, vectorizer = split_parameters(parameters)
    extra = {
        "measure": params.pop("measure", "latent"),
        "patience": params.pop("patience", None),
    }
    return {**trainer_settings(WTMF.paper(vectorizer=vectorizer, **params)), **extra}


_ADDED = ("missing_weight", "borrow", "translate")
"""Parameters for adding a language."""

_last: dict[str, Any] = {}
"""The last crosslingual model, by the key of its training.

The measures of one model are separate experiments; those that share a training run in sequence.
"""

_trained: dict[str, TextModel] = {}
MAX_TRAINED = 4
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
    parameters, vectorizer, codes = _crosslingual_parameters(experiment)
    strength, borrow = parameters.pop("text_regularization", None), parameters.pop("added_borrow", False)
    arguments = {**PAPER_SETTINGS, "random_state": experiment.seed, "n_threads": threads, **parameters}
    rows = (
        (pair[0], *(pair[1] if code == other else None for other in codes))
        for code in codes
        for pair in texts.pairs[code]
    )
    trained = _shared(
        experiment,
        arguments,
        vectorizer,
        lambda: BilingualWMF(["en", *codes], vectorizer, **arguments).fit(rows).model_,
    )
    languages = {code: _encoding(language, strength) for code, language in trained.languages.items()}
    for code in codes if borrow else ():
        columns = find_borrowable_words(languages[code].vectorizer, languages["en"])
        languages[code] = append_borrowed_words(languages[code], languages["en"], columns)
    return TextModel(languages, trained.provenance, threads)


def _pivot(experiment: Experiment, texts: ParallelTexts, threads: int | None) -> TextModel:
    parameters, vectorizer, codes = _crosslingual_parameters(experiment)
    added = {name: parameters.pop(f"added_{name}") for name in _ADDED if f"added_{name}" in parameters}
    strength = parameters.pop("text_regularization", None)
    arguments = {"random_state": experiment.seed, "n_threads": threads, **parameters}
    trained = _shared(
        experiment,
        arguments,
        vectorizer,
        lambda: WTMF.paper(vectorizer=vectorizer, **arguments).fit(texts.english).model_,
    )
    model = TextModel({"en": _encoding(trained.pivot, strength)}, trained.provenance, threads)
    for code in codes:
        model.add_language(code, texts.pairs[code], **added)
    return model


def _encoding(language: Language, strength: float | None) -> Language:
    """Return a copy of a language with another regularization of encoded texts."""
    vectorizer = copy(language.vectorizer)
    return replace(language, vectorizer=vectorizer, text_regularization=strength, score_quantiles={})


def _shared(
    experiment: Experiment,
    arguments: dict[str, Any],
    vectorizer: TextVectorizer,
    make: Callable[[], TextModel],
) -> TextModel:
    """Return a cached model with these settings, or train it."""
    settings = (
        experiment.model.kind,
        experiment.corpus,
        sorted(arguments.items()),
        vectorizer.params_to_dict(),
    )
    key = str(settings)
    if key not in _trained:
        if len(_trained) >= MAX_TRAINED:
            _trained.pop(next(iter(_trained)))
        _trained[key] = make()
    return _trained[key]


def _crosslingual_parameters(experiment: Experiment) -> tuple[dict[str, Any], TextVectorizer, list[str]]:
    """Return the parameters of the model without its measure, the vectorizer, and the other languages."""
    parameters, vectorizer = split_parameters(experiment.model.parameters)
    parameters.pop("measure", None)
    return parameters, vectorizer, parameters.pop("languages").split()


def resolve_b_wmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve all settings of b-WMF, with defaults."""
    params, vectorizer = split_parameters(parameters)
    defaults = {"measure": "latent", "languages": "", "text_regularization": None, "added_borrow": False}
    extra = {name: params.pop(name, default) for name, default in defaults.items()}
    return {
        **trainer_settings(BilingualWMF(["en", "xx"], vectorizer, **{**PAPER_SETTINGS, **params})),
        **extra,
    }


def resolve_x_wmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve all settings of x-WMF, with defaults."""
    from inspect import signature

    params, vectorizer = split_parameters(parameters)
    extra = {name: params.pop(name, default) for name, default in (("measure", "latent"), ("languages", ""))}
    defaults = signature(TextModel.add_language).parameters
    added = {f"added_{name}": params.pop(f"added_{name}", defaults[name].default) for name in _ADDED}
    return {**trainer_settings(WTMF.paper(vectorizer=vectorizer, **params)), **added, **extra}
