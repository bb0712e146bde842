"""Logistic regression with a prior, against scikit-learn and the normal equations."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from tacit.decisions.logistic import LogisticModel, Scaling, fit_logistic


def sample(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    return X, (X @ [2.0, -1, 0, 0, 1] + rng.normal(size=n) > 0.5).astype(float)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_weights_are_those_of_scikit_learn(C):
    X, y = sample(200, 0)
    row_weights = np.random.default_rng(1).uniform(0.1, 3, 200)
    precision = np.append(np.full(5, 1 / C), 1e-9)
    theta, _ = fit_logistic(X, y, row_weights, np.zeros(6), precision)
    peer = LogisticRegression(C=C, tol=1e-10, max_iter=10_000).fit(X, y, row_weights)
    assert theta == pytest.approx([*peer.coef_[0], peer.intercept_[0]], abs=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_few_separable_rows_do_not_diverge(seed):
    X, y = sample(6, seed)
    prior = np.random.default_rng(seed).normal(scale=5, size=6)
    theta, covariance = fit_logistic(100 * X, y, np.ones(6), prior, np.full(6, 0.01))
    p = 1 / (1 + np.exp(-np.clip(100 * X @ theta[:5] + theta[5], -700, 700)))
    gradient = np.append(100 * X.T @ (p - y), (p - y).sum()) + 0.01 * (theta - prior)
    assert np.abs(gradient).max() < 0.05
    assert (np.linalg.eigvalsh(covariance) > 0).all()


def test_without_rows_the_prior_is_the_result():
    theta, covariance = fit_logistic(
        np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.array([1.0, 2, 3]), np.full(3, 4.0)
    )
    assert theta.tolist() == [1, 2, 3]
    assert covariance == pytest.approx(np.eye(3) / 4)


def test_parts_sum_to_the_log_odds():
    X, _ = sample(50, 2)
    model = LogisticModel(Scaling.fit(X, limit=1.5), np.arange(5.0), -2.0)
    assert model.parts(X).sum(axis=1) - 2 == pytest.approx(model.log_odds(X))


def test_constant_features_have_no_part():
    X = np.column_stack([np.full(9, 7.0), np.arange(9.0)])
    assert (Scaling.fit(X).apply(X)[:, 0] == 0).all()
