"""Candidate pairs of one or two lists, with their features, cosines and scores.

The candidates are the nearest texts of each text by the sum of word and character tf-idf cosine.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tacit.compute.csr import transpose
from tacit.compute.threads import run_blocks, split_range
from tacit.compute.tiles import jit
from tacit.decisions.evidence import code_scores, prior_weights
from tacit.decisions.linking import EstimatedLinks, PairGraph, estimate_links, ridge_precision, train_on_seeds
from tacit.decisions.logistic import Scaling, fit_logistic
from tacit.decisions.pair_features import pair_features
from tacit.decisions.texts import PairTexts, SparseRows
from tacit.models.ngrams import row_cosines
from tacit.types import Array, ProgressCallback, ProgressCounter

N_CANDIDATES = 10
_BLOCK_TEXTS = 1024  # texts compared in one piece by one thread

_MIN_POOL = 200


class Candidates(NamedTuple):
    """Pairs of texts, sorted by left and right text, with the cosines that they were chosen by."""

    left: Array
    right: Array
    word_cosines: Array
    char_cosines: Array


class _Nearest(NamedTuple):
    """The k nearest texts of each text, best first: the sum of cosines, the text, and the word cosine."""

    scores: Array
    partners: Array
    word_cosines: Array

    @classmethod
    def empty(cls, n: int, k: int) -> _Nearest:
        return cls(np.zeros((n, k), np.float32), np.full((n, k), -1, np.int64), np.zeros((n, k), np.float32))


def find_candidates(
    texts: PairTexts, n_left: int | None = None, k: int = N_CANDIDATES,
    progress: ProgressCallback | None = None,
) -> Candidates:  # fmt: skip
    """Pair each text with its k nearest texts of the other list, in both directions.

    The first ``n_left`` texts are one list, the rest the other; with None, all texts are one list. Pairs
    without a common word or character n-gram are left out.
    """
    n, is_one_list = len(texts), n_left is None
    first, second = ((0, n), (0, n)) if n_left is None else ((0, n_left), (n_left, n))
    if first[1] - first[0] < second[1] - second[0]:
        first, second = second, first  # the shorter list is held as postings, the longer one read in blocks
    n_postings = second[1] - second[0]
    word_postings = _postings(_take_rows(texts.word_rows, *second), texts.n_terms)
    char_postings = _postings(texts.char_rows(*second), texts.n_chars)
    best_second, lock = _Nearest.empty(n_postings, k), threading.Lock()
    blocks = [(first[0] + a, first[0] + b) for a, b in split_range(first[1] - first[0], _BLOCK_TEXTS)]
    counter = ProgressCounter(progress, len(blocks))

    def compare_block(block: tuple[int, int]) -> _Nearest:
        start, stop = block
        nearest = _Nearest.empty(stop - start, k)
        reverse = _Nearest.empty(0 if is_one_list else n_postings, k)
        words, chars = _take_rows(texts.word_rows, start, stop), texts.char_rows(start, stop)
        find_block_nearest(
            words, chars, word_postings, char_postings, start, n_postings, is_one_list, nearest, reverse
        )
        with lock:
            merge_nearest(reverse, best_second)
        counter.advance()
        return nearest

    parts = run_blocks(compare_block, blocks, texts.texts.model.usable_threads)
    best_first = _Nearest(*map(np.concatenate, zip(*parts, strict=True)))
    pairs = _list_pairs(best_first, first[0], second[0]), _list_pairs(best_second, second[0], 0)
    left, right, scores, word_cosines = (np.concatenate(part) for part in zip(*pairs, strict=True))
    left, right = np.minimum(left, right), np.maximum(left, right)
    _, index = np.unique(left * n + right, return_index=True)
    word_cosines = word_cosines[index]
    return Candidates(left[index], right[index], word_cosines, scores[index] - word_cosines)


def _take_rows(rows: SparseRows, first: int, last: int) -> SparseRows:
    offsets = rows.offsets[first : last + 1]
    part = slice(offsets[0], offsets[-1])
    return SparseRows(offsets - offsets[0], rows.columns[part], rows.values[part])


def _postings(rows: SparseRows, n_columns: int) -> SparseRows:
    """Transpose sparse rows: for each column the rows that have it, ascending."""
    offsets, row_of, order = transpose(rows.offsets, rows.columns, n_columns)
    return SparseRows(offsets, row_of, rows.values[order])


def _list_pairs(nearest: _Nearest, first: int, first_partner: int) -> tuple[Array, Array, Array, Array]:
    rows, places = np.nonzero(nearest.partners >= 0)
    scores, partners, word_cosines = (values[rows, places] for values in nearest)
    return rows + first, partners + first_partner, scores, word_cosines


@jit
def add_products(columns, values, postings, sums):  # type: ignore[no-untyped-def]
    """Add the inner products of one sparse row with all rows in the postings to ``sums``."""
    for k in range(len(columns)):
        value = values[k]
        for p in range(postings.offsets[columns[k]], postings.offsets[columns[k] + 1]):
            sums[postings.columns[p]] += value * postings.values[p]


@jit
def insert_partner(nearest, row, score, partner, word_cosine):  # type: ignore[no-untyped-def]
    """Insert a partner at its place among the best of a row: highest score first, then lowest partner."""
    scores, partners, word_cosines = nearest.scores[row], nearest.partners[row], nearest.word_cosines[row]
    place = len(scores)
    while place > 0:
        k = place - 1
        if scores[k] > score or (scores[k] == score and partners[k] >= 0 and partners[k] < partner):
            break
        if place < len(scores):
            scores[place], partners[place], word_cosines[place] = scores[k], partners[k], word_cosines[k]
        place = k
    if place < len(scores):
        scores[place], partners[place], word_cosines[place] = score, partner, word_cosine


@jit
def find_block_nearest(  # type: ignore[no-untyped-def]
    words, chars, word_postings, char_postings, start, n_postings, is_one_list, nearest, reverse
):
    """Fill in the best partners of the texts from ``start`` on, and of the texts in the postings."""
    last = nearest.scores.shape[1] - 1
    word_sums, char_sums = np.zeros(n_postings, np.float32), np.zeros(n_postings, np.float32)
    for row in range(len(nearest.scores)):
        word_sums[:] = 0
        char_sums[:] = 0
        part = slice(words.offsets[row], words.offsets[row + 1])
        add_products(words.columns[part], words.values[part], word_postings, word_sums)
        part = slice(chars.offsets[row], chars.offsets[row + 1])
        add_products(chars.columns[part], chars.values[part], char_postings, char_sums)
        for other in range(n_postings):
            score = word_sums[other] + char_sums[other]
            if score <= 0 or (is_one_list and other == start + row):
                continue
            if score >= nearest.scores[row, last]:
                insert_partner(nearest, row, score, other, word_sums[other])
            if not is_one_list and score >= reverse.scores[other, last]:
                insert_partner(reverse, other, score, start + row, word_sums[other])


@jit
def merge_nearest(source, target):  # type: ignore[no-untyped-def]
    """Insert the partners of each row of ``source`` into the same row of ``target``."""
    for row in range(len(source.scores)):
        for k in range(source.scores.shape[1]):
            if source.partners[row, k] >= 0:
                score, word_cosine = source.scores[row, k], source.word_cosines[row, k]
                insert_partner(target, row, score, source.partners[row, k], word_cosine)


class TeachingSet(NamedTuple):
    """The pairs that are judged and decided on, their features, and the weights before any judgement."""

    pairs: Array
    features: Array
    prior_mean: Array


@dataclass(frozen=True)
class CandidatePairs:
    """Pairs of distinct texts, their features and cosines.

    Texts are numbered from 0. Those of a second list follow the ``n_left`` texts of the first one; with
    ``n_left=None``, there is one list.
    """

    n_texts: int
    n_left: int | None
    left: Array
    right: Array
    features: Array
    word_cosines: Array
    char_cosines: Array
    is_given: bool = False
    """Whether the pairs were given by the caller, who wants a decision on each of them."""

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.left)

    @cached_property
    def scores(self) -> Array:
        """The untaught score of each pair, see `code_scores`."""
        return code_scores(self.features, self.word_cosines, self.char_cosines)

    @cached_property
    def prior_mean(self) -> Array:
        """The weights of a model that has seen no label."""
        return prior_weights(self.features, self.scores)

    @property
    def n_rows(self) -> tuple[int, int]:
        """The number of distinct texts in each of the two lists."""
        n_left = self.n_left or 0
        return n_left, self.n_texts - n_left

    @property
    def graph(self) -> PairGraph:
        """The pairs as a graph."""
        return PairGraph(self.left, self.right)

    @cached_property
    def estimated_links(self) -> EstimatedLinks:
        """The links between the two lists, estimated without labels."""
        cosines = self.word_cosines, self.char_cosines
        model = train_on_seeds(self.features, self.graph, *cosines, self.prior_mean)
        return estimate_links(self.features, self.graph, model, self.prior_mean, self.n_rows)

    @cached_property
    def teaching_set(self) -> TeachingSet:
        """The pairs to judge: links of two lists, best pairs of one list, or all pairs of `pairs_of_rows`."""
        if self.n_left is not None:
            links, p = self.estimated_links.links, self.estimated_links.probabilities
            X = Scaling.fit(links.features).apply(links.features)
            prior_mean, precision = np.zeros(X.shape[1] + 1), ridge_precision(X.shape[1], 1.0)
            return TeachingSet(*links, fit_logistic(X, p, np.ones(len(p)), prior_mean, precision)[0])
        n = len(self) if self.is_given else max(self.n_texts, _MIN_POOL)
        pairs = np.sort(np.argsort(-self.scores, kind="stable")[:n])
        return TeachingSet(pairs, self.features[pairs], self.prior_mean)


def find_pairs(
    texts: PairTexts, n_left: int | None, progress: ProgressCallback | None = None
) -> CandidatePairs:
    """Find the candidate pairs of two lists, or of one list, and compute their features."""
    candidates = find_candidates(texts, n_left, progress=progress)
    left, right, word_cosines, char_cosines = candidates
    features = pair_features(texts, left, right, char_cosines)
    return CandidatePairs(len(texts), n_left, left, right, features, word_cosines, char_cosines)


def pairs_of_rows(texts: PairTexts, left: Array, right: Array) -> CandidatePairs:
    """Create candidate pairs from pairs that the caller has chosen, and compute their features."""
    words = row_cosines((*texts.word_rows, texts.n_terms), left, right)
    chars = row_cosines((*texts.char_rows(0, len(texts)), texts.n_chars), left, right)
    features = pair_features(texts, left, right, chars)
    return CandidatePairs(len(texts), None, left, right, features, words, chars, is_given=True)
