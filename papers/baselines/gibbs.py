"""Collapsed Gibbs sampler for LDA, O(text length) per draw.

Given all other topics, the topic of a token of word w in text d is k with a probability proportional to

    (n_dk + alpha) q_k,    q_k = (n_wk + beta) / (n_k + V beta)

(Griffiths & Steyvers, "Finding scientific topics", 2004). The first part, n_dk q_k, is a sum over the other
tokens of the text: it is drawn by iterating over them. The second, alpha q_k, depends on the word alone:
tokens are visited word by word, so that q is kept for all tokens of a word and two entries change per draw.
Both loops first skip lanes of eight, which causes few branch mispredictions. Nothing is approximated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.jit import njit_cached

Array = NDArray[Any]
LANES = 8


@dataclass
class State:
    """The topic of each token, and the number of tokens of each word with each topic.

    ``topics`` is in the order of the texts, each padded to whole lanes with the topic K, which no word has.
    ``positions`` lists the tokens word by word: those of word w are positions[bounds[w] : bounds[w + 1]].
    ``starts`` and ``stops`` hold, in the same order, where their texts begin and end.
    """

    topics: Array
    positions: Array
    starts: Array
    stops: Array
    bounds: Array
    word_topic_counts: Array
    totals: Array

    @classmethod
    def from_texts(
        cls, words: Array, lengths: Array, n_words: int, n_topics: int, rng: np.random.Generator
    ) -> State:
        """Initialize topics uniformly for the concatenated words of texts.

        >>> words, lengths = np.array([0, 1, 1]), np.array([2, 1])
        >>> state = State.from_texts(words, lengths, n_words=2, n_topics=3, rng=np.random.default_rng(0))
        >>> state.positions.tolist(), state.starts.tolist(), state.stops.tolist(), state.bounds.tolist()
        ([0, 1, 8], [0, 0, 8], [8, 8, 16], [0, 1, 3])
        >>> int(state.word_topic_counts.sum()), int(state.totals.sum()), state.topics[2:8].tolist()
        (3, 3, [3, 3, 3, 3, 3, 3])
        """
        initial_topics = rng.integers(n_topics, size=len(words))
        word_topic_counts = np.zeros((n_words, n_topics), np.int32)
        np.add.at(word_topic_counts, (words, initial_topics), 1)
        padded_lengths = -(-lengths // LANES) * LANES
        stops = np.cumsum(padded_lengths)
        starts = np.repeat(stops - padded_lengths, lengths)
        positions = starts + np.arange(len(words)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        topics = np.full(int(padded_lengths.sum()), n_topics, np.uint8 if n_topics < 256 else np.uint16)
        topics[positions] = initial_topics
        order = np.argsort(words, kind="stable")
        return cls(
            topics,
            positions[order].astype(np.uint32),
            starts[order].astype(np.uint32),
            np.repeat(stops, lengths)[order].astype(np.uint32),
            np.concatenate([[0], np.cumsum(np.bincount(words, minlength=n_words))]),
            word_topic_counts,
            word_topic_counts.sum(axis=0, dtype=np.int64),
        )

    def sweep(self, alpha: float, beta: float, rng: np.random.Generator) -> None:
        """Draw the topic of every token once, in place."""
        draw_topics(
            self.topics, self.positions, self.starts, self.stops, self.bounds,
            self.word_topic_counts, self.totals, alpha, beta, rng.random(len(self.positions)),
        )  # fmt: skip


@njit_cached()
def _lane_sum(q, topics, start):  # type: ignore[no-untyped-def]
    """Return the sum of q over eight tokens, added in pairs."""
    one, two, three = np.uint32(1), np.uint32(2), np.uint32(3)
    half = start + np.uint32(LANES // 2)
    low = (q[topics[start]] + q[topics[start + one]]) + (q[topics[start + two]] + q[topics[start + three]])
    high = (q[topics[half]] + q[topics[half + one]]) + (q[topics[half + two]] + q[topics[half + three]])
    return low + high


@njit_cached()
def draw_topics(  # type: ignore[no-untyped-def]
    topics, positions, starts, stops, bounds, word_topic_counts, totals, alpha, beta, uniforms
):
    """Draw the topic of each token once; each uses one of the ``uniforms`` from [0, 1)."""
    n_words, K = word_topic_counts.shape
    smoothing = n_words * beta
    q = np.zeros((K // LANES + 1) * LANES)  # q[K] stays 0
    blocks = np.zeros(len(q) // LANES)
    for w in range(n_words):
        if bounds[w] == bounds[w + 1]:
            continue
        counts = word_topic_counts[w]
        for topic in range(K):
            q[topic] = (counts[topic] + beta) / (totals[topic] + smoothing)
        free = 0.0
        for block in range(len(blocks)):
            blocks[block] = q[block * LANES : (block + 1) * LANES].sum()
            free += blocks[block]
        for i in range(bounds[w], bounds[w + 1]):
            position, start, stop = positions[i], starts[i], stops[i]
            k = np.uint32(topics[position])
            topics[position] = K  # the token itself does not count
            counts[k] -= 1
            totals[k] -= 1
            changed = (counts[k] + beta) / (totals[k] + smoothing) - q[k]
            q[k] += changed
            blocks[k // np.uint32(LANES)] += changed
            free += changed
            shared = 0.0
            at = start
            while at < stop:
                shared += _lane_sum(q, topics, at)
                at += np.uint32(LANES)
            remainder = uniforms[i] * (shared + alpha * free)
            if remainder < shared:
                at = start
                lane_sum = _lane_sum(q, topics, at)
                while remainder >= lane_sum and at + np.uint32(LANES) < stop:
                    remainder -= lane_sum
                    at += np.uint32(LANES)
                    lane_sum = _lane_sum(q, topics, at)
                total = 0.0
                first = at
                for lane in range(LANES - 1):
                    total += q[topics[first + np.uint32(lane)]]
                    at += np.uint32(total <= remainder)
                while topics[at] == K:  # by rounding
                    at -= np.uint32(1)
                k = np.uint32(topics[at])
            else:
                remainder = (remainder - shared) / alpha
                b = np.uint32(0)
                while b + 1 < len(blocks) and remainder >= blocks[b]:
                    remainder -= blocks[b]
                    b += np.uint32(1)
                total = 0.0
                first = k = b * np.uint32(LANES)
                for lane in range(LANES - 1):
                    total += q[first + np.uint32(lane)]
                    k += np.uint32(total <= remainder)
                k = np.uint32(min(k, K - 1))
            topics[position] = k
            counts[k] += 1
            totals[k] += 1
            changed = (counts[k] + beta) / (totals[k] + smoothing) - q[k]
            q[k] += changed
            blocks[k // np.uint32(LANES)] += changed
            free += changed
