"""Settings tried on the user's own text: by hidden words, by judged pairs or by labels.

What the data suggest (``factorize.settings``) is the centre of a grid; the candidates are compared on growing
samples, and of each round the best third go on (successive halving, Jamieson & Talwalkar 2016). Everything is
drawn by a seed, and how large the samples are is told by the budget, not by a clock: the same call chooses
the same settings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.errors import InputError
from tacit.factorize.settings import Statistics, settings_for
from tacit.models.measures import DEFAULT_MEASURE
from tacit.text.vectorizer import TextVectorizer
from tacit.training.hidden_words import HELD_OUT, MOST_HELD_OUT, ranked_hidden_words

if TYPE_CHECKING:
    from tacit.training.wtmf import WTMF

MISSING = (0.3, 1.0, 3.0)
STRENGTH = (0.75, 1.0, 1.33)
"""What the suggested missing weight and regularization are multiplied by."""

TEXTS_A_SECOND = 4000
LEAST, MOST = 500, 20_000
"""How many texts a second of the budget stands for, and the sizes of a sample."""

Criterion = Callable[["WTMF", list[int], list[int]], float]
"""Trains on the texts of the first numbers, asks about those of the second, and scores: more is better."""


@dataclass(frozen=True)
class Trial:
    """One candidate in one round: what it multiplied, on how many texts, and its score."""

    missing: float
    strength: float
    n_texts: int
    score: float


def tune(
    trainer: WTMF,
    texts: Sequence[str],
    criterion: Criterion,
    budget: float,
    progress: Callable[[Trial], None] | None = None,
) -> tuple[dict[str, Any], list[Trial]]:
    """The settings that were best, for all texts, and what was tried."""
    if len(texts) < 2:
        raise InputError(f"{len(texts)} texts are too few to tune by: give some dozens at least")
    vectorizer = TextVectorizer(**(trainer.vectorizer or TextVectorizer()).get_params())
    suggested = settings_for(Statistics.of(vectorizer.fit_transform_rows(texts)))
    trials: list[Trial] = []
    field = list(product(MISSING, STRENGTH))
    sizes = _sizes(len(texts), len(field), budget)
    for number, size in enumerate(sizes):
        scored = []
        for missing, strength in field:
            score = _score(trainer, texts, criterion, size, missing, strength)
            trials.append(Trial(missing, strength, size, score))
            scored.append((score, missing == strength == 1.0, (missing, strength)))
            if progress:
                progress(trials[-1])
        scored.sort(reverse=True)  # of equals, what the data suggest
        field = [each[2] for each in scored[: max(1, len(scored) // 3)]]
        if number == len(sizes) - 1:
            field = field[:1]
    return _multiplied(suggested, *field[0]), trials


def _sizes(n_texts: int, n_candidates: int, budget: float) -> list[int]:
    """The sizes of the samples, each three times the one before; all rounds cost about the same."""
    last = int(min(n_texts, MOST, max(LEAST, budget * TEXTS_A_SECOND / n_candidates)))
    sizes = [last]
    while sizes[0] // 3 >= LEAST and len(sizes) < 3:
        sizes.insert(0, sizes[0] // 3)
    return sizes


def _multiplied(settings: dict[str, Any], missing: float, strength: float) -> dict[str, Any]:
    weight = min(1.0, settings["missing_weight"] * missing)
    return settings | {"missing_weight": weight, "regularization": settings["regularization"] * strength}


def _score(
    trainer: WTMF, texts: Sequence[str], criterion: Criterion, size: int, missing: float, strength: float
) -> float:
    """What a criterion says of a candidate, trained on a part of a sample and asked about the rest."""
    order = np.random.default_rng(size).permutation(len(texts))[:size].tolist()
    n_held = max(1, min(int(HELD_OUT * size), MOST_HELD_OUT))
    kept, held = order[n_held:], order[:n_held]
    vectorizer = TextVectorizer(**(trainer.vectorizer or TextVectorizer()).get_params())
    suggested = settings_for(Statistics.of(vectorizer.fit_transform_rows([texts[i] for i in kept])))
    given = {**trainer.get_params(deep=False), **_multiplied(suggested, missing, strength), "callback": None}
    return criterion(type(trainer)(**given), kept, held)


def by_hidden_words(texts: Sequence[str]) -> Criterion:
    """How high hidden words rank by what the rest of their text says."""

    def score(trainer: WTMF, kept: list[int], held: list[int]) -> float:
        mean = trainer.fit_transform([texts[i] for i in kept]).mean(axis=0)
        language = trainer.model_.pivot
        rows = language.vectorizer.transform_rows([texts[i] for i in held])
        found = ranked_hidden_words(language, mean, rows, np.random.default_rng(0))
        return -np.inf if found is None else -float(np.log(found.by_text))

    return score


def by_labels(texts: Sequence[str], labels: Sequence[str]) -> Criterion:
    """How often the nearest text has the same label."""
    names = np.array(labels)

    def score(trainer: WTMF, kept: list[int], held: list[int]) -> float:
        trainer.fit([texts[i] for i in kept])
        near = trainer.similarity([texts[i] for i in held], [texts[i] for i in kept], "latent").argmax(axis=1)
        return float(np.mean(names[np.array(kept)[near]] == names[held]))

    return score


def by_pairs(texts: Sequence[str], pairs: Sequence[tuple[float, str, str]]) -> Criterion:
    """How well the scores of judged pairs follow the judgements."""
    gold, left, right = zip(*pairs, strict=True)

    def score(trainer: WTMF, kept: list[int], held: list[int]) -> float:
        trainer.fit([texts[i] for i in (*kept, *held)])
        return float(np.corrcoef(gold, trainer.similarity_pairwise(left, right, DEFAULT_MEASURE))[0, 1])

    return score
