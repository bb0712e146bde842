"""Match strength: a word for how well hits fit a query, from one search by the measure ``hybrid``.

A logistic model estimates the probability that a query is about the collection at all. Its features are the
best score, the words that the query shares with the texts, and the sizes of both. It recognizes unrelated
queries, not missing answers: a related query is strong even where the text that answers it is missing.
``benchmarks/match_strength.py`` fits the constants.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tacit.models.text_set import TextSet
from tacit.search.bm25 import QueryTerms
from tacit.search.snapshot import Snapshot
from tacit.text.name_words import function_words
from tacit.types import Array

STRONG, POSSIBLE, WEAK, NO_GOOD_MATCH = LEVELS = ("strong", "possible", "weak", "no good match")
MIN_PROBABILITIES = (0.9, 0.5, 0.2, 0.0)
"""Lowest probability of each level."""

INTERCEPT = -11.4
COEFFICIENTS = np.array([20.86, 3.88, 3.06, -0.53, 1.69])
"""Coefficients of the features, in the order of `match_features`."""

MIN_DISTINCTIVE_IDF = 0.4
"""A word with a larger idf, as a share of the logarithm of the number of texts, is distinctive."""


class RatedTerms(NamedTuple):
    """The terms of a batch of queries, and whether each is a function word, such as *how* and *do*."""

    terms: QueryTerms
    is_function: Array

    @classmethod
    def from_queries(cls, snapshot: Snapshot, queries: TextSet) -> RatedTerms:
        """Look up the terms of queries."""
        terms, language = snapshot.query_terms(queries), snapshot.model.pivot.code
        functional = TextSet.from_texts(snapshot.model, [" ".join(sorted(function_words(language)))])
        names = functional.tokens.id_of_term
        return cls(terms, np.array([term in names for term in terms.terms], np.bool_))


class MatchRater:
    """Rates the hits of one query; nothing is computed before the first rating.

    Parameters
    ----------
    snapshot : Snapshot
        The texts that were searched; rows that are not ``alive`` have no influence.
    rated_terms : callable
        Returns the terms of a batch of queries.
    query : int
        The position of the query in the batch.
    scores : dict of int to float
        The scores of the hits by row, best first.
    """

    def __init__(
        self, snapshot: Snapshot, rated_terms: Callable[[], RatedTerms], query: int, scores: dict[int, float]
    ) -> None:
        self._snapshot, self._rated_terms, self._query, self._scores = snapshot, rated_terms, query, scores

    @cached_property
    def overlap(self) -> WordOverlap:
        """The words that the query shares with the texts."""
        return WordOverlap(self._snapshot, self._rated_terms(), self._query)

    @cached_property
    def level(self) -> str:
        """The level of the query: that of its best score and of the text that shares most of its words."""
        if not self._scores:
            return NO_GOOD_MATCH
        row, score = next(iter(self._scores.items()))
        return self._rate(score, self.overlap.mass.max(), row)

    def level_of_row(self, row: int) -> str:
        """Return the level of a hit: that of its own score and words."""
        return self._rate(self._scores[row], self.overlap.mass[row], row)

    def _rate(self, score: float, mass: float, row: int) -> str:
        overlap = self.overlap
        if not overlap.has_known_content:
            return NO_GOOD_MATCH
        features = match_features(overlap, score, mass / max(overlap.idf.sum(), 1e-9))
        probability = 1 / (1 + np.exp(-(INTERCEPT + features @ COEFFICIENTS)))
        level = next(i for i, minimum in enumerate(MIN_PROBABILITIES) if probability >= minimum)
        is_distinctive = overlap.max_idf[row] >= MIN_DISTINCTIVE_IDF * np.log(max(overlap.n_texts, 1))
        return LEVELS[level if is_distinctive else max(level, LEVELS.index(WEAK))]


class WordOverlap:
    """The words that a query shares with the texts of a snapshot, weighted by idf.

    ``idf`` has the weight ln((N + 1) / (df + 0.5)) of each distinct word of the query, ``mass[row]`` the sum
    of the weights of those that a text has, ``max_idf[row]`` the largest weight of those that are content
    words. ``has_known_content`` says whether any text has a content word of the query; function words count
    as content words of a query without others.
    """

    def __init__(self, snapshot: Snapshot, rated_terms: RatedTerms, query: int) -> None:
        terms, is_function = rated_terms
        term_ids = terms.term_ids[terms.starts[query] : terms.starts[query + 1]]
        is_content = ~is_function[term_ids] | is_function[term_ids].all()
        n_rows, df = len(snapshot.alive), terms.df[term_ids]
        self.n_texts = len(snapshot)
        self.idf = np.log((n_rows + 1) / (df + 0.5))
        self.mass, self.max_idf = np.zeros(n_rows), np.zeros(n_rows)
        self.has_known_content = bool((is_content & (df > 0)).any())
        for (segment, first, _), ids in zip(snapshot.segment_ranges, terms.segment_ids, strict=True):
            postings = segment.postings
            for idf, term, counts in zip(self.idf, ids[term_ids].tolist(), is_content, strict=True):
                if term >= 0:
                    rows = first + postings.rows[postings.offsets[term] : postings.offsets[term + 1]]
                    self.mass[rows] += idf
                    self.max_idf[rows] = np.maximum(self.max_idf[rows], idf * counts)
        self.mass[~snapshot.alive] = 0
        self.known_share = float(self.idf[df > 0].sum() / max(self.idf.sum(), 1e-9))


def match_features(overlap: WordOverlap, score: float, coverage: float) -> Array:
    """Return the features of the logistic model.

    Parameters
    ----------
    overlap : WordOverlap
        The words of the query.
    score : float
        The score of the best hit.
    coverage : float
        The share of the query's weight that one text covers.

    Returns
    -------
    ndarray of shape (5,)
        Score, coverage, share of known words, logarithms of the number of texts and of distinct words.
    """
    sizes = np.log(max(overlap.n_texts, 1)), np.log1p(len(overlap.idf))
    return np.array([score, coverage, overlap.known_share, *sizes])
