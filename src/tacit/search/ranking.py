"""From queries to hits: candidates by meaning and by words, ordered by a measure.

``search``, the measure of this room, has four equal parts: the latent cosine and the alignment (the two of
the blend), the cosine of the runs of one to three words, and BM25 over what the query scores with itself. The
first two know what is meant, the others what is written; a text scores 1 with itself. Where neither text has
a word that the model knows, there is no cosine, and the other three are the parts. That the parts are equal,
and which they are, was chosen on the development queries of Concept Definition Retrieval.

Where a model knows translations ``search`` is its blend alone: shared words would favour texts of the query's
own language.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice, check_int
from tacit.models.comparison import explain_pair
from tacit.models.measure import score_pairs
from tacit.models.measures import DEFAULT_MEASURE, get_measure, measure_names
from tacit.models.percentiles import (
    affordable_n_pairs,
    compute_quantiles,
    model_percentiles,
    percentiles_of_scores,
    random_pairs,
)
from tacit.models.text_set import TextSet
from tacit.search.bm25 import Asked
from tacit.search.filters import Filter, Where, facet_counts, matching_rows
from tacit.search.record_columns import decode_record
from tacit.search.results import Hit, Hits, WordPair
from tacit.search.snapshot import Snapshot, query_batches
from tacit.storage import release_pages

if TYPE_CHECKING:
    from tacit.search.index import Index

Array = NDArray[Any]

SEARCH_MEASURE = "search"
SEARCH_MEASURES = (*measure_names(), SEARCH_MEASURE)
"""Measures that can order hits."""

PARTS = ("latent", "alignment", "ngram")
CANDIDATES = 200
"""By latent vector, and as many by words."""

TOP_WORDS, LEAST_SHARE = 8, 0.005
"""Pairs of words that a hit shows, and the least a pair has to add."""

PAIRS, LONGEST, SEEN = 2000, 300, 100_000
"""Random pairs of the collection's texts, words of each that are looked at, texts whose words are counted."""


def check_search_measure(measure: str) -> None:
    """Raise an error that lists the measures there are, if this is none."""
    check_choice("measure", measure, SEARCH_MEASURES)


@dataclass(frozen=True)
class SearchOptions:
    """Options of a search, checked; see ``Index.search``."""

    k: int
    measure: str
    where: Filter
    offset: int | None
    counts: bool
    language: str | None
    n_candidates: int | None
    approximate: bool | None

    @classmethod
    def create(
        cls, k: int, measure: str, *, where: Where | Filter | None = None, offset: int | None = None,
        counts: bool = False, language: str | None = None, n_candidates: int | None = None,
        approximate: bool | None = None,
    ) -> SearchOptions:  # fmt: skip
        """Check the options of a search."""
        check_search_measure(measure)
        start = None if offset is None else check_int("offset", offset, min_value=0)
        n_hits, filter_ = check_int("k", k), Filter.create(where)
        return cls(n_hits, measure, filter_, start, counts, language, n_candidates, approximate)

    def n_hits(self, n_excluded: int) -> int:
        """Return how many hits to look up for a page: one more than it shows, if there may be another page.

        Without ``offset`` no further hit is looked up, since more candidates can change the first k.
        """
        return self.k + n_excluded + (0 if self.offset is None else self.offset + 1)


def search_pages(
    index: Index, queries: list[str], excluded: Sequence[AbstractSet[str]], options: SearchOptions
) -> list[Hits]:
    """Return a page of hits for each query, without the texts whose ids are excluded for it."""
    snapshot = index.snapshot
    among = snapshot
    if options.where.conditions:
        among = replace(snapshot, alive=matching_rows(snapshot, options.where))
    counts = facet_counts(snapshot, options.where) if options.counts else None
    codes, pages = list(index.model.languages), dict[int, Hits]()
    # Queries with as many excluded ids go together: what one finds does not depend on the others.
    for n_excluded in sorted({len(ids) for ids in excluded}):
        positions = [i for i, ids in enumerate(excluded) if len(ids) == n_excluded]
        results: list[tuple[list[Hit], int]] = []
        for batch in query_batches(index.model, [queries[i] for i in positions], options.language):
            hits_by_query = _search_batch(index, among, batch, options.n_hits(n_excluded), options)
            results += zip(hits_by_query, batch.language_ids.tolist(), strict=True)
        for i, (hits, language) in zip(positions, results, strict=True):
            pages[i] = _page(hits, excluded[i], options, len(among), counts, codes[language])
    return [pages[i] for i in range(len(queries))]


def _page(
    hits: list[Hit],
    excluded: AbstractSet[str],
    options: SearchOptions,
    total: int,
    counts: Any,
    language: str,
) -> Hits:
    hits = [hit for hit in hits if hit.id not in excluded]
    end = (options.offset or 0) + options.k
    more = None if options.offset is None else len(hits) > end
    return Hits(hits[options.offset or 0 : end], total, language, options.offset, more, counts)


def _search_batch(
    index: Index, snapshot: Snapshot, queries: TextSet, n_hits: int, options: SearchOptions
) -> list[list[Hit]]:
    """Return the best texts of each query; a text that has nothing in common with it is no hit."""
    measure = options.measure
    rows, scores = rank(snapshot, queries, n_hits, measure, options.n_candidates, options.approximate)
    good = (rows >= 0) & (scores > 0)
    query = np.nonzero(good)[0]
    hits = _hits(index, snapshot, queries, query, rows[good], scores[good].astype(np.float64), measure)
    ends = np.cumsum(good.sum(axis=1)).tolist()
    return [hits[a:b] for a, b in pairwise([0, *ends])]


def rank(
    snapshot: Snapshot, queries: TextSet, k: int, measure: str, n_candidates: int | None = None,
    approximate: bool | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """Rows and scores of the k best texts of each query, best first; -1 where there are no more.

    The graphs of the index are asked unless ``approximate`` is False.
    """
    k = min(k, len(snapshot))
    wide = min(max(n_candidates or CANDIDATES, k), max(len(snapshot), 1))
    n_threads = queries.model.usable_threads
    if k == 0:
        return np.full((len(queries), 0), -1), np.zeros((len(queries), 0))
    near = k if measure == "latent" else wide
    scores, rows = snapshot.nearest(queries.vectors, near, approximate is not False, n_threads)
    if measure == "latent":
        return rows, np.clip(scores, -1, 1)
    asked, by_words = snapshot.best_by_words(queries, wide, n_threads)
    return _reranked(snapshot, queries, asked, np.concatenate([rows, by_words], axis=1), k, measure)


def _reranked(
    snapshot: Snapshot, queries: TextSet, asked: Asked, candidates: Array, k: int, measure: str
) -> tuple[Array, Array]:
    """The k best of each query's candidates by the measure; equal scores in the order of their rows."""
    candidates = np.sort(candidates, axis=1)
    again = np.zeros(candidates.shape, np.bool_)
    again[:, 1:] = candidates[:, 1:] == candidates[:, :-1]
    candidates[again] = -1
    left = np.nonzero(candidates >= 0)[0]
    scores = np.full(candidates.shape, -np.inf)
    rows = candidates[candidates >= 0]
    scores[candidates >= 0] = score_rows(snapshot, queries, asked, left, rows, measure)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(candidates, order, axis=1), np.take_along_axis(scores, order, axis=1)


def score_rows(
    snapshot: Snapshot, queries: TextSet, asked: Asked, left: Array, rows: Array, measure: str
) -> Array:
    """The measure of query ``left[i]`` with the text of row ``rows[i]``, for every i."""
    distinct, places = np.unique(rows, return_inverse=True)
    texts = snapshot.taken(distinct, beside=queries)
    return score_texts(texts, asked, left, places, measure, len(distinct))


def score_texts(texts: TextSet, asked: Asked, left: Array, places: Array, measure: str, n: int) -> Array:
    """The measure of query ``left[i]`` with text ``places[i]`` of a set of n texts and then the queries."""
    pairs = (n + left, places)
    if measure != SEARCH_MEASURE:
        return score_pairs(get_measure(measure), texts, *pairs)
    if texts.model.is_multilingual:
        return score_pairs(get_measure(DEFAULT_MEASURE), texts, *pairs)
    parts = [score_pairs(get_measure(name), texts, *pairs) for name in PARTS]
    known = np.asarray(texts.vectors.any(axis=1))
    speaking = np.where(known[pairs[0]] | known[pairs[1]], 4, 3)
    found: Array = (sum(parts, np.zeros(len(left))) + asked.shares(texts, left, places)) / speaking
    return found


def estimate_score_quantiles(snapshot: Snapshot) -> Array:
    """The quantiles of the scores by ``search`` of random pairs of the collection's texts."""
    living = np.flatnonzero(snapshot.alive)
    if len(living) < 2:
        return compute_quantiles(np.zeros(1))
    seen = living[:: -(-len(living) // SEEN)]
    lengths = np.minimum(snapshot.lengths(seen), LONGEST)
    left, right = random_pairs(len(living), affordable_n_pairs(lengths, min(PAIRS, 10 * len(living))))
    asking, own = np.unique(living[left], return_inverse=True)
    answering, places = np.unique(living[right], return_inverse=True)
    queries, texts = _spared(snapshot, asking), _spared(snapshot, answering)
    asked, _ = snapshot.asked(queries)
    together = TextSet.concat([texts, queries])
    return compute_quantiles(score_texts(together, asked, own, places, SEARCH_MEASURE, len(texts)))


def _spared(snapshot: Snapshot, rows: Array) -> TextSet:
    """The beginnings of texts, taken a segment at a time: rows from all over map much of the files."""
    owner = np.searchsorted(snapshot.starts, rows, side="right") - 1
    parts = []
    for number in np.unique(owner).tolist():
        parts.append(snapshot.taken(rows[owner == number], LONGEST))
        part = snapshot.segments[number].part
        if part is not None:
            release_pages(part.arrays)
    return TextSet.concat(parts)


def _hits(
    index: Index, snapshot: Snapshot, queries: TextSet, query: Array, rows: Array, scores: Array, measure: str
) -> list[Hit]:
    """What was found: ``query[i]`` with the text of row ``rows[i]``, for every i."""
    percentiles = _percentiles(index, queries.language_ids[query], snapshot.spoken(rows), scores, measure)
    own = "blend" if measure == SEARCH_MEASURE or not get_measure(measure).is_explainable else measure

    def explained(number: int, row: int) -> list[WordPair]:
        pair = snapshot.taken(np.array([row]), beside=queries.take(np.array([number])))
        found = explain_pair(pair, get_measure(own), 1, 0).top(TOP_WORDS)
        return [each for each in found if each[2] >= LEAST_SHARE]

    why = [partial(explained, number) for number in range(len(queries))]
    columns = map(decode_record, snapshot.records.decode(rows))
    ids, texts = snapshot.ids.decode(rows), snapshot.texts.decode(rows)
    lists = (array.tolist() for array in (scores, percentiles, rows, query))
    return [
        Hit(name, text, score, percentile, kept, row, why[number])
        for name, text, kept, score, percentile, row, number in zip(ids, texts, columns, *lists, strict=True)
    ]


def _percentiles(index: Index, asked: Array, found: Array, scores: Array, measure: str) -> Array:
    """How telling each score is: in this collection, or for texts of the two languages, given by number."""
    if measure == SEARCH_MEASURE:
        return percentiles_of_scores(index.score_quantiles, scores)
    codes, percentiles = list(index.model.languages), np.zeros(len(scores))
    for a, b in {*zip(asked.tolist(), found.tolist(), strict=True)}:
        own = (asked == a) & (found == b)
        percentiles[own] = model_percentiles(index.model, scores[own], measure, codes[a], codes[b])
    return percentiles
