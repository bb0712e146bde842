"""Search for settings by successive halving (Jamieson & Talwalkar 2016).

The settings suggested by the data (``factorize.wmf_settings``) are the center of a grid. Candidates are
compared on growing samples, and the best third of each round is kept for the next. All samples are drawn by
a seed, and their sizes depend on the budget, not on a clock: the same call chooses the same settings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.errors import InputError
from tacit.factorize.wmf_settings import MatrixStatistics, suggest_settings
from tacit.models.measures import DEFAULT_MEASURE
from tacit.text.vectorizer import TextVectorizer
from tacit.training.self_check import HELD_OUT_SHARE, MAX_HELD_OUT, check_on_texts

if TYPE_CHECKING:
    from tacit.training.wtmf import WTMF

MISSING_WEIGHT_FACTORS = (0.3, 1.0, 3.0)
REGULARIZATION_FACTORS = (0.75, 1.0, 1.33)

TEXTS_PER_SECOND = 4000  # a second of the budget stands for this many texts
MIN_SAMPLE, MAX_SAMPLE = 500, 20_000

Criterion = Callable[["WTMF", list[int], list[int]], float]
"""Fits a trainer on the texts with the first numbers and scores it on the second; higher is better."""


@dataclass(frozen=True)
class Trial:
    """One candidate in one round: the factors on the suggested settings, sample size and score."""

    missing_weight_factor: float
    regularization_factor: float
    n_texts: int
    score: float


def search_settings(
    trainer: WTMF, texts: Sequence[str], criterion: Criterion, budget: float,
    progress: Callable[[Trial], None] | None = None,
) -> tuple[dict[str, Any], list[Trial]]:  # fmt: skip
    """Return the best settings, computed for all texts, and the trials.

    In each round, the candidates are fitted on a part of a sample and scored on the rest.
    """
    if len(texts) < 2:
        raise InputError(
            f"a search for settings needs at least 2 texts, better some dozens: got {len(texts)}"
        )
    trials: list[Trial] = []
    candidates = list(product(MISSING_WEIGHT_FACTORS, REGULARIZATION_FACTORS))
    for size in _sample_sizes(len(texts), len(candidates), budget):
        order = np.random.default_rng(size).permutation(len(texts))[:size].tolist()
        n_held_out = max(1, min(int(HELD_OUT_SHARE * size), MAX_HELD_OUT))
        train, test = order[n_held_out:], order[:n_held_out]
        suggested = _suggest_for_texts(trainer, [texts[i] for i in train])
        ranking = []
        for factors in candidates:
            settings = _scale_settings(suggested, factors) | {"callback": None}
            candidate = type(trainer)(**trainer.get_params(deep=False) | settings)
            score = criterion(candidate, train, test)
            trials.append(Trial(*factors, size, score))
            ranking.append((score, factors == (1.0, 1.0), factors))
            if progress:
                progress(trials[-1])
        ranking.sort(reverse=True)  # of equal ones, the suggested settings first
        candidates = [factors for _, _, factors in ranking[: max(1, len(ranking) // 3)]]
    return _scale_settings(_suggest_for_texts(trainer, texts), candidates[0]), trials


def _sample_sizes(n_texts: int, n_candidates: int, budget: float) -> list[int]:
    """Return up to three sizes, each three times the one before, so that all rounds cost about the same."""
    sizes = [int(min(n_texts, MAX_SAMPLE, max(MIN_SAMPLE, budget * TEXTS_PER_SECOND / n_candidates)))]
    while sizes[0] // 3 >= MIN_SAMPLE and len(sizes) < 3:
        sizes.insert(0, sizes[0] // 3)
    return sizes


def _suggest_for_texts(trainer: WTMF, texts: Sequence[str]) -> dict[str, Any]:
    vectorizer = TextVectorizer(**(trainer.vectorizer or TextVectorizer()).get_params())
    return suggest_settings(MatrixStatistics.from_matrices(vectorizer.fit_transform_rows(texts)))


def _scale_settings(settings: dict[str, Any], factors: tuple[float, float]) -> dict[str, Any]:
    return settings | {
        "missing_weight": min(1.0, settings["missing_weight"] * factors[0]),
        "regularization": settings["regularization"] * factors[1],
    }


def make_criterion(
    texts: Sequence[str], labels: Sequence[str] | None = None,
    scored_pairs: Sequence[tuple[float, str, str]] | None = None,
) -> Criterion:  # fmt: skip
    """Create a criterion: by ``scored_pairs`` if given, else by ``labels`` if given, else by hidden words."""

    def score_by_pairs(trainer: WTMF, train: list[int], test: list[int]) -> float:
        """Return the correlation of similarities with the scores of text pairs."""
        gold, left, right = zip(*scored_pairs or (), strict=True)
        trainer.fit([texts[i] for i in (*train, *test)])
        return float(np.corrcoef(gold, trainer.similarity_pairwise(left, right, DEFAULT_MEASURE))[0, 1])

    def score_by_labels(trainer: WTMF, train: list[int], test: list[int]) -> float:
        """Return the share of texts whose nearest text has the same label."""
        names = np.array(labels)
        trainer.fit([texts[i] for i in train])
        cosines = trainer.similarity([texts[i] for i in test], [texts[i] for i in train], "latent")
        nearest = np.array(train)[cosines.argmax(axis=1)]
        return float(np.mean(names[nearest] == names[test]))

    def score_by_hidden_words(trainer: WTMF, train: list[int], test: list[int]) -> float:
        """Return the negative logarithm of the rank of hidden words, by the other words of their text."""
        rng = np.random.default_rng(0)
        check = check_on_texts(trainer, [texts[i] for i in train], [texts[i] for i in test], rng)
        return -np.inf if check is None else -float(np.log(check.rank_by_text))

    if scored_pairs is not None:
        return score_by_pairs
    return score_by_hidden_words if labels is None else score_by_labels
