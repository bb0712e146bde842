"""Alignment, its closed form as a function of lambda, the line search and its warnings."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from tacit import InputError
from tacit.kernels import AlignmentWarning, ExponentialKernel, VonNeumannKernel, target_alignment
from tacit.kernels import semantic_reference as reference
from tacit.kernels.alignment import (
    ALIGNMENT_MODES,
    LambdaSearchResult,
    dense_alignment,
    one_vs_rest_signs,
    prior_alignment,
    search_lambda,
    spectral_alignment,
)
from tacit.kernels.spectrum import FAMILIES

KERNELS = {"exponential": reference.exponential, "vonneumann": reference.von_neumann}


def make_matrix(seed, n=24, d=15, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.random((n, d)) * (rng.random((n, d)) < 0.5) + 0.01
    return X, np.concatenate([np.arange(classes), rng.integers(classes, size=n - classes)])


def decompose(X):
    w, U = np.linalg.eigh(X @ X.T)
    is_positive = w > 1e-10
    w, U = w[is_positive][::-1], U[:, is_positive][:, ::-1]
    return w, U, U * np.sqrt(w)


cases = st.tuples(
    st.integers(0, 5000),
    st.sampled_from(sorted(FAMILIES)),
    st.sampled_from(ALIGNMENT_MODES),
    st.sampled_from([2, 3]),
    st.floats(0.02, 0.9),
)


@given(cases)
@settings(max_examples=60)
def test_curves_equal_alignment_of_kernel(case):
    """Compare with the brute-force kernel on a labelled sample, for every mode."""
    seed, name, mode, classes, share = case
    X, y = make_matrix(seed, classes=classes)
    w, _, Z = decompose(X)
    strength = share / w[0]
    K = KERNELS[name](X @ X.T, strength)
    sample = np.arange(0, len(X), 2)
    if len(np.unique(y[sample])) < 2:
        return
    block = np.ix_(sample, sample)
    signs = one_vs_rest_signs(y[sample])
    curve = dense_alignment((X @ X.T)[block], Z[sample], w, FAMILIES[name], signs, mode, cosine=False)
    assert curve(strength)[0] == pytest.approx(target_alignment(K[block], y[sample], mode), abs=1e-9)
    scale = np.sqrt(np.diag(K))
    divided = dense_alignment((X @ X.T)[block], Z[sample], w, FAMILIES[name], signs, mode, cosine=True)
    expected = target_alignment((K / scale / scale[:, None])[block], y[sample], mode)
    assert divided(strength)[0] == pytest.approx(expected, abs=1e-9)
    if mode == "uncentred":
        spectral = spectral_alignment(*decompose(X)[:2], w, FAMILIES[name], one_vs_rest_signs(y))
        assert spectral(strength)[0] == pytest.approx(target_alignment(K, y), abs=1e-9)


@given(cases, st.sampled_from(["spectral", "dense", "cosine"]))
@settings(max_examples=60)
def test_derivative_equals_finite_differences(case, kind):
    seed, name, mode, classes, share = case
    X, y = make_matrix(seed, classes=classes)
    w, U, Z = decompose(X)
    signs, family = one_vs_rest_signs(y), FAMILIES[name]
    if kind == "spectral":
        curve = spectral_alignment(w, U, w, family, signs)
    else:
        curve = dense_alignment(X @ X.T, Z, w, family, signs, mode, kind == "cosine")
    strength, step = share / w[0], 1e-5 / w[0]
    slope = (curve(strength + step)[0] - curve(strength - step)[0]) / (2 * step)
    assert curve(strength)[1] == pytest.approx(slope, rel=2e-4, abs=2e-5)


@pytest.mark.parametrize("cosine", [False, True])
@pytest.mark.parametrize("make", [ExponentialKernel, VonNeumannKernel])
@pytest.mark.parametrize("mode", ALIGNMENT_MODES)
def test_line_search_equals_dense_grid(make, mode, cosine):
    X, y = make_matrix(3, n=40, d=60)
    X[y == 1, :10] += 0.4
    kernel = make("alignment", cosine=cosine, alignment_mode=mode, normalize=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AlignmentWarning)
        kernel.fit(X, y)
    result = kernel.lambda_search_
    fixed = make(0.0, cosine=cosine, normalize=False).fit(X)

    def aligned(strength):
        return target_alignment(fixed.set_lambda(strength).transform(X), y, mode)

    best = max(aligned(strength) for strength in np.linspace(0, result.bound, 400))
    assert result.alignment == pytest.approx(aligned(kernel.chosen_lambda_), abs=1e-9)
    assert result.alignment >= best - 1e-6
    if not result.at_bound:
        around = (result.lambda_ * 0.9, min(result.lambda_ * 1.1, result.bound))
        near = minimize_scalar(lambda s: -aligned(s), bounds=around, method="bounded")
        assert result.alignment == pytest.approx(-near.fun, abs=1e-6)


def test_alignment_equals_formula_in_every_mode():
    X, y = make_matrix(1)
    signs = np.where(y == 1, 1.0, -1.0)
    K = X @ X.T
    assert target_alignment(K, y) == pytest.approx(reference.alignment(K, signs))
    H = np.eye(len(y)) - 1 / len(y)
    centred = H @ K @ H
    target = H @ np.outer(signs, signs) @ H
    expected = (centred * target).sum() / np.linalg.norm(centred) / np.linalg.norm(target)
    assert target_alignment(K, y, "centred") == pytest.approx(expected)
    assert target_alignment(np.outer(signs, signs), y, "balanced") == pytest.approx(1)
    ones = np.ones_like(K)
    assert target_alignment(ones, y) == pytest.approx(prior_alignment(y)) == pytest.approx(signs.mean() ** 2)
    assert target_alignment(ones, y, "centred") == target_alignment(ones, y, "balanced") == 0
    doubled = np.concatenate([np.flatnonzero(y == 1), np.arange(len(y))])  # texts of one class said twice
    assert target_alignment(K[np.ix_(doubled, doubled)], y[doubled], "balanced") == pytest.approx(
        target_alignment(K, y, "balanced")
    )


def test_three_classes_are_mean_of_one_vs_rest():
    X, y = make_matrix(2, classes=3)
    K = X @ X.T
    assert target_alignment(K, y) == pytest.approx(np.mean([target_alignment(K, y == c) for c in range(3)]))


def test_alignment_near_prior_warns():
    """One random text in twenty is positive: a larger lambda still raises the alignment."""
    X, _ = make_matrix(4, n=60)
    y = np.arange(60) % 20 == 0
    with pytest.warns(AlignmentWarning, match="no better than the class prior: a constant kernel"):
        ExponentialKernel("alignment", cosine=False).fit(X, y)


def test_optimum_at_the_bound_warns():
    X, _ = make_matrix(4, n=60)
    y = np.arange(60) % 2  # labels that say nothing
    with pytest.warns(AlignmentWarning, match="no peak inside"):
        kernel = ExponentialKernel("alignment", alignment_mode="balanced").fit(X, y)
    assert kernel.lambda_search_.at_bound


def parabola(peak):
    """Return an alignment curve with its peak at a lambda."""
    return lambda lam: (1 - (lam - peak) ** 2, -2 * (lam - peak))


@pytest.mark.parametrize("peak", [0.41, 0.39, 0.02, 0.98])
def test_interior_peak_is_refined(peak):
    """The best grid point has a positive slope for some of these peaks, a negative one for the others."""
    result = search_lambda(parabola(peak), 1.0, prior=0.0, n_points=11)
    assert result.lambda_ == pytest.approx(peak, abs=1e-3)
    assert not result.at_bound


@pytest.mark.parametrize(("peak", "end"), [(-0.5, 0.0), (1.5, 1.0)])
def test_peak_outside_the_range_is_at_the_bound(peak, end):
    result = search_lambda(parabola(peak), 1.0, prior=0.0, n_points=11)
    assert (result.lambda_, result.at_bound) == (end, True)


@pytest.mark.parametrize(
    ("mode", "alignment", "warns"),
    [
        ("uncentred", 0.9, False), ("uncentred", 0.505, True), ("uncentred", 0.3, True),
        ("balanced", 0.3, False), ("balanced", 0.9, False),
    ],
)  # fmt: skip
def test_prior_warning_only_if_uncentred_and_near_prior(mode, alignment, warns):
    result = LambdaSearchResult(0.5, alignment, prior=0.5, at_bound=False, bound=1.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result.warn_if_unreliable(mode)
    assert [issubclass(item.category, AlignmentWarning) for item in caught] == [True] * warns


def test_many_labels_are_sampled(monkeypatch):
    X, y = make_matrix(6, n=80)
    monkeypatch.setattr("tacit.kernels.alignment.MAX_ALIGNMENT_TEXTS", 50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AlignmentWarning)
        kernel = ExponentialKernel("alignment", centred=True).fit(X, y)
    assert 0 <= kernel.chosen_lambda_ <= kernel.lambda_search_.bound


@pytest.mark.parametrize(
    ("K", "y", "mode", "message"),
    [
        (np.eye(3), [1, 1, 1], "uncentred", "all 3 labels are 1: give texts of at least two classes"),
        (np.eye(3), [1, 0], "uncentred", r"shape \(3, 3\) for 2 labels"),
        (np.full((2, 2), np.nan), [1, 0], "uncentred", "not finite"),
        (np.eye(2), [1, 0], "skewed", "mode='skewed': use one of uncentred, centred, balanced"),
        (np.eye(2), [[1], [0]], "uncentred", r"labels of shape \(2, 1\)"),
    ],
)
def test_invalid_input_raises(K, y, mode, message):
    with pytest.raises(InputError, match=message):
        target_alignment(K, y, mode)
