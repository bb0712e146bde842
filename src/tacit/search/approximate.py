"""Approximate nearest neighbors with usearch's HNSW graph (Malkov & Yashunin 2016), rescored exactly."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from tacit.compute.nearest import Matches
from tacit.compute.threads import effective_n_threads
from tacit.errors import ModelError, import_extra
from tacit.search.stored_vectors import StoredVectors, rescore_exact
from tacit.types import Array, ProgressCounter

EXPANSION_SEARCH = 64
"""Candidates that usearch keeps while it searches; more if more neighbors are requested."""

GRAPH_OPTIONS = {"metric": "ip", "dtype": "f16", "connectivity": 16, "expansion_add": 128}
"""Inner product in half precision; links per node, and candidates kept while a vector is added."""

EXACT_KNN_MAX_TEXTS = 20_000
"""`nearest_neighbors` is exact up to this number of texts; exact work grows with their square."""

_ADD_BATCH = 20_000
_QUERY_BATCH = 2000


class HnswGraph:
    """An immutable graph over the rows of an array of unit vectors, in half precision.

    Two graphs built on several threads may differ in a link; the scores of the rows they find are exact.
    """

    def __init__(self, graph: Any, vectors: StoredVectors) -> None:
        """Store a graph of usearch and the vectors it was built from."""
        self.graph, self.vectors = graph, vectors

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.graph)

    @classmethod
    def build(
        cls, vectors: StoredVectors, n_threads: int | None = None, progress: ProgressCounter | None = None
    ) -> HnswGraph:
        """Build a graph of all rows."""
        graph = _new_usearch_index(vectors.values.shape[1])
        for start in range(0, len(vectors), _ADD_BATCH):
            batch = vectors.to_float32(slice(start, start + _ADD_BATCH))
            keys = np.arange(start, start + len(batch), dtype=np.uint64)
            graph.add(keys, batch, threads=effective_n_threads(n_threads))
            if progress:
                progress.advance(len(batch))
        return cls(graph, vectors)

    def nearest(self, queries: Array, k: int, alive: Array, n_threads: int | None = None) -> Matches:
        """Search like ``compute.nearest``; about one neighbor in twenty, or fewer, is missed."""
        n_deleted = int(np.count_nonzero(~alive))
        count = min(k + min(n_deleted, k), len(self))
        self.graph.expansion_search = max(EXPANSION_SEARCH, count)
        queries = np.ascontiguousarray(queries)
        matches = self.graph.search(queries, count, threads=effective_n_threads(n_threads))
        rows = np.asarray(matches.keys).reshape(len(queries), -1).astype(np.int64)
        rows[(rows < 0) | (rows >= len(self))] = -1
        rows[~alive[rows]] = -1
        return rescore_exact(self.vectors.to_float32, queries, rows, k)

    def to_arrays(self) -> dict[str, Array]:
        """Return the contents of the file of a graph: bytes that `from_bytes` reads."""
        return {"graph": np.frombuffer(self.graph.save(), np.uint8)}

    @classmethod
    def from_bytes(cls, data: Array, vectors: StoredVectors) -> HnswGraph:
        """Read a graph of these vectors.

        usearch does not check the bytes: they must come from a trusted folder.
        """
        graph = _new_usearch_index(vectors.values.shape[1])
        try:
            graph.load(data.tobytes())
        except RuntimeError as error:
            raise ModelError(f"the graph of the index is damaged ({error}): build the index again") from None
        if len(graph) != len(vectors) or graph.ndim != vectors.values.shape[1]:
            raise ModelError(
                f"the graph of the index has {len(graph)} nodes for {len(vectors)} texts: "
                "build the index again"
            )
        return cls(graph, vectors)


def _new_usearch_index(n_components: int) -> Any:
    usearch = import_extra("usearch.index", "approximate search", "search")
    return usearch.Index(ndim=n_components, expansion_search=EXPANSION_SEARCH, **GRAPH_OPTIONS)


def nearest_neighbors(
    vectors: Array, queries: Array, k: int, n_threads: int | None, progress: ProgressCounter
) -> Matches:
    """Return scores and rows of the k vectors nearest to each query, best first.

    Beyond `EXACT_KNN_MAX_TEXTS` vectors a graph finds them if the extra ``search`` is installed. The graph is
    built on one thread, in the order of the rows, so that every run gives the same result.
    """
    use_graph = len(vectors) > EXACT_KNN_MAX_TEXTS and find_spec("usearch")
    stored = StoredVectors(vectors)
    searcher = HnswGraph.build(stored, n_threads=1) if use_graph else stored
    results, alive = [], np.ones(len(vectors), np.bool_)
    for start in range(0, len(queries), _QUERY_BATCH):
        batch = np.ascontiguousarray(queries[start : start + _QUERY_BATCH])
        results.append(searcher.nearest(batch, k, alive, n_threads))
        progress.advance(len(batch))
    scores, rows = (np.concatenate(side) for side in zip(*results, strict=True))
    return scores, rows
