"""Immutable view of all segments of an index; results do not depend on how rows are split into segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import normalize_rows
from tacit.compute.nearest import merge_top_k, readonly_view
from tacit.corpora.column_kinds import combine_kinds
from tacit.errors import InputError
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.search.bm25 import QueryTerms
from tacit.search.record_columns import DEFAULT_MAX_COLUMNS, Column, decode_record
from tacit.search.segment import Segment
from tacit.search.stored_vectors import rescore_exact
from tacit.search.string_array import LazyStrings, StringArray
from tacit.types import Array

QUERY_BATCH = 256
"""Queries that are answered together: more queries share more texts, but need more memory."""

MAX_CATEGORIES = 50
"""A column with more values, and more than a twentieth of the number of texts, is not categorical."""

RESCORE_FACTOR, RESCORE_EXTRA = 2, 32
"""With rounded vectors, this multiple of k plus this many candidates are rescored exactly."""


@dataclass(frozen=True)
class Snapshot:
    """The segments of an index at one moment; their rows are numbered consecutively.

    A deleted text keeps its row, but is not ``alive``. ``next_id`` numbers the next text without an id.
    The first ``max_columns`` columns can be filtered and counted.
    """

    model: TextModel
    segments: tuple[Segment, ...]
    alive: NDArray[np.bool_]
    next_id: int = 1
    precision: str = "float32"
    max_columns: int = DEFAULT_MAX_COLUMNS

    def __len__(self) -> int:
        """Return the number of texts that are not deleted."""
        return int(np.count_nonzero(self.alive))

    @cached_property
    def row_offsets(self) -> NDArray[np.int64]:
        """First row of each segment, and the number of rows at the end."""
        return np.concatenate([[0], np.cumsum([len(segment) for segment in self.segments])]).astype(np.int64)

    @property
    def segment_ranges(self) -> Iterator[tuple[Segment, int, int]]:
        """Each segment with its first row and the row after its last one."""
        offsets = self.row_offsets.tolist()
        return zip(self.segments, offsets[:-1], offsets[1:], strict=True)

    @property
    def ids(self) -> SnapshotStrings:
        """The id of each row."""
        return SnapshotStrings(self, "ids")

    @property
    def texts(self) -> SnapshotStrings:
        """The text of each row, also of deleted ones."""
        return SnapshotStrings(self, "texts")

    @property
    def records(self) -> SnapshotStrings:
        """The columns of each row, as a JSON object."""
        return SnapshotStrings(self, "records")

    @cached_property
    def vectors(self) -> Array:
        """The unit vectors of all rows: of a single float32 segment without a copy."""
        if len(self.segments) == 1 and self.segments[0].vectors.is_full_precision:
            return self.segments[0].vectors.values
        empty = np.zeros((0, self.model.n_components), np.float32)
        return np.concatenate([empty, *(part.vectors.to_float32(slice(None)) for part in self.segments)])

    @cached_property
    def column_names(self) -> list[str]:
        """The columns of the records, in the order of the rows; the first ``max_columns`` can be filtered."""
        return list(dict.fromkeys(chain.from_iterable(segment.column_names for segment in self.segments)))

    @cached_property
    def _filterable_columns(self) -> frozenset[str]:
        return frozenset(self.column_names[: self.max_columns])

    def record_columns(self, segment: Segment) -> dict[str, Column]:
        """Return the columns of a segment that can be filtered."""
        return segment.record_columns(self._filterable_columns)

    @cached_property
    def column_kinds(self) -> dict[str, str]:
        """The kind of each column of the records, decided by the texts that are not deleted."""
        kinds: dict[str, set[str]] = {}
        for segment, first, last in self.segment_ranges:
            for name, column in self.record_columns(segment).items():
                kinds.setdefault(name, set()).update(column.kinds_in(self.alive[first:last]))
        return {name: combine_kinds(cell_kinds) for name, cell_kinds in kinds.items()}

    @cached_property
    def categorical_columns(self) -> set[str]:
        """The columns with few values that repeat: those to filter by."""
        limit = max(MAX_CATEGORIES, len(self.alive) // 20)
        names = set()
        for name, kind in self.column_kinds.items():
            columns = [part[name] for part in map(self.record_columns, self.segments) if name in part]
            if all(len(column.values) <= limit for column in columns):
                n_values = len({key for column in columns for key in column.keys(kind)})
                names |= {name} if 0 < n_values <= limit else set()
        return names

    def with_segments(self, new_segments: Sequence[Segment], max_size: int) -> Snapshot:
        """Append segments; a small last segment absorbs the next one if both fit into ``max_size`` texts."""
        segments = list(self.segments)
        for segment in new_segments:
            if segments and segments[-1].can_absorb(len(segment), max_size):
                segments[-1] = Segment.concat([segments[-1], segment])
            else:
                segments.append(segment)
        n = sum(map(len, new_segments))
        alive = np.concatenate([self.alive, np.ones(n, np.bool_)])
        return replace(self, segments=tuple(segments), alive=alive, next_id=self.next_id + n)

    def with_deleted(self, rows: Sequence[int]) -> Snapshot:
        """Mark rows as deleted."""
        alive = self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive)

    def without_ids(self, ids: AbstractSet[str]) -> Snapshot:
        """Mark the texts with these ids as deleted; ids that do not exist are ignored."""
        rows = self.rows_of_ids(sorted(ids))
        return self.with_deleted(rows[rows >= 0].tolist()) if ids else self

    def group_by_segment(self, rows: Array) -> Iterator[tuple[Segment, Array, Array]]:
        """Yield each segment that has some of the rows, with its own row numbers and their positions."""
        segment_of_row = np.searchsorted(self.row_offsets, rows, side="right") - 1
        for i in np.unique(segment_of_row).tolist():
            positions = np.flatnonzero(segment_of_row == i)
            yield self.segments[i], rows[positions] - self.row_offsets[i], positions

    def text_set(self, rows: Array, append: TextSet | None = None) -> TextSet:
        """Return the texts of some rows, in this order, followed by the texts of another set."""
        joined = None if append is None or len(self.segments) > 1 else self.segments[0].join(rows, append)
        if joined is not None:
            return joined
        parts, positions = [], []
        for segment, segment_rows, segment_positions in self.group_by_segment(rows):
            parts.append(segment.text_set(segment_rows))
            positions.append(segment_positions)
        if append is not None:
            parts.append(append)
            positions.append(np.arange(len(rows), len(rows) + len(append)))
        return TextSet.concat(parts).take(np.argsort(np.concatenate(positions)))

    def full_precision_vectors(self, rows: Array) -> Array:
        """Return the float32 vectors of some rows."""
        values = np.zeros((len(rows), self.model.n_components), np.float32)
        return self.gather(rows, values, Segment.full_precision_vectors)

    @property
    def n_outside_dimensions(self) -> int | None:
        """Number of components of the outside vectors; None without them."""
        outside = self.segments[0].outside if self.segments else None
        return None if outside is None else int(outside.values.shape[1])

    def outside_vectors(self, rows: Array) -> Array:
        """Return the outside vectors of some rows."""
        values = np.zeros((len(rows), self.n_outside_dimensions or 0), np.float32)
        return self.gather(rows, values, Segment.outside_vectors)

    def language_ids(self, rows: Array) -> Array:
        """Return the positions of the languages of some rows in the model."""
        values = np.zeros(len(rows), np.int64)
        return self.gather(rows, values, lambda segment, part: segment.language_ids[part])

    def gather(self, rows: Array, values: Array, read: Callable[[Segment, Array], Any]) -> Array:
        """Fill ``values`` with what ``read`` returns for the rows of each segment."""
        for segment, segment_rows, positions in self.group_by_segment(rows):
            values[positions] = read(segment, segment_rows)
        return values

    def rows_without_known_words(self, first: int = 0) -> Array:
        """Return the rows from ``first`` on without a word that the model knows."""
        rows = np.arange(first, len(self.alive))
        is_known = np.zeros(len(rows), np.bool_)
        self.gather(rows, is_known, lambda segment, part: segment.vectors.values[part].any(axis=1))
        return rows[~is_known]

    def rows_with_known_words(self, purpose: str) -> Array:
        """Return the rows of live texts with a known word; an error if there is none names the purpose."""
        rows: Array = np.flatnonzero(self.alive & self.vectors.any(axis=1))
        if len(rows) == 0:
            raise InputError(f"there is no text with a known word to {purpose}: add texts to the index")
        return rows

    def rows_of_ids(self, ids: Sequence[str], must_exist: bool = False) -> Array:
        """Return the rows of the live texts with these ids, -1 or an error where there is none."""
        rows, names = np.full(len(ids), -1, np.int64), StringArray.from_strings(ids)
        for segment, first, last in self.segment_ranges:
            segment_rows = segment.ids.find(names, self.alive[first:last])
            rows = np.where(segment_rows >= 0, segment_rows + first, rows)
        if must_exist and (rows < 0).any():
            raise InputError(f"the index has no text with the id {ids[int(rows.argmin())]!r}")
        return rows

    def records_of_ids(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        """Return the records of some texts."""
        return [decode_record(record) for record in self.records.decode(self.rows_of_ids(ids))]

    def row_of_id(self, text_id: str | int) -> int:
        """Return the row of the live text with this id."""
        name = str(text_id) if isinstance(text_id, int) else text_id
        return int(self.rows_of_ids([name], must_exist=True)[0])

    def nearest(self, queries: Array, k: int, approximate: bool = False) -> tuple[Array, Array]:
        """Return scores and rows of the k rows nearest to each unit vector, best first.

        Where there are fewer than k rows, the last scores are -inf and the last rows -1. With
        ``approximate``, segments that have a graph are searched by it.
        """
        queries = np.ascontiguousarray(queries, np.float32)
        is_exact = all(segment.vectors.is_full_precision for segment in self.segments)
        n_candidates = k if is_exact else RESCORE_FACTOR * k + RESCORE_EXTRA

        def search(segment: Segment, alive: Array) -> tuple[Array, Array]:
            # if most rows are deleted, the graph would visit many rows in vain
            use_graph = approximate and 2 * np.count_nonzero(alive) >= len(segment)
            index = segment.graph if use_graph and segment.graph is not None else segment.vectors
            return index.nearest(queries, n_candidates, alive, self.model.n_threads)

        scores, rows = self._search_segments(search, len(queries), n_candidates)
        return (scores, rows) if is_exact else rescore_exact(self.full_precision_vectors, queries, rows, k)

    def given_vector(self, row: int) -> Array | None:
        """Return the outside vector that was given with a text; None without one, or if an encoder has it."""
        outside = self.model.outside
        is_given = outside is not None and outside.encoder is None
        return self.outside_vectors(np.array([row]))[0] if is_given else None

    def nearest_outside(self, queries: Array, k: int) -> Array:
        """Return the k rows whose outside vectors are nearest to each unit vector, or -1."""

        def search(segment: Segment, alive: Array) -> tuple[Array, Array]:
            assert segment.outside is not None
            return segment.outside.nearest(queries, k, alive, self.model.n_threads)

        return self._search_segments(search, len(queries), k)[1]

    def top_by_bm25(self, query_terms: QueryTerms, k: int) -> Array:
        """Return the rows of the k texts with the highest BM25 scores for each query, or -1."""
        segment_ids, n_threads = iter(query_terms.segment_ids), self.model.usable_threads

        def search(segment: Segment, alive: Array) -> tuple[Array, Array]:
            return segment.postings.top_k(query_terms, next(segment_ids), k, alive, n_threads)

        return self._search_segments(search, len(query_terms.starts) - 1, k, missing_score=0)[1]

    def _search_segments(
        self, search: Callable[[Segment, Array], tuple[Array, Array]], n_queries: int, k: int,
        missing_score: float = -np.inf,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Return the k best scores and rows of all segments; ``search(segment, alive)`` searches one."""
        results = [(np.full((n_queries, k), missing_score, np.float32), np.full((n_queries, k), -1))]
        for segment, first, last in self.segment_ranges:
            scores, rows = search(segment, readonly_view(self.alive[first:last]))
            results.append((scores, np.where(rows >= 0, rows + first, -1)))
        if len(results) == 2 and scores.shape[1] == k:
            return results[1]
        return merge_top_k(results, k)

    def query_terms(self, queries: TextSet) -> QueryTerms:
        """Return the terms of queries, with their frequencies in all segments."""
        return QueryTerms.from_queries(queries, [segment.postings for segment in self.segments])


class SnapshotStrings(LazyStrings):
    """Strings of all segments of a snapshot, one for each row."""

    def __init__(self, snapshot: Snapshot, field: str) -> None:
        """Store the snapshot and the name of the strings in its segments."""
        self.snapshot, self.field = snapshot, field

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.snapshot.alive)

    def decode(self, rows: Array) -> list[str]:
        """Return the strings of some rows, in the order of ``rows``."""
        return self.snapshot.gather(
            rows, np.empty(len(rows), object), lambda segment, part: getattr(segment, self.field).decode(part)
        ).tolist()


def query_batches(
    model: TextModel, queries: list[str], language: Any = None, outside_vectors: Array | None = None
) -> Iterator[TextSet]:
    """Tokenize and encode queries in batches; the vectors have unit length."""
    for start in range(0, len(queries), QUERY_BATCH):
        rows = slice(start, start + QUERY_BATCH)
        batch = TextSet.from_texts(model, queries[rows], language)
        batch.vectors = normalize_rows(np.asarray(batch.vectors, np.float32))
        if outside_vectors is not None:
            batch.outside_vectors = outside_vectors[rows]
        yield batch
