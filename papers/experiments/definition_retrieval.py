"""Concept Definition Retrieval: the rank of the aligned definitions of another dictionary.

Guo & Diab (ACL 2012, section 4.1): an OntoNotes definition is the query, all of WordNet's definitions are the
candidates, and the aligned ones among them should come first. Points that the paper leaves open:

- *Normalised ranks.* "1 being ranked as most similar" and "0.5 the random case" fix the scale: an aligned
  definition at rank r of n gets 1 - (r - 1) / (n - 1).
- *Several aligned definitions.* Equation 6 averages recall over them, which makes ATOP the mean of their
  normalised ranks; they count as candidates for each other, as in the formula.
- *Equal scores*, frequent for models that count words: each equal candidate counts as half ahead,
  which is the expected value under a random order.
- *The sample of 1000.* Each query draws its own from all candidates; an aligned definition is not its own
  rival.
- *No known word.* A query without known words has ATOP 0.5, as in the paper. An aligned definition without
  known words has score 0 and ranks with that.
- *Which 1000 are dev* is not published: they are drawn by seed.

The scores of 12,743 queries with 117,659 candidates are 1.5 billion numbers: they are computed and
ranked in blocks of a few queries, in several threads, and never held in memory together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import effective_n_threads, one_blas_thread, run_blocks, split_range
from tacit.errors import InputError
from tacit.evaluation import TASKS, Task, TaskKind
from tacit.evaluation.scorers import VectorScorer, has_known_words
from tacit.evaluation.search_task import RetrievalData, load_retrieval, split_dev_test
from tacit.evaluation.tasks import TaskMetrics

BlockScores = Callable[[int, int], NDArray[Any]]
"""From ``(start, stop)`` to the scores of queries start..stop (rows) with every candidate (columns)."""

SAMPLE = 1000
_BLOCK = 64  # queries at once: 30 MB of scores with WordNet's candidates


class Ranker(Protocol):
    """A scorer of many queries against many candidates, in blocks of queries.

    ``score_blocks`` prepares the texts once. The function that it returns is called for ranges of queries
    from several threads, so that the whole matrix of scores is never in memory.
    """

    @property
    def name(self) -> str:
        """The name in tables."""

    def score_blocks(self, queries: Sequence[str], candidates: Sequence[str]) -> BlockScores:
        """Prepare the texts; the result scores a range of queries with every candidate."""


def block_scores(scorer: Ranker | VectorScorer, retrieval: RetrievalData) -> BlockScores:
    """Return a function that scores a range of queries with every candidate."""
    if not isinstance(scorer, VectorScorer):
        return scorer.score_blocks(retrieval.queries, retrieval.candidates)
    rows, others = scorer.vectors(retrieval.queries, retrieval.candidates)
    if isinstance(rows, np.ndarray):
        columns = np.ascontiguousarray(others.T)
        return lambda start, stop: rows[start:stop] @ columns
    columns = others.T.tocsr()
    return lambda start, stop: (rows[start:stop] @ columns).toarray()


def atop(scores: NDArray[Any], aligned: Sequence[int], sample: NDArray[np.integer] | None = None) -> float:
    """Return the area under the recall curve of one query (ATOP, Guo & Diab 2012, equation 6).

    ``scores`` are those of all candidates, ``aligned`` the rows of the correct ones. The area is the mean
    over the correct ones of the share of other candidates with lower scores: 1 for the first rank, 0 for the
    last, 0.5 by chance. A candidate of equal score counts half. With ``sample`` (distinct rows), the share
    is estimated from those candidates alone.

    >>> atop(np.array([0.9, 0.5, 0.7]), [2]), atop(np.array([0.9, 0.5, 0.7]), [0, 1])
    (0.5, 0.5)
    """
    rivals = scores if sample is None else scores[sample]
    shares_behind = []
    for row in aligned:
        n_self = 1 if sample is None else int(np.count_nonzero(sample == row))
        ahead = np.count_nonzero(rivals > scores[row])
        equal = np.count_nonzero(rivals == scores[row]) - n_self
        shares_behind.append(1 - (ahead + equal / 2) / (len(rivals) - n_self))
    return float(np.mean(shares_behind))


@dataclass(frozen=True)
class Atops:
    """ATOP of each query by its full rank and by a sample, and whether the query has known words."""

    full: NDArray[np.float64]
    sampled: NDArray[np.float64]
    known: NDArray[np.bool_]


def measure_atop(
    ranker: Ranker | VectorScorer, retrieval: RetrievalData, seed: int = 0, sample: int = SAMPLE
) -> Atops:
    """Compute ATOP of every query, block by block."""
    n, n_candidates = len(retrieval.queries), len(retrieval.candidates)
    if n_candidates < 2:
        raise InputError(f"{n_candidates} candidates cannot be ranked; give at least 2")
    known = has_known_words(ranker, retrieval.queries)
    scores = block_scores(ranker, retrieval)
    atops = np.full((2, n), 0.5)

    def measure(block: tuple[int, int]) -> None:
        rows = _checked(scores(*block), (block[1] - block[0], n_candidates), ranker.name)
        for query, row in zip(range(*block), rows, strict=True):
            if known[query]:
                rivals = _sample(n_candidates, sample, seed, query)
                aligned = retrieval.relevant[query]
                atops[:, query] = atop(row, aligned), atop(row, aligned, rivals)

    with one_blas_thread():
        run_blocks(measure, split_range(n, _BLOCK), effective_n_threads(None))
    return Atops(atops[0], atops[1], known)


def _sample(n: int, size: int, seed: int, query: int) -> NDArray[np.int64]:
    """Draw distinct rivals of one query; they do not depend on the block or the thread."""
    if size >= n:
        return np.arange(n)
    return np.random.default_rng([seed, query]).choice(n, max(size, 2), replace=False, shuffle=False)


def _checked(rows: NDArray[Any], shape: tuple[int, int], name: str) -> NDArray[Any]:
    if rows.shape != shape:
        raise InputError(f"{name} gave scores of shape {rows.shape} where {shape} are needed")
    if not np.isfinite(rows).all():
        raise InputError(f"{name} gave a score that is not finite: similarity must be a number")
    return rows


def measure_retrieval(retrieval: RetrievalData, ranker: Ranker | VectorScorer, seed: int) -> TaskMetrics:
    """Return the mean ATOP of the development queries, drawn by seed, and of the test queries."""
    atops = measure_atop(ranker, retrieval, seed)
    numbers = {}
    for name, rows in zip(("dev", "test"), split_dev_test(len(retrieval.queries), seed), strict=True):
        numbers[name] = {
            "pairs": len(rows),
            "without_known_words": int(np.count_nonzero(~atops.known[rows])),
            "atop": float(atops.full[rows].mean()),
            "atop_sampled": float(atops.sampled[rows].mean()),
        }
    return numbers, {"atop": numbers["test"]["atop"]}


TASK = Task(
    "cdr",
    "Concept Definition Retrieval: OntoNotes definitions find WordNet's",
    TaskKind(("vectors", "score_blocks"), ("atop", "atop_sampled"), load_retrieval, measure_retrieval),
    TASKS["search"].files,
    TASKS["search"].licence,
)
