"""Half-sweeps and factorization against the paper's formula; reproducible bits; falling loss."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from helpers.matrices import factorize_one, problem
from tacit.errors import InputError
from tacit.factorize import als_reference
from tacit.factorize.row_solver import FoldIn, gram_matrix

TOLERANCE = {"float32": 1e-5, "float64": 1e-10}


@settings(max_examples=150)
@given(
    n_rows=st.integers(1, 40),
    n_columns=st.integers(1, 90),
    K=st.integers(1, 40),
    density=st.floats(0, 1),
    missing_weight=st.sampled_from([0.0, 0.01, 0.3, 1.0]),
    regularization=st.floats(0.5, 50),
    seed=st.integers(0, 2**16),
    dtype=st.sampled_from(["float32", "float64"]),
)
@example(5, 90, 8, 1.0, 0.01, 20.0, 0, "float32")  # more words in a text than dimensions
@example(5, 3, 40, 0.5, 0.01, 20.0, 0, "float32")  # more dimensions than words
@example(5, 30, 8, 0.0, 0.01, 20.0, 0, "float64")  # no words at all
def test_half_sweep_equals_the_reference(
    n_rows, n_columns, K, density, missing_weight, regularization, seed, dtype
):
    X, P = problem(n_rows, n_columns, K, density, seed, dtype)
    expected = als_reference.solve(X.astype(float), P.astype(float), missing_weight, regularization)
    actual = FoldIn(P, missing_weight, regularization)(csr_array(X))
    assert actual.dtype == dtype
    assert np.linalg.norm(actual - expected) <= TOLERANCE[dtype] * max(np.linalg.norm(expected), 1e-30)


@pytest.mark.parametrize("missing_weight", [0.0, 0.01, 1.0])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_whole_factorization_follows_the_reference(missing_weight, dtype):
    X, P = problem(60, 50, 6, 0.3, 3, dtype)
    Q, expected, losses = als_reference.factorize(
        X.astype(float), P.astype(float), missing_weight, 2.0, n_iter=4
    )
    actual, actual_losses = factorize_one(
        csr_array(X), P, missing_weight=missing_weight, regularization=2.0, n_iter=4
    )
    tolerance = 300 * TOLERANCE[dtype]  # rounding grows over eight half-sweeps
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance * np.abs(expected).max())
    np.testing.assert_allclose(actual_losses, losses, rtol=tolerance)
    vectors = FoldIn(actual, missing_weight, 2.0)(csr_array(X))
    np.testing.assert_allclose(vectors, Q, rtol=tolerance, atol=tolerance * np.abs(Q).max())


@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**16),
    missing_weight=st.sampled_from([0.0, 0.01, 0.5, 1.0]),
    dtype=st.sampled_from(["float32", "float64"]),
    K=st.integers(1, 20),
)
def test_the_loss_never_rises(seed, missing_weight, dtype, K):
    X, P = problem(50, 40, K, 0.2, seed, dtype)
    _, losses = factorize_one(csr_array(X), P, missing_weight=missing_weight, regularization=1.0, n_iter=8)
    rounding = {"float32": 1e-5, "float64": 1e-12}[dtype]
    assert all(later <= earlier * (1 + rounding) + 1e-9 for earlier, later in pairwise(losses))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bits_do_not_depend_on_threads(dtype):
    X, P = problem(10_000, 300, 12, 0.03, 5, dtype)  # several blocks of rows, short and long
    X[:, 0] = 1.0
    results = [
        factorize_one(csr_array(X), P, missing_weight=0.01, regularization=3.0, n_iter=3, n_threads=n)
        for n in (1, 2, 4)
    ]
    for vectors, losses in results[1:]:
        assert np.array_equal(vectors, results[0][0])
        assert losses == results[0][1]


@settings(max_examples=30)
@given(seed=st.integers(0, 2**16), n=st.integers(1, 300), dtype=st.sampled_from(["float32", "float64"]))
def test_row_has_the_same_bits_alone_and_in_any_batch(seed, n, dtype):
    X, P = problem(n, 60, 11, 0.25, seed, dtype)
    fold_in = FoldIn(P, 0.01, 5.0, n_threads=2)
    batch = fold_in(csr_array(X))
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    assert np.array_equal(fold_in(csr_array(X[order])), batch[order])
    one = rng.integers(n)
    assert np.array_equal(fold_in(csr_array(X[one : one + 1]))[0], batch[one])


def test_input_matrix_is_not_changed():
    X, P = problem(30, 20, 4, 0.4, 1, "float64")
    sparse = csr_array(X)
    before = [sparse.indptr.dtype, sparse.indices.dtype, sparse.data.copy()]
    factorize_one(sparse, P.astype("float32"), missing_weight=0.01, regularization=1.0, n_iter=1)
    assert [sparse.indptr.dtype, sparse.indices.dtype] == before[:2]
    assert np.array_equal(sparse.data, before[2])


def test_tolerance_and_callback_stop_early():
    X, P = problem(50, 40, 5, 0.3, 2, "float64")
    options = {"missing_weight": 0.01, "regularization": 1.0, "n_iter": 50}
    _, losses = factorize_one(csr_array(X), P, **options, tol=0.01)
    assert 1 < len(losses) < 50
    assert (losses[-2] - losses[-1]) < 0.01 * losses[-2]
    calls = []
    _, losses = factorize_one(
        csr_array(X), P, **options, callback=lambda *state: calls.append(state) or len(calls) == 3
    )
    assert [sweep for sweep, _ in calls] == [1, 2, 3]
    assert [loss for _, loss in calls] == losses


def test_singular_system_error_names_the_remedy():
    with pytest.raises(InputError, match=r"raise regularization"):
        FoldIn(np.ones((5, 3)), missing_weight=0.5, regularization=0.0)


def test_squares_beyond_float32_do_not_change_the_result():
    P = np.full((40, 3), 1e19, np.float32)
    actual = FoldIn(P, missing_weight=0.0, regularization=1e-6)(csr_array(np.full((1, 40), 2e9, np.float32)))
    np.testing.assert_allclose(actual, np.full((1, 3), 2e9 / 3e19), rtol=1e-6)


def test_overflow_raises_input_error_instead_of_nan():
    P = np.full((40, 3), 1e200)  # squares overflow float64
    with pytest.raises(InputError, match=r"raise regularization"):
        FoldIn(P, missing_weight=0.0, regularization=1e-6)(csr_array(np.ones((1, 40))))


def test_float32_overflow_error_suggests_float64():
    P, X = np.ones((40, 3)), np.full((1, 40), 3e38)
    with pytest.raises(InputError, match=r"lost numerical precision: .* give the matrix as float64"):
        FoldIn(P.astype("float32"), 0.01, 1.0)(csr_array(X.astype("float32")))
    expected = als_reference.solve(X, P, 0.01, 1.0)
    np.testing.assert_allclose(FoldIn(P, 0.01, 1.0)(csr_array(X)), expected, rtol=1e-9)


def test_gram_matrix_equals_numpy():
    A = np.random.default_rng(0).standard_normal((5000, 13)).astype(np.float32)
    np.testing.assert_allclose(gram_matrix(A, 2), A.astype(float).T @ A.astype(float), rtol=1e-5, atol=1e-2)
