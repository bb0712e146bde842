"""Retrieval in blocks equals brute force."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from papers.baselines import NgramScorer, RandomRanker
from papers.experiments import definition_retrieval
from papers.experiments.definition_retrieval import atop, block_scores, measure_atop
from tacit import InputError
from tacit.evaluation import evaluate
from tacit.evaluation.search_task import RetrievalData, load_retrieval, split_dev_test


class Table:
    """A ranker with fixed scores."""

    name = "table"

    def __init__(self, scores):
        self.scores = np.asarray(scores, float)
        self.widest = 0

    def score_blocks(self, queries, candidates):
        return self._block

    def _block(self, start, stop):
        self.widest = max(self.widest, stop - start)
        return self.scores[start:stop]


def drawn(n_queries, n_candidates, seed=0):
    rng = np.random.default_rng(seed)
    aligned = [rng.choice(n_candidates, rng.integers(1, 4), replace=False).tolist() for _ in range(n_queries)]
    return RetrievalData(["q"] * n_queries, ["c"] * n_candidates, aligned), rng.integers(
        0, 9, (n_queries, n_candidates)
    )


def by_sorting(scores, aligned):
    """Return the mean ATOP over random orders of equal scores, as the mean of both extreme orders."""
    n = len(scores)
    first = [np.sum(scores > scores[i]) for i in aligned]
    last = [np.sum(scores >= scores[i]) - 1 for i in aligned]
    return np.mean([1 - (a + b) / 2 / (n - 1) for a, b in zip(first, last, strict=True)])


def test_blocks_equal_brute_force():
    retrieval, scores = drawn(150, 40)
    table = Table(scores)
    atops = measure_atop(table, retrieval)
    brute = [by_sorting(row, aligned) for row, aligned in zip(scores, retrieval.relevant, strict=True)]
    assert atops.full == pytest.approx(brute)
    assert table.widest < 150


def test_sample_of_all_candidates_equals_full_rank():
    retrieval, scores = drawn(30, 40)
    atops = measure_atop(Table(scores), retrieval, sample=40)
    assert atops.sampled.tolist() == atops.full.tolist()


def test_sample_estimates_full_rank_by_seed():
    retrieval, scores = drawn(300, 2000)
    atops = measure_atop(Table(scores), retrieval, sample=500)
    assert atops.sampled.mean() == pytest.approx(atops.full.mean(), abs=0.005)
    assert atops.sampled.tolist() != atops.full.tolist()
    assert measure_atop(Table(scores), retrieval, sample=500).sampled.tolist() == atops.sampled.tolist()
    assert (
        measure_atop(Table(scores), retrieval, seed=1, sample=500).sampled.tolist() != atops.sampled.tolist()
    )


class Forgetful(Table):
    """A ranker that also scores unknown texts."""

    def has_known_words(self, texts):
        return np.array([text != "unknown" for text in texts])


def test_query_without_known_word_has_atop_one_half():
    retrieval = RetrievalData(["unknown", "cat"], ["a", "b", "c"], [[0], [0]])
    atops = measure_atop(Forgetful([[3, 2, 1], [3, 2, 1]]), retrieval)
    assert (atops.full.tolist(), atops.sampled.tolist()) == ([0.5, 1], [0.5, 1])


def test_empty_query_has_atop_one_half():
    retrieval = RetrievalData(["", "cat"], ["a cat", "a dog", "fish"], [[0], [0]])
    atops = measure_atop(NgramScorer(1), retrieval)
    assert atops.full.tolist() == [0.5, 1]
    assert atops.known.tolist() == [False, True]


def test_shared_phrases_are_ranked():
    candidates = ["a small tame cat", "a small dog", "stocks fall", "small tame animals"]
    retrieval = RetrievalData(["small tame cat"], candidates, [[3, 0]])
    # shared: "small tame cat", its two pairs and three words; "small"; nothing; "small tame" and two words
    scores = block_scores(NgramScorer(3), retrieval)(0, 1)
    assert scores.tolist() == [[6, 1, 0, 3]]
    assert measure_atop(NgramScorer(3), retrieval).full.tolist() == [(1 + (1 - 1 / 3)) / 2]


def test_random_scores_have_atop_one_half():
    retrieval, _ = drawn(400, 50)
    assert measure_atop(RandomRanker(), retrieval).full.mean() == pytest.approx(0.5, abs=0.04)


def test_split_depends_on_seed():
    dev, test = split_dev_test(12_743)
    assert (len(dev), len(test), len({*dev.tolist(), *test.tolist()})) == (1000, 11_743, 12_743)
    assert split_dev_test(12_743)[0].tolist() == dev.tolist() != split_dev_test(12_743, seed=1)[0].tolist()
    assert [len(part) for part in split_dev_test(7)] == [3, 4]


@pytest.mark.parametrize(
    ("scores", "message"),
    [([[1.0, np.nan]], "not finite"), ([[1.0, 2.0, 3.0]], r"shape \(1, 3\) where \(1, 2\)")],
)
def test_invalid_scores_raise(scores, message):
    with pytest.raises(InputError, match=f"table gave .*{message}"):
        measure_atop(Table(scores), RetrievalData(["q"], ["a", "b"], [[0]]))


def test_single_candidate_raises():
    with pytest.raises(InputError, match="1 candidates cannot be ranked"):
        measure_atop(Table([[1.0]]), RetrievalData(["q"], ["a"], [[0]]))


def test_task_averages_dev_and_test_queries():
    retrieval, scores = drawn(9, 20)
    kind = replace(definition_retrieval.TASK.kind, load=lambda task, data: retrieval)
    result = evaluate(replace(definition_retrieval.TASK, kind=kind), Table(scores), seed=3)
    brute = np.array(
        [by_sorting(row, aligned) for row, aligned in zip(scores, retrieval.relevant, strict=True)]
    )
    dev, test = split_dev_test(9, 3)
    assert result.sets["dev"]["atop"] == pytest.approx(brute[dev].mean())
    assert result.summary["atop"] == result.sets["test"]["atop"] == pytest.approx(brute[test].mean())
    assert (result.pairs, result.sets["dev"]["pairs"]) == (9, 4)


def test_atop_equals_worked_example():
    scores = np.array([0.1, 0.9, 0.5, 0.3, 0.7])
    assert atop(scores, [1]) == 1
    assert atop(scores, [0]) == 0
    assert atop(scores, [4]) == 1 - 1 / 4
    assert atop(scores, [1, 3]) == (1 + (1 - 3 / 4)) / 2


def test_atop_counts_ties_half():
    assert atop(np.zeros(5), [2]) == 0.5
    assert atop(np.array([1.0, 1, 0]), [0]) == 1 - 0.5 / 2


def test_atop_equals_area_under_recall_curve():
    scores, aligned = np.array([0.3, 0.9, 0.5, 0.1, 0.7, 0.2]), [0, 4, 5]
    order = np.argsort(-scores).tolist()
    # TOPK(k) steps up by 1/3 at (rank - 1) / (n - 1)
    k = np.linspace(0, 1, 100_001)
    recall = sum((k >= order.index(place) / 5).astype(float) for place in aligned) / 3
    assert atop(scores, aligned) == pytest.approx(np.trapezoid(recall, k), abs=1e-4)


def test_atop_of_sample_counts_sampled_rivals():
    scores = np.array([0.1, 0.9, 0.5, 0.3, 0.7])
    assert atop(scores, [2], np.array([1, 3])) == 0.5
    assert atop(scores, [2], np.array([2, 3])) == 1  # it is no rival of its own
    assert atop(scores, [2, 3], np.arange(5)) == atop(scores, [2, 3])


def test_retrieval_has_its_published_size(data):
    retrieval = load_retrieval(definition_retrieval.TASK, data)
    assert (len(retrieval.queries), len(retrieval.candidates)) == (12_743, 117_659)


def test_scorer_without_ranking_raises(data):
    with pytest.raises(InputError, match="cdr needs a scorer with vectors or score_blocks, which object"):
        evaluate(definition_retrieval.TASK, object(), data)
