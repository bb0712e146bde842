"""Nearest neighbors against the reference: the same rows and scores for any size, threads and batch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.compute import nearest_reference
from tacit.compute.nearest import QUERIES_PER_PASS, find_nearest


def grid(seed: int, n: int, components: int) -> np.ndarray:
    """Return vectors of small integers: products are exact, with many ties."""
    return np.random.default_rng(seed).integers(-2, 3, size=(n, components)).astype(np.float32)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 999),
    n=st.integers(1, 200),
    components=st.integers(1, 20),
    n_queries=st.integers(1, 60),
    k=st.integers(1, 20),
    threads=st.integers(1, 3),
)
def test_find_nearest_equals_the_reference(seed, n, components, n_queries, k, threads):
    vectors, queries = grid(seed, n, components), grid(seed + 1, n_queries, components)
    alive = np.random.default_rng(seed).random(n) < 0.8
    scores, rows = find_nearest(vectors, queries, k, alive, threads)
    expected_scores, expected_rows = nearest_reference.find_nearest(vectors, queries, k, alive)
    is_match = np.isfinite(expected_scores)
    actual_scores = scores[:, : expected_scores.shape[1]]
    assert np.array_equal(np.isfinite(actual_scores), is_match)
    assert np.array_equal(rows[:, : expected_rows.shape[1]][is_match], expected_rows[is_match])
    assert np.array_equal(actual_scores[is_match], expected_scores[is_match])
    assert (rows[~np.isfinite(scores)] == -1).all()


def test_query_has_the_same_bits_alone_and_in_any_batch():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((5003, 37), dtype=np.float32)
    queries = rng.standard_normal((QUERIES_PER_PASS + 5, 37), dtype=np.float32)
    scores, rows = find_nearest(vectors, queries, 7, n_threads=1)
    for threads in (2, 5):
        again = find_nearest(vectors, queries, 7, n_threads=threads)
        assert np.array_equal(scores, again[0])
        assert np.array_equal(rows, again[1])
    alone = find_nearest(vectors, queries[3:4], 7)
    assert np.array_equal(scores[3:4], alone[0])
    assert np.array_equal(rows[3:4], alone[1])


def test_memory_mapped_vectors_give_the_same_matches(tmp_path):
    vectors = np.random.default_rng(0).standard_normal((100, 8), dtype=np.float32)
    np.save(tmp_path / "v.npy", vectors)
    mapped = np.load(tmp_path / "v.npy", mmap_mode="r")
    for one, other in zip(
        find_nearest(vectors, vectors[:3], 4), find_nearest(mapped, vectors[:3], 4), strict=True
    ):
        assert np.array_equal(one, other)


@pytest.mark.parametrize(("n", "n_queries"), [(0, 3), (5, 0)])
def test_no_vectors_or_no_queries_give_no_matches(n, n_queries):
    scores, rows = find_nearest(np.zeros((n, 4), np.float32), np.zeros((n_queries, 4), np.float32), 3)
    assert scores.shape == rows.shape == (n_queries, 3)
    assert n_queries == 0 or (rows == -1).all()
