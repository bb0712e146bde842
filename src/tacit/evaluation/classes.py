"""How good a classifier is: accuracy, macro F1 and macro average precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError

Array = NDArray[np.float64]


def measure_classes(
    gold: Sequence[str], predicted: Sequence[str], scores: Array, classes: Sequence[str]
) -> dict[str, float]:
    """Accuracy, and F1 and average precision as means over the classes that the gold labels have.

    >>> scores = np.array([-1.0, 2.0, 0.5])
    >>> measured = measure_classes(["a", "b", "a"], ["a", "b", "b"], scores, ["a", "b"])
    >>> {name: round(value, 3) for name, value in measured.items()}
    {'accuracy': 0.667, 'f1': 0.667, 'average_precision': 1.0}
    """
    there = np.asarray(gold)
    wide = np.stack([-scores, scores], axis=1) if scores.ndim == 1 else scores
    unknown = sorted(set(there.tolist()) - set(classes))
    if unknown:
        raise InputError(
            f"the test label {unknown[0]!r} has no training text; there are {', '.join(classes)}"
        )
    own = [place for place, name in enumerate(classes) if (there == name).any()]
    guessed = np.asarray(predicted)
    return {
        "accuracy": float((guessed == there).mean()),
        "f1": float(np.mean([_f1(guessed == classes[place], there == classes[place]) for place in own])),
        "average_precision": float(
            np.mean([average_precision(wide[:, place], there == classes[place]) for place in own])
        ),
    }


def check_labels(gold: Sequence[str], classes: Sequence[str]) -> None:
    """Refuse a label that no training text has.

    >>> check_labels(["a", "c"], ["a", "b", "a"])
    Traceback (most recent call last):
    tacit.errors.InputError: the test label 'c' has no training text; there are a, b
    """
    unknown = sorted(set(gold) - set(classes))
    if unknown:
        known = ", ".join(sorted(set(classes)))
        raise InputError(f"the test label {unknown[0]!r} has no training text; there are {known}")


def _f1(predicted: NDArray[np.bool_], gold: NDArray[np.bool_]) -> float:
    marked = np.count_nonzero(predicted) + np.count_nonzero(gold)
    return 2 * np.count_nonzero(predicted & gold) / marked if marked else 0.0


def average_precision(scores: Any, gold: Any) -> float:
    """The mean precision at the ranks of the right ones, by scikit-learn.

    >>> average_precision([0.9, 0.8, 0.7], [True, False, True])
    0.833...
    """
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(gold, scores))


def best_f1_threshold(scores: Any, gold: Any) -> float:
    """The threshold t for which "positive where score >= t" has the highest F1.

    >>> best_f1_threshold([0.9, 0.2, 0.7, 0.1], [1, 0, 1, 0])
    0.7
    """
    from sklearn.metrics import precision_recall_curve

    precision, recall, thresholds = precision_recall_curve(gold, scores)
    both = precision + recall
    f1 = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    return float(thresholds[np.argmax(f1[:-1])])
