"""A measure taught by graded pairs: ridge regression on the scores of all measures."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from tacit.decisions.judging import MIN_JUDGED
from tacit.decisions.logistic import Scaling
from tacit.errors import InputError
from tacit.models.measure import Measure
from tacit.models.measures import DEFAULT_MEASURE, get_measure
from tacit.models.text_set import TextSet
from tacit.storage import StoredModel, write_model
from tacit.storage.stored_model import ArrayReader, restoring
from tacit.types import Array

MAX_GRADE = 5.0
_PENALTIES = (10.0, 100.0, 1e9)
"""Penalties of the measures other than the default one; with the last one, that is used alone.

They were chosen on the training and development sets of the STS Benchmark.
"""


class TaughtMeasure(Measure):
    """A measure learned from graded pairs: a weighted sum of other measures, from 0 to 5.

    `teach` creates it. Pass it as ``measure`` to `TextModel.compare_pairs` or `TextModel.similarity`, with
    the model that it was learned with.

    Parameters
    ----------
    measures : sequence of str
        Names of the measures.
    weights : array of shape (n_measures,)
        Weight of each measure.
    intercept : float
        Grade if all measures are 0.
    """

    name, summary = "taught", "a weighted sum of measures, learned from graded pairs"

    def __init__(self, measures: Sequence[str], weights: Array, intercept: float) -> None:
        self.measures, self.weights, self.intercept = tuple(measures), weights, intercept

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """Return the expected grade of each pair."""
        scores = np.column_stack([get_measure(name).score(texts, left, right) for name in self.measures])
        return self.grade(scores)

    def grade(self, scores: Array) -> Array:
        """Return the expected grades of pairs from their scores."""
        return np.clip(np.einsum("ij,j->i", scores, self.weights) + self.intercept, 0, MAX_GRADE)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Store the measure in a folder; `tacit.load` reads it."""
        arrays = {"weights": self.weights, "intercept": np.array([self.intercept])}
        use = "Use it with `tacit compare MODEL A B --measure FOLDER`."
        card = f"# A measure learned from graded pairs\n\n{use}\n"
        write_model(folder, StoredModel("TaughtMeasure", {"measures": [*self.measures]}, arrays=arrays), card)

    @classmethod
    def from_stored(cls, stored: StoredModel) -> TaughtMeasure:
        """Restore a measure that was saved."""
        with restoring("teach it again"):
            arrays, names = ArrayReader(stored.arrays), stored.parameters["measures"]
            for name in names:
                get_measure(name)
            weights = arrays.floats("weights", np.float64, (len(names),))
            return cls(names, weights, float(arrays.floats("intercept", np.float64, (1,))[0]))


def fit_measure(
    measures: Sequence[str], scores: Array, grades: Mapping[int, float]
) -> tuple[TaughtMeasure, str]:
    """Fit a measure to graded rows of scores; return it, and a note on its quality.

    The penalty with the smallest leave-one-out error is used. InputError if there are too few grades.
    """
    if len(grades) < MIN_JUDGED:
        raise InputError(f"{len(grades)} grades are too few to learn from: grade at least {MIN_JUDGED} pairs")
    y = np.array(list(grades.values()))
    if not y.std():
        raise InputError(f"all {len(y)} grades are {y[0]:g}: grade a pair that differs")
    scaling = Scaling.fit(scores)
    A = np.column_stack([np.ones(len(y)), scaling.apply(scores[list(grades)])])
    is_penalized = np.array([False, *(name != DEFAULT_MEASURE for name in measures)])
    fits = [_fit_ridge(A, y, 1e-9 + penalty * is_penalized) for penalty in _PENALTIES]
    theta, predictions = min(fits, key=lambda fit: float(((y - fit[1]) ** 2).sum()))
    weights = theta[1:] / scaling.std
    taught, untaught = (float(np.corrcoef(y, each)[0, 1]) for each in (predictions, fits[-1][1]))
    note = (
        f"{len(y)} grades, cross-validated: correlation {taught:.3f}, {DEFAULT_MEASURE} alone {untaught:.3f}"
    )
    return TaughtMeasure(measures, weights, float(theta[0] - scaling.mean @ weights)), note


def _fit_ridge(A: Array, y: Array, penalties: Array) -> tuple[Array, Array]:
    """Return the weights of a ridge regression, and the prediction of each row without that row."""
    inverse = np.linalg.inv(np.einsum("ij,ik->jk", A, A) + np.diag(penalties))
    theta = np.einsum("jk,ik,i->j", inverse, A, y)
    leverage = np.einsum("ij,jk,ik->i", A, inverse, A)
    return theta, y - (y - np.einsum("ij,j->i", A, theta)) / np.maximum(1 - leverage, 1e-9)
