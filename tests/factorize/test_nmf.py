"""Interleaved NMF against its formula and scikit-learn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tacit.compute.csr import CSRArrays, split_by_nonzeros
from tacit.errors import InputError
from tacit.factorize import nmf_reference as reference
from tacit.factorize.nmf import (
    BLOCK_NONZEROS,
    init_factors,
    interleaved_nmf,
    multiplicative_update,
    pad_components,
)


def counts(seed, n, m, density=0.4):
    random = np.random.default_rng(seed)
    X = random.poisson(3.0, (n, m)) * (random.random((n, m)) < density)
    X[np.arange(n), np.arange(n) % m] += 1
    X[np.arange(m) % n, np.arange(m)] += 1
    return X.astype(np.float64)


def factorize(X, W, H, n_iter):
    """X ~ W H' after some iterations of one step for W and one for H, and the divergence after each."""
    K, W, H = W.shape[1], pad_components(W), pad_components(H)
    rows, columns = (CSRArrays.from_scipy(csr_array(matrix), np.float64) for matrix in (X, X.T))
    losses = []
    for _ in range(n_iter):
        losses.append(multiplicative_update(rows, W, H))
        multiplicative_update(columns, H, W)
    losses.append(reference.divergence(X, W @ H.T))
    return W[:, :K], H[:, :K], losses[1:]


@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 9), st.integers(1, 5))
def test_update_equals_the_formula(seed, n, m, K):
    X = counts(seed, n, m)
    random = np.random.default_rng(seed)
    W, H = random.random((n, K)) + 0.1, random.random((m, K)) + 0.1
    expected = reference.update_left(X, W, H.T)
    before = reference.divergence(X, W @ H.T)
    assert multiplicative_update(CSRArrays.from_scipy(csr_array(X), np.float64), W, H) == pytest.approx(
        before, rel=1e-6, abs=1e-6
    )
    np.testing.assert_allclose(W, expected, rtol=1e-6)


def test_interleaved_updates_equal_the_reference():
    A, B, C = counts(0, 20, 30), counts(1, 20, 12), counts(2, 12, 30)
    factors = interleaved_nmf(*(csr_array(X) for X in (A, B, C)), 4, 10, random_state=3, n_threads=1)
    W, H, G = (part.astype(np.float64) for part in init_factors((20, 30, 12), 4, 3))
    W, H, G = reference.interleave(A, B, C, W, H.T, G.T, 10)
    for actual, expected in ((factors.words, W), (factors.features, H.T), (factors.contexts, G.T)):
        # single precision against double, after ten iterations; single steps are compared to 1e-6 above
        np.testing.assert_allclose(actual, expected, rtol=1e-3, atol=1e-5 * expected.max())


def test_one_matrix_gives_the_factors_of_scikit_learn():
    from sklearn.decomposition import NMF

    X = counts(4, 40, 25)
    random = np.random.default_rng(0)
    W, H = random.random((40, 6)) + 0.1, random.random((25, 6)) + 0.1
    peer = NMF(6, init="custom", beta_loss="kullback-leibler", solver="mu", max_iter=30, tol=0)
    expected = peer.fit_transform(X, W=W.copy(), H=np.ascontiguousarray(H.T))
    actual_W, actual_H, losses = factorize(X, W, H, 30)
    np.testing.assert_allclose(actual_W, expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(actual_H.T, peer.components_, rtol=1e-6, atol=1e-9)
    assert losses[-1] == pytest.approx(peer.reconstruction_err_**2 / 2, rel=1e-6)


@given(st.integers(0, 1000))
def test_the_divergence_of_one_matrix_never_rises(seed):
    X = counts(seed, 15, 10)
    random = np.random.default_rng(seed)
    _, _, losses = factorize(X, random.random((15, 3)) + 0.1, random.random((10, 3)) + 0.1, 15)
    assert len(losses) == 15
    assert all(later <= earlier * (1 + 1e-9) + 1e-9 for earlier, later in pairwise(losses))


def test_any_number_of_threads_gives_the_same_bits():
    A, B, C = (csr_array(counts(k, *shape)) for k, shape in enumerate([(900, 400), (900, 50), (50, 400)]))
    assert len(split_by_nonzeros(A.indptr, BLOCK_NONZEROS)) > 1
    one, three = (interleaved_nmf(A, B, C, 5, 3, n_threads=n) for n in (1, 3))
    for name in ("words", "features", "contexts", "divergence"):
        assert np.array_equal(getattr(one, name), getattr(three, name))


def test_invalid_matrices_raise_input_error():
    A, B, C = (csr_array(np.ones(shape)) for shape in [(3, 4), (3, 2), (2, 4)])
    with pytest.raises(InputError, match=r"C has to be \(2, 4\)"):
        interleaved_nmf(A, B, A, 2)
    with pytest.raises(InputError, match="B needs counts"):
        interleaved_nmf(A, csr_array(-np.ones((3, 2))), C, 2)
