"""WMF: scikit-learn's estimator checks, and comparison with the reference."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.exceptions
from scipy.sparse import coo_array, csr_array, csr_matrix
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from tacit import WMF
from tacit.errors import InputError, TacitError
from tacit.factorize import als_reference


@parametrize_with_checks([WMF(), WMF(n_components=3, n_iter=3)])
def test_scikit_learn_estimator_checks(estimator, check):
    check(estimator)


@pytest.fixture
def X() -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.where(rng.random((40, 30)) < 0.3, rng.random((40, 30)) * 5, 0.0)


def test_transform_equals_the_reference(X):
    wmf = WMF(n_components=4, missing_weight=0.01, regularization=1.0, n_iter=5).fit(X)
    expected = als_reference.solve(X, wmf.components_.T, 0.01, 1.0)
    np.testing.assert_allclose(wmf.transform(X), expected, rtol=1e-9, atol=1e-12)
    assert len(wmf.loss_) == wmf.n_iter_ == 5
    assert wmf.loss_ == sorted(wmf.loss_, reverse=True)
    assert wmf.get_feature_names_out().tolist() == ["wmf0", "wmf1", "wmf2", "wmf3"]


@pytest.mark.parametrize("to_format", [csr_array, csr_matrix, coo_array])
def test_sparse_formats_give_the_same_result(X, to_format):
    wmf = WMF(n_components=4, n_iter=3).fit(X)
    sparse = WMF(n_components=4, n_iter=3).fit(to_format(X))
    assert np.array_equal(wmf.components_, sparse.components_)
    assert np.array_equal(wmf.transform(X), sparse.transform(to_format(X)))


def test_unsorted_repeated_and_stored_zero_cells(X):
    plain = csr_array(np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 0.0]]))
    not_canonical = csr_array(
        (np.array([1.0, 2.0, 1.0, 0.0, 2.0]), np.array([2, 0, 0, 1, 1]), np.array([0, 4, 5])), (2, 3)
    )
    before = not_canonical.copy()
    wmf = WMF(n_components=2, n_iter=3)
    assert np.array_equal(wmf.fit(not_canonical).components_, wmf.fit(plain).components_)
    assert np.array_equal(not_canonical.data, before.data)
    assert np.array_equal(not_canonical.indices, before.indices)


def test_float32_stays_float32(X):
    assert WMF(n_components=3).fit_transform(X.astype(np.float32)).dtype == np.float32
    assert WMF(n_components=3).fit_transform(X).dtype == np.float64


def test_same_seed_gives_the_same_components(X):
    a, b, c = (WMF(n_components=3, n_iter=2, random_state=seed).fit(X).components_ for seed in (1, 1, 2))
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)
    generator = np.random.RandomState(0)
    assert np.isfinite(WMF(n_components=3, random_state=generator).fit_transform(X)).all()


def test_in_a_pipeline(X):
    assert make_pipeline(WMF(n_components=3), Normalizer()).fit_transform(csr_array(X)).shape == (40, 3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components=0"),
        ({"n_components": 2.5}, "n_components=2.5"),
        ({"missing_weight": -0.1}, "missing_weight=-0.1.*from 0 to 1"),
        ({"missing_weight": 1.1}, "missing_weight=1.1"),
        ({"missing_weight": float("nan")}, "missing_weight=nan"),
        ({"regularization": -1}, "regularization=-1"),
        ({"regularization": float("inf")}, "regularization=inf"),
        ({"regularization": 0, "missing_weight": 0}, "no unique solution"),
        ({"n_iter": 0}, "n_iter=0"),
        ({"tol": -1}, "tol=-1"),
        ({"random_state": "seed"}, "random_state='seed'"),
        ({"n_threads": 0}, "n_threads=0"),
    ],
)
def test_invalid_parameter_is_named(X, parameters, message):
    with pytest.raises(InputError, match=message):
        WMF(**parameters).fit(X)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
@pytest.mark.parametrize("to_format", [np.asarray, csr_array])
def test_negative_and_not_finite_cells(X, bad, to_format):
    X[3, 4] = bad
    with pytest.raises(ValueError, match=r"Negative|NaN|infinity"):
        WMF().fit(to_format(X))


@pytest.mark.parametrize(
    "use", [lambda wmf: wmf.transform(np.eye(3)), lambda wmf: wmf.get_feature_names_out()]
)
def test_unfitted_use_is_an_error_of_both_libraries(use):
    for kind in (TacitError, sklearn.exceptions.NotFittedError):
        with pytest.raises(kind, match=r"not fitted yet: call fit\(X\) first"):
            use(WMF(n_components=2))
