"""Near-duplicate pairs and groups by a blocked similarity join.

Texts that are equal up to case and white space count as one text. All others are compared by latent cosine,
block by block, and pairs that pass are scored by the measure. A blend of at least t needs a minimum latent
cosine, because its other part is at most 1 (``Measure.min_cosine``). For t >= `FULL_RECALL_THRESHOLD` this
bound is used and all pairs are found. Below, a cosine of at least ``t - COSINE_SLACK`` is required, which may
miss pairs of texts with nearly the same words but different vectors.

The time for all pairs grows with the square of the number of texts. Beyond `EXACT_JOIN_MAX_TEXTS` texts, only
texts that share a k-means cell are compared, and the estimated recall is logged.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations

import numpy as np

from tacit.checks import check_choice, check_float
from tacit.compute.linkage import average_linkage
from tacit.compute.nearest import BLOCK_ROWS, QUERIES_PER_PASS, pack_queries, scan_above_threshold, split_rows
from tacit.compute.threads import run_blocks, split_range
from tacit.errors import InputError
from tacit.models.measure import score_pairs
from tacit.models.measures import get_measure
from tacit.models.text_model import TextModel
from tacit.scale.pass_progress import format_duration
from tacit.search.join_candidates import ROUNDING, Cells, Projection, VectorSource, assign_cells
from tacit.search.results import DuplicateGroup, DuplicatePair
from tacit.search.snapshot import Snapshot
from tacit.search.stored_vectors import row_products
from tacit.types import Array, ProgressCallback, ProgressCounter

logger = logging.getLogger(__name__)

JOIN_MEASURES = ("blend", "latent")
"""Measures with a lower bound on the latent cosine of a pair that reaches a score."""

FULL_RECALL_THRESHOLD = 0.95
COSINE_SLACK = 0.1
MAX_PAIRS = 20_000_000
"""With more pairs the threshold is too low to be useful; an error says so."""

EXACT_JOIN_MAX_TEXTS = 1_500_000
"""Distinct texts up to which all pairs are compared by default."""

_BUFFER = 1 << 19  # candidate pairs per thread


@dataclass(frozen=True)
class JoinOptions:
    """Validated options of a join; see ``Index.duplicates``."""

    threshold: float
    measure: str
    progress: ProgressCallback | None = None
    exact: bool | None = None

    def __post_init__(self) -> None:
        check_choice("measure", self.measure, JOIN_MEASURES)
        check_float("threshold", self.threshold, 0.5, 1, note="0.9 finds near-copies")

    def min_cosine(self, model: TextModel) -> np.float32:
        """Return the latent cosine from which on pairs are scored; rounding must not exclude a pair."""
        bound = get_measure(self.measure).min_cosine(model, self.threshold) or 0.0
        if self.threshold < FULL_RECALL_THRESHOLD:
            bound = max(self.threshold - COSINE_SLACK, bound)
        return np.float32(bound) - np.float32(ROUNDING)


@dataclass(frozen=True)
class RowGroups:
    """Rows in groups: group i has ``rows[starts[i] : starts[i + 1]]``, in ascending order."""

    rows: Array
    starts: Array

    @classmethod
    def from_labels(cls, rows: Array, labels: Array) -> RowGroups:
        """Group rows by labels of at least 0; the groups are in the order of their labels."""
        order = np.lexsort((rows, labels))
        return cls(rows[order], np.flatnonzero(np.diff(labels[order], prepend=-1, append=-2)))

    def __len__(self) -> int:
        """Return the number of groups."""
        return len(self.starts) - 1

    @property
    def first_rows(self) -> Array:
        """The first row of each group."""
        return self.rows[self.starts[:-1]]

    @property
    def sizes(self) -> Array:
        """The number of rows of each group."""
        return np.diff(self.starts)

    def rows_of(self, group: int) -> Array:
        """Return the rows of a group."""
        return self.rows[self.starts[group] : self.starts[group + 1]]

    def expand_pairs(self, left: Array, right: Array) -> tuple[Array, Array, Array]:
        """Pair each row of group ``left[i]`` with each row of group ``right[i]``; return i and the rows."""
        n_right, n_pairs = self.sizes[right], self.sizes[left] * self.sizes[right]
        i = np.repeat(np.arange(len(left)), n_pairs)
        nth = np.arange(len(i)) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
        left_rows = self.rows[self.starts[left[i]] + nth // n_right[i]]
        return i, left_rows, self.rows[self.starts[right[i]] + nth % n_right[i]]

    def repeated(self) -> list[Array]:
        """Return the rows of each group that has more than one."""
        return [self.rows_of(group) for group in np.flatnonzero(self.sizes > 1).tolist()]


def group_equal_texts(snapshot: Snapshot) -> RowGroups:
    """Group the live texts that are equal up to case and white space; groups are in order of first rows."""
    digests = np.fromiter(map(_normalized_digest, snapshot.texts), "S16", len(snapshot.texts))
    alive = np.flatnonzero(snapshot.alive)
    _, first, group = np.unique(digests[alive], return_index=True, return_inverse=True)
    return RowGroups.from_labels(alive, alive[first][group])


def _normalized_digest(text: str) -> bytes:
    normalized = " ".join(text.casefold().split())
    return blake2b(normalized.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def duplicate_pairs(snapshot: Snapshot, options: JoinOptions) -> list[DuplicatePair]:
    """Return all pairs with a score of at least the threshold, the highest first, then by row."""
    texts = group_equal_texts(snapshot)
    n_equal = int((texts.sizes * (texts.sizes - 1) // 2).sum())
    _check_n_pairs(n_equal, 1.0)
    equal = [pair for rows in texts.repeated() for pair in combinations(rows.tolist(), 2)]
    left, right, scores = _SimilarityJoin(snapshot, texts, options, texts.sizes, n_equal).run()
    match, *near = texts.expand_pairs(left, right)
    rows = np.concatenate([np.array(equal, np.int64).reshape(-1, 2), np.column_stack(near)])
    rows.sort(axis=1)
    scores = np.concatenate([np.ones(n_equal), scores[match]])
    order = np.lexsort((rows[:, 1], rows[:, 0], -scores))
    rows, scores = rows[order], scores[order]
    ids = (snapshot.ids.decode(side) for side in rows.T)
    texts_of_pairs = (snapshot.texts.decode(side) for side in rows.T)
    return [DuplicatePair(*values) for values in zip(*ids, scores.tolist(), *texts_of_pairs, strict=True)]


def duplicate_groups(snapshot: Snapshot, options: JoinOptions) -> list[DuplicateGroup]:
    """Return groups of texts by average linkage of all scores, the largest group first, then by row."""
    texts = group_equal_texts(snapshot)

    def score_texts(left: Array, right: Array) -> Array:
        return _score_rows(snapshot, options.measure, texts.first_rows[left], texts.first_rows[right])

    left, right, scores = _SimilarityJoin(snapshot, texts, options, np.ones(len(texts), np.int64)).run()
    scores = scores.astype(np.float32)
    group_of_text = average_linkage(len(texts), left, right, scores, options.threshold, score_texts)
    groups = RowGroups.from_labels(texts.rows, np.repeat(group_of_text, texts.sizes)).repeated()
    groups.sort(key=lambda group: (-len(group), group[0]))
    if not groups:
        return []
    sizes = [len(group) for group in groups]
    first_rows = np.repeat([group[0] for group in groups], sizes)
    scores = _score_rows(snapshot, options.measure, first_rows, np.concatenate(groups))
    lowest = np.minimum.reduceat(scores, np.cumsum([0, *sizes[:-1]])).tolist()
    ids, group_texts = map(snapshot.ids.decode, groups), map(snapshot.texts.decode, groups)
    return list(map(DuplicateGroup, ids, group_texts, lowest))


def _check_n_pairs(n_pairs: int, threshold: float) -> None:
    if n_pairs > MAX_PAIRS:
        raise InputError(
            f"more than {MAX_PAIRS:,} pairs score {threshold:g} or more: raise the threshold, "
            "or ask for groups, in which equal texts count once"
        )


class _SimilarityJoin:
    """Finds the pairs of distinct texts that reach the threshold.

    A pair counts as the product of the ``sizes`` of its texts; ``n_pairs`` is the number found before.
    """

    def __init__(
        self, snapshot: Snapshot, texts: RowGroups, options: JoinOptions, sizes: Array, n_pairs: int = 0
    ) -> None:
        self.snapshot, self.options, self.sizes, self.n_pairs = snapshot, options, sizes, n_pairs
        self.matches = [(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))]
        self.min_cosine = options.min_cosine(snapshot.model)
        self.n_threads, self.lock = snapshot.model.usable_threads, threading.Lock()
        self.rows, load = texts.first_rows, snapshot.full_precision_vectors
        self.vectors = VectorSource(len(self.rows), lambda texts: load(self.rows[texts]))

    def run(self) -> tuple[Array, Array, Array]:
        """Compare all pairs, or those within a cell; return the numbers of both texts, and the scores.

        By default, the number of texts decides.
        """
        exact = self.options.exact
        if exact is False or (exact is None and len(self.rows) > EXACT_JOIN_MAX_TEXTS):
            self._compare_within_cells()
        else:
            self._compare_all()
        left, right, scores = (np.concatenate(part) for part in zip(*self.matches, strict=True))
        return left, right, scores

    def _compare_all(self) -> None:
        projected = Projection.fit(self.vectors, float(self.min_cosine)).transform_all(self.vectors)
        chunks = split_range(len(self.rows), QUERIES_PER_PASS)
        progress = ProgressCounter(self.options.progress, len(chunks))

        def compare_chunk(chunk: tuple[int, int]) -> None:
            for left, right in candidate_pairs(projected, chunk, self.min_cosine):
                distinct, positions = np.unique(np.concatenate([left, right]), return_inverse=True)
                is_close = self._is_close(self.vectors.take(distinct), *np.split(positions, 2))
                self._score_candidates(left[is_close], right[is_close])
            progress.advance()

        run_blocks(compare_chunk, chunks, self.n_threads)

    def _compare_within_cells(self) -> None:
        min_cosine, n = float(self.min_cosine), self.vectors.n
        # assigning the cells takes about half of the time
        assigning = ProgressCounter(self.options.progress, 4 * n)
        cells = assign_cells(self.vectors, min_cosine, self.n_threads, assigning)
        projection = Projection.fit(self.vectors, min_cosine)
        self._log_recall_estimate(cells, projection)
        progress = ProgressCounter(self.options.progress, 2 * len(cells), done=len(cells))

        def compare_cell(cell: int) -> None:
            texts = cells.texts[cells.starts[cell] : cells.starts[cell + 1]].astype(np.int64)
            vectors = self.vectors.take(texts)
            projected = projection.transform(vectors)
            for chunk in split_range(len(texts), QUERIES_PER_PASS):
                for left, right in candidate_pairs(projected, chunk, self.min_cosine):
                    is_close = self._is_close(vectors, left, right)
                    left, right = texts[left[is_close]], texts[right[is_close]]
                    is_new = cells.is_first_shared(left, right, cell)
                    self._score_candidates(left[is_new], right[is_new])
            progress.advance()

        run_blocks(compare_cell, list(range(len(cells))), self.n_threads)

    def _is_close(self, vectors: Array, left: Array, right: Array) -> Array:
        """Return which pairs of vectors reach the minimum cosine."""
        return np.asarray(row_products(vectors, vectors, left, right) >= self.min_cosine)

    def _score_candidates(self, left: Array, right: Array) -> None:
        """Score pairs by the measure and keep those that reach the threshold."""
        if not len(left):
            return
        scores = _score_rows(self.snapshot, self.options.measure, self.rows[left], self.rows[right])
        is_match = scores >= self.options.threshold
        left, right = left[is_match].astype(np.int32), right[is_match].astype(np.int32)
        with self.lock:
            self.n_pairs += int(self.sizes[left] @ self.sizes[right])
            _check_n_pairs(self.n_pairs, self.options.threshold)
            self.matches.append((left, right, scores[is_match]))

    def _log_recall_estimate(self, cells: Cells, projection: Projection) -> None:
        """Log the number of comparisons, the estimated recall, and the time that an exact join would take."""
        n, estimate = len(self.rows), "an unknown share: the sampled texts have no pair"
        if cells.n_sampled_pairs:
            recall, low, high = (100 * share for share in (cells.recall, *cells.recall_interval))
            pairs = f"{cells.n_sampled_pairs:,} pairs of sampled texts"
            estimate = f"{recall:.1f} % of {pairs} (95 %: {low:.1f} to {high:.1f})"
        # the time for all pairs is measured on a small part of them
        vectors = self.vectors.take(np.arange(min(n, 20 * QUERIES_PER_PASS)))
        sample, started = projection.transform(vectors), time.perf_counter()
        for _ in candidate_pairs(sample, (0, QUERIES_PER_PASS), self.min_cosine):
            pass
        seconds_per_pair = (time.perf_counter() - started) / (QUERIES_PER_PASS * len(sample))
        seconds = seconds_per_pair * n * n / 2 / self.n_threads
        logger.info(
            f"{n:,} distinct texts: each is compared with those of its "
            f"{cells.cells_of_text.shape[1]} of {len(cells):,} cells, which finds {estimate}; "
            f"comparing all pairs (exact) would take about {format_duration(seconds)}"
        )


def _score_rows(snapshot: Snapshot, measure: str, left: Array, right: Array) -> Array:
    """Score the texts in row ``left[i]`` and row ``right[i]`` for each i."""
    distinct, positions = np.unique(np.concatenate([left, right]), return_inverse=True)
    texts = snapshot.text_set(distinct)
    return np.round(score_pairs(get_measure(measure), texts, *np.split(positions, 2)), 6)


def candidate_pairs(
    vectors: Array, chunk: tuple[int, int], min_cosine: np.float32
) -> Iterator[tuple[Array, Array]]:
    """Yield the pairs of the texts of a chunk with later texts that reach a cosine, a buffer at a time."""
    begin, end = chunk
    panels = pack_queries(vectors[begin:end])
    size = max(_BUFFER, BLOCK_ROWS * (end - begin))
    pairs, cosines = np.empty((size, 2), np.int32), np.empty(size, np.float32)
    for rows, alive, first, last, base in split_rows(vectors, None, 1, start=begin):
        while first < last:
            first, n_pairs = scan_above_threshold(
                rows, alive, first, last, base, panels, end - begin, begin, min_cosine, pairs, cosines
            )
            left, right = pairs[:n_pairs].astype(np.int64).T
            yield left + begin, right
