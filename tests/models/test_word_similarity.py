"""Kernels that compare words, against plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from helpers.greedy_reference import match_by_sorting
from helpers.measure_references import ngrams
from tacit.models.word_similarity import MIN_LETTERS, fill_dice, letter_ngrams, match_greedily


def test_letter_ngrams_are_sets():
    offsets, letters, lengths, *_ = letter_ngrams(["aaaa", "", "語言"])
    assert offsets.tolist() == [0, 2, 2, 3]
    assert lengths.tolist() == [4, 0, 2]
    assert len(letters) == 3


@given(st.lists(st.text("abcé語", max_size=12), min_size=1, max_size=8), st.sampled_from([0.0, 0.5]))
def test_dice_equals_that_of_ngram_sets(words, min_dice):
    scores = np.full(len(words), -1.0)
    fill_dice(0, np.arange(len(words)), min_dice, letter_ngrams(words), scores)
    sets = [set(ngrams(word, (2, 3))) for word in words]
    for word, letters, score in zip(words, sets, scores, strict=True):
        size = len(letters) + len(sets[0])
        expected = (
            2 * len(letters & sets[0]) / size
            if size and min(len(word), len(words[0])) >= MIN_LETTERS
            else 0.0
        )
        assert score == (expected if expected > min_dice else 0.0)


levels = st.lists(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=5, max_size=5), min_size=1, max_size=6
)
times = st.lists(st.integers(1, 3), min_size=11, max_size=11)


@given(rows=levels, times=times)
def test_greedy_matching_equals_sorting_with_ties(rows, times):
    scores = np.array(rows, np.float32)
    left, right = np.array(times[: len(rows)]), np.array(times[6:11])
    matches = pairs_of(scores, left, right)
    assert matches == match_by_sorting(scores, left, right)
    transposed = pairs_of(np.ascontiguousarray(scores.T), right, left)
    assert matches == {(i, j): n for (j, i), n in transposed.items()}


def pairs_of(scores, left, right):
    matches = np.zeros((len(left) + len(right), 3), np.int64)
    n = match_greedily(scores, left.copy(), right.copy(), matches)
    return {(i, j): times for i, j, times in matches[:n].tolist()}
