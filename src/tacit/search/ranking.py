"""From queries to hits: candidates by meaning and by words, ordered by a measure.

``search``, the measure of this room, has four equal parts: the latent cosine and the alignment (the two of
the blend), the cosine of the runs of one to three words, and BM25 over what the query scores with itself. The
first two know what is meant, the others what is written; a text scores 1 with itself. That the parts are
equal, and which they are, was chosen on the development queries of Concept Definition Retrieval.

With a model of several languages ``search`` is its blend alone: shared words would favour texts of the
query's own language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.compute.nearest import nearest
from tacit.crosslingual import is_crosslingual
from tacit.errors import InputError
from tacit.search.pairs import pair_scorer
from tacit.search.results import Hit
from tacit.sentences.measures import MEASURES
from tacit.sentences.wtmf import WTMF

if TYPE_CHECKING:
    from tacit.search.index import Index

Array = NDArray[Any]

SEARCH = "search"
PARTS = ("latent", "alignment", "ngram")
CANDIDATES = 200
"""By latent vector, and as many by words."""

TOP_WORDS, LEAST_SHARE = 8, 0.005
"""Pairs of words that a hit shows, and the least a pair has to add."""

PAIRS, STEPS = 2000, 1000
"""Random pairs of the collection's texts, and the quantiles kept of their scores."""

_QUERIES = 64  # at once: their candidates' words are aligned together


def check_search_measure(measure: str) -> None:
    """Raise an error that lists the measures there are, if this is none."""
    if measure != SEARCH and measure not in MEASURES:
        raise InputError(f"measure={measure!r}: use one of {SEARCH}, {', '.join(MEASURES)}")


def search_many(
    index: Index, queries: list[str], k: int, measure: str, explain: bool, n_candidates: int | None,
    approximate: bool | None, language: str | None,
) -> list[list[Hit]]:  # fmt: skip
    """The hits of each query."""
    found = ranked(index, queries, k, measure, n_candidates, approximate, language)
    hits = []
    for query, (rows, scores) in zip(queries, found, strict=True):
        chances = index.percentile(scores, measure)
        hits.append(
            [
                _hit(index, query, int(row), float(score), float(chance), measure, explain, language)
                for row, score, chance in zip(rows, scores, chances, strict=True)
                if score > 0  # what has nothing in common with a query is no answer to it
            ]
        )
    return hits


def ranked(
    index: Index, queries: list[str], k: int, measure: str = SEARCH, n_candidates: int | None = None,
    approximate: bool | None = None, language: str | None = None,
) -> Iterator[tuple[Array, Array]]:  # fmt: skip
    """Rows and scores of the k best texts of each query."""
    k = min(k, len(index))
    wide = max(n_candidates or CANDIDATES, k)
    for start in range(0, len(queries), _QUERIES):
        part = queries[start : start + _QUERIES]
        if k == 0:
            yield from ((np.zeros(0, np.int64), np.zeros(0)) for _ in part)
            continue
        near = k if measure == "latent" else wide
        scores, rows = latent_candidates(index, part, near, approximate, language)
        if measure == "latent":
            yield from ((r[r >= 0], np.clip(s[r >= 0], -1, 1)) for s, r in zip(scores, rows, strict=True))
        else:
            _, by_words = index.words.best(part, wide, index.alive, index.n_threads)
            candidates = np.concatenate([rows, by_words], axis=1)
            yield from _reranked(index, part, candidates, k, measure, language)


def latent_candidates(
    index: Index, queries: list[str], k: int, approximate: bool | None, language: str | None = None
) -> tuple[Array, Array]:
    """The k nearest by latent vector; by the graph if there is one, unless the exact ones are asked for."""
    vectors = unit(np.asarray(encoded(index.model, queries, language), np.float32))
    k = min(k, len(index))
    if index.graph is None or approximate is False:
        return nearest(index.vectors, vectors, k, index.alive, index.n_threads)
    return index.graph.nearest(index.vectors, vectors, k, index.alive, index.n_threads)


def encoded(model: Any, texts: list[str], language: str | None) -> Array:
    """The vectors of texts; only a model of several languages is told theirs."""
    if language is None:
        return np.asarray(model.encode(texts))
    if not is_crosslingual(model):
        raise InputError(
            f"language={language!r}: the index has a {type(model).__name__} of one language; leave it out"
        )
    return np.asarray(model.encode(texts, language))


def _reranked(
    index: Index, queries: list[str], candidates: Array, k: int, measure: str, language: str | None
) -> Iterator[tuple[Array, Array]]:
    """The k best of each query's candidates by the measure; equal scores in the order of their rows."""
    rows_of = [np.unique(row[row >= 0]) for row in candidates]
    sizes = [len(rows) for rows in rows_of]
    left = np.repeat(np.arange(len(queries)), sizes)
    scores = score_rows(index, queries, left, np.concatenate(rows_of), measure, language)
    for own, of_own in zip(rows_of, np.split(scores, np.cumsum(sizes)[:-1]), strict=True):
        order = np.lexsort((own, -of_own))[:k]
        yield own[order], of_own[order]


def score_rows(
    index: Index, queries: list[str], left: Array, rows: Array, measure: str, language: str | None = None
) -> Array:
    """The measure of query ``left[i]`` with the text of row ``rows[i]``, for every i."""
    distinct, places = np.unique(rows, return_inverse=True)
    texts = [*queries, *(index.texts[row] for row in distinct.tolist())]
    if is_crosslingual(index.model):
        own = "blend" if measure == SEARCH else measure
        spoken = None if language is None else [language] * len(queries) + [None] * len(distinct)
        return pair_scorer(index.model, texts, [own], spoken)(left, len(queries) + places)
    measures = [measure] if measure != SEARCH else PARTS if isinstance(index.model, WTMF) else ["latent"]
    scores = pair_scorer(index.model, texts, measures)(left, len(queries) + places)
    if measure != SEARCH:
        return scores
    shares = index.words.shares(queries, left, rows)
    return (len(measures) * scores + shares) / (len(measures) + 1)


def chance_quantiles(index: Index) -> Array:
    """The quantiles of the scores of random pairs of the collection's texts."""
    rng = np.random.default_rng(0)
    living = np.flatnonzero(index.alive)
    if len(living) < 2:
        return np.zeros(STEPS + 1, np.float32)
    left = rng.integers(len(living), size=min(PAIRS, 10 * len(living)))
    right = (left + rng.integers(1, len(living), size=len(left))) % len(living)
    queries = [index.texts[row] for row in living[left].tolist()]
    scores = score_rows(index, queries, np.arange(len(left)), living[right], SEARCH)
    return np.quantile(scores, np.linspace(0, 1, STEPS + 1)).astype(np.float32)


def _hit(
    index: Index, query: str, row: int, score: float, chance: float, measure: str, explain: bool,
    language: str | None,
) -> Hit:  # fmt: skip
    text = index.texts[row]
    words = _matching_words(index.model, query, text, measure, language) if explain else []
    return Hit(index.ids[row], text, score, chance, words, index.columns(row), row)


def _matching_words(
    model: Any, query: str, text: str, measure: str, language: str | None
) -> list[tuple[str, str, float]]:
    """The pairs of words that add to the score; a measure that does not split is explained by the blend."""
    splits = measure in ("latent", "alignment", "blend")
    spoken = {} if language is None else {"language_a": language}
    explanation = model.explain(query, text, measure=measure if splits else "blend", **spoken)
    return [pair for pair in explanation.top(TOP_WORDS) if pair[2] >= LEAST_SHARE]
