"""Search as a task: which of the collection's texts come first, and are the right ones among them?

The queries are OntoNotes definitions, the candidates WordNet's. ``recall_at_10`` is the share of a
query's aligned definitions among the first ten, ``mrr`` one over the rank of the first aligned one, 0 where
none is among the first hundred; both are means over queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.evaluation.definitions import Retrieval, load_retrieval, split
from tacit.evaluation.tasks import Kind, Measured, Numbers
from tacit.search.collection import in_batches
from tacit.search.index import Index
from tacit.search.ranking import ranked

Array = NDArray[Any]
Found = Sequence[Array]

FIRST = 100
"""How many a searcher is asked for."""

_BLOCK = 500  # queries at once where a row has a number for every candidate


class Searcher(Protocol):
    """What finds texts."""

    name: str

    def find(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> Found:
        """The places of the k best candidates of each query, best first."""


def recall_at(k: int, found: Found, aligned: Sequence[Sequence[int]]) -> float:
    """The mean share of each query's aligned places among its first k.

    >>> recall_at(2, [np.array([5, 3, 1])], [[3, 1]])
    0.5
    """
    shares = [np.isin(places, rows[:k]).mean() for rows, places in zip(found, aligned, strict=True)]
    return float(np.mean(shares))


def reciprocal_rank(found: Found, aligned: Sequence[Sequence[int]]) -> float:
    """The mean of one over the rank of the first aligned place.

    >>> reciprocal_rank([np.array([5, 3, 1])], [[3, 1]])
    0.5
    """
    ranks = (np.flatnonzero(np.isin(rows, places)) for rows, places in zip(found, aligned, strict=True))
    return float(np.mean([1 / (rank[0] + 1) if len(rank) else 0.0 for rank in ranks]))


class IndexSearcher:
    """A ``tacit.Index`` by one of its measures."""

    def __init__(self, model: Any, measure: str = "search") -> None:
        """Keep the model."""
        self.model, self.measure, self.name = model, measure, measure

    def find(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> Found:
        """The places of the k best candidates of each query."""
        index = Index(self.model)
        index.add(candidates)
        batches = in_batches(index.model, list(queries))
        found = (ranked(index.now, asked, k, self.measure)[0] for asked in batches)
        return [rows[rows >= 0] for of_batch in found for rows in of_batch]


class TfidfSearcher:
    """The cosine of scikit-learn's tf-idf weights, as it comes."""

    name = "tf-idf"

    def find(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> Found:
        """The places of the k best candidates of each query; equal ones in their order."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer()
        texts = vectorizer.fit_transform(candidates).T.tocsr()
        asked = vectorizer.transform(queries)
        found: list[Array] = []
        for start in range(0, len(queries), _BLOCK):
            scores = (asked[start : start + _BLOCK] @ texts).toarray()
            found += [_best(row, k) for row in scores]
        return found


class Bm25sSearcher:
    """BM25 by the package bm25s, with or without stems and stop words."""

    def __init__(self, stems: bool, stop_words: bool) -> None:
        """Keep the choices."""
        self.stems, self.stop_words = stems, stop_words
        words = "no stop words" if stop_words else "all words"
        self.name = f"bm25s, {'stems' if stems else 'tokens'}, {words}"

    def find(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> Found:
        """The places of the k best candidates of each query."""
        import bm25s
        import Stemmer

        options = {
            "stemmer": Stemmer.Stemmer("english") if self.stems else None,
            "stopwords": "en" if self.stop_words else None,
            "show_progress": False,
        }
        ranker = bm25s.BM25()
        ranker.index(bm25s.tokenize(list(candidates), **options), show_progress=False)
        found, _ = ranker.retrieve(bm25s.tokenize(list(queries), **options), k=k, show_progress=False)
        return list(found)


class RandomSearcher:
    """Chance."""

    name = "random"

    def find(self, queries: Sequence[str], candidates: Sequence[str], k: int) -> Found:
        """Any places."""
        rng = np.random.default_rng(0)
        return [rng.integers(len(candidates), size=k) for _ in queries]


def _best(scores: Array, k: int) -> Array:
    few = np.argpartition(-scores, k)[:k] if k < len(scores) else np.arange(len(scores))
    return few[np.lexsort((few, -scores[few]))]


def find_searchers(model: Any, measure: str = "search") -> list[Searcher]:
    """An index by each of its measures, tf-idf, four ways of bm25s where it is installed, and chance.

    All measures of an index stand in the table, whichever was asked for.
    """
    ours = [IndexSearcher(model, name) for name in ("search", "blend", "latent")]
    bm25s = [Bm25sSearcher(stems, stop) for stop in (False, True) for stems in (True, False)]
    installed = find_spec("bm25s") is not None
    return [*ours, TfidfSearcher(), *(bm25s if installed else []), RandomSearcher()]


def measure_search(retrieval: Retrieval, searcher: Searcher, seed: int) -> Measured:
    """Both measures of the development queries, drawn by seed, and of the others."""
    found = searcher.find(retrieval.queries, retrieval.candidates, FIRST)
    numbers: dict[str, Numbers] = {}
    for name, places in zip(("dev", "test"), split(len(retrieval.queries), seed), strict=True):
        own = [found[place] for place in places], [retrieval.aligned[place] for place in places]
        counts: Numbers = {"pairs": len(places), "without_known_words": 0}
        numbers[name] = counts | {"recall_at_10": recall_at(10, *own), "mrr": reciprocal_rank(*own)}
    return numbers, dict(numbers["test"])


SEARCH = Kind(("find",), ("recall_at_10", "mrr"), load_retrieval, measure_search, find_searchers)
