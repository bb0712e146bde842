"""b-WMF and x-WMF from their specifications.

The measures of one trained model are several experiments; the model trained last is kept, and experiments
that share a training follow each other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.crosslingual.bilingual import BilingualWMF
from tacit.crosslingual.pivot import PivotWMF
from tacit.evaluation.baselines import CrosslingualScorer
from tacit.evaluation.reproduction.corpora import ParallelTexts
from tacit.evaluation.reproduction.experiments import Experiment
from tacit.sentences.wtmf import WTMF
from tacit.text.vectorizer import TextVectorizer

_last: dict[str, Any] = {}
"""The model trained last, by the title of its training."""

_TEXT = ("min_df", "tf", "numbers", "accents")


def b_wmf(experiment: Experiment, texts: Any, data: str | Path | None, threads: int | None) -> Any:
    """A ``BilingualWMF`` of the languages named, over every pair with English."""
    return _scorer(experiment, lambda: _bilingual(experiment, texts, threads))


def x_wmf(experiment: Experiment, texts: Any, data: str | Path | None, threads: int | None) -> Any:
    """A ``PivotWMF`` with the languages named."""
    return _scorer(experiment, lambda: _pivot(experiment, texts, threads))


def _scorer(experiment: Experiment, make: Any) -> CrosslingualScorer:
    if experiment.training not in _last:
        _last.clear()
        _last[experiment.training] = make()
    measure = experiment.model.parameters.get("measure", "latent")
    return CrosslingualScorer(_last[experiment.training], measure=measure)


def _parted(experiment: Experiment) -> tuple[dict[str, Any], TextVectorizer, list[str]]:
    """The model's own parameters, the vectorizer, and the languages beside English."""
    own = {name: value for name, value in experiment.model.parameters.items() if name != "measure"}
    text = {name: own.pop(name) for name in _TEXT if name in own}
    return own, TextVectorizer("en", **text), own.pop("languages").split()


def _bilingual(experiment: Experiment, texts: ParallelTexts, threads: int | None) -> BilingualWMF:
    own, vectorizer, codes = _parted(experiment)
    rows = (
        (pair[0], *(pair[1] if code == other else None for other in codes))
        for code in codes
        for pair in texts.pairs[code]
    )
    model = BilingualWMF(["en", *codes], vectorizer, random_state=experiment.seed, n_threads=threads, **own)
    return model.fit(rows)


def _pivot(experiment: Experiment, texts: ParallelTexts, threads: int | None) -> PivotWMF:
    own, vectorizer, codes = _parted(experiment)
    added = {
        name: own.pop(f"added_{name}")
        for name in ("missing_weight", "borrow", "translate")
        if f"added_{name}" in own
    }
    strength = own.pop("text_regularization", None)
    pivot = WTMF(vectorizer, random_state=experiment.seed, **own)
    model = PivotWMF(pivot, text_regularization=strength, n_threads=threads).fit(texts.english)
    for code in codes:
        model.add_language(code, texts.pairs[code], **added)
    return model
