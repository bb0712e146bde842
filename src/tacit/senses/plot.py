"""Plot the contexts of a word in two dimensions, colored by sense (extra ``plots``)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from tacit.errors import InputError, import_extra
from tacit.senses.disambiguation import Disambiguation, DisambiguationMixin
from tacit.senses.features import feature_term
from tacit.types import Array

MIN_POINTS = 3
MAX_LABELS = 20
COLORS = ("#3b6fb6", "#d1603d", "#3f8f5b", "#8a5fa8", "#b8860b", "#4f9da6", "#b5477e", "#6b6b6b")


def plot_contexts(model: DisambiguationMixin, word: str, texts: Iterable[str], path: str | Path) -> Path:
    """Plot contexts of a word as points, so that contexts with similar latent topics are near each other.

    Each sense has a color. The outermost points are labeled with the context word that decided most. Texts
    without the word, or without a known context word, are left out.
    """
    answers = disambiguate_texts(model, word, texts)
    if len(answers) < MIN_POINTS:
        raise InputError(
            f"only {len(answers)} of the texts can be plotted, at least {MIN_POINTS} are needed: "
            f"give more texts with {word!r}"
        )
    known = [model.topics_.known_context_words(answer.known, answer.word) for answer in answers]
    points = project_2d(np.array([model.topics_.fold_in(words) for words in known]))
    figure_module = import_extra("matplotlib.figure", "drawing contexts", "plots")
    figure = figure_module.Figure(figsize=(8, 6), layout="constrained")
    axes = figure.add_subplot()
    for sense in model.senses(word):
        rows = [row for row, answer in enumerate(answers) if answer.sense == sense.number]
        label = f"sense {sense.number} ({len(rows)}): {', '.join(sense.words[:6])}"
        color = COLORS[sense.number % len(COLORS)]
        axes.scatter(*points[rows].T, s=22, color=color, alpha=0.75, linewidths=0, label=label)
    distances = np.linalg.norm(points - points.mean(axis=0), axis=1)
    for row in np.argsort(-distances, kind="stable")[:MAX_LABELS]:
        label = _deciding_word(model, answers[row])
        axes.annotate(label, points[row], fontsize=7, xytext=(3, 2), textcoords="offset points", color="#333")
    axes.set(title=f"{word}: {len(answers)} contexts", xticks=[], yticks=[])
    axes.margins(0.12)
    figure.legend(loc="outside lower center", fontsize=8, frameon=False)
    figure.savefig(path, dpi=140)
    return Path(path)


def disambiguate_texts(model: DisambiguationMixin, word: str, texts: Iterable[str]) -> list[Disambiguation]:
    """Disambiguate a word in texts, without those that lack the word or a known context word."""
    answers = []
    for text in texts:
        with suppress(InputError):
            answers.append(model.disambiguate(word, text))
    return [item for item in answers if model.topics_.known_context_words(item.known, item.word)]


def project_2d(profiles: Array) -> Array:
    """Project distributions on the first two principal axes of their square roots (Hellinger distance).

    >>> project_2d(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])).shape
    (3, 2)
    """
    roots = np.sqrt(profiles)
    centered = roots - roots.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centered, full_matrices=False)
    points: Array = np.zeros((len(profiles), 2))
    points[:, : min(2, len(sizes))] = (left * sizes)[:, :2]
    return points


def _deciding_word(model: DisambiguationMixin, answer: Disambiguation) -> str:
    """Return the context word with the most evidence for the sense, or nothing."""
    words = (feature_term(item.word) for item in answer.evidence if item.weight > 0)
    word = next((word for word in words if word in model.topics_.index), "")
    return model.topics_.surface_form(word)
