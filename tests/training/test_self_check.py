"""Self-check and tuning: which words are hidden, how they are ranked, and that results are deterministic."""

from __future__ import annotations

import numpy as np
import pytest

from tacit import WTMF, InputError
from tacit.training.self_check import hide_words, rank_targets, run_self_check

THINGS = {"cat": "purrs sleeps hunts", "bank": "lends saves invests", "storm": "rains blows floods"}
RNG = np.random.default_rng(0)


def texts(n: int) -> list[str]:
    rng = np.random.default_rng(n)
    result = []
    for _ in range(n):
        thing = list(THINGS)[rng.integers(3)]
        verbs = rng.choice(THINGS[thing].split(), 2, replace=False)
        result.append(
            f"the {thing} {verbs[0]} and {verbs[1]} {rng.choice(['today', 'now', 'often', 'again'])}"
        )
    return result


def test_one_word_is_hidden_in_texts_of_three_or_more():
    vectorizer = WTMF().fit(texts(60)).vectorizer_
    rows = vectorizer.transform_rows(["the cat purrs", "cat", "", "the bank lends and saves"])
    remaining, hidden = hide_words(rows, np.random.default_rng(3))
    assert remaining.shape[0] == len(hidden) == 2
    assert np.diff(remaining.indptr).tolist() == [2, 4]
    for row, column in enumerate(hidden):
        assert column not in remaining[[row]].indices


def test_ranks_equal_counting():
    scores = RNG.integers(0, 5, (20, 9)).astype(float)
    visible = (np.arange(20), RNG.integers(0, 8, 20))
    hidden = np.full(20, 8)
    ranks = rank_targets(scores.copy(), visible, hidden)
    for row in range(20):
        others = [s for column, s in enumerate(scores[row]) if column not in (8, visible[1][row])]
        target = scores[row, 8]
        assert ranks[row] == 1 + sum(s > target for s in others) + sum(s == target for s in others) / 2


def test_model_predicts_better_than_frequency():
    check = run_self_check(WTMF(), texts(400))
    assert check.gain > 1.3
    assert "times better" in str(check)
    assert check.n_hidden == 80
    again = run_self_check(WTMF(), texts(400))
    assert again == check


def test_too_few_texts_have_no_self_check():
    assert run_self_check(WTMF(), ["a cat", "a dog"]) is None


def test_tuning_is_deterministic_and_records_trials():
    corpus = texts(300)
    tuned, again = (WTMF.tune(corpus, budget=5) for _ in range(2))
    assert repr(tuned) == repr(again)
    assert len(tuned.trials_) == 9
    best = max(tuned.trials_, key=lambda trial: trial.score)
    suggested = WTMF().fit(corpus).provenance["settings"]
    assert np.isclose(tuned.regularization, suggested["regularization"] * best.regularization_factor)
    assert tuned.fit(corpus).provenance["auto"] == []


def test_tuning_by_labels_and_by_scored_pairs():
    corpus = texts(120)
    labels = [next(thing for thing in THINGS if thing in text) for text in corpus]
    by_labels = WTMF.tune(corpus, labels=labels, budget=2)
    assert max(trial.score for trial in by_labels.trials_) == 1
    pairs = [(5.0, "the cat purrs", "a cat sleeps"), (0.0, "the cat purrs", "the bank lends"),
              (4.0, "the bank saves", "a bank invests"), (1.0, "the storm", "a bank")]  # fmt: skip
    assert len(WTMF.tune(corpus, scored_pairs=pairs, budget=2).trials_) == 9
    with pytest.raises(InputError, match="a search for settings needs"):
        WTMF.tune(["one"])
