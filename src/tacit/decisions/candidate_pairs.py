"""Candidate pairs of one or two lists, with their features, cosines and scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tacit.decisions.candidates import find_candidates
from tacit.decisions.code_score import code_scores, prior_weights
from tacit.decisions.linking import PairGraph, ridge_precision, train_on_seeds
from tacit.decisions.logistic import Scaling, fit_logistic
from tacit.decisions.pair_features import pair_features
from tacit.decisions.rejection import EstimatedLinks, estimate_links
from tacit.decisions.texts import PairTexts
from tacit.models.ngrams import row_cosines
from tacit.types import Array, ProgressCallback

_MIN_POOL = 200


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
