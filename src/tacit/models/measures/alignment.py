"""``alignment``: mean similarity of each word to its best partner, weighted by idf.

    s(u, v) = 1                                    for the same term
            = 0                                    if one of them is a number
            = max(t cos(p_u, p_v)^power, l(u, v))  otherwise

Here p are the word vectors, t is how reliable they are (``Language.trust``), and l is the share of letters
that two spellings of one word or two related words have in common, where one is unknown or rare
(``letter_score``). The score of two texts is the mean of the best s of all their words, weighted by
idf^``IDF_POWER``; numbers have ``NUMBER_WEIGHT`` times their weight. The constants were tuned on the STS 2012
training pairs and the STS Benchmark development pairs.

It compares texts of one language, the pivot; ``matching`` compares across languages.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

import numpy as np

from tacit.compute.tiles import jit, jit_inline
from tacit.models.letter_similarity import Spellings, fill_letter_scores
from tacit.models.measure import Measure, Table, TextGroups
from tacit.models.text_set import TextSet
from tacit.models.word_similarity import fill_dot_products, word_weights
from tacit.types import Array

logger = logging.getLogger(__name__)

COSINE_POWER = 1.5  # the kernel computes x * sqrt(x)
MAX_WORDS = 1024  # of a longer text a sample of the words looks for partners, see ``sample_words``
MEMO_CELLS = 1 << 22  # word scores kept while one text is compared with many: 16 MB


class SampledWords(NamedTuple):
    """The distinct words of each text, those that look for a partner first.

    Text i has the positions from ``offsets[i]`` to ``offsets[i + 1]``; the first ``n_sampled[i]`` of them
    look for a partner. ``order`` holds the position of each word before sampling, ``weights`` the weight of
    its best score.
    """

    offsets: Array
    token_ids: Array
    order: Array
    weights: Array
    n_sampled: Array


class WordData(NamedTuple):
    """Arrays about each token that ``fill_word_scores`` reads."""

    term_ids: Array
    word_columns: Array
    is_number: Array
    vectors: Array
    cosine_scale: float
    spellings: Spellings


class LeftWords(NamedTuple):
    """Tokens of a text that is compared with others, what is known about them, and scratch space for each."""

    token_ids: Array
    term_ids: Array
    word_columns: Array
    is_number: Array
    cosines: Array
    letter_scores: Array


class Alignment(Measure):
    """Mean similarity of each word to its best partner; a sum over words, so it can be explained."""

    name, summary = "alignment", "the mean similarity of each word to its best partner"
    is_explainable = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """Return the alignment of each pair, from 0 to 1."""
        scores = np.zeros(len(left))
        words, data = texts.cached(self.name, _prepare)
        align_pairs(words, data, left.astype(np.int64), right.astype(np.int64), scores)
        return np.minimum(scores, 1)

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """Return what each word and its best partner add to the score."""
        words, data = texts.cached(self.name, _prepare)
        table = np.zeros((a.n_groups, b.n_groups))
        slices = {text.text_id: slice(*words.offsets[text.text_id : text.text_id + 2]) for text in (a, b)}
        total = float(words.weights[slices[a.text_id]].sum() + words.weights[slices[b.text_id]].sum())
        if total > 0 and table.size:
            for text, other, cells in ((a, b, table), (b, a, table.T)):
                positions, others = slices[text.text_id], slices[other.text_id]
                sampled = slice(positions.start, positions.start + words.n_sampled[text.text_id])
                best, scores = best_partners(words.token_ids[sampled], words.token_ids[others], data)
                rows = text.group_of_token[words.order[sampled] - positions.start]
                columns = other.group_of_token[words.order[others][best] - others.start]
                np.add.at(cells, (rows, columns), words.weights[sampled] * scores / total)
        return {self.name: table}


MEASURE = Alignment()


def _prepare(texts: TextSet) -> tuple[SampledWords, WordData]:
    """Compute what the kernels need to know about the words of all texts."""
    tokens = texts.tokens
    weights = word_weights(tokens.idf_weights(0), tokens.is_number)
    ids, columns = tokens.term_ids(0), tokens.word_columns(0)
    language = tokens.languages[0]
    scale = language.trust ** (-2 / 3) if language.trust else 0.0
    data = WordData(ids, columns, tokens.is_number, language.trust_scaled_vectors, scale, tokens.spellings)
    return sample_words(*texts.distinct_tokens, weights), data


def sample_words(offsets: Array, token_ids: Array, times: Array, token_weights: Array) -> SampledWords:
    """Choose the words that look for a partner: all, or a sample of ``MAX_WORDS`` in a longer text.

    A score is a mean over words, which a sample estimates well. The other words can still be partners.
    """
    order, weights, n_sampled = np.arange(len(token_ids)), times * token_weights[token_ids], np.diff(offsets)
    long_texts = np.flatnonzero(n_sampled > MAX_WORDS)
    if n_long := len(long_texts):
        logger.info("%d texts have more than %d distinct words: alignment uses a sample", n_long, MAX_WORDS)
    for text in long_texts.tolist():
        words = slice(offsets[text], offsets[text + 1])
        sample, sample_weights = systematic_sample(weights[words], MAX_WORDS)
        rest = np.setdiff1d(np.arange(n_sampled[text]), sample)
        order[words] = offsets[text] + np.concatenate([sample, rest])
        weights[words] = np.concatenate([sample_weights, np.zeros(len(rest))])
        n_sampled[text] = len(sample)
    return SampledWords(offsets, token_ids[order], order, weights, n_sampled)


def systematic_sample(weights: Array, n: int) -> tuple[Array, Array]:
    """Draw n times with probability proportional to weight, at equal distances; heavy words come first.

    Returns the distinct items drawn and the weight that each of them represents.

    >>> systematic_sample(np.array([1.0, 6.0, 1.0]), 4)
    (array([0, 1]), array([2., 6.]))
    """
    order = np.argsort(-weights, kind="stable")
    cumulative = np.cumsum(weights[order])
    positions = np.searchsorted(cumulative, (np.arange(n) + 0.5) * cumulative[-1] / n)
    items, n_draws = np.unique(order[positions], return_counts=True)
    return items, n_draws * cumulative[-1] / n


@jit_inline
def take_words(us, data):  # type: ignore[no-untyped-def]
    """Return what is known about some tokens, in their order."""
    cosines, letter_scores = np.empty(len(us), np.float32), np.empty(len(us), np.float32)
    facts = data.term_ids[us], data.word_columns[us], data.is_number[us]
    return LeftWords(us, *facts, cosines, letter_scores)


@jit_inline
def fill_word_scores(v, us, first, last, data, scores):  # type: ignore[no-untyped-def]
    """scores[i] = s(us[i], v) for i from ``first`` to ``last``."""
    term, spellings = data.term_ids[v], data.spellings
    fill_dot_products(data.vectors, us.word_columns, data.word_columns[v], first, last, us.cosines)
    fill_letter_scores(
        v, us.token_ids, first, last, 0, us.cosines, data.cosine_scale, spellings, us.letter_scores
    )
    cosines, letter_scores, term_ids, is_number = us.cosines, us.letter_scores, us.term_ids, us.is_number
    for i in range(first, last):
        cosine = max(np.float32(0), min(np.float32(1), cosines[i]))
        scores[i] = cosine * np.sqrt(cosine)
    for i in range(first, last):
        if letter_scores[i] > scores[i]:
            scores[i] = letter_scores[i]
        if term_ids[i] == term:
            scores[i] = 1
        elif is_number[i] or data.is_number[v]:
            scores[i] = 0


@jit
def align_pairs(words, data, left, right, scores):  # type: ignore[no-untyped-def]
    """scores[i] = the alignment of texts left[i] and right[i].

    Texts that are compared with the same left text share many words. The memo therefore keeps, for each
    word met on the right, its scores with the words of the left text: one column of n cells.
    """
    column_of = np.full(len(data.term_ids), -1, np.int64)
    memo_tokens, n_known = np.empty(len(data.term_ids), np.int64), np.empty(len(data.term_ids), np.int64)
    memo, n_columns = np.empty(MEMO_CELLS, np.float32), 0  # memory pages count only when written
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        us = words.token_ids[words.offsets[a] : words.offsets[a + 1]]
        n = len(us)
        if pair == 0 or a != left[pair - 1]:
            n_columns = reset_memo(column_of, memo_tokens, n_columns)
            if n > len(memo):
                memo = np.empty(n, np.float32)
            left_words = take_words(us, data)
            best_of_left = np.empty(n, np.float32)
        best_of_left[:] = 0
        score = total = 0.0
        for j in range(words.offsets[b], words.offsets[b + 1]):
            v = words.token_ids[j]
            n_needed = n if j < words.offsets[b] + words.n_sampled[b] else words.n_sampled[a]
            if column_of[v] < 0:
                if (n_columns + 1) * n > len(memo):
                    n_columns = reset_memo(column_of, memo_tokens, n_columns)
                column_of[v], memo_tokens[n_columns], n_known[n_columns] = n_columns, v, 0
                n_columns += 1
            column = column_of[v]
            cells = memo[column * n : (column + 1) * n]
            if n_known[column] < n_needed:
                fill_word_scores(v, left_words, n_known[column], n_needed, data, cells)
                n_known[column] = n_needed
            best = np.float32(0)
            for i in range(n_needed):
                best = max(best, cells[i])
                best_of_left[i] = max(best_of_left[i], cells[i])
            score += words.weights[j] * best
            total += words.weights[j]
        for i in range(words.n_sampled[a]):
            score += words.weights[words.offsets[a] + i] * best_of_left[i]
            total += words.weights[words.offsets[a] + i]
        if total > 0:
            scores[pair] = score / total


@jit_inline
def reset_memo(column_of, memo_tokens, n_columns):  # type: ignore[no-untyped-def]
    """Remove all tokens from the memo and return its new number of columns, 0."""
    for k in range(n_columns):
        column_of[memo_tokens[k]] = -1
    return 0


@jit
def best_partners(us, vs, data):  # type: ignore[no-untyped-def]
    """Return the position in ``vs`` of each word's best partner, the first of equals, and its score."""
    best, best_scores = np.zeros(len(us), np.int64), np.full(len(us), np.float32(-1))
    scores, left_words = np.empty(len(us), np.float32), take_words(us, data)
    for j in range(len(vs)):
        fill_word_scores(vs[j], left_words, 0, len(us), data, scores)
        for i in range(len(us)):
            if scores[i] > best_scores[i]:
                best[i], best_scores[i] = j, scores[i]
    return best, best_scores
