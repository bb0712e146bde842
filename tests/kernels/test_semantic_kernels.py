"""The kernels equal the formulas of the paper (inverse, matrix exponential) on random matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tacit import InputError
from tacit.factorize.spectral import column_eigenpairs, randomized_eigenpairs, row_eigenpairs
from tacit.kernels import ExponentialKernel, VonNeumannKernel
from tacit.kernels import semantic_reference as reference

PLAIN = {"normalize": False, "cosine": False}
CLASSES = {"exponential": ExponentialKernel, "von_neumann": VonNeumannKernel}


def matrix(seed, n, d, density=0.4):
    """Return a random sparse matrix without empty rows."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, d)) * (rng.random((n, d)) < density)
    X[np.arange(n), rng.integers(d, size=n)] += 0.5
    return X


shapes = st.tuples(st.integers(0, 10_000), st.integers(2, 14), st.integers(2, 14))
names = st.sampled_from(sorted(CLASSES))
shares = st.floats(0.0, 0.95)


@given(shapes, names, shares)
@settings(max_examples=60)
def test_kernel_equals_the_paper(shape, name, share):
    X = matrix(*shape)
    strength = share / np.linalg.norm(X, 2) ** 2
    actual = CLASSES[name](strength, **PLAIN).fit(X).transform(X)
    np.testing.assert_allclose(actual, getattr(reference, name)(X @ X.T, strength), atol=1e-8, rtol=1e-8)


@given(shapes, names, shares)
@settings(max_examples=40)
def test_term_similarity_equals_proximity_matrix(shape, name, share):
    """Test the kernel of new texts, d1' S d2, and the similarity of terms, the entries of S."""
    X, new = matrix(*shape), matrix(shape[0] + 1, 3, shape[2])
    strength = share / np.linalg.norm(X, 2) ** 2
    S = getattr(reference, f"{name}_proximity")(X.T @ X, strength)
    kernel = CLASSES[name](strength, **PLAIN).fit(csr_array(X))
    np.testing.assert_allclose(kernel.transform(new), new @ S @ X.T, atol=1e-8, rtol=1e-8)
    actual = [[kernel.term_similarity(a, b) for b in range(shape[2])] for a in range(shape[2])]
    np.testing.assert_allclose(actual, S, atol=1e-8, rtol=1e-8)
    cosines = S / np.sqrt(np.outer(np.diag(S), np.diag(S)))
    for term, value in kernel.related_terms(0, n=shape[2]):
        assert value == pytest.approx(cosines[0, term], abs=1e-8)


@given(shapes, shares)
@settings(max_examples=40)
def test_von_neumann_recurrences_hold(shape, share):
    X = matrix(*shape)
    strength = share / np.linalg.norm(X, 2) ** 2
    kernel = VonNeumannKernel(strength, **PLAIN).fit(X)
    K = kernel.transform(X)
    n = X.shape[1]
    S = np.array([[kernel.term_similarity(a, b) for b in range(n)] for a in range(n)])
    G = X.T @ K @ X * strength + X.T @ X
    np.testing.assert_allclose(strength * G + np.eye(n), S, atol=1e-8, rtol=1e-8)
    np.testing.assert_allclose(K, strength * X @ G @ X.T + X @ X.T, atol=1e-8, rtol=1e-8)


@given(shapes, names, shares, st.booleans(), st.booleans(), st.sampled_from([0.25, 0.5, 1.0]))
@settings(max_examples=60)
def test_kernels_are_positive_semidefinite(shape, name, share, centred, cosine, power):
    X = matrix(*shape)
    kernel = CLASSES[name](share, relative=True, power=power, centred=centred, cosine=cosine)
    if centred and np.ptp(X / np.linalg.norm(X, axis=1, keepdims=True), axis=0).max() < 1e-6:
        with pytest.raises(InputError, match="all documents are the same"):
            kernel.fit(X)
        return
    kernel.fit(X)
    K = kernel.transform(X)
    np.testing.assert_allclose(K, K.T, atol=1e-10)
    assert np.linalg.eigvalsh(K).min() > -1e-9 * max(1, np.abs(K).max())
    if cosine:
        np.testing.assert_allclose(np.diag(K), 1)
    new = matrix(shape[0] + 1, 4, shape[2])
    inner = kernel.features(new) @ kernel.features(X).T
    np.testing.assert_allclose(inner.toarray(), kernel.transform(new), atol=1e-9)


@pytest.mark.parametrize("name", CLASSES)
def test_background_counts_like_fitted_documents(name):
    """A block of the kernel of all documents equals the kernel with the others as background."""
    X = matrix(5, 30, 40)
    whole = CLASSES[name](0.7, relative=True).fit(X)
    part = CLASSES[name](0.7, relative=True, background=X[20:]).fit(X[:20])
    assert part.chosen_lambda_ == pytest.approx(whole.chosen_lambda_)
    np.testing.assert_allclose(part.transform(X[20:]), whole.transform(X)[20:, :20], atol=1e-10)
    np.testing.assert_allclose(part.transform(X[:20]), whole.transform(X)[:20, :20], atol=1e-10)
    assert (
        np.abs(CLASSES[name](0.7, relative=True).fit(X[:20]).transform(X[20:]) - part.transform(X[20:])).max()
        > 1e-3
    )


def test_centred_kernel_uses_the_covariance():
    X = matrix(2, 25, 12)
    C = X - X.mean(axis=0)
    S = reference.exponential_proximity(C.T @ C, 0.1)
    for rows in (X, np.vstack([X[:12], X[12:]])):
        actual = ExponentialKernel(0.1, centred=True, **PLAIN).fit(rows).transform(rows)
        np.testing.assert_allclose(actual, X @ S @ X.T, rtol=1e-8)
    wide = matrix(3, 10, 30)
    C = wide - wide.mean(axis=0)
    actual = ExponentialKernel(0.1, centred=True, **PLAIN).fit(wide).transform(wide)
    np.testing.assert_allclose(
        actual, wide @ reference.exponential_proximity(C.T @ C, 0.1) @ wide.T, rtol=1e-8
    )


@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("shape", [(40, 15), (15, 40)])
def test_decompositions_have_equal_eigenvectors(shape, centred):
    X = csr_array(matrix(1, *shape))
    dense = X.toarray() - (X.toarray().mean(axis=0) if centred else 0)
    expected = np.linalg.svd(dense, compute_uv=False) ** 2
    w, U = row_eigenpairs(X, centred)
    v, V = column_eigenpairs(X, centred)
    r, R = randomized_eigenpairs(X, 5, centred, n_iter=30)
    rank = len(w)
    np.testing.assert_allclose(w, expected[:rank], atol=1e-9)
    np.testing.assert_allclose(v[:rank], w, atol=1e-9)
    np.testing.assert_allclose(r, w[:5], rtol=1e-6)
    np.testing.assert_allclose(np.abs(R.T @ V[:, :5]), np.eye(5), atol=1e-3)
    np.testing.assert_allclose(np.abs((X.T @ U / np.sqrt(w)).T @ V[:, :rank]), np.eye(rank), atol=1e-6)


def test_low_rank_kernel_is_closer_than_truncation():
    """Test that few components with the lexical part are closer to the full kernel than without it."""
    X = csr_array(matrix(4, 60, 80, density=0.1))
    whole = ExponentialKernel(0.8, relative=True, **PLAIN).fit(X)
    part = ExponentialKernel(0.8, relative=True, n_components=10, **PLAIN).fit(X)
    K = whole.transform(X)
    Z = part.basis_.project(X)
    truncated = (Z * (1 + part.gain_)) @ Z.T
    assert np.linalg.norm(part.transform(X) - K) < 0.3 * np.linalg.norm(truncated - K)
    again = ExponentialKernel(0.8, relative=True, n_components=10, **PLAIN).fit(X)
    assert (again.transform(X) == part.transform(X)).all()


def test_set_lambda_equals_new_fit():
    X = matrix(8, 20, 10)
    kernel = ExponentialKernel(0.5, relative=True).fit(X)
    kernel.set_lambda(2.0, relative=True)
    np.testing.assert_allclose(kernel.transform(X), ExponentialKernel(2.0, relative=True).fit(X).transform(X))
    with pytest.raises(InputError, match="out of range"):
        kernel.set_lambda(-1.0)
