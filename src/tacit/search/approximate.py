"""Approximate nearest neighbours by usearch's graph (HNSW, Malkov & Yashunin 2016), scored again exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.nearest import best_first, fixed
from tacit.compute.threads import usable_threads
from tacit.compute.tiles import jit
from tacit.errors import ModelError, import_extra
from tacit.search.vectors import Vectors

Array = NDArray[Any]
Progress = Callable[[int, int], None]

CONNECTIVITY = 16
EXPANSION_ADD = 128
EXPANSION_SEARCH = 64
"""usearch's sizes: links of a node, and how far to look around when adding and when searching."""

_BATCH = 20_000


class Graph:
    """A graph over the rows of an array of unit vectors, kept in half precision; never changed.

    Building runs on several threads, so two builds may differ in a link; what is found is scored exactly.
    """

    def __init__(self, graph: Any, vectors: Vectors) -> None:
        """Take a graph of usearch, and the vectors it is of."""
        self.graph, self.vectors = graph, vectors

    def over(self, vectors: Vectors) -> Graph:
        """The same links over the same vectors, kept elsewhere."""
        return Graph(self.graph, vectors)

    def __len__(self) -> int:
        """How many rows it knows."""
        return len(self.graph)

    @classmethod
    def of(
        cls, vectors: Array | Vectors, n_threads: int | None = None, progress: Progress | None = None
    ) -> Graph:
        """Build a graph of all rows."""
        kept = vectors if isinstance(vectors, Vectors) else Vectors(vectors)
        graph = _empty(kept.values.shape[1])
        for start in range(0, len(kept), _BATCH):
            part = kept.block(start, min(start + _BATCH, len(kept)))
            keys = np.arange(start, start + len(part), dtype=np.uint64)
            graph.add(keys, part, threads=usable_threads(n_threads))
            if progress:
                progress(start + len(part), len(kept))
        return cls(graph, kept)

    def nearest(
        self, queries: Array, k: int, alive: Array, n_threads: int | None = None
    ) -> tuple[Array, Array]:
        """As ``compute.nearest``, but a neighbour may be missed: about one in twenty or fewer."""
        dead = int(np.count_nonzero(~alive))
        count = min(k + min(dead, k), len(self))
        self.graph.expansion_search = max(EXPANSION_SEARCH, count)
        found = self.graph.search(np.ascontiguousarray(queries), count, threads=usable_threads(n_threads))
        keys = np.asarray(found.keys).reshape(len(queries), -1).astype(np.int64)
        keys[(keys < 0) | (keys >= len(self))] = -1
        distinct, places = np.unique(keys, return_inverse=True)
        own = np.where(keys >= 0, places.reshape(keys.shape), -1)
        vectors, living = self.vectors.taken(np.maximum(distinct, 0)), alive[np.maximum(distinct, 0)]
        scores = score_found(fixed(vectors), np.ascontiguousarray(queries), own, fixed(living))
        best, rows = best_first(scores, keys, k)
        return best, np.where(np.isinf(best), -1, rows)

    def to_bytes(self) -> Array:
        """The graph as bytes, which ``from_bytes`` reads."""
        return np.frombuffer(self.graph.save(), np.uint8)

    @classmethod
    def from_bytes(cls, data: Array, vectors: Vectors) -> Graph:
        """Read a graph of these vectors.

        The reader is usearch's, which believes what it reads: only bytes of a folder that is trusted come
        here.
        """
        graph = _empty(vectors.values.shape[1])
        try:
            graph.load(data.tobytes())
        except RuntimeError as error:
            raise ModelError(f"the graph of the index is damaged ({error}): build the index again") from None
        if len(graph) != len(vectors) or graph.ndim != vectors.values.shape[1]:
            raise ModelError(
                f"the graph of the index has {len(graph)} nodes for {len(vectors)} texts: build it again"
            )
        return cls(graph, vectors)


def _empty(components: int) -> Any:
    return import_extra("usearch.index", "approximate search", "search").Index(
        ndim=components,
        metric="ip",
        dtype="f16",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
        expansion_search=EXPANSION_SEARCH,
    )


@jit
def score_found(vectors, queries, keys, alive):  # type: ignore[no-untyped-def]
    """The inner product of each query with the rows found for it, -inf for none and for the dead."""
    scores = np.full(keys.shape, np.float32(-np.inf), np.float32)
    for i in range(keys.shape[0]):
        for j in range(keys.shape[1]):
            if keys[i, j] >= 0 and alive[keys[i, j]]:
                total = np.float32(0)
                for c in range(vectors.shape[1]):
                    total += vectors[keys[i, j], c] * queries[i, c]
                scores[i, j] = total
    return scores
