"""Factorization of several blocks against the equations of the paper and the solver of one block."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tacit.compute.csr import CSRArrays
from tacit.factorize import als_reference as reference
from tacit.factorize.als import (
    FactorBlocks,
    concat_blocks,
    factorize,
    half_sweep,
)
from tacit.factorize.row_solver import Factors, whiten


def problem(seed: int, n_languages: int, n_rows: int, K: int, dtype=np.float64):
    """Return rows with one or more languages, some without words; which languages; and start vectors."""
    rng = np.random.default_rng(seed)
    widths = rng.integers(1, 30, n_languages)
    has_text = rng.random((n_rows, n_languages)) < 0.6
    has_text[np.arange(n_rows), rng.integers(n_languages, size=n_rows)] = True
    has_text[rng.integers(n_rows)] = True  # every language occurs
    X = [np.where(rng.random((n_rows, n)) < 0.3, 8 * rng.random((n_rows, n)), 0) for n in widths]
    X = [np.where(has_text[:, [number]], rows, 0).astype(dtype) for number, rows in enumerate(X)]
    return X, has_text, [rng.standard_normal((n, K)).astype(dtype) for n in widths]


def group_rows(X, has_text):
    """Group the rows by their languages, as ``factorize`` takes them; return groups and row numbers."""
    patterns, group_of = np.unique(has_text, axis=0, return_inverse=True)
    row_numbers = [np.flatnonzero(group_of.ravel() == group) for group in range(len(patterns))]
    blocks = [
        [
            csr_array(rows[numbers]) if is_present else None
            for rows, is_present in zip(X, pattern, strict=True)
        ]
        for numbers, pattern in zip(row_numbers, patterns, strict=True)
    ]
    return blocks, np.concatenate(row_numbers)


problems = {
    "seed": st.integers(0, 2**16),
    "n_languages": st.integers(1, 4),
    "n_rows": st.integers(1, 40),
    "K": st.integers(1, 12),
    "missing_weight": st.sampled_from([0.0, 0.01, 0.3, 1.0]),
    "regularization": st.floats(0.5, 30),
}


@settings(max_examples=60)
@given(**problems)
def test_two_sweeps_follow_the_three_equations(seed, n_languages, n_rows, K, missing_weight, regularization):
    X, has_text, P = problem(seed, n_languages, n_rows, K)
    options = (missing_weight, regularization)
    blocks, _ = group_rows(X, has_text)
    actual, losses = factorize(
        blocks, P, missing_weight=missing_weight, regularization=regularization, n_iter=2
    )
    for sweep in range(2):
        Q = reference.solve_texts(X, has_text, P, *options)
        P = [reference.solve_words(rows, has_text[:, n], Q, *options) for n, rows in enumerate(X)]
        assert np.isclose(losses[sweep], reference.multilingual_loss(X, has_text, P, Q, *options), rtol=1e-8)
    for vectors, expected in zip(actual, P, strict=True):
        assert np.allclose(vectors, expected, rtol=1e-7, atol=1e-9 * max(1.0, np.abs(expected).max()))


@settings(max_examples=40)
@given(**problems)
def test_float32_half_sweep_solves_the_text_equation(
    seed, n_languages, n_rows, K, missing_weight, regularization
):
    X, has_text, P = problem(seed, n_languages, n_rows, K, np.float32)
    blocks, order = group_rows(X, has_text)
    columns = FactorBlocks.from_vectors(P)
    sizes = [next(m.shape[0] for m in group if m is not None) for group in blocks]
    texts = FactorBlocks(sizes, K, np.float32)
    has_block = np.array([[m is not None for m in group] for group in blocks])
    rows = [CSRArrays.from_scipy(concat_blocks(group, columns.first_rows), np.float32) for group in blocks]
    half_sweep(rows, columns, texts, has_block, missing_weight, regularization, 1)
    actual = np.concatenate([factors.to_vectors(K, 1) for factors in texts.factors])
    X64 = [rows.astype(float) for rows in X]
    expected = reference.solve_texts(
        X64, has_text, [p.astype(float) for p in P], missing_weight, regularization
    )
    assert np.linalg.norm(actual - expected[order]) <= 1e-4 * max(np.linalg.norm(expected), 1e-30)


def half_sweep_of_one_block(X, columns, missing_weight, regularization):
    whitened, gram = whiten(columns, missing_weight, regularization, 1)
    rows, explained_loss = whitened.solve(X)
    return rows, regularization * float(np.trace(gram)) - explained_loss


def test_one_block_has_the_bits_of_two_half_sweeps():
    X, _, (P,) = problem(3, 1, 200, 8, np.float32)
    options = {"missing_weight": 0.01, "regularization": 2.0}
    (vectors,), losses = factorize([[csr_array(X[0])]], [P], n_iter=3, **options)
    matrices = [CSRArrays.from_scipy(csr_array(matrix), np.float32) for matrix in (X[0], X[0].T)]
    columns, squared_norm = (
        Factors.from_vectors(P),
        float(np.square(matrices[0].data, dtype=np.float64).sum()),
    )
    expected = []
    for _ in range(3):
        rows, _ = half_sweep_of_one_block(matrices[0], columns, **options)
        columns, loss_without_norm = half_sweep_of_one_block(matrices[1], rows, **options)
        expected.append(squared_norm + loss_without_norm)
    assert losses == expected
    assert np.array_equal(vectors, columns.to_vectors(8, 1))


def test_threads_do_not_change_bits_and_loss_never_rises():
    X, has_text, P = problem(5, 3, 9000, 8, np.float32)
    options = {"missing_weight": 0.01, "regularization": 2.0, "n_iter": 5}
    blocks, _ = group_rows(X, has_text)
    (one, losses), (three, again) = (factorize(blocks, P, **options, n_threads=n) for n in (1, 3))
    assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))
    assert losses == again
    assert all(later <= earlier * (1 + 1e-6) for earlier, later in pairwise(losses))


def test_callback_and_tolerance_stop_the_sweeps():
    X, has_text, P = problem(7, 2, 50, 4, np.float32)
    blocks, _ = group_rows(X, has_text)
    options = {"missing_weight": 0.01, "regularization": 2.0, "n_iter": 9}
    assert len(factorize(blocks, P, **options, callback=lambda sweep, loss: sweep == 2)[1]) == 2
    assert len(factorize(blocks, P, **options, tol=0.9)[1]) == 2
