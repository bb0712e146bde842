"""Search task: OntoNotes definitions as queries, WordNet definitions as documents.

``recall_at_10`` is the fraction of a query's relevant definitions among the first 10 results. ``mrr`` is the
reciprocal rank of the first relevant one, 0 if none is among the first 100. Both are means over queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.evaluation.metrics import RankedRows, mean_reciprocal_rank, recall_at
from tacit.evaluation.tasks import Metrics, Task, TaskKind, TaskMetrics, read_columns
from tacit.search.index import Index
from tacit.search.ranking import rank, resolve_measure
from tacit.search.snapshot import query_batches

Array = NDArray[Any]

SEARCH_DEPTH = 100
"""How many results a searcher returns for each query."""

N_DEV_QUERIES = 1000
_BLOCK = 500  # queries at once where a row has a score for every candidate


@dataclass(frozen=True)
class RetrievalData:
    """Queries, candidates, and for each query the rows of its relevant candidates."""

    queries: list[str]
    candidates: list[str]
    relevant: list[list[int]]

    def select_queries(self, rows: Sequence[int] | NDArray[np.integer]) -> RetrievalData:
        """Return the queries in these rows, with all candidates.

        >>> RetrievalData(["a", "b"], ["x", "y"], [[0], [1]]).select_queries([1])
        RetrievalData(queries=['b'], candidates=['x', 'y'], relevant=[[1]])
        """
        relevant = [self.relevant[row] for row in rows]
        return RetrievalData([self.queries[row] for row in rows], self.candidates, relevant)


def load_retrieval(task: Task, data: str | Path | None = None) -> RetrievalData:
    """Read the OntoNotes definitions, the WordNet definitions, and their alignment."""
    ontonotes, wordnet = task.locate_files(data).values()
    synsets, candidates = zip(*read_columns(wordnet, ("synset", "definition")), strict=True)
    row_of = {synset: row for row, synset in enumerate(synsets)}
    queries, relevant = [], []
    for sense, definition, names in read_columns(ontonotes, ("on_sense", "definition", "wn_synsets")):
        unknown = [name for name in names.split(",") if name not in row_of]
        if unknown:
            raise InputError(
                f"{ontonotes}: {sense} is aligned with {unknown[0]!r}, which {wordnet} does not have"
            )
        queries.append(definition)
        relevant.append([row_of[name] for name in names.split(",")])
    return RetrievalData(queries, list(candidates), relevant)


def split_dev_test(
    n: int, seed: int = 0, n_dev: int = N_DEV_QUERIES
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of the development queries (at most half), drawn by seed, and of the test queries.

    >>> dev, test = split_dev_test(5, n_dev=2)
    >>> len(dev), len(test), sorted([*dev.tolist(), *test.tolist()])
    (2, 3, [0, 1, 2, 3, 4])
    """
    order = np.random.default_rng(seed).permutation(n)
    n_dev = min(n_dev, n // 2)
    return np.sort(order[:n_dev]), np.sort(order[n_dev:])


class Searcher(Protocol):
    """Ranks candidate texts for queries."""

    name: str

    def search(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> RankedRows:
        """Return the rows of the k best candidates of each query, best first."""


class IndexSearcher:
    """Search with a ``tacit.Index`` and one of its measures."""

    def __init__(self, model: Any, measure: str = "search") -> None:
        """Store the model and the measure."""
        self.model, self.measure, self.name = model, measure, measure

    def search(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> RankedRows:
        """Return the rows of the k best candidates of each query."""
        index = Index(self.model)
        index.add(candidates)
        batches = query_batches(index.model, list(queries))
        measure = resolve_measure(self.measure)
        results = (rank(index.snapshot, batch, k, measure)[0] for batch in batches)
        return [rows[rows >= 0] for of_batch in results for rows in of_batch]


class TfidfSearcher:
    """Search by the cosine of scikit-learn's tf-idf vectors, with its defaults."""

    name = "tf-idf"

    def search(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> RankedRows:
        """Return the rows of the k best candidates of each query; ties in their order."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer()
        texts = vectorizer.fit_transform(candidates).T.tocsr()
        query_rows = vectorizer.transform(queries)
        results: list[Array] = []
        for start in range(0, len(queries), _BLOCK):
            scores = (query_rows[start : start + _BLOCK] @ texts).toarray()
            results += [_top_k(row, k) for row in scores]
        return results


class Bm25sSearcher:
    """Search by BM25 of the package bm25s, with or without stemming and stop words."""

    def __init__(self, stems: bool, stop_words: bool) -> None:
        """Store whether words are stemmed and stop words removed."""
        self.stems, self.stop_words = stems, stop_words
        words = "no stop words" if stop_words else "all words"
        self.name = f"bm25s, {'stems' if stems else 'tokens'}, {words}"

    def search(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> RankedRows:
        """Return the rows of the k best candidates of each query."""
        import bm25s
        import Stemmer

        options = {
            "stemmer": Stemmer.Stemmer("english") if self.stems else None,
            "stopwords": "en" if self.stop_words else None,
            "show_progress": False,
        }
        ranker = bm25s.BM25()
        ranker.index(bm25s.tokenize(list(candidates), **options), show_progress=False)
        rows, _ = ranker.retrieve(bm25s.tokenize(list(queries), **options), k=k, show_progress=False)
        return list(rows)


class RandomSearcher:
    """Return random candidates."""

    name = "random"

    def search(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> RankedRows:
        """Return k random rows for each query."""
        rng = np.random.default_rng(0)
        return [rng.integers(len(candidates), size=k) for _ in queries]


def _top_k(scores: Array, k: int) -> Array:
    """Return the indices of the k highest scores, highest first."""
    best = np.argpartition(-scores, k)[:k] if k < len(scores) else np.arange(len(scores))
    return best[np.lexsort((best, -scores[best]))]


def make_searchers(model: Any, measure: str = "search") -> list[Searcher]:
    """Create searchers: three measures of an index, tf-idf, four variants of bm25s if installed, and random.

    ``measure`` is ignored, because the table shows all three measures.
    """
    ours = [IndexSearcher(model, name) for name in ("search", "blend", "latent")]
    bm25s = [Bm25sSearcher(stems, stop) for stop in (False, True) for stems in (True, False)]
    installed = find_spec("bm25s") is not None
    return [*ours, TfidfSearcher(), *(bm25s if installed else []), RandomSearcher()]


def measure_search(retrieval: RetrievalData, searcher: Searcher, seed: int) -> TaskMetrics:
    """Compute both metrics on the development queries, drawn by seed, and on the test queries."""
    results = searcher.search(retrieval.queries, retrieval.candidates, SEARCH_DEPTH)
    by_set: dict[str, Metrics] = {}
    for name, rows in zip(("dev", "test"), split_dev_test(len(retrieval.queries), seed), strict=True):
        selected = [results[row] for row in rows], [retrieval.relevant[row] for row in rows]
        counts: Metrics = {"pairs": len(rows), "without_known_words": 0}
        by_set[name] = counts | {
            "recall_at_10": recall_at(10, *selected),
            "mrr": mean_reciprocal_rank(*selected),
        }
    return by_set, dict(by_set["test"])


SEARCH = TaskKind(("search",), ("recall_at_10", "mrr"), load_retrieval, measure_search, make_searchers)
