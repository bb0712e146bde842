"""Hidden words: what is hidden, how it is ranked, and that more text is told to be better."""

from __future__ import annotations

import numpy as np
import pytest

from tacit import WTMF, InputError
from tacit.training.self_check import hide_words, rank_targets, run_self_check

THINGS = {"cat": "purrs sleeps hunts", "bank": "lends saves invests", "storm": "rains blows floods"}
RNG = np.random.default_rng(0)


def texts(n: int) -> list[str]:
    rng = np.random.default_rng(n)
    found = []
    for _ in range(n):
        thing = list(THINGS)[rng.integers(3)]
        said = rng.choice(THINGS[thing].split(), 2, replace=False)
        found.append(f"the {thing} {said[0]} and {said[1]} {rng.choice(['today', 'now', 'often', 'again'])}")
    return found


def test_one_word_of_each_text_of_three_is_hidden():
    vectorizer = WTMF().fit(texts(60)).vectorizer_
    rows = vectorizer.transform_rows(["the cat purrs", "cat", "", "the bank lends and saves"])
    left, hidden = hide_words(rows, np.random.default_rng(3))
    assert left.shape[0] == len(hidden) == 2
    assert np.diff(left.indptr).tolist() == [2, 4]
    for row, column in enumerate(hidden):
        assert column not in left[[row]].indices


def test_ranks_against_a_sort():
    scores = RNG.integers(0, 5, (20, 9)).astype(float)
    shown = (np.arange(20), RNG.integers(0, 8, 20))
    hidden = np.full(20, 8)
    found = rank_targets(scores.copy(), shown, hidden)
    for row in range(20):
        others = [s for column, s in enumerate(scores[row]) if column not in (8, shown[1][row])]
        own = scores[row, 8]
        assert found[row] == 1 + sum(s > own for s in others) + sum(s == own for s in others) / 2


def test_a_model_finds_words_that_frequency_cannot():
    told = run_self_check(WTMF(), texts(400))
    assert told.gain > 1.3
    assert "times better" in str(told)
    assert told.n_hidden == 80
    again = run_self_check(WTMF(), texts(400))
    assert again == told


def test_too_few_texts_are_told_nothing_of():
    assert run_self_check(WTMF(), ["a cat", "a dog"]) is None


def test_tuning_is_deterministic_and_says_what_was_tried():
    corpus = texts(300)
    tuned, again = (WTMF.tune(corpus, budget=5) for _ in range(2))
    assert repr(tuned) == repr(again)
    assert len(tuned.trials_) == 9
    best = max(tuned.trials_, key=lambda trial: trial.score)
    suggested = WTMF().fit(corpus).provenance["settings"]
    assert np.isclose(tuned.regularization, suggested["regularization"] * best.regularization_factor)
    assert tuned.fit(corpus).provenance["auto"] == []


def test_tuning_by_labels_and_by_judged_pairs():
    corpus = texts(120)
    labels = [next(thing for thing in THINGS if thing in text) for text in corpus]
    by_labels = WTMF.tune(corpus, labels=labels, budget=2)
    assert max(trial.score for trial in by_labels.trials_) == 1
    judged = [(5.0, "the cat purrs", "a cat sleeps"), (0.0, "the cat purrs", "the bank lends"),
              (4.0, "the bank saves", "a bank invests"), (1.0, "the storm", "a bank")]  # fmt: skip
    assert len(WTMF.tune(corpus, scored_pairs=judged, budget=2).trials_) == 9
    with pytest.raises(InputError, match="a search for settings needs"):
        WTMF.tune(["one"])
