"""What a model has to beat: each baseline of the papers, behind the protocols of a scorer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tacit.errors import InputError
from tacit.evaluation.baselines.chance import RandomScorer
from tacit.evaluation.baselines.crosslingual import CrosslingualScorer
from tacit.evaluation.baselines.lda import LDAScorer
from tacit.evaluation.baselines.lsa import LSAScorer
from tacit.evaluation.baselines.ngrams import NgramScorer
from tacit.evaluation.baselines.prefix import PrefixScorer
from tacit.evaluation.baselines.surface import SurfaceScorer
from tacit.evaluation.baselines.tfidf import TfidfScorer
from tacit.evaluation.baselines.vectors import TrainedScorer, VectorScorer
from tacit.evaluation.baselines.wtmf import WTMFScorer

__all__ = [
    "BASELINES",
    "CrosslingualScorer",
    "LDAScorer",
    "LSAScorer",
    "NgramScorer",
    "PrefixScorer",
    "RandomScorer",
    "SurfaceScorer",
    "TfidfScorer",
    "TrainedScorer",
    "VectorScorer",
    "WTMFScorer",
    "baseline",
]


def _weighed_ngrams(**parameters: Any) -> NgramScorer:
    return NgramScorer(tfidf=True, **parameters)


BASELINES: dict[str, tuple[Callable[..., Any], bool]] = {
    "random": (RandomScorer, False),
    "surface": (SurfaceScorer, False),
    "prefix": (PrefixScorer, False),
    "ir": (TfidfScorer, True),
    "ngram": (NgramScorer, False),
    "ngram-tfidf": (_weighed_ngrams, True),
    "lsa": (LSAScorer, True),
    "lda": (LDAScorer, True),
}
"""By name: what makes the scorer, and whether it has to be trained."""


def baseline(name: str, texts: Iterable[str] | None = None, **parameters: Any) -> Any:
    """A baseline by name, trained on ``texts`` where it needs training.

    >>> baseline("surface").score_pairs(["a cat"], ["a cat"]).round(4)
    array([1.])
    >>> baseline("lsa")
    Traceback (most recent call last):
    tacit.errors.InputError: the baseline 'lsa' learns from texts: give some
    """
    if name not in BASELINES:
        raise InputError(f"no baseline is called {name!r}; there are {', '.join(BASELINES)}")
    make, trained = BASELINES[name]
    if not trained:
        return make(**parameters)
    if texts is None:
        raise InputError(f"the baseline {name!r} learns from texts: give some")
    return make(**parameters).fit(texts)
