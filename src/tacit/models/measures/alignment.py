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
from tacit.models.letter_similarity import Spellings, fill_letter_scores, letter_arrays
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
    """Arrays about each token that ``fill_word_scores`` reads.

    ``term_table`` has a row for each token, which is read at once: the id of its term, and twice the column
    of its word, plus 1 for a number.
    """

    term_table: Array
    vectors: Array
    cosine_scale: float
    spellings: Spellings


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
    term_table = np.stack(
        [tokens.term_ids(0), 2 * tokens.word_columns(0).astype(np.int64) + tokens.is_number], axis=1
    )
    language = tokens.languages[0]
    scale = language.trust ** (-2 / 3) if language.trust else 0.0
    data = WordData(term_table, language.trust_scaled_vectors, scale, tokens.spellings)
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
def fill_word_scores(  # type: ignore[no-untyped-def]
    v, us, first, last, term_table, vectors, cosine_scale, keys, first_term, codes, letter_offsets, doc_freqs,
    limits, columns, cosines, letter_scores, start, scores,
):  # fmt: skip
    """scores[start + i] = s(us[i], v) for i from ``first`` to ``last``.

    ``columns`` are the word columns of us; ``cosines`` and ``letter_scores`` are scratch space.
    """
    term = term_table[v, 0]
    fill_dot_products(vectors, columns, term_table[v, 1] >> 1, first, last, cosines)
    fill_letter_scores(
        v, us, first, last, cosines, cosine_scale, keys, first_term, codes, letter_offsets, doc_freqs, limits,
        letter_scores,
    )  # fmt: skip
    for i in range(first, last):
        cosine = max(np.float32(0), min(np.float32(1), cosines[i]))
        score = max(cosine * np.sqrt(cosine), letter_scores[i])
        if term_table[us[i], 0] == term:
            score = np.float32(1)
        elif (term_table[us[i], 1] | term_table[v, 1]) & 1:
            score = np.float32(0)
        scores[start + i] = score


@jit
def align_pairs(words, data, left, right, scores):  # type: ignore[no-untyped-def]
    """scores[i] = the alignment of texts left[i] and right[i].

    Texts that are compared with the same left text share many words. The memo therefore keeps, for each
    word met on the right, its scores with the words of the left text: one column of n cells.
    """
    offsets, token_ids, _, weights, n_sampled = words
    term_table, vectors, cosine_scale, spellings = data
    keys, first_term, codes, letter_offsets, doc_freqs, limits = letter_arrays(spellings, 0)
    column_of = np.full(len(term_table), -1, np.int64)
    memo_tokens, n_known = np.empty(len(term_table), np.int64), np.empty(len(term_table), np.int64)
    memo, n_columns = np.empty(MEMO_CELLS, np.float32), 0  # memory pages count only when written
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        if pair == 0 or a != left[pair - 1]:
            n_columns = reset_memo(column_of, memo_tokens, n_columns)
            us = token_ids[offsets[a] : offsets[a + 1]]
            n = len(us)
            if n > len(memo):
                memo = np.empty(n, np.float32)
            columns, cosines, letter_scores = (
                term_table[us, 1] >> 1,
                np.empty(n, np.float32),
                np.empty(n, np.float32),
            )
            best_of_left = np.empty(n, np.float32)
        best_of_left[:] = 0
        score = total = 0.0
        for j in range(offsets[b], offsets[b + 1]):
            v = token_ids[j]
            n_needed = n if j < offsets[b] + n_sampled[b] else n_sampled[a]
            if column_of[v] < 0:
                if (n_columns + 1) * n > len(memo):
                    n_columns = reset_memo(column_of, memo_tokens, n_columns)
                column_of[v], memo_tokens[n_columns], n_known[n_columns] = n_columns, v, 0
                n_columns += 1
            column = column_of[v]
            start = column * n
            if n_known[column] < n_needed:
                fill_word_scores(
                    v, us, n_known[column], n_needed, term_table, vectors, cosine_scale, keys, first_term,
                    codes, letter_offsets, doc_freqs, limits, columns, cosines, letter_scores, start, memo,
                )  # fmt: skip
                n_known[column] = n_needed
            best = np.float32(0)
            for i in range(n_needed):
                best = max(best, memo[start + i])
                best_of_left[i] = max(best_of_left[i], memo[start + i])
            score += weights[j] * best
            total += weights[j]
        for i in range(n_sampled[a]):
            score += weights[offsets[a] + i] * best_of_left[i]
            total += weights[offsets[a] + i]
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
    term_table, vectors, cosine_scale, spellings = data
    keys, first_term, codes, letter_offsets, doc_freqs, limits = letter_arrays(spellings, 0)
    best, best_scores = np.zeros(len(us), np.int64), np.full(len(us), np.float32(-1))
    columns, scores = term_table[us, 1] >> 1, np.empty(len(us), np.float32)
    cosines, letter_scores = np.empty(len(us), np.float32), np.empty(len(us), np.float32)
    for j in range(len(vs)):
        fill_word_scores(
            vs[j], us, 0, len(us), term_table, vectors, cosine_scale, keys, first_term, codes, letter_offsets,
            doc_freqs, limits, columns, cosines, letter_scores, 0, scores,
        )  # fmt: skip
        for i in range(len(us)):
            if scores[i] > best_scores[i]:
                best[i], best_scores[i] = j, scores[i]
    return best, best_scores
