"""Word half-sweep by conjugate gradients: its sums against plain numpy, its result against the exact one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from helpers.matrices import problem
from tacit.compute.csr import CSRArrays
from tacit.factorize import als_reference
from tacit.factorize.conjugate_gradients import (
    BlockConjugateGradients,
    add_word_gradients,
    add_word_products,
    transpose_block,
)
from tacit.factorize.row_solver import Factors, whiten


def compute_sums(X, whitened, directions=None):
    """Return the vectors of the texts, the gradients (or products) of all words, and the explained loss."""
    rows, T = CSRArrays.from_scipy(csr_array(X), whitened.T.dtype), whitened.T
    solved, explained_loss = whitened.solve(rows)
    Y = solved.coordinates
    words, starts, texts, values = transpose_block(rows.indptr, rows.indices, rows.data, X.shape[1])
    row_of_word = np.arange(X.shape[1])
    out = np.zeros((len(T), T.shape[1] + (directions is None)), T.dtype)
    if directions is None:
        add_word_gradients(words, starts, texts, values, row_of_word, Y, T, whitened.c, out)
    else:
        add_word_products(words, starts, texts, row_of_word, Y, directions, out)
    return Y, out, explained_loss


@settings(max_examples=40)
@given(
    n=st.integers(1, 30),
    m=st.integers(1, 40),
    K=st.integers(1, 12),
    density=st.floats(0, 1),
    weight=st.sampled_from([0.01, 0.3, 1.0]),
    seed=st.integers(0, 999),
)
def test_word_sums_equal_the_formula(n, m, K, density, weight, seed):
    X, P = problem(n, m, K, density, seed, "float64")
    factors = Factors.from_vectors(P)
    whitened, _ = whiten(factors, weight, 2.0, 1, diagonal=True)
    Y, actual, _ = compute_sums(X, whitened)
    T, is_nonzero = whitened.T[:m], X != 0
    errors = np.where(is_nonzero, X - (1 - weight) * Y[:n] @ T.T, 0)
    lengths = is_nonzero.T @ np.square(Y[:n]).sum(axis=1)
    np.testing.assert_allclose(actual[:m, :-1], errors.T @ Y[:n], atol=1e-9)
    np.testing.assert_allclose(actual[:m, -1], lengths, atol=1e-9)
    D = np.random.default_rng(seed).standard_normal(whitened.T.shape)
    _, actual, _ = compute_sums(X, whitened, D)
    expected = np.where(is_nonzero, Y[:n] @ D[:m].T, 0).T @ Y[:n]
    np.testing.assert_allclose(actual[:m], expected, atol=1e-9)
    # the texts' vectors equal the reference, in the coordinates of the words
    expected = als_reference.solve(X, P, weight, 2.0)
    np.testing.assert_allclose((Y @ whitened.factor.inverse)[:n, :K], expected, atol=1e-8)


@pytest.mark.parametrize("weight", [0.01, 0.5, 1.0])
def test_steps_converge_to_exact_words_and_loss(weight):
    X, P = problem(80, 40, 7, 0.2, 3, "float64")
    factors = Factors.from_vectors(P)
    whitened, gram = whiten(factors, weight, 2.0, 1, diagonal=True)
    Y, gradients, explained_loss = compute_sums(X, whitened)
    solver = BlockConjugateGradients(whitened, gradients, Y.T @ Y, 2.0, 1)
    Q = als_reference.solve(X, P, weight, 2.0)
    residuals = []
    for step in range(12):
        solver.step(compute_sums(X, whitened, solver.directions)[1], is_last=step == 11)
        words = (solver.vectors @ whitened.factor.L.T)[:40, :7]
        loss = (X**2).sum() + 2.0 * np.trace(gram) - explained_loss - solver.loss_decrease
        assert loss == pytest.approx(als_reference.loss(X, words, Q, weight, 2.0), rel=1e-9)
        residuals.append(solver.relative_residual)
    np.testing.assert_allclose(words, als_reference.solve(X.T, Q, weight, 2.0), atol=1e-6)
    assert residuals[-1] < 1e-6 < residuals[0] < 1
    assert residuals[1] < residuals[0]  # conjugate directions: the second step improves the first


def test_two_steps_per_sweep_approach_the_exact_loss():
    rng = np.random.default_rng(0)
    X = (rng.random((400, 120)) < 0.06) * rng.gamma(2.0, 2.0, (400, 120))
    P = rng.standard_normal((120, 10))
    _, _, exact = als_reference.factorize(X, P, 0.05, 3.0, n_iter=6)
    factors, losses = Factors.from_vectors(P), []
    for _ in range(6):
        whitened, gram = whiten(factors, 0.05, 3.0, 1, diagonal=True)
        Y, gradients, explained_loss = compute_sums(X, whitened)
        solver = BlockConjugateGradients(whitened, gradients, Y.T @ Y, 3.0, 1)
        for is_last in (False, True):
            solver.step(compute_sums(X, whitened, solver.directions)[1], is_last)
        factors = Factors(solver.vectors, whitened.factor.L.T, factors.n_rows)
        losses.append((X**2).sum() + 3.0 * np.trace(gram) - explained_loss - solver.loss_decrease)
    assert losses[-1] == pytest.approx(exact[-1], rel=2e-3)
    assert all(a > b for a, b in pairwise(losses))
