"""Average linkage inside connected components."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.compute import linkage
from tacit.compute.linkage import average_linkage


def random_scores(n: int, seed: int) -> np.ndarray:
    scores = np.random.default_rng(seed).random((n, n))
    return (scores + scores.T) / 2


def group(scores: np.ndarray, threshold: float) -> list[int]:
    left, right = np.triu_indices(len(scores), 1)
    pairs = left, right, scores[left, right]
    return average_linkage(len(scores), *pairs, threshold, lambda a, b: scores[a, b]).tolist()


def greedy_reference(scores: np.ndarray, threshold: float) -> list[int]:
    """Merge the two groups with the highest mean score until none reaches the threshold."""
    groups = [[i] for i in range(len(scores))]
    while len(groups) > 1:
        mean, a, b = max(
            (np.mean(scores[np.ix_(groups[a], groups[b])]), a, b)
            for a in range(len(groups))
            for b in range(a)
        )
        if mean < threshold:
            break
        groups[b] += groups.pop(a)
    first = {item: min(members) for members in groups for item in members}
    return [first[i] for i in range(len(scores))]


@settings(max_examples=50, deadline=None)
@given(n=st.integers(2, 12), seed=st.integers(0, 10_000), threshold=st.floats(0.2, 0.9))
def test_groups_equal_those_of_a_greedy_reference(n, seed, threshold):
    scores = random_scores(n, seed)
    assert group(scores, threshold) == greedy_reference(scores, threshold)


def test_a_chain_does_not_become_one_group():
    scores = np.where(np.abs(np.subtract.outer(np.arange(9), np.arange(9))) <= 1, 0.95, 0.1)
    assert max(np.bincount(group(scores, 0.9))) == 2


def test_items_without_pairs_stay_alone():
    empty = np.zeros(0, np.int64)
    labels = average_linkage(4, empty, empty, np.zeros(0), 0.5, lambda a, b: np.zeros(len(a)))
    assert labels.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("spread", [0.0, 0.2])
def test_large_components_are_divided(monkeypatch, spread):
    monkeypatch.setattr(linkage, "MAX_COMPONENT", 8)
    scores = 0.8 + spread * (random_scores(30, 0) - 0.5)
    labels = group(scores, 0.5)
    assert len(set(labels)) < 30
    assert max(np.bincount(labels)) <= 8
