"""The sampler of LDA draws what its formula says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.baselines.gibbs import State
from papers.baselines.gibbs_reference import conditional, sweep


def corpus(seed, n_texts=12, longest=20, V=9):
    """Words, the text of each, and the lengths of the texts; some texts are empty."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, longest + 1, n_texts)
    return rng.integers(V, size=lengths.sum()), np.repeat(np.arange(n_texts), lengths), lengths


def in_texts(state):
    """The topics of the tokens as the texts have them."""
    return state.topics[np.sort(state.positions)].astype(int)


@given(
    st.integers(0, 2**32), st.sampled_from([1, 2, 7, 8, 9, 40, 300]), st.sampled_from([0.01, 0.5, 3.0]),
    st.sampled_from([0.01, 0.5]),
)  # fmt: skip
def test_the_kernel_draws_as_the_reference(seed, K, alpha, beta):
    words, texts, lengths = corpus(seed)
    state = State.from_texts(words, lengths, 9, K, np.random.default_rng(seed))
    for step in range(3):
        before = in_texts(state)
        state.sweep(alpha, beta, np.random.default_rng(step))
        uniforms = np.random.default_rng(step).random(len(words))
        assert in_texts(state).tolist() == sweep(words, texts, before, K, 9, alpha, beta, uniforms).tolist()
    word_topic_counts = np.zeros((9, K), int)
    np.add.at(word_topic_counts, (words, in_texts(state)), 1)
    assert (state.word_topic_counts == word_topic_counts).all()
    assert (state.totals == word_topic_counts.sum(axis=0)).all()


@pytest.mark.parametrize("seed", range(5))
def test_chances_fall_by_the_conditional_probabilities(seed):
    # the first token visited is a word of its own: a fine grid of its uniform measures its probabilities
    words, texts, lengths = corpus(seed)
    words[words == 0] = 1
    words[0] = 0
    K, grid = 5, 2000
    drawn = np.zeros(K)
    for cell in range(grid):
        state = State.from_texts(words, lengths, 9, K, np.random.default_rng(seed))
        before = in_texts(state)
        uniforms = np.full(len(words), (cell + 0.5) / grid)
        drawn[sweep_with(state, 0.3, 0.2, uniforms)[0]] += 1 / grid
    expected = conditional(words, texts, before, 0, K, 9, 0.3, 0.2)
    assert drawn == pytest.approx(expected, abs=30 / grid)


def sweep_with(state, alpha, beta, uniforms):
    class Given:
        def random(self, n):
            return uniforms[:n]

    state.sweep(alpha, beta, Given())
    return in_texts(state)


def test_texts_far_longer_than_short_ones_are_sampled_too():
    words, lengths = np.arange(5000) % 50, np.array([5000])
    state = State.from_texts(words, lengths, 50, 3, np.random.default_rng(0))
    state.sweep(0.1, 0.1, np.random.default_rng(0))
    assert state.totals.sum() == 5000
    assert in_texts(state).max() < 3
