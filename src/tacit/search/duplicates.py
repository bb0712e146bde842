"""All texts of a collection that say nearly the same, by a join that holds no matrix.

Texts equal but for case and spaces are one text. The others are compared by latent cosine, all with all, a
block at a time; a pair that passes is measured. As the blend has a latent part and its other part is never
above 1, a blend from t on needs a latent cosine (``Measure.min_cosine``), and from t = 0.95 on every pair
is found. Below that ``t - SLACK`` is asked for: a pair with nearly the same words but other vectors may be
left out.

All with all is a time that goes with the square of the number of texts. Beyond ``ALL_WITH_ALL`` texts each is
compared with those that share a cell with it (see ``cells``), and what share of the pairs that finds is
measured on the texts and said.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice, check_float
from tacit.compute.nearest import QUERIES, packed, row_blocks
from tacit.compute.scan import ROWS, scan_above
from tacit.compute.threads import ranges, run
from tacit.compute.tiles import jit
from tacit.errors import InputError
from tacit.models.measure import Measure, score_pairs
from tacit.models.measures import get_measure
from tacit.models.text_model import TextModel
from tacit.search.exact_duplicates import Copies, group_exact_duplicates
from tacit.search.kmeans_cells import Cells, Vectors, make_cells
from tacit.search.pruning import ROUNDING, Projection
from tacit.search.results import DuplicateGroup, DuplicatePair
from tacit.search.snapshot import Snapshot
from tacit.search.stored_vectors import row_products

if TYPE_CHECKING:
    from tacit.search.index import Index

logger = logging.getLogger(__name__)

Array = NDArray[Any]
Progress = Callable[[int, int], None]
Keep = Callable[[Array, Array, Array], None]

JOIN_MEASURES = ("blend", "latent")
"""Those with a bound on the cosine of a pair that reaches a score."""

SURE = 0.95
SLACK = 0.1
MOST_PAIRS = 20_000_000
"""More pairs than this are no answer: a higher threshold, or groups, tell more."""

ALL_WITH_ALL = 1_500_000
"""Distinct texts up to which every two are compared unless asked otherwise."""

_BUFFER = 1 << 19  # pairs of a thread that wait to be measured


def duplicate_pairs(
    index: Index, threshold: float, measure: str, progress: Progress | None = None, exact: bool | None = None
) -> list[DuplicatePair]:
    """Every pair with a score from the threshold on, the most alike first, then in the index's order."""
    check_duplicate_options(threshold, measure)
    snapshot = index.snapshot
    copies = group_exact_duplicates(snapshot)
    found: list[Array] = [_equal_pairs(copies)]
    held = [len(found[0])]

    def keep(left: Array, right: Array, scores: Array) -> None:
        expanded = [
            (a, b, score)
            for i, j, score in zip(left.tolist(), right.tolist(), scores.tolist(), strict=True)
            for a in copies.of(i)
            for b in copies.of(j)
        ]
        held[0] += len(expanded)
        _check_number(held[0], threshold)
        if expanded:
            found.append(np.array(expanded))

    _Join(snapshot, copies, threshold, measure, keep, None, progress).run(exact)
    rows = np.concatenate(found)
    rows[:, :2].sort(axis=1)
    order = np.lexsort((rows[:, 1], rows[:, 0], -rows[:, 2]))
    return _pairs(snapshot, rows[order])


def duplicate_groups(
    index: Index, threshold: float, measure: str, progress: Progress | None = None, exact: bool | None = None
) -> list[DuplicateGroup]:
    """The connected texts, the largest group first, then in the index's order."""
    check_duplicate_options(threshold, measure)
    snapshot = index.snapshot
    copies = group_exact_duplicates(snapshot)
    parents = np.arange(len(copies))

    def keep(left: Array, right: Array, scores: Array) -> None:
        connect(parents, left, right)

    _Join(snapshot, copies, threshold, measure, keep, parents, progress).run(exact)
    roots = np.repeat(roots_of(parents), copies.sizes)
    order = np.lexsort((copies.rows, roots))
    runs = np.flatnonzero(np.diff(roots[order], prepend=-1, append=-1))
    large = [(a, b) for a, b in zip(runs[:-1].tolist(), runs[1:].tolist(), strict=True) if b - a > 1]
    groups = [copies.rows[order[a:b]].tolist() for a, b in large]
    return _scored(snapshot, sorted(groups, key=lambda g: (-len(g), g)), measure)


def check_duplicate_options(threshold: float, measure: str) -> None:
    """Refuse what the join cannot do, before work starts."""
    check_choice("measure", measure, JOIN_MEASURES)
    check_float("threshold", threshold, 0.5, 1, note="0.9 finds near-copies")


def _least(model: TextModel, threshold: float, measure: Measure) -> float:
    """The latent cosine from which on pairs are measured."""
    needed = measure.min_cosine(model, threshold) or 0.0
    return needed if threshold >= SURE else max(threshold - SLACK, needed)


def _equal_pairs(copies: Copies) -> Array:
    sizes = copies.sizes
    _check_number(int((sizes * (sizes - 1) // 2).sum()), 1.0)
    several = np.flatnonzero(sizes > 1).tolist()
    pairs = [(a, b, 1.0) for text in several for a, b in combinations(copies.of(text), 2)]
    return np.array(pairs) if pairs else np.zeros((0, 3))


def _check_number(found: int, threshold: float) -> None:
    if found > MOST_PAIRS:
        raise InputError(
            f"more than {MOST_PAIRS:,} pairs score {threshold:g} or more: raise it, or ask for groups"
        )


class _Join:
    """Calls ``keep`` with the pairs of distinct texts that pass; ``parents`` tells which need no look."""

    def __init__(
        self, snapshot: Snapshot, copies: Copies, threshold: float, measure: str, keep: Keep,
        parents: Array | None, progress: Progress | None,
    ) -> None:  # fmt: skip
        self.snapshot, self.first, self.threshold, self.keep = snapshot, copies.first, threshold, keep
        self.parents, self.progress, self.measure = parents, progress, get_measure(measure)
        # rounding must lose no pair; the measure decides
        self.least = np.float32(_least(snapshot.model, threshold, self.measure)) - np.float32(ROUNDING)
        self.n_threads, self.lock, self.done = snapshot.model.usable_threads, threading.Lock(), 0
        self.vectors = Vectors(
            len(self.first), lambda texts: snapshot.full_precision_vectors(self.first[texts])
        )

    def run(self, exact: bool | None) -> None:
        """Compare all with all, or those of a cell, as asked or by how many texts there are."""
        if exact is False or (exact is None and len(self.first) > ALL_WITH_ALL):
            self._by_cells()
        else:
            self._by_blocks()

    def _by_blocks(self) -> None:
        short = Projection.of(self.vectors, float(self.least)).all(self.vectors)
        chunks = ranges(len(self.first), QUERIES)

        def work(chunk: tuple[int, int]) -> None:
            for left, right in candidates(short, chunk, self.least):
                distinct, places = np.unique(np.concatenate([left, right]), return_inverse=True)
                vectors = self.vectors.taken(distinct)
                near = row_products(vectors, vectors, places[: len(left)], places[len(left) :]) >= self.least
                self._look(left[near], right[near])
            self._tell(1, len(chunks))

        run(work, chunks, self.n_threads)

    def _by_cells(self) -> None:
        def told(done: int, total: int) -> None:
            if self.progress:
                self.progress(done, 2 * total)  # the cells are half of the work, about

        cells = make_cells(self.vectors, float(self.least), self.n_threads, told)
        short = Projection.of(self.vectors, float(self.least))
        self._say(cells, short)
        self.done = len(cells)

        def work(cell: int) -> None:
            texts = cells.texts[cells.starts[cell] : cells.starts[cell + 1]].astype(np.int64)
            vectors = self.vectors.taken(texts)
            for chunk in ranges(len(texts), QUERIES):
                for left, right in candidates(short.cut(vectors), chunk, self.least):
                    near = row_products(vectors, vectors, left, right) >= self.least
                    one, other = texts[left[near]], texts[right[near]]
                    fresh = cells.first_shared(one, other, cell)
                    self._look(one[fresh], other[fresh])
            self._tell(1, 2 * len(cells))

        run(work, list(range(len(cells))), self.n_threads)

    def _look(self, left: Array, right: Array) -> None:
        """Measure pairs and keep those that pass."""
        if self.parents is not None:
            with self.lock:
                apart = unconnected(self.parents, left, right)
            left, right = left[apart], right[apart]
        if not len(left):
            return
        distinct, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        texts = self.snapshot.taken(self.first[distinct])
        scores = _measured(self.measure, texts, places[: len(left)], places[len(left) :])
        passed = scores >= self.threshold
        with self.lock:
            self.keep(left[passed], right[passed], scores[passed])

    def _tell(self, more: int, total: int) -> None:
        with self.lock:
            self.done += more
            if self.progress:
                self.progress(self.done, total)

    def _say(self, cells: Cells, short: Projection) -> None:
        """One line: what is compared with what, the share that finds, and what finds all."""
        low, high = cells.interval
        share = f"{100 * cells.share:.1f} % of {cells.pairs:,} pairs of sampled texts"
        bound = f"{share} (95 %: {100 * low:.1f} to {100 * high:.1f})"
        bound = bound if cells.pairs else "a share unknown: the sampled texts have no pair"
        seconds = _seconds_by_blocks(self.vectors, short, self.least, self.n_threads)
        logger.info(
            "%s distinct texts: each is compared with those of its %d of %s cells, which finds %s; "
            "all with all (exact) would take about %s",
            f"{len(self.first):,}", cells.of_text.shape[1], f"{len(cells):,}", bound, shown_time(seconds),
        )  # fmt: skip


def shown_time(seconds: float) -> str:
    """A time for people.

    >>> shown_time(12), shown_time(4000), shown_time(40_000)
    ('12 s', '67 min', '11 h')
    """
    for size, name in ((7200, "h"), (120, "min")):
        if seconds >= size:
            return f"{seconds / (size // 2):.0f} {name}"
    return f"{seconds:.0f} s"


def _seconds_by_blocks(vectors: Vectors, short: Projection, least: np.float32, n_threads: int) -> float:
    """How long comparing all with all would take, by a small part of it."""
    some = short.cut(vectors.taken(np.arange(min(vectors.n, 20 * QUERIES))))
    started = time.perf_counter()
    for _ in candidates(some, (0, QUERIES), least):
        pass
    seconds = time.perf_counter() - started
    return seconds / (QUERIES * len(some)) * vectors.n * vectors.n / 2 / n_threads


def _measured(measure: Measure, texts: Any, left: Array, right: Array) -> Array:
    return np.round(score_pairs(measure, texts, left, right), 6)


def candidates(vectors: Array, chunk: tuple[int, int], least: np.float32) -> Iterator[tuple[Array, Array]]:
    """The pairs of the texts of a chunk with later texts whose cosine is large enough, a buffer at a time."""
    begin, end = chunk
    panels = packed(vectors[begin:end])
    size = max(_BUFFER, ROWS * (end - begin))
    found, cosines = np.empty((size, 2), np.int32), np.empty(size, np.float32)
    for rows, alive, first, last, base in row_blocks(vectors, None, 1, start=begin):
        while first < last:
            first, filled = scan_above(
                rows, alive, first, last, base, panels, end - begin, begin, least, found, cosines
            )
            pairs = found[:filled].astype(np.int64)
            yield pairs[:, 0] + begin, pairs[:, 1]


@jit
def root(parents, i):  # type: ignore[no-untyped-def]
    """The text that stands for the group of text i."""
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i


@jit
def connect(parents, left, right):  # type: ignore[no-untyped-def]
    """Put the groups of each pair together; the first text of a group stands for it."""
    for k in range(len(left)):
        a, b = root(parents, left[k]), root(parents, right[k])
        if a < b:
            parents[b] = a
        else:
            parents[a] = b


@jit
def unconnected(parents, left, right):  # type: ignore[no-untyped-def]
    """Whether the texts of each pair are in different groups still."""
    apart = np.empty(len(left), np.bool_)
    for k in range(len(left)):
        apart[k] = root(parents, left[k]) != root(parents, right[k])
    return apart


@jit
def roots_of(parents):  # type: ignore[no-untyped-def]
    """The text that stands for the group of each text."""
    found = np.empty(len(parents), np.int64)
    for i in range(len(parents)):
        found[i] = root(parents, i)
    return found


def _pairs(snapshot: Snapshot, found: Array) -> list[DuplicatePair]:
    rows = found[:, :2].astype(np.int64)
    sides = [(snapshot.ids.decode(side), snapshot.texts.decode(side)) for side in rows.T]
    columns = (sides[0][0], sides[1][0], sides[0][1], sides[1][1], found[:, 2].tolist())
    return [DuplicatePair(*values) for values in zip(*columns, strict=True)]


def _scored(snapshot: Snapshot, groups: list[list[int]], measure: str) -> list[DuplicateGroup]:
    """The groups with the lowest score of a text with the first of its group."""
    if not groups:
        return []
    members = np.array([row for group in groups for row in group], np.int64)
    sizes = [len(group) for group in groups]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    pairs = (np.repeat(starts, sizes), np.arange(len(members)))
    scores = _measured(get_measure(measure), snapshot.taken(members), *pairs)
    return [
        DuplicateGroup(
            snapshot.ids.decode(np.array(group)),
            snapshot.texts.decode(np.array(group)),
            float(scores[start : start + len(group)].min()),
        )
        for start, group in zip(starts.tolist(), groups, strict=True)
    ]
