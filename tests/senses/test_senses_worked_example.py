"""Equations 4 to 6 of Van de Cruys & Apidianaki (ACL 2011) on a word whose numbers were worked out by hand.

Four features, two dimensions. The word has the counts (4, 2, 3, 0); its k-means cluster holds (2, 2, 0, 0)
beside it, and there are clusters (0, 0, 5, 0) and (0, 1, 0, 4).
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from scipy.sparse import csr_array

from tacit.senses.cluster_induction import WordClusters
from tacit.senses.cluster_model import ClusterSenses, SenseModel
from tacit.senses.features import Occurrence
from tacit.senses.topics import LatentTopics

LOADINGS = np.array([[1, 0], [0.75, 0.25], [0, 1], [0.5, 0.5]], np.float32)
COUNTS = csr_array(np.array([[4, 2, 3, 0], [2, 2, 0, 0], [0, 0, 5, 0], [0, 1, 0, 4]], np.float32))
WORD = 0


@pytest.fixture
def clusters():
    return WordClusters(COUNTS, np.array([0, 0, 1, 2]), LOADINGS)


def test_equation_4_removes_a_dimension(clusters):
    dominant, second = clusters.induce_senses(WORD, None, n_salient=1)
    assert dominant.cluster == 0
    # the cluster without the word, folded: (2 + 2 * .75, 2 * .25) = (3.5, .5)
    assert dominant.profile == pytest.approx([3.5 / 4, 0.5 / 4])
    assert dominant.cosine == pytest.approx((4 * 2 + 2 * 2) / (sqrt(29) * sqrt(8)))
    # dimension 0 goes: (4 * 0, 2 * .25, 3 * 1) = (0, .5, 3), which is nearest to (0, 0, 5)
    assert (second.cluster, second.profile.tolist()) == (1, [0.0, 1.0])
    assert second.cosine == pytest.approx(3 / sqrt(0.5**2 + 3**2))


def test_conservative_stops_at_repeated_sense(clusters):
    # after dimension 1 too, (0, .375, 0) is nearest to the dominant cluster again: .707 against .243
    assert [sense.cluster for sense in clusters.induce_senses(WORD, None, n_salient=1)] == [0, 1]


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [(0.99, [0]), (0.98, [0, 1]), (0.25, [0, 1]), (0.24, [0, 1, 2]), (0.0, [0, 1, 2])],
)
def test_liberal_continues_to_threshold(clusters, threshold, expected):
    # the cosines of what is left: 3 / sqrt(9.25) = .986 with (0, 0, 5, 0), then 1 / sqrt(17) = .243
    senses = clusters.induce_senses(WORD, threshold, n_salient=1)
    assert [sense.cluster for sense in senses] == expected
    assert [sense.cosine for sense in senses[1:]] == pytest.approx(
        [3 / sqrt(9.25), 1 / sqrt(17)][: len(senses) - 1]
    )


def test_max_senses_limits_liberal(clusters):
    assert len(clusters.induce_senses(WORD, 0.0, n_salient=1, max_senses=2)) == 2


def test_removing_both_dimensions_leaves_nothing(clusters):
    assert [sense.cluster for sense in clusters.induce_senses(WORD, 0.2, n_salient=2)] == [0]


def test_paper_settings_choose_smallest_divergence():
    contexts = np.array([[0.9, 0.1], [0.2, 0.8]], np.float32)
    model = SenseModel.paper()
    model.topics_ = LatentTopics(["river", "money"], contexts, frozenset())
    profiles = np.array([[0.8, 0.2], [0.3, 0.7]], np.float32)
    # the second sense is rare: that would count for the first if frequency did
    model.senses_ = {"bank": ClusterSenses(profiles, np.array([0.99, 0.01]), [[], []], [[], []])}
    tokens = ("money", "money", *["x"] * 30, "river", "bank")
    answer = model.disambiguate_occurrence(
        Occurrence(tokens, tokens, len(tokens) - 1, (), " ".join(tokens)), "bank"
    )
    d = (0.9 + 2 * 0.2) / 3, (0.1 + 2 * 0.8) / 3
    expected = [sum(x * log(x / p) for x, p in zip(d, profile, strict=True)) for profile in profiles.tolist()]
    assert answer.sense == 1
    assert [item.divergence for item in answer.candidates] == pytest.approx(expected[::-1], abs=1e-4)
    near = SenseModel.paper(half_distance=5.0)
    near.topics_, near.senses_ = model.topics_, model.senses_
    assert (
        near.disambiguate_occurrence(
            Occurrence(tokens, tokens, len(tokens) - 1, (), " ".join(tokens)), "bank"
        ).sense
        == 0
    )
