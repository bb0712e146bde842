"""Badly scaled and ill-conditioned systems against the normal equations in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from helpers.matrices import factorize_one
from tacit import WMF, InputError
from tacit.factorize import als_reference
from tacit.factorize.row_solver import FoldIn

powers = st.floats(-6, 6)


def problem(n_columns, K, seed, vector_scale, value_scale, doubled, dtype):
    """Return four rows and the vectors of their columns; with ``doubled`` each vector occurs twice."""
    rng = np.random.default_rng(seed)
    P = rng.standard_normal((n_columns, K)) * 10**vector_scale
    if doubled:
        P[n_columns // 2 :] = P[: n_columns - n_columns // 2]
    X = rng.random((4, n_columns)) * 10**value_scale * (rng.random((4, n_columns)) < rng.random())
    return X.astype(dtype), P.astype(dtype)


@settings(max_examples=400)
@given(
    n_columns=st.integers(1, 40),
    K=st.integers(1, 24),
    seed=st.integers(0, 2**16),
    vector_scale=powers,
    value_scale=powers,
    doubled=st.booleans(),
    missing_weight=st.sampled_from([0.0, 1e-30, 1e-9, 1e-4, 0.01, 1.0]),
    regularization=st.floats(-12, 2).map(lambda power: 10**power),
    dtype=st.sampled_from(["float32", "float64"]),
)
@example(16, 1, 0, 1.5, 3.0, False, 0.0, 1e-3, "float32")  # n x n systems of rank 1
@example(16, 8, 0, 1.5, 3.0, True, 0.0, 1e-3, "float32")
def test_every_scale_solves_the_normal_equations(
    n_columns, K, seed, vector_scale, value_scale, doubled, missing_weight, regularization, dtype
):
    X, P = problem(n_columns, K, seed, vector_scale, value_scale, doubled, dtype)
    X64, vectors = X.astype(float), P.astype(float)
    W = als_reference.weights(X64, missing_weight)
    systems = [(vectors.T * w) @ vectors + regularization * np.eye(K) for w in W]
    condition = max(np.linalg.cond(A) for A in systems)
    shared = np.linalg.cond(missing_weight * vectors.T @ vectors + regularization * np.eye(K))
    assume(condition < 1e9 and shared < 1e10)  # otherwise the normal equations have no correct digit
    expected = als_reference.solve(X64, vectors, missing_weight, regularization)
    actual = FoldIn(P, missing_weight, regularization)(csr_array(X))
    assert actual.dtype == dtype
    tolerance = {"float32": 1e-3, "float64": 1e-10 + 1e-15 * condition}[dtype]
    for vector, expected_vector in zip(actual, expected, strict=True):
        assert np.linalg.norm(vector - expected_vector) <= tolerance * np.linalg.norm(expected_vector)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**16),
    K=st.integers(1, 12),
    power=powers,
    missing_weight=st.sampled_from([0.0, 1e-30, 0.01, 1.0]),
    dtype=st.sampled_from(["float32", "float64"]),
)
def test_scaled_values_give_scaled_vectors(seed, K, power, missing_weight, dtype):
    """Values times s and regularization times s give vectors times sqrt(s): the same in every unit."""
    rng = np.random.default_rng(seed)
    X = rng.random((20, 15)) * (rng.random((20, 15)) < 0.5) + 0.0
    start, scale = rng.standard_normal((15, K)), 10**power
    options = {"missing_weight": missing_weight, "n_iter": 2}
    plain, _ = factorize_one(csr_array(X), start, regularization=0.1, **options)
    other, _ = factorize_one(
        csr_array((X * scale).astype(dtype)),
        (start * np.sqrt(scale)).astype(dtype),
        regularization=0.1 * scale,
        **options,
    )
    tolerance = {"float32": 1e-3, "float64": 1e-9}[dtype]
    assert np.linalg.norm(other / np.sqrt(scale) - plain) <= tolerance * np.linalg.norm(plain)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("regularization", [0.0, 1e-12, 1e-3])
def test_large_values_with_little_regularization_are_not_singular(regularization, dtype):
    X = (np.random.default_rng(0).random((60, 60)) * 1e6).astype(dtype)
    model = WMF(10, missing_weight=0.1, regularization=regularization, n_iter=5).fit(X)
    P = model.components_.T.astype(float)
    expected = als_reference.solve(X.astype(float), P, 0.1, regularization)
    np.testing.assert_allclose(model.transform(X), expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_no_regularization_and_missing_weight_is_an_error(dtype):
    """Without both, a text with fewer words than components has no unique solution."""
    with pytest.raises(InputError, match="singular system at regularization=0, missing_weight=0: raise"):
        FoldIn(np.ones((5, 3), dtype), missing_weight=0.0, regularization=0.0)


def test_ill_conditioned_float32_is_solved_in_float64():
    X, P = problem(30, 5, 0, 1.0, 3.0, False, "float32")
    X, options = csr_array(X), {"missing_weight": 0.0, "regularization": 1e-3, "n_iter": 3}
    actual, _ = factorize_one(X, P, **options)
    exact, _ = factorize_one(X.astype("float64"), P.astype("float64"), **options)
    assert np.linalg.norm(actual - exact) <= 1e-2 * np.linalg.norm(exact)


@pytest.mark.parametrize("K", [1, 5, 11])
def test_ill_conditioned_rows_have_the_same_bits_in_any_batch(K):
    rng = np.random.default_rng(K)
    P = (rng.standard_normal((60, K)) * 1e3).astype(np.float32)
    X = ((1 + rng.random((300, 60))) * (rng.random((300, 60)) < 0.2)).astype(np.float32)
    batch = FoldIn(P, 0.0, 1e-5, n_threads=2)(csr_array(X))
    one = FoldIn(P, 0.0, 1e-5)
    order = rng.permutation(300)
    assert np.array_equal(one(csr_array(X[order])), batch[order])
    assert np.array_equal(one(csr_array(X[7:8]))[0], batch[7])
