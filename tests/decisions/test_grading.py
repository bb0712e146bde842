"""Ridge regression of grades on measures."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from tacit.decisions import grading
from tacit.decisions.grading import fit_measure

NAMES = ["blend", "latent", "lexical"]


def graded_scores(n: int, seed: int, weights: list[float]) -> tuple[np.ndarray, dict[int, float]]:
    rng = np.random.default_rng(seed)
    scores = rng.random((200, 3))
    grades = scores @ np.array(weights) + rng.normal(0, 0.2, 200)
    return scores, {row: float(np.clip(grades[row], 0, 5)) for row in range(n)}


def test_weights_are_those_of_scikit_learn(monkeypatch):
    """With one penalty, and the default measure penalized like the others."""
    monkeypatch.setattr(grading, "_PENALTIES", (10.0,))
    monkeypatch.setattr(grading, "DEFAULT_MEASURE", "other")
    scores, grades = graded_scores(60, 0, [1, 2, 1])
    monkeypatch.setattr(grading.Scaling, "fit", lambda values: grading.Scaling(np.zeros(3), np.ones(3)))
    expected = Ridge(alpha=10.0).fit(scores[:60], list(grades.values()))
    measure, _ = fit_measure(NAMES, scores, grades)
    assert measure.weights == pytest.approx(expected.coef_)
    assert measure.intercept == pytest.approx(expected.intercept_)


def test_predictions_without_a_row_are_those_of_a_fit_without_it():
    scores, grades = graded_scores(30, 1, [1, 2, 1])
    A, y = np.column_stack([np.ones(30), scores[:30]]), np.array(list(grades.values()))
    penalties = np.array([1e-9, 1e-9, 3, 3])
    _, predictions = grading._fit_ridge(A, y, penalties)
    for row in range(30):
        theta, _ = grading._fit_ridge(np.delete(A, row, 0), np.delete(y, row), penalties)
        assert predictions[row] == pytest.approx(A[row] @ theta)


def test_the_default_measure_is_used_alone_if_the_others_do_not_help():
    scores, grades = graded_scores(15, 2, [4, 0, 0])
    weights = fit_measure(NAMES, scores, grades)[0].weights
    assert abs(weights[0]) > 20 * np.abs(weights[1:]).max()


def test_other_measures_are_used_if_they_help():
    scores, grades = graded_scores(150, 3, [1, 3, 0])
    measure, note = fit_measure(NAMES, scores, grades)
    assert measure.weights[1] > 2 > measure.weights[0]
    taught, untaught = (float(part.split()[-1]) for part in note.removesuffix(" alone").split(", ")[1:])
    assert taught > untaught + 0.3
