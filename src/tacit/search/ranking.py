"""From queries to hits: candidates by meaning and by words, ordered by a measure.

``search``, the measure of this room, has four equal parts: the latent cosine and the alignment (the two of
the blend), the cosine of the runs of one to three words, and BM25 over what the query scores with itself. The
first two know what is meant, the others what is written; a text scores 1 with itself. That the parts are
equal, and which they are, was chosen on the development queries of Concept Definition Retrieval.

Where a model knows translations ``search`` is its blend alone: shared words would favour texts of the query's
own language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import choice
from tacit.compute.nearest import nearest
from tacit.models.explanation import explain_pair
from tacit.models.measure import score_pairs
from tacit.models.measures import DEFAULT, find_measure, measure_names
from tacit.models.percentiles import percentile_in, percentiles_of, quantiles, random_pairs
from tacit.models.text_set import TextSet
from tacit.search.collection import Collection
from tacit.search.results import Hit, WordPair

if TYPE_CHECKING:
    from tacit.search.index import Index

Array = NDArray[Any]

SEARCH = "search"
PARTS = ("latent", "alignment", "ngram")
CANDIDATES = 200
"""By latent vector, and as many by words."""

TOP_WORDS, LEAST_SHARE = 8, 0.005
"""Pairs of words that a hit shows, and the least a pair has to add."""

PAIRS, LONGEST = 2000, 300
"""Random pairs of the collection's texts, and the words of each that are looked at."""

_QUERIES = 64  # at once: their candidates' words are aligned together


def search_measures() -> list[str]:
    """The measures that can order hits."""
    return [*measure_names(), SEARCH]


def check_search_measure(measure: str) -> None:
    """Raise an error that lists the measures there are, if this is none."""
    choice("measure", measure, search_measures())


def ranked(
    now: Collection, queries: TextSet, k: int, measure: str, n_candidates: int | None = None,
    approximate: bool | None = None,
) -> Iterator[tuple[Array, Array]]:  # fmt: skip
    """Rows and scores of the k best texts of each query."""
    k = min(k, len(now))
    wide = min(max(n_candidates or CANDIDATES, k), max(len(now), 1))
    n_threads = queries.model.usable_threads
    for start in range(0, len(queries), _QUERIES):
        part = queries.taken(np.arange(start, min(start + _QUERIES, len(queries))))
        if k == 0:
            yield from ((np.zeros(0, np.int64), np.zeros(0)) for _ in range(len(part)))
            continue
        near = k if measure == "latent" else wide
        scores, rows = latent_candidates(now, part.vectors, near, approximate, n_threads)
        if measure == "latent":
            yield from ((r[r >= 0], np.clip(s[r >= 0], -1, 1)) for s, r in zip(scores, rows, strict=True))
        else:
            _, by_words = now.postings.best(part, wide, now.alive, n_threads)
            yield from _reranked(now, part, np.concatenate([rows, by_words], axis=1), k, measure)


def latent_candidates(
    now: Collection, vectors: Array, k: int, approximate: bool | None, n_threads: int
) -> tuple[Array, Array]:
    """The k nearest by latent vector; by the graph if there is one, unless the exact ones are asked for."""
    k = min(k, len(now))
    if now.graph is None or approximate is False:
        return nearest(now.vectors, vectors, k, now.alive, n_threads)
    return now.graph.nearest(now.vectors, vectors, k, now.alive, n_threads)


def _reranked(
    now: Collection, queries: TextSet, candidates: Array, k: int, measure: str
) -> Iterator[tuple[Array, Array]]:
    """The k best of each query's candidates by the measure; equal scores in the order of their rows."""
    rows_of = [np.unique(row[row >= 0]) for row in candidates]
    sizes = [len(rows) for rows in rows_of]
    left = np.repeat(np.arange(len(queries)), sizes)
    scores = score_rows(now, queries, left, np.concatenate(rows_of), measure)
    for own, of_own in zip(rows_of, np.split(scores, np.cumsum(sizes)[:-1]), strict=True):
        order = np.lexsort((own, -of_own))[:k]
        yield own[order], of_own[order]


def score_rows(
    now: Collection, queries: TextSet, left: Array, rows: Array, measure: str, longest: int | None = None
) -> Array:
    """The measure of query ``left[i]`` with the text of row ``rows[i]``, for every i."""
    distinct, places = np.unique(rows, return_inverse=True)
    texts = now.seen.taken(distinct, longest).beside(queries)
    pairs = (len(distinct) + left, places)
    if measure != SEARCH:
        return score_pairs(find_measure(measure), texts, *pairs)
    if texts.model.knows_translations:
        return score_pairs(find_measure(DEFAULT), texts, *pairs)
    parts = [score_pairs(find_measure(name), texts, *pairs) for name in PARTS]
    found: Array = (sum(parts, np.zeros(len(left))) + now.postings.shares(queries, left, rows)) / 4
    return found


def search_quantiles(now: Collection) -> Array:
    """The quantiles of the scores by ``search`` of random pairs of the collection's texts."""
    living = np.flatnonzero(now.alive)
    if len(living) < 2:
        return quantiles(np.zeros(1))
    left, right = random_pairs(len(living), min(PAIRS, 10 * len(living)))
    distinct, places = np.unique(living[left], return_inverse=True)
    queries = now.seen.taken(distinct, LONGEST)
    return quantiles(score_rows(now, queries, places, living[right], SEARCH, LONGEST))


def hits_of(index: Index, now: Collection, queries: TextSet, number: int, rows: Array, scores: Array,
            measure: str) -> list[Hit]:  # fmt: skip
    """What was found for one query; what has nothing in common with it is no answer to it."""
    good = scores > 0
    percentiles = _percentiles(index, now, int(queries.spoken[number]), rows[good], scores[good], measure)
    own = "blend" if measure == SEARCH or not find_measure(measure).explains else measure

    def explained(row: int) -> list[WordPair]:
        pair = now.seen.taken(np.array([row])).beside(queries.taken(np.array([number])))
        found = explain_pair(pair, find_measure(own), 1, 0).top(TOP_WORDS)
        return [each for each in found if each[2] >= LEAST_SHARE]

    return [
        Hit(now.ids[row], now.texts[row], score, percentile, now.columns(row), row, explained)
        for row, score, percentile in zip(
            rows[good].tolist(), scores[good].tolist(), percentiles, strict=True
        )
    ]


def _percentiles(
    index: Index, now: Collection, spoken: int, rows: Array, scores: Array, measure: str
) -> list[float]:
    """How telling each score is: in this collection, or for texts of the two languages."""
    if measure == SEARCH:
        return [float(each) for each in percentile_in(index.quantiles, scores)]
    codes = list(index.model.languages)
    return [
        float(percentiles_of(index.model, score, measure, codes[spoken], codes[now.seen.spoken[row]]))
        for row, score in zip(rows.tolist(), scores.tolist(), strict=True)
    ]
