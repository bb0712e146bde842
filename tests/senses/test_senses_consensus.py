"""What several clusterings agree on, and what a mixture gains by it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tacit.senses.consensus import consensus
from tacit.senses.mixture import fit_mixture, log_likelihood, refine
from tacit.senses.space import Space
from tacit.senses.wordmixture import agreed_mixture


@settings(deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 99))
def test_names_of_clusters_do_not_matter(n_clusters, n_runs, seed):
    random = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(n_clusters), random.integers(0, n_clusters, 20)])
    one = np.eye(n_clusters)[labels]
    runs = [one, *(one[:, random.permutation(n_clusters)] for _ in range(n_runs))]
    assert consensus(runs) == pytest.approx(one)


@settings(deadline=None)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 99))
def test_the_mean_is_a_distribution(n_clusters, n_runs, seed):
    random = np.random.default_rng(seed)
    runs = [random.dirichlet(np.ones(n_clusters), 9) for _ in range(n_runs)]
    found = consensus(runs)
    assert found.sum(axis=1) == pytest.approx(np.ones(9))
    assert found.min() >= 0


def blocks(seed=0):
    random = np.random.default_rng(seed)
    rates = np.kron(np.eye(3), np.ones(4)) * 3 + 0.2
    return csr_array(np.vstack([random.poisson(rate, (30, 12)) for rate in rates]).astype(float))


def test_what_mixtures_agree_on_is_the_structure():
    _, shares = agreed_mixture(blocks(), 3, 0.1, 8, seed=0)
    labels = shares.argmax(axis=1).reshape(3, 30)
    assert [len(set(row)) for row in labels.tolist()] == [1, 1, 1]
    assert len({row[0] for row in labels.tolist()}) == 3


def test_agreement_has_the_same_bits_for_any_number_of_threads():
    one, two = (agreed_mixture(blocks(), 3, 0.1, 4, seed=1, n_threads=n) for n in (1, 2))
    assert np.array_equal(one[1], two[1])


def test_refining_leaves_the_start_alone_and_never_loses_likelihood():
    X = blocks()
    start = np.random.default_rng(0).dirichlet(np.ones(3), X.shape[0])
    kept = start.copy()
    few, many = (refine(X, start, 1e-9, np.ones(n))[0] for n in (2, 8))
    assert np.array_equal(start, kept)
    assert log_likelihood(many.joint(X)) >= log_likelihood(few.joint(X)) - 1e-6
    assert fit_mixture(X, 3, 0.1)[1].shape == start.shape


def test_near_context_words_count_more():
    space = Space(["river", "money"], np.eye(2), frozenset())
    contents = ["money", *[""] * 20, "river", "bank", ""]
    known, counts = space.around(contents, 22, "bank")
    assert known == ["money", "river"]
    assert counts[1] > 4 * counts[0]
    near, far = space.fold(known, counts)
    assert near > 0.8 > 0.2 > far
    assert space.fold(known) == pytest.approx([0.5, 0.5])
