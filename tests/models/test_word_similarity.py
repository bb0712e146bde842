"""Kernels that compare words, against plain Python."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.greedy_reference import match_by_sorting
from helpers.measure_references import ngrams
from helpers.measure_references import shared_letters as shared_letters_reference
from tacit import WTMF, TextModel
from tacit.models.text_set import TextSet
from tacit.models.word_similarity import (
    MIN_LETTERS,
    encode_letters,
    fill_dice,
    letter_ngrams,
    match_greedily,
    shared_letters,
    spelling_score,
)


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


@given(st.lists(st.text("abé", max_size=9), min_size=2, max_size=2), st.sampled_from([0.5, 0.6, 0.85]))
def test_shared_letters_equal_those_of_plain_python(words, least):
    share = shared_letters(0, 1, least, *encode_letters(words))
    assert np.isclose(share, shared_letters_reference(*words, least))
    assert share == shared_letters(1, 0, least, *encode_letters(words))


@cache
def hospital() -> TextModel:
    """A model that knows frequent and rare words."""
    frequent = ["the patient has cancer", "the visit was cancelled", "allow the patient to receive a visit"]
    return WTMF(n_components=4, n_iter=3).fit([*frequent * 15, "they recieve a coral"]).model_


def spelling(u: str, v: str, model: TextModel | None = None) -> float:
    texts = TextSet.from_texts(model or hospital(), [f"{u} {v}"])
    return spelling_score(0, 1, 0, texts.tokens.spellings)


@pytest.mark.parametrize(
    ("u", "v"),
    [
        ("cancelled", "cancer"),  # both known and frequent
        ("cancelation", "cancer"),  # unknown, but too different
        ("swallowed", "allow"),  # another beginning
        ("swallowed", "allowed"),
        ("recieve", "coral"),  # both rare
    ],
)
def test_letters_are_no_evidence_for_other_words(u, v):
    assert spelling(u, v) == spelling(v, u) == 0
    assert hospital().similarity([u], [v], "alignment")[0, 0] <= 0.2


@pytest.mark.parametrize(
    ("u", "v", "score"),
    [
        ("recieve", "receive", 6 / 7),  # a swap, rare and frequent
        ("cancr", "cancer", 5 / 6),  # unknown and frequent
        ("ptient", "patient", 6 / 7),
        ("patiénts", "patients", 1),  # accents
        ("sarkozy", "sarkosy", 6 / 7),  # both unknown
        ("behaviour", "behavior", 8 / 9),
        ("xcancelled", "cancelled", 9 / 10),  # another beginning, one letter in ten
    ],
)
def test_spellings_of_a_word_share_most_letters(u, v, score):
    assert np.isclose(spelling(u, v), score)
    assert np.isclose(spelling(v, u), score)


def test_words_that_a_background_knows_are_no_misspellings():
    texts = ["they deceive the patient", "a horse eats hay"] * 10
    own = WTMF(n_components=3, n_iter=3).fit([*texts, "they receive"]).model_
    assert spelling("receive", "deceive", own) > 0.8
    model = WTMF(n_components=3, n_iter=3, background=hospital()).fit(texts).model_
    assert spelling("receive", "deceive", model) == 0


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
