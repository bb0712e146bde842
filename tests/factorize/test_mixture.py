"""Mixture kernel against its formula; consensus of several fits; number of components."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tacit.factorize import em_reference as reference
from tacit.factorize.mixture import (
    average_clusterings,
    choose_n_components,
    fit_consensus_mixture,
    fit_mixture,
    run_annealed_em,
    run_em,
    score_samples,
)


@given(st.integers(0, 10_000), st.integers(1, 10), st.integers(1, 7), st.integers(1, 4))
def test_kernel_equals_the_formula(seed, n, m, k):
    random = np.random.default_rng(seed)
    X = random.poisson(0.7, (n, m)) * random.random((n, m))
    prior_counts, shares = random.random(m) + 0.1, random.dirichlet(np.ones(k), n)
    exponents = np.linspace(0.2, 1, 5)
    expected = reference.run_annealed_em(X, shares.copy(), prior_counts, exponents)
    sparse = csr_array(X)
    actual = run_annealed_em(
        sparse.indptr.astype(np.int64),
        sparse.indices.astype(np.int32),
        sparse.data,
        shares,
        prior_counts,
        exponents,
    )
    for array, reference_array in zip((*actual, shares), expected, strict=True):
        np.testing.assert_allclose(array, reference_array, rtol=1e-6, atol=1e-9)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 99))
def test_average_ignores_the_order_of_clusters(n_clusters, n_runs, seed):
    random = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(n_clusters), random.integers(0, n_clusters, 20)])
    one = np.eye(n_clusters)[labels]
    runs = [one, *(one[:, random.permutation(n_clusters)] for _ in range(n_runs))]
    assert average_clusterings(runs) == pytest.approx(one)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 99))
def test_average_clustering_sums_to_one(n_clusters, n_runs, seed):
    random = np.random.default_rng(seed)
    runs = [random.dirichlet(np.ones(n_clusters), 9) for _ in range(n_runs)]
    actual = average_clusterings(runs)
    assert actual.sum(axis=1) == pytest.approx(np.ones(9))
    assert actual.min() >= 0


def blocks(seed=0):
    random = np.random.default_rng(seed)
    rates = np.kron(np.eye(3), np.ones(4)) * 3 + 0.2
    return csr_array(np.vstack([random.poisson(rate, (30, 12)) for rate in rates]).astype(float))


def test_consensus_recovers_the_blocks():
    _, shares = fit_consensus_mixture(blocks(), 3, 0.1, 8, seed=0)
    labels = shares.argmax(axis=1).reshape(3, 30)
    assert [len(set(row)) for row in labels.tolist()] == [1, 1, 1]
    assert len({row[0] for row in labels.tolist()}) == 3


def test_consensus_has_the_same_bits_for_any_threads():
    one, two = (fit_consensus_mixture(blocks(), 3, 0.1, 4, seed=1, n_threads=n) for n in (1, 2))
    assert np.array_equal(one[1], two[1])


def test_em_keeps_its_start_and_never_lowers_likelihood():
    X = blocks()
    start = np.random.default_rng(0).dirichlet(np.ones(3), X.shape[0])
    before = start.copy()
    few, many = (run_em(X, start, 1e-9, np.ones(n))[0] for n in (2, 8))
    assert np.array_equal(start, before)
    assert score_samples(many.joint_log_prob(X)).sum() >= score_samples(few.joint_log_prob(X)).sum() - 1e-6
    assert fit_mixture(X, 3, 0.1)[1].shape == start.shape


def test_held_out_likelihood_chooses_three_components():
    X = blocks()
    one, three = (score_samples(fit_mixture(X, k, 0.1)[0].joint_log_prob(X)).sum() for k in (1, 3))
    assert three > one
    assert choose_n_components(X, 6, 0.1, 4, seed=0) == 3
