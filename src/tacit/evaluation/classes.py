"""How good a classifier is: accuracy, macro F1 and macro average precision, by scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError


def measure_classes(
    gold: Sequence[str], predicted: Sequence[str], scores: NDArray[np.float64], classes: Sequence[str]
) -> dict[str, float]:
    """Accuracy, and F1 and average precision as means over the classes that the gold labels have.

    >>> scores = np.array([-1.0, 2.0, 0.5])
    >>> measured = measure_classes(["a", "b", "a"], ["a", "b", "b"], scores, ["a", "b"])
    >>> {name: round(value, 3) for name, value in measured.items()}
    {'accuracy': 0.667, 'f1': 0.667, 'average_precision': 1.0}
    """
    from sklearn.metrics import accuracy_score, average_precision_score, f1_score

    check_labels(gold, classes)
    wide = np.stack([-scores, scores], axis=1) if scores.ndim == 1 else scores
    there = np.asarray(gold)
    own = [place for place, name in enumerate(classes) if (there == name).any()]
    f1 = f1_score(gold, predicted, labels=[classes[i] for i in own], average="macro", zero_division=0)
    precisions = [average_precision_score(there == classes[place], wide[:, place]) for place in own]
    return {
        "accuracy": float(accuracy_score(gold, predicted)),
        "f1": float(f1),
        "average_precision": float(np.mean(precisions)),
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
