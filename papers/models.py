"""The models of one language that tacit trains, from their specifications: WTMF."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from papers import definition_retrieval
from papers.experiments import Experiment
from tacit.compute import cosine
from tacit.evaluation.scorers import ModelScorer, TextMatrix, VectorScorer
from tacit.evaluation.search_task import RetrievalData, load_retrieval, split_dev_test
from tacit.text.vectorizer import TextVectorizer
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
        """Keep the model; ``name`` is what tables call it."""
        super().__init__(model, name, "latent")

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """The latent vectors of both collections, at length 1."""
        return cosine.unit(self.model.encode(a)), cosine.unit(self.model.encode(b))


def wtmf(experiment: Experiment, texts: list[str], data: str | Path | None, threads: int | None) -> Any:
    """WTMF by one of its measures."""
    own, vectorizer = parted(experiment.model.parameters)
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
    own, vectorizer = parted(experiment.model.parameters)
    patience, most = own.pop("patience"), own.pop("n_iter")
    retrieval = load_retrieval(definition_retrieval.TASK, data)
    dev = retrieval.select_queries(split_dev_test(len(retrieval.queries))[0])

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


def dev_atop(scorer: VectorScorer, dev: RetrievalData) -> float:
    """The mean ATOP of the dev queries by their full ranks."""
    return float(definition_retrieval.measure_atop(scorer, dev).full.mean())


def parted(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], TextVectorizer]:
    """The model's own parameters, and the vectorizer of the rest."""
    own = dict(parameters)
    return own, TextVectorizer.paper(**{name: own.pop(name) for name in _TEXT if name in own})


def settings_of(trainer: Any) -> dict[str, Any]:
    """The settings of a trainer and of its vectorizer, without what leaves the numbers as they are."""
    found = trainer.get_params(deep=False)
    words = found.pop("vectorizer").get_params()
    return {name: value for name, value in {**found, **words}.items() if name not in _ASIDE}


def resolve_wtmf(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting of a WTMF, defaults included.

    >>> found = resolve_wtmf({"missing_weight": 0.05})
    >>> found["missing_weight"], found["regularization"], found["normalize"], found["measure"]
    (0.05, 20.0, 'stem', 'latent')
    """
    own, vectorizer = parted(parameters)
    beside = {"measure": own.pop("measure", "latent"), "patience": own.pop("patience", None)}
    return {**settings_of(WTMF.paper(vectorizer=vectorizer, **own)), **beside}
