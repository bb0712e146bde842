"""Rank texts for a query: candidates by vector and by BM25, re-ranked by a measure.

The measure ``hybrid`` is the mean of four parts: latent cosine and alignment (the two parts of the blend),
the cosine of word 1- to 3-grams, and the BM25 score divided by that of the query with itself. A text scores 1
with itself. If neither text has a word that the model knows, the latent cosine is left out. The parts and
their equal weights were selected on the development queries of Concept Definition Retrieval. For models of
several languages ``hybrid`` is the blend, because shared words would favor texts in the query's language.
The cosine of outside vectors is added to the mean, see ``models.outside``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice, pairwise

import numpy as np

from tacit.checks import check_choice, check_int
from tacit.models import percentiles as random_scores
from tacit.models.comparison import explain_pair
from tacit.models.measure import score_pairs
from tacit.models.measures import DEFAULT_MEASURE, get_measure, measure_names
from tacit.models.outside import combine_scores
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.search.bm25 import QueryTerms
from tacit.search.filters import FacetCounts, Filter, Where, facet_counts, matching_rows
from tacit.search.match_strength import MatchRater, RatedTerms
from tacit.search.record_columns import decode_record
from tacit.search.results import Hit, Hits, WordPair
from tacit.search.snapshot import Snapshot, query_batches
from tacit.search.stored_vectors import row_products
from tacit.storage import release_pages
from tacit.types import Array

HYBRID = "hybrid"
HYBRID_ALIAS = "search"
"""The former name of the measure."""

SEARCH_MEASURES = (HYBRID, *measure_names(), HYBRID_ALIAS)
"""Measures that can order hits, the default first."""

SEARCH_PARTS = ("latent", "alignment", "ngram")
"""Measures whose mean with BM25 is ``hybrid``."""

DEFAULT_CANDIDATES = 200
"""Candidates by latent vector, and as many by BM25."""

MAX_WORD_PAIRS, MIN_WORD_SHARE = 8, 0.005
"""Word pairs that explain a hit, and the smallest part of the score that a pair may contribute."""

N_RANDOM_PAIRS, MAX_TOKENS, LENGTH_SAMPLE = 2000, 300, 100_000
"""For score quantiles: random pairs of texts, tokens of each text, and texts whose lengths bound the work."""


@dataclass
class SearchOptions:
    """Validated options of a search; see ``Index.search``."""

    k: int
    measure: str
    where: Where | Filter | None = None
    offset: int | None = None
    counts: bool = False
    language: str | None = None
    n_candidates: int | None = None
    approximate: bool | None = None
    outside_vectors: Array | None = None

    def __post_init__(self) -> None:
        self.measure = resolve_measure(self.measure)
        if self.offset is not None:
            self.offset = check_int("offset", self.offset, min_value=0)
        self.k, self.filter = check_int("k", self.k), Filter.create(self.where)

    def n_hits(self, n_excluded: int) -> int:
        """Return how many hits to look up for a page: one more than it shows, if there may be another page.

        Without ``offset`` no further hit is looked up, since more candidates can change the first k.
        """
        return self.k + n_excluded + (0 if self.offset is None else self.offset + 1)


def resolve_measure(name: str) -> str:
    """Return the name of a measure that can order hits, for its name or alias.

    >>> resolve_measure("search"), resolve_measure("latent")
    ('hybrid', 'latent')
    """
    check_choice("measure", name, SEARCH_MEASURES)
    return HYBRID if name == HYBRID_ALIAS else name


def search_texts(
    snapshot: Snapshot, score_quantiles: Array | None, queries: list[str],
    excluded: Sequence[AbstractSet[str]], options: SearchOptions,
) -> list[Hits]:  # fmt: skip
    """Return a page of hits for each query, without the texts whose ids are excluded for it.

    ``score_quantiles`` are those of the measure ``hybrid``; other measures do not need them.
    """
    searched = snapshot
    if options.filter != Filter():
        searched = replace(snapshot, alive=matching_rows(snapshot, options.filter))
    counts = facet_counts(snapshot, options.filter) if options.counts else None
    pages: dict[int, Hits] = {}
    # Queries with the same number of excluded ids form batches: a result does not depend on other queries.
    for n_excluded in sorted({len(ids) for ids in excluded}):
        positions = [i for i, ids in enumerate(excluded) if len(ids) == n_excluded]
        outside = None if options.outside_vectors is None else options.outside_vectors[positions]
        texts, id_sets = [queries[i] for i in positions], iter([excluded[i] for i in positions])
        results: list[Hits] = []
        for batch in query_batches(snapshot.model, texts, options.language, outside):
            batch_sets = list(islice(id_sets, len(batch)))
            results += _search_batch(searched, score_quantiles, batch, batch_sets, counts, options)
        pages |= zip(positions, results, strict=True)
    return [pages[i] for i in range(len(queries))]


def _search_batch(
    snapshot: Snapshot, score_quantiles: Array | None, queries: TextSet,
    excluded: Sequence[AbstractSet[str]], counts: FacetCounts | None, options: SearchOptions,
) -> Iterator[Hits]:  # fmt: skip
    """Yield a page of hits for each query of a batch; texts whose score is not positive are no hits."""
    measure, n_hits = options.measure, options.n_hits(len(excluded[0]))
    rows, scores = rank(snapshot, queries, n_hits, measure, options.n_candidates, options.approximate)
    is_hit = (rows >= 0) & (scores > 0)
    query_rows, rows, scores = np.nonzero(is_hit)[0], rows[is_hit], scores[is_hit].astype(np.float64)
    if score_quantiles is not None:
        percentiles = random_scores.percentiles_of_scores(score_quantiles, scores)
    else:
        languages = queries.language_ids[query_rows], snapshot.language_ids(rows)
        percentiles = _percentiles_by_language(snapshot.model, *languages, scores, measure)
    hits_of_batch = _make_hits(snapshot, queries, query_rows, rows, scores, percentiles, measure)
    ends = np.cumsum([0, *is_hit.sum(axis=1)]).tolist()
    # the constants of the rating are fitted for the measure without outside vectors
    is_rated = measure == HYBRID and not snapshot.model.is_multilingual and queries.outside_vectors is None
    rated_terms = cache(partial(RatedTerms.from_queries, snapshot, queries))
    codes, start = list(snapshot.model.languages), options.offset or 0
    for query, (first, last) in enumerate(pairwise(ends)):
        hits = [hit for hit in hits_of_batch[first:last] if hit.id not in excluded[query]]
        rater = None
        if is_rated:
            rated = snapshot.without_ids(excluded[query])
            rater = MatchRater(rated, rated_terms, query, {hit.row: hit.score for hit in hits})
        more = None if options.offset is None else len(hits) > start + options.k
        page, language = hits[start : start + options.k], codes[queries.language_ids[query]]
        find_unknown = partial(_unknown_words, snapshot, queries, query)
        yield Hits(page, len(snapshot), language, options.offset, more, counts, rater, find_unknown)


def _make_hits(
    snapshot: Snapshot, queries: TextSet, query_rows: Array, rows: Array, scores: Array, percentiles: Array,
    measure: str,
) -> list[Hit]:  # fmt: skip
    """Make a hit of each row of the snapshot, found for the query in the same position of ``query_rows``."""
    is_explainable = measure != HYBRID and get_measure(measure).is_explainable
    explaining_measure = get_measure(measure if is_explainable else "blend")

    def explain_row(query: int, row: int) -> list[WordPair]:
        pair = snapshot.text_set(np.array([row]), append=queries.take(np.array([query])))
        word_pairs = explain_pair(pair, explaining_measure, 1, 0).top(MAX_WORD_PAIRS)
        return [pair for pair in word_pairs if pair[2] >= MIN_WORD_SHARE]

    columns = map(decode_record, snapshot.records.decode(rows))
    ids, texts = snapshot.ids.decode(rows), snapshot.texts.decode(rows)
    hits = map(Hit, ids, texts, scores.tolist(), percentiles.tolist(), columns, rows.tolist())
    outside = _outside_parts(snapshot, queries, query_rows, rows, measure)
    parts = zip(hits, query_rows.tolist(), outside, strict=True)
    return [hit.with_explanation(partial(explain_row, query), part) for hit, query, part in parts]


def _outside_parts(
    snapshot: Snapshot, queries: TextSet, query_rows: Array, rows: Array, measure: str
) -> list[float | None]:
    """Return what the outside vectors add to the score of each hit; None without them."""
    if queries.outside_vectors is None or measure not in (HYBRID, DEFAULT_MEASURE):
        return [None] * len(rows)
    assert snapshot.model.outside is not None
    positions = np.arange(len(rows)), query_rows
    cosines = row_products(snapshot.outside_vectors(rows), queries.outside_vectors, *positions)
    return (snapshot.model.outside.share * cosines).tolist()


def _unknown_words(snapshot: Snapshot, queries: TextSet, query: int) -> list[str]:
    """Return the words of a query that neither the model nor a text of the snapshot has."""
    text = queries.take(np.array([query]))
    if not (words := text.unknown_words(0)):
        return []
    terms = TextSet.from_texts(snapshot.model, words, list(snapshot.model.languages)[text.language_ids[0]])
    found = snapshot.query_terms(terms)
    return [
        word
        for i, word in enumerate(words)
        if not found.df[found.term_ids[found.starts[i] : found.starts[i + 1]]].any()
    ]


def rank(
    snapshot: Snapshot, queries: TextSet, k: int, measure: str, n_candidates: int | None = None,
    approximate: bool | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """Return rows and scores of the k best texts of each query, best first; row -1 where there are no more.

    Graphs of the index are used unless ``approximate`` is False.
    """
    k = min(k, len(snapshot))
    n_candidates = min(max(n_candidates or DEFAULT_CANDIDATES, k), max(len(snapshot), 1))
    if k == 0:
        return np.full((len(queries), 0), -1), np.zeros((len(queries), 0))
    n_nearest = k if measure == "latent" else n_candidates
    scores, rows = snapshot.nearest(queries.vectors, n_nearest, approximate is not False)
    if measure == "latent":
        return rows, np.clip(scores, -1, 1)
    query_terms = snapshot.query_terms(queries)
    found = [rows, snapshot.top_by_bm25(query_terms, n_candidates)]
    if queries.outside_vectors is not None:
        found.append(snapshot.nearest_outside(queries.outside_vectors, n_candidates))
    candidates = np.concatenate(found, axis=1)
    return _rerank(snapshot, queries, query_terms, candidates, k, measure)


def _rerank(
    snapshot: Snapshot, queries: TextSet, query_terms: QueryTerms, candidates: Array, k: int, measure: str
) -> tuple[Array, Array]:
    """Return the k best of each query's candidates by a measure; equal scores in the order of their rows."""
    candidates = np.sort(candidates, axis=1)
    candidates[:, 1:][candidates[:, 1:] == candidates[:, :-1]] = -1  # found in several ways
    is_text, scores = candidates >= 0, np.full(candidates.shape, -np.inf)
    distinct, text_rows = np.unique(candidates[is_text], return_inverse=True)
    texts, query_rows = snapshot.text_set(distinct, append=queries), np.nonzero(is_text)[0]
    scores[is_text] = score_text_pairs(texts, query_terms, query_rows, text_rows, measure, len(distinct))
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(candidates, order, axis=1), np.take_along_axis(scores, order, axis=1)


def score_text_pairs(
    texts: TextSet, query_terms: QueryTerms, query_rows: Array, text_rows: Array, measure: str, n: int
) -> Array:
    """Score query ``query_rows[i]`` with text ``text_rows[i]``; ``texts`` are n texts, then the queries."""
    pairs = (n + query_rows, text_rows)
    if measure != HYBRID:
        return score_pairs(get_measure(measure), texts, *pairs)
    if texts.model.is_multilingual:
        return score_pairs(get_measure(DEFAULT_MEASURE), texts, *pairs)
    parts = [score_pairs(get_measure(name), texts, *pairs) for name in SEARCH_PARTS]
    is_known = np.asarray(texts.vectors.any(axis=1))
    n_parts = np.where(is_known[pairs[0]] | is_known[pairs[1]], 4, 3)
    bm25 = query_terms.normalized_scores(texts, query_rows, text_rows)
    scores: Array = (sum(parts, np.zeros(len(query_rows))) + bm25) / n_parts
    return combine_scores(texts, *pairs, scores)


def estimate_score_quantiles(snapshot: Snapshot, measure: str = HYBRID, has_outside: bool = True) -> Array:
    """Compute the quantiles of the scores of random pairs of texts by a measure."""
    alive = np.flatnonzero(snapshot.alive)
    if len(alive) < 2:
        return random_scores.compute_quantiles(np.zeros(1))
    sample = alive[:: -(-len(alive) // LENGTH_SAMPLE)]
    lengths = np.zeros(len(sample), np.int64)
    snapshot.gather(sample, lengths, lambda segment, rows: np.diff(segment.token_starts)[rows])
    lengths = np.minimum(lengths, MAX_TOKENS)
    n_pairs = random_scores.affordable_n_pairs(lengths, min(N_RANDOM_PAIRS, 10 * len(alive)))
    left, right = random_scores.random_pairs(len(alive), n_pairs)
    query_distinct, query_rows = np.unique(alive[left], return_inverse=True)
    text_distinct, text_rows = np.unique(alive[right], return_inverse=True)
    queries, texts = load_truncated(snapshot, query_distinct), load_truncated(snapshot, text_distinct)
    both, query_terms = TextSet.concat([texts, queries]), snapshot.query_terms(queries)
    if not has_outside:
        both.outside_vectors = None
    scores = score_text_pairs(both, query_terms, query_rows, text_rows, measure, len(texts))
    return random_scores.compute_quantiles(scores)


def load_truncated(snapshot: Snapshot, rows: Array) -> TextSet:
    """Load the texts of ascending rows, cut to `MAX_TOKENS` tokens.

    The memory of each segment is released before the next one.
    """
    parts = []
    for segment, segment_rows, _ in snapshot.group_by_segment(rows):
        parts.append(segment.text_set(segment_rows, MAX_TOKENS))
        if segment.file is not None:
            release_pages(segment.file.arrays)
    return TextSet.concat(parts)


def _percentiles_by_language(
    model: TextModel, query_languages: Array, text_languages: Array, scores: Array, measure: str
) -> Array:
    """Return the percentile of each score among those of random pairs of texts in the same two languages."""
    codes, percentiles = list(model.languages), np.zeros(len(scores))
    for a, b in {*zip(query_languages.tolist(), text_languages.tolist(), strict=True)}:
        is_pair = (query_languages == a) & (text_languages == b)
        percentiles[is_pair] = random_scores.model_percentiles(
            model, scores[is_pair], measure, codes[a], codes[b]
        )
    return percentiles
