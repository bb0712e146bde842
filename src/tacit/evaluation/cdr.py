"""Concept Definition Retrieval: how high does a definition rank its counterpart of another dictionary?

Guo & Diab (ACL 2012, section 4.1): an OntoNotes definition is the query, all of WordNet's definitions are the
candidates, and the aligned ones among them should come first. What the paper leaves open, and what is done:

- *Normalised ranks.* "1 being ranked as most similar" and "0.5 the random case" fix the scale: an aligned
  definition at rank r of n gets 1 - (r - 1) / (n - 1).
- *Several aligned definitions.* Equation 6 averages recall over them, which makes ATOP the mean of their
  normalised ranks; they stand in each other's way, as the formula has it.
- *Equal scores*, frequent for models that count words: each equal candidate counts as half ahead, the
  expected value under a random order.
- *The sample of 1000.* Each query draws its own from all candidates; an aligned definition is not its own
  rival.
- *Nothing known.* A query without known words has ATOP 0.5, as in the paper. An aligned definition without
  known words has score 0 and ranks with that.
- *Which 1000 are dev* is not published: they are drawn by seed.

The scores of 12,743 queries with 117,659 candidates are 1.5 billion numbers: they are made and ranked in
blocks of a few queries, on every core, and never held together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import ranges, run, usable_threads
from tacit.errors import InputError
from tacit.evaluation.data import find_files, read_columns
from tacit.evaluation.known import known_texts
from tacit.evaluation.metrics import atop
from tacit.evaluation.protocols import Ranker
from tacit.evaluation.tasks import TASKS

SAMPLE = 1000
DEV = 1000
_BLOCK = 64  # queries at once: 30 MB of scores with WordNet's candidates


@dataclass(frozen=True)
class Retrieval:
    """Queries, candidates, and for each query the places of its aligned candidates."""

    queries: list[str]
    candidates: list[str]
    aligned: list[list[int]]

    def take(self, places: Sequence[int] | NDArray[np.integer]) -> Retrieval:
        """Some of the queries, with all candidates.

        >>> Retrieval(["a", "b"], ["x", "y"], [[0], [1]]).take([1])
        Retrieval(queries=['b'], candidates=['x', 'y'], aligned=[[1]])
        """
        return Retrieval(
            [self.queries[i] for i in places], self.candidates, [self.aligned[i] for i in places]
        )


@dataclass(frozen=True)
class Atops:
    """ATOP of each query by its full rank and by a sample, and whether the query has known words."""

    full: NDArray[np.float64]
    sampled: NDArray[np.float64]
    known: NDArray[np.bool_]


def load_retrieval(data: str | Path | None = None, task_name: str = "cdr") -> Retrieval:
    """Read the OntoNotes definitions, WordNet's, and how they are aligned."""
    task = TASKS[task_name]
    ontonotes, wordnet = find_files(task.name, task.paths, data)
    synsets, candidates = zip(*read_columns(wordnet, ("synset", "definition")), strict=True)
    places = {synset: place for place, synset in enumerate(synsets)}
    queries, aligned = [], []
    for sense, definition, names in read_columns(ontonotes, ("on_sense", "definition", "wn_synsets")):
        unknown = [name for name in names.split(",") if name not in places]
        if unknown:
            raise InputError(
                f"{ontonotes}: {sense} is aligned with {unknown[0]!r}, which {wordnet} does not have"
            )
        queries.append(definition)
        aligned.append([places[name] for name in names.split(",")])
    return Retrieval(queries, list(candidates), aligned)


def split(n: int, seed: int = 0, dev: int = DEV) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of the development queries (at most half), drawn by seed, and of the others, in order.

    >>> dev, test = split(5, dev=2)
    >>> len(dev), len(test), sorted([*dev.tolist(), *test.tolist()])
    (2, 3, [0, 1, 2, 3, 4])
    """
    order = np.random.default_rng(seed).permutation(n)
    dev = min(dev, n // 2)
    return np.sort(order[:dev]), np.sort(order[dev:])


def measure_atop(ranker: Ranker, retrieval: Retrieval, seed: int = 0, sample: int = SAMPLE) -> Atops:
    """ATOP of every query, block by block."""
    n, n_candidates = len(retrieval.queries), len(retrieval.candidates)
    if n_candidates < 2:
        raise InputError(f"{n_candidates} candidates cannot be ranked; give at least 2")
    known = known_texts(ranker, retrieval.queries)
    scores = ranker.many_to_many(retrieval.queries, retrieval.candidates)
    found = np.full((2, n), 0.5)

    def measure(block: tuple[int, int]) -> None:
        rows = _checked(scores(*block), (block[1] - block[0], n_candidates), ranker.name)
        for query, row in zip(range(*block), rows, strict=True):
            if known[query]:
                drawn = _sample(n_candidates, sample, seed, query)
                places = retrieval.aligned[query]
                found[:, query] = atop(row, places), atop(row, places, drawn)

    with _one_blas_thread():
        run(measure, ranges(n, _BLOCK), usable_threads(None))
    return Atops(found[0], found[1], known)


def _sample(n: int, size: int, seed: int, query: int) -> NDArray[np.int64]:
    """The rivals of one query: distinct, and the same whatever block or thread the query is in."""
    if size >= n:
        return np.arange(n)
    return np.random.default_rng([seed, query]).choice(n, max(size, 2), replace=False, shuffle=False)


def _checked(rows: NDArray[Any], shape: tuple[int, int], name: str) -> NDArray[Any]:
    if rows.shape != shape:
        raise InputError(f"{name} gave scores of shape {rows.shape} where {shape} are needed")
    if not np.isfinite(rows).all():
        raise InputError(f"{name} gave a score that is not finite: similarity must be a number")
    return rows


def _one_blas_thread() -> Any:
    """Our own threads split the work; BLAS threads on top of them would only get in their way."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")
