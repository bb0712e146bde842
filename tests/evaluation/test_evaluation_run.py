"""Evaluation of whole tasks: official STS 2012 results, unknown texts, thresholds."""

from __future__ import annotations

import numpy as np
import pytest

from papers.baselines.scorers import SurfaceScorer
from tacit import InputError
from tacit.evaluation import DataFile, Task, evaluate, pairs_task
from tacit.evaluation.pair_tasks import PARAPHRASE, SIMILARITY
from tacit.evaluation.scorers import RandomScorer

OFFICIAL_SETS = {"MSRpar": 0.4334, "MSRvid": 0.2996, "SMTeuroparl": 0.4542, "OnWN": 0.5868, "SMTnews": 0.3908}
OFFICIAL = {"all": 0.3110, "all_normalized": 0.6732, "weighted_mean": 0.4357}


class Given:
    """A scorer with fixed scores and fixed unknown words."""

    name = "given"

    def __init__(self, scores, unknown=()):
        self.scores, self.unknown = scores, unknown

    def score_pairs(self, a, b):
        return np.array([self.scores[pair] for pair in zip(a, b, strict=True)])

    def has_known_words(self, texts):
        return np.array([text not in self.unknown for text in texts])


class NoWords:
    """A scorer without ``has_known_words``."""

    name = "ones"

    def score_pairs(self, a, b):
        return np.ones(len(a))


@pytest.fixture(scope="module")
def surface(data):
    return evaluate("sts12", SurfaceScorer(), data)


def test_official_baseline_is_reproduced(surface):
    result = {name: numbers["pearson"] for name, numbers in surface.sets.items()}
    assert result == pytest.approx(OFFICIAL_SETS, abs=1e-3)
    assert {name: surface.summary[name] for name in OFFICIAL} == pytest.approx(OFFICIAL, abs=1e-3)
    assert surface.pairs == 3108


def test_random_scores_equal_official_chance_level(data):
    result = [evaluate("sts12", RandomScorer(seed), data).summary for seed in range(5)]
    assert np.mean([summary["all_normalized"] for summary in result]) == pytest.approx(0.5891, abs=0.005)
    assert np.mean([summary["all"] for summary in result]) == pytest.approx(0, abs=0.03)


def task_of(tmp_path, kind, **sets):
    for name, lines in sets.items():
        text = "".join(f"{gold}\t{a}\t{b}\n" for gold, a, b in lines)
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    files = tuple(DataFile(name, f"{name}.tsv") for name in sets)
    return Task("mine", "mine", kind, files, "mine")


def test_unknown_text_scores_0_and_is_counted(tmp_path):
    lines = [(5, "a", "b"), (3, "zzz", "b"), (1, "a", "c"), (0, "", "zzz")]
    scores = {("a", "b"): 3.0, ("zzz", "b"): 9.0, ("a", "c"): 2.0, ("", "zzz"): 9.0}
    result = evaluate(task_of(tmp_path, SIMILARITY, x=lines), Given(scores, {"zzz", ""}), tmp_path)
    assert result.without_known_words == result.sets["x"]["without_known_words"] == 3
    assert result.sets["x"]["pearson"] == pytest.approx(np.corrcoef([5, 3, 1, 0], [3, 0, 2, 0])[0, 1])


def test_blank_text_is_unknown_to_every_scorer(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("5\ta\tb\n0\t \tb\n1\ta\t\n", encoding="utf-8")
    result = evaluate(pairs_task(path), NoWords())
    assert result.without_known_words == 2
    assert result.summary["pearson"] == pytest.approx(np.corrcoef([5, 0, 1], [1, 0, 0])[0, 1])


def test_baseline_scores_empty_texts(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("5\ta\ta\n0\t\t\n", encoding="utf-8")
    result = evaluate(pairs_task(path), SurfaceScorer())
    assert (result.without_known_words, result.summary["pearson"]) == (2, 1)


def test_constant_scores_have_metrics_of_0(tmp_path):
    lines = [(5, "a", "b"), (3, "b", "b"), (1, "a", "c")]
    result = evaluate(task_of(tmp_path, SIMILARITY, x=lines), NoWords(), tmp_path)
    assert {result.summary[name] for name in result.summary} == {0.0}


def test_error_has_invalid_score(tmp_path):
    lines = [(5, "a", "b"), (3, "b", "b")]
    scorer = Given({("a", "b"): 1.0, ("b", "b"): np.nan})
    with pytest.raises(InputError, match="given gave nan for pair 2"):
        evaluate(task_of(tmp_path, SIMILARITY, x=lines), scorer, tmp_path)


def test_threshold_is_fitted_on_training_pairs(tmp_path):
    train = [(0, "a", "b"), (0, "a", "c"), (1, "a", "d"), (1, "a", "e")]
    test = [(1, "b", "c"), (1, "b", "d"), (0, "b", "e"), (0, "b", "f")]
    scores = dict(zip([line[1:] for line in train], [0.1, 0.2, 0.6, 0.9], strict=True))
    scores |= dict(zip([line[1:] for line in test], [0.41, 0.39, 0.5, 0.0], strict=True))
    result = evaluate(task_of(tmp_path, PARAPHRASE, train=train, test=test), Given(scores), tmp_path)
    # 0.4 is the middle of 0.2 and 0.6: of the test pairs .41 and .5 are called alike
    assert result.sets["test"]["threshold"] == pytest.approx(0.4)
    assert result.summary == {"accuracy": 0.5, "f1": pytest.approx(0.5)}
    assert result.sets["train"]["accuracy"] == 1


def test_labels_other_than_0_and_1_raise(tmp_path):
    task = task_of(
        tmp_path, PARAPHRASE, train=[(2, "a", "b"), (0, "a", "b")], test=[(1, "a", "b"), (0, "a", "b")]
    )
    with pytest.raises(InputError, match="the set 'train' has a label other than 0 and 1"):
        evaluate(task, SurfaceScorer(), tmp_path)


def test_random_scores_predict_majority_on_msr04(data):
    # the test pairs are 66.5 % paraphrases, and random scores are best called all alike
    result = evaluate("msr04", RandomScorer(), data)
    assert result.summary["accuracy"] == pytest.approx(0.665, abs=0.01)


def test_error_has_missing_scorer_method(data):
    with pytest.raises(InputError, match="li06 needs a scorer with score_pairs, which object does not have"):
        evaluate("li06", object(), data)
