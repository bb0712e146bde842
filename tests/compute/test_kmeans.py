"""Spherical k-means: a fixed point, equal for dense and sparse rows, as good as scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tacit.compute.kmeans import spherical_kmeans, sum_by_label


def unit_vectors(seed, n, size):
    vectors = np.random.default_rng(seed).standard_normal((n, size), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def directions(seed, n_groups=6, n_rows=30, size=8):
    """Return unit vectors around directions that are far apart."""
    random = np.random.default_rng(seed)
    rows = np.repeat(np.eye(size, dtype=np.float32)[:n_groups], n_rows, axis=0)
    rows += random.normal(0, 0.1, rows.shape).astype(np.float32)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True))[random.permutation(len(rows))]


def to_both_formats(rows):
    return rows, csr_array(rows)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 99), n=st.integers(1, 60), size=st.integers(1, 6), n_clusters=st.integers(1, 12),
    init=st.sampled_from(["k-means++", "random"]), fill_empty=st.booleans(),
)  # fmt: skip
def test_result_is_a_fixed_point(seed, n, size, n_clusters, init, fill_empty):
    rows = unit_vectors(seed, n, size)
    for matrix in to_both_formats(rows):
        labels, cosines, centers = spherical_kmeans(
            matrix, n_clusters, seed, 200, init=init, fill_empty=fill_empty, n_threads=1
        )
        assert centers.shape == (min(n_clusters, n), size)
        center_cosines = (rows * centers[labels]).sum(axis=1)
        moved = center_cosines < cosines - 1e-5  # rows moved to clusters that were empty
        assert fill_empty or not moved.any()
        np.testing.assert_allclose((rows @ centers.T).max(axis=1)[~moved], cosines[~moved], atol=1e-5)
        for number in np.unique(labels):
            total = rows[labels == number].sum(axis=0)
            if np.linalg.norm(total) > 1e-3 and not moved.any():
                np.testing.assert_allclose(centers[number], total / np.linalg.norm(total), atol=1e-4)


@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("fill_empty", [True, False])
def test_to_both_formats_rows_have_the_same_clusters(init, fill_empty):
    dense, sparse = (
        spherical_kmeans(rows, 6, 3, init=init, fill_empty=fill_empty, n_threads=1)
        for rows in to_both_formats(directions(0))
    )
    assert np.array_equal(dense[0], sparse[0])
    np.testing.assert_allclose(dense[2], sparse[2], atol=1e-5)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_sum_of_cosines_is_as_high_as_with_scikit_learn(seed):
    from sklearn.cluster import KMeans

    rows = unit_vectors(seed, 400, 5)
    _, cosines, _ = spherical_kmeans(rows, 8, seed, n_threads=1)
    peer = KMeans(8, n_init=5, random_state=seed).fit(rows)
    sums = sum_by_label(rows, peer.labels_, 8)
    assert cosines.sum() > 0.99 * np.linalg.norm(sums, axis=1).sum()


@pytest.mark.parametrize("seed", range(5))
def test_kmeans_plus_plus_starts_in_each_group_of_unequal_size(seed):
    for rows in to_both_formats(np.repeat(np.eye(4, dtype=np.float32), [97, 1, 1, 1], axis=0)):
        far_apart, random = (
            spherical_kmeans(rows, 4, seed, n_iter=1, n_init=1, init=init) for init in ("k-means++", "random")
        )
        assert len(np.unique(far_apart.labels)) == 4
        assert len(np.unique(random.labels)) < 4


def test_threads_do_not_change_bits_and_no_cluster_is_empty():
    rows = unit_vectors(0, 700, 9)
    labels, cosines, centers = spherical_kmeans(rows, 20, n_threads=1)
    for one, other in zip((labels, cosines, centers), spherical_kmeans(rows, 20, n_threads=3), strict=True):
        assert np.array_equal(one, other)
    assert (np.bincount(labels, minlength=20) > 0).all()


@pytest.mark.parametrize(
    "rows", to_both_formats(np.repeat(np.eye(2, dtype=np.float32), 5, axis=0)), ids=["dense", "sparse"]
)
def test_equal_rows_are_split_only_to_fill_clusters(rows):
    together, _, _ = spherical_kmeans(rows, 4, fill_empty=False)
    apart, _, _ = spherical_kmeans(rows, 4, fill_empty=True)
    assert len(np.unique(together)) == 2
    assert sorted(np.unique(apart)) == [0, 1, 2, 3]


def test_progress_is_reported_until_the_end():
    reports = []
    spherical_kmeans(directions(1), 6, n_iter=30, n_init=2, progress=lambda *report: reports.append(report))
    assert reports == sorted(reports)
    assert {total for _, total in reports} == {60}
    assert reports[-1][0] > 30


@settings(max_examples=30)
@given(st.integers(0, 99), st.integers(1, 30), st.integers(1, 5))
def test_sum_by_label_equals_its_definition(seed, n, n_groups):
    random = np.random.default_rng(seed)
    rows = random.integers(0, 4, (n, 3)).astype(np.float32)
    labels = random.integers(0, n_groups, n)
    expected = np.array([rows[labels == number].sum(axis=0) for number in range(n_groups)])
    for matrix in to_both_formats(rows):
        assert np.array_equal(sum_by_label(matrix, labels, n_groups), expected)
