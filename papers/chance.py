"""How far chance alone moves a figure: the pairs of a task drawn again, with replacement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.evaluation.metrics import best_threshold
from tacit.evaluation.scorers import score_known_pairs
from tacit.evaluation.tasks import Task

SAMPLES = 1000

Array = NDArray[np.float64]
Scored = Sequence[tuple[Array, Array]]
"""A set an entry: the scores, and people's."""


def intervals(task: Task, scorer: Any, data: str | Path | None) -> dict[str, float]:
    """The ends of the 95 % intervals of a task's headline figures; nothing for tasks that have none here."""
    if task.name not in DRAWN:
        return {}
    scored = []
    for file, pairs in task.kind.load(task, data):
        scores, _ = score_known_pairs(scorer, pairs.a, pairs.b, file.languages)
        scored.append((np.asarray(scores, np.float64), np.asarray(pairs.gold, np.float64)))
    drawn = redrawn(scored, DRAWN[task.name])
    ends = {name: np.quantile(values, (0.025, 0.975)) for name, values in drawn.items()}
    return {
        f"{task.name}/{name}_{end}": float(value)
        for name, both in ends.items()
        for end, value in zip(("low", "high"), both, strict=True)
    }


def redrawn(
    scored: Scored, measure: Callable[[Scored], dict[str, float]], n_samples: int = SAMPLES, seed: int = 0
) -> dict[str, Array]:
    """A measure of ``n_samples`` collections, in each of which every set's pairs were drawn again.

    >>> one = [(np.array([1.0, 2.0]), np.array([1.0, 0.0]))]
    >>> redrawn(one, lambda sets: {"n": len(sets[0][0])}, n_samples=3)["n"].tolist()
    [2.0, 2.0, 2.0]
    """
    rng = np.random.default_rng(seed)
    found: dict[str, list[float]] = {}
    for _ in range(n_samples):
        places = [rng.integers(len(gold), size=len(gold)) for _, gold in scored]
        again = [
            (scores[chosen], gold[chosen]) for (scores, gold), chosen in zip(scored, places, strict=True)
        ]
        for name, value in measure(again).items():
            found.setdefault(name, []).append(value)
    return {name: np.array(values, np.float64) for name, values in found.items()}


def paraphrase_accuracy(sets: Scored) -> dict[str, float]:
    """Accuracy on the second set by the threshold of the first.

    >>> labels = np.array([0.0, 1.0])
    >>> paraphrase_accuracy([(np.array([0.1, 0.9]), labels), (np.array([0.2, 0.1]), labels)])
    {'test/accuracy': 0.5}
    """
    (scores, gold), (new, labels) = sets
    return {"test/accuracy": float(np.mean((new >= best_threshold(scores, gold)) == labels))}


def official_averages(sets: Scored) -> dict[str, float]:
    """The three averages of STS 2012: as ``tacit.evaluation.metrics.averages``, bare of checks."""
    each = [_pearson(*one) for one in sets]
    gold = np.concatenate([people for _, people in sets])
    fitted = np.concatenate([_fitted(*one) for one in sets])
    return {
        "all/pearson": _pearson(np.concatenate([scores for scores, _ in sets]), gold),
        "all_normalized/pearson": _pearson(fitted, gold),
        "weighted_mean/pearson": float(np.average(each, weights=[len(people) for _, people in sets])),
    }


def _pearson(x: Array, y: Array) -> float:
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size else 0.0


def _fitted(x: Array, y: Array) -> Array:
    """The scores brought to people's by least squares."""
    around, mean = x - x.mean(), y.mean()
    size = float(around @ around)
    return np.asarray(mean + around * (float(around @ (y - mean)) / size if size else 0.0))


DRAWN: dict[str, Callable[[Scored], dict[str, float]]] = {
    "msr04": paraphrase_accuracy,
    "sts12": official_averages,
}
"""By task: what is measured of each draw. The threshold of msr04 is found on redrawn training pairs."""
