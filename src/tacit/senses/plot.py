"""A picture: the contexts of a word in two dimensions, coloured by sense (extra ``plots``)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError, import_extra
from tacit.senses.answers import Disambiguation
from tacit.senses.features import partner
from tacit.senses.inducer import SenseInducer

Array = NDArray[Any]
MOST_LABELS = 60
LEAST = 3  # contexts that have a place of their own
COLOURS = ("#3b6fb6", "#d1603d", "#3f8f5b", "#8a5fa8", "#b8860b", "#4f9da6", "#b5477e", "#6b6b6b")


def draw_contexts(model: SenseInducer, word: str, texts: Iterable[str], path: str | Path) -> Path:
    """Draw contexts of a word as points, near each other where their latent topics are alike.

    Each sense has a colour, and each point is labelled with the word of its context that decided most.
    Texts that lack the word, or any known context word, are left out.
    """
    found = usable(model, word, texts)
    if len(found) < LEAST:
        raise InputError(
            f"{len(found)} of the texts can be drawn, {LEAST} are the least: give more texts with {word!r}"
        )
    known = [model.topics_.known(answer.known, answer.word) for answer in found]
    places = in_two_dimensions(np.array([model.topics_.fold(names) for names in known]))
    figure = _new_figure()
    axes = figure.add_subplot()
    for sense in model.senses(word):
        own = [i for i, answer in enumerate(found) if answer.sense == sense.number]
        colour = COLOURS[sense.number % len(COLOURS)]
        label = f"sense {sense.number} ({len(own)}): {', '.join(sense.words[:6])}"
        axes.scatter(*places[own].T, s=22, color=colour, alpha=0.75, linewidths=0, label=label)
    _label(axes, places, found, model)
    axes.set(title=f"{word}: {len(found)} contexts", xticks=[], yticks=[])
    axes.margins(0.12)
    figure.legend(loc="outside lower center", fontsize=8, frameon=False)
    figure.savefig(path, dpi=140)
    return Path(path)


def usable(model: SenseInducer, word: str, texts: Iterable[str]) -> list[Disambiguation]:
    """What can be said of texts, without those of which nothing can be said."""
    found = []
    for text in texts:
        try:
            answer = model.disambiguate(word, text)
        except InputError:
            continue
        if model.topics_.known(answer.known, answer.word):
            found.append(answer)
    return found


def in_two_dimensions(profiles: Array) -> Array:
    """The two main axes of distributions, by their square roots, whose distances suit probabilities.

    >>> in_two_dimensions(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])).shape
    (3, 2)
    """
    roots = np.sqrt(profiles)
    centred = roots - roots.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    places: Array = np.zeros((len(profiles), 2))
    places[:, : min(2, len(sizes))] = (left * sizes)[:, :2]
    return places


def _label(axes: Any, places: Array, found: list[Disambiguation], model: SenseInducer) -> None:
    """Name the deciding word beside points, from the outermost inwards, where there is room."""
    size = np.ptp(places, axis=0) + 1e-9
    taken: list[Array] = []
    for i in np.argsort(-np.linalg.norm(places - places.mean(axis=0), axis=1), kind="stable"):
        names = (partner(item.word) for item in found[i].evidence if item.weight > 0)
        name = next((name for name in names if name in model.topics_.index), None)
        if name is None or len(taken) >= MOST_LABELS:
            continue
        spot = places[i] / size
        if any(abs(spot[0] - other[0]) < 0.1 and abs(spot[1] - other[1]) < 0.028 for other in taken):
            continue
        taken.append(spot)
        text = model.topics_.surface(name)
        axes.annotate(text, places[i], fontsize=7, xytext=(3, 2), textcoords="offset points", color="#333")


def _new_figure() -> Any:
    """A figure without a window."""
    figure = import_extra("matplotlib.figure", "drawing contexts", "plots")
    return figure.Figure(figsize=(8, 6), layout="constrained")
