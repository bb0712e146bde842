"""The sampler of LDA equals its reference and its formula."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.baselines.gibbs import State
from papers.baselines.gibbs_reference import conditional, sweep


def corpus(seed, n_texts=12, longest=20, V=9):
    """Return words, the text of each, and the lengths of the texts; some texts are empty."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, longest + 1, n_texts)
    return rng.integers(V, size=lengths.sum()), np.repeat(np.arange(n_texts), lengths), lengths


def topics_by_text(state):
    """Return the topics of the tokens in the order of the texts."""
    return state.topics[np.sort(state.positions)].astype(int)


@given(
    st.integers(0, 2**32), st.sampled_from([1, 2, 7, 8, 9, 40, 300]), st.sampled_from([0.01, 0.5, 3.0]),
    st.sampled_from([0.01, 0.5]),
)  # fmt: skip
def test_sampler_equals_reference(seed, K, alpha, beta):
    words, texts, lengths = corpus(seed)
    state = State.from_texts(words, lengths, 9, K, np.random.default_rng(seed))
    for step in range(3):
        before = topics_by_text(state)
        state.sweep(alpha, beta, np.random.default_rng(step))
        uniforms = np.random.default_rng(step).random(len(words))
        assert (
            topics_by_text(state).tolist()
            == sweep(words, texts, before, K, 9, alpha, beta, uniforms).tolist()
        )
    word_topic_counts = np.zeros((9, K), int)
    np.add.at(word_topic_counts, (words, topics_by_text(state)), 1)
    assert (state.word_topic_counts == word_topic_counts).all()
    assert (state.totals == word_topic_counts.sum(axis=0)).all()


@pytest.mark.parametrize("seed", range(5))
def test_draws_follow_conditional_probabilities(seed):
    # the first token visited is a word of its own: a fine grid of its uniform measures its probabilities
    words, texts, lengths = corpus(seed)
    words[words == 0] = 1
    words[0] = 0
    K, grid = 5, 2000
    frequencies = np.zeros(K)
    for cell in range(grid):
        state = State.from_texts(words, lengths, 9, K, np.random.default_rng(seed))
        before = topics_by_text(state)
        uniforms = np.full(len(words), (cell + 0.5) / grid)
        frequencies[sweep_with(state, 0.3, 0.2, uniforms)[0]] += 1 / grid
    expected = conditional(words, texts, before, 0, K, 9, 0.3, 0.2)
    assert frequencies == pytest.approx(expected, abs=30 / grid)


def sweep_with(state, alpha, beta, uniforms):
    class FixedUniforms:
        def random(self, n):
            return uniforms[:n]

    state.sweep(alpha, beta, FixedUniforms())
    return topics_by_text(state)


def test_long_texts_are_sampled():
    words, lengths = np.arange(5000) % 50, np.array([5000])
    state = State.from_texts(words, lengths, 50, 3, np.random.default_rng(0))
    state.sweep(0.1, 0.1, np.random.default_rng(0))
    assert state.totals.sum() == 5000
    assert topics_by_text(state).max() < 3
