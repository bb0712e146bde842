"""The models that tacit trains, from their specifications: WTMF, b-WMF, x-WMF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from papers import definition_retrieval
from papers.corpora import ParallelTexts
from papers.experiments import Experiment
from tacit.compute import cosine
from tacit.evaluation.definitions import Retrieval, load_retrieval, split
from tacit.evaluation.model_scorers import ModelScorer
from tacit.evaluation.scorers import Rows, VectorScorer
from tacit.factorize.settings import PAPER
from tacit.models.text_model import TextModel
from tacit.text.vectorizer import TextVectorizer
from tacit.training.bilingual import BilingualWMF
from tacit.training.wtmf import WTMF

_TEXT = ("min_df", "tf", "numbers", "accents")
"""The parameters that are the vectorizer's."""

_last: dict[str, Any] = {}
"""The crosslingual model trained last, by the title of its training.

The measures of one trained model are several experiments; those that share a training follow each other.
"""


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
        """Keep the model; ``name`` is what tables call it."""
        super().__init__(model, name, "latent")

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The latent vectors of both collections, at length 1."""
        return cosine.unit(self.model.encode(a)), cosine.unit(self.model.encode(b))


def wtmf(experiment: Experiment, texts: list[str], data: str | Path | None, threads: int | None) -> Any:
    """WTMF by one of its measures."""
    own, vectorizer = parted(experiment)
    measure = own.pop("measure", "latent")
    model = WTMF.paper(vectorizer=vectorizer, random_state=experiment.seed, n_threads=threads, **own)
    model.fit(texts)
    return LatentScorer(model) if measure == "latent" else ModelScorer(model, "wtmf", measure)


def wtmf_stopped(
    experiment: Experiment, texts: list[str], data: str | Path | None, threads: int | None
) -> Any:
    """WTMF after the sweep with the best ATOP of the dev queries.

    ``n_iter`` sweeps at most, and none after ``patience`` sweeps without gain. Each number of sweeps is
    trained from the start: the same seed gives the same bits, and the best comes early.
    """
    own, vectorizer = parted(experiment)
    patience, most = own.pop("patience"), own.pop("n_iter")
    retrieval = load_retrieval(definition_retrieval.TASK, data)
    dev = retrieval.take(split(len(retrieval.queries))[0])

    def after(sweeps: int) -> LatentScorer:
        given = {"vectorizer": vectorizer, "random_state": experiment.seed, "n_threads": threads, **own}
        return LatentScorer(WTMF.paper(**given, n_iter=sweeps).fit(texts))

    return best_sweep(after, lambda scorer: dev_atop(scorer, dev), most, patience)


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


def dev_atop(scorer: VectorScorer, dev: Retrieval) -> float:
    """The mean ATOP of the dev queries by their full ranks."""
    return float(definition_retrieval.measure_atop(scorer, dev).full.mean())


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
    rows = (
        (pair[0], *(pair[1] if code == other else None for other in codes))
        for code in codes
        for pair in texts.pairs[code]
    )
    given = {**PAPER, "random_state": experiment.seed, "n_threads": threads, **own}
    return BilingualWMF(["en", *codes], vectorizer, **given).fit(rows).model_


def _pivot(experiment: Experiment, texts: ParallelTexts, threads: int | None) -> TextModel:
    own, vectorizer, codes = _across(experiment)
    added = {
        name: own.pop(f"added_{name}")
        for name in ("missing_weight", "borrow", "translate")
        if f"added_{name}" in own
    }
    pivot = WTMF.paper(vectorizer=vectorizer, random_state=experiment.seed, n_threads=threads, **own)
    model = pivot.fit(texts.english).model_
    for code in codes:
        model.add_language(code, texts.pairs[code], **added)
    return model


def parted(experiment: Experiment) -> tuple[dict[str, Any], TextVectorizer]:
    """The model's own parameters, and the vectorizer of the rest."""
    own = dict(experiment.model.parameters)
    return own, TextVectorizer.paper(**{name: own.pop(name) for name in _TEXT if name in own})


def _across(experiment: Experiment) -> tuple[dict[str, Any], TextVectorizer, list[str]]:
    """The model's own parameters without its measure, the vectorizer, and the languages beside English."""
    own, vectorizer = parted(experiment)
    own.pop("measure", None)
    return own, vectorizer, own.pop("languages").split()
