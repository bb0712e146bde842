"""The nearest neighbours of many texts at once: exactly, or by a graph where that would take too long."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.nearest import nearest

Array = NDArray[Any]

EXACTLY = 20_000
"""Texts up to which every one is looked at: beyond, the work would grow with their square."""

_PART = 2000  # texts between two words about progress


def neighbours_of(
    vectors: Array, queries: Array, k: int, n_threads: int | None, told: Callable[[int], None]
) -> tuple[Array, Array]:
    """Scores and rows of the k vectors nearest to each query, best first; ``told`` hears how many are done.

    Beyond ``EXACTLY`` texts usearch's graph finds them, if the extra ``search`` is there. It is built on one
    thread, in the order of the texts: built on several it would differ from run to run.
    """
    look = _graph(vectors) if len(vectors) > EXACTLY and find_spec("usearch") else None
    parts = []
    for start in range(0, len(queries), _PART):
        part = np.ascontiguousarray(queries[start : start + _PART])
        parts.append(look(part, k, n_threads) if look else nearest(vectors, part, k, n_threads=n_threads))
        told(len(part))
    scores, rows = (np.concatenate(side) for side in zip(*parts, strict=True))
    return scores, rows


def _graph(vectors: Array) -> Callable[[Array, int, int | None], tuple[Array, Array]]:
    from tacit.search.approximate import Graph

    graph, alive = Graph.of(vectors, n_threads=1), np.ones(len(vectors), np.bool_)
    return lambda queries, k, n_threads: graph.nearest(queries, k, alive, n_threads)
