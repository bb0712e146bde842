"""The register tiles and the dense solver against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.compute.tiles import TILE, add_gram, multiply_in_place
from tacit.factorize.long_rows import solve_dense
from tacit.factorize.shared_factor import cholesky_lower, invert_lower, matmul_float64
from tacit.factorize.short_rows import LANES, solve_batch

dtypes = st.sampled_from([np.float32, np.float64])


def rounding(dtype: type) -> float:
    return 50 * float(np.finfo(dtype).eps)


@settings(max_examples=40)
@given(
    n=st.integers(0, 70),
    tiles=st.integers(1, 5),
    extra=st.integers(0, 2),
    dtype=dtypes,
    seed=st.integers(0, 99),
)
def test_add_gram(n, tiles, extra, dtype, seed):
    rng = np.random.default_rng(seed)
    K = tiles * TILE
    B = rng.standard_normal((max(n, 1), K)).astype(dtype)
    C = rng.standard_normal((K, K + extra * TILE)).astype(dtype)
    expected = C[:, :K].astype(float) + B[:n].astype(float).T @ B[:n].astype(float)
    add_gram(B, n, C)
    upper = np.triu_indices(K)
    np.testing.assert_allclose(
        C[:, :K][upper], expected[upper], rtol=rounding(dtype), atol=rounding(dtype) * 70
    )


@settings(max_examples=30)
@given(tiles=st.integers(1, 4), K=st.integers(1, 4), dtype=dtypes, seed=st.integers(0, 99))
def test_multiply_in_place(tiles, K, dtype, seed):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((tiles * TILE, K * TILE)).astype(dtype)
    M = rng.standard_normal((K * TILE, K * TILE)).astype(dtype)
    expected = A.astype(float) @ M.astype(float)
    expected[:TILE] = A[:TILE]
    multiply_in_place(A, M, TILE, tiles * TILE)
    np.testing.assert_allclose(A, expected, rtol=rounding(dtype), atol=rounding(dtype) * 50)


def positive_definite(n: int, rng: np.random.Generator) -> np.ndarray:
    B = rng.standard_normal((n, n))
    return B @ B.T + n * np.eye(n)


@settings(max_examples=25)
@given(tiles=st.integers(1, 5), dtype=dtypes, seed=st.integers(0, 99))
def test_solve_dense(tiles, dtype, seed):
    rng = np.random.default_rng(seed)
    K = tiles * TILE
    full, b = positive_definite(K, rng), rng.standard_normal(K)
    A = np.zeros((K, K + TILE), dtype)
    A[:, :K], A[:, K] = np.triu(full), b
    y = np.empty(K, dtype)
    solve_dense(A, np.empty((TILE, K + TILE), dtype), y)
    np.testing.assert_allclose(
        y, np.linalg.solve(full, b), rtol=1e3 * rounding(dtype), atol=10 * rounding(dtype)
    )


@settings(max_examples=25)
@given(n=st.integers(1, 20), dtype=dtypes, seed=st.integers(0, 99))
def test_solve_batch(n, dtype, seed):
    rng = np.random.default_rng(seed)
    width = n + 3
    G = np.zeros((n + 1, width, LANES), dtype)
    expected = np.empty((n, LANES))
    for lane in range(LANES):
        full, b = positive_definite(n, rng), rng.standard_normal(n)
        G[:n, :n, lane], G[n, :n, lane] = np.tril(full), b
        expected[:, lane] = np.linalg.solve(full, b)
    solve_batch(G.reshape(-1), n, width)
    np.testing.assert_allclose(G[n, :n], expected, rtol=1e3 * rounding(dtype), atol=10 * rounding(dtype))


@pytest.mark.parametrize("n", [1, 2, 9])
def test_small_matrices(n):
    A = positive_definite(n, np.random.default_rng(n))
    L = cholesky_lower(A)
    np.testing.assert_allclose(matmul_float64(L, np.ascontiguousarray(L.T)), A)
    np.testing.assert_allclose(matmul_float64(L, invert_lower(L)), np.eye(n), atol=1e-12)
    assert np.isnan(cholesky_lower(-A)).any()
