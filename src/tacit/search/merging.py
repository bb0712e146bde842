"""Merge segments, remove deleted texts, build graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tacit.search import segment as segments_module
from tacit.search.approximate import HnswGraph
from tacit.search.segment import Segment
from tacit.search.serialization import flush_segment
from tacit.search.snapshot import Snapshot
from tacit.types import Array, ProgressCallback, ProgressCounter

MAX_DELETED_SHARE = 0.2
"""A stored segment with a larger share of deleted texts is rewritten when the index is saved."""

MIN_DELETED = 1000
"""With fewer deleted texts, in-memory segments are not rewritten."""

MAX_SEGMENTS = 200
"""More segments are merged when the index is saved: each is an open file and takes time in every search."""

RowsOfSegment = tuple[Segment, int, Array]
"""A segment, its first row in the snapshot, and some of its own rows."""


def build_graphs(snapshot: Snapshot, progress: ProgressCallback | None = None) -> Snapshot:
    """Build a graph for each segment that has none."""
    n_done = sum(len(segment) for segment in snapshot.segments if segment.graph is not None)
    counter = ProgressCounter(progress, len(snapshot.alive), n_done)
    segments = (_with_new_graph(s, counter) if s.graph is None else s for s in snapshot.segments)
    return replace(snapshot, segments=tuple(segments))


def _with_new_graph(segment: Segment, progress: ProgressCounter | None = None) -> Segment:
    return segment.with_graph(HnswGraph.build(segment.vectors, segment.model.n_threads, progress))


def compact_for_save(snapshot: Snapshot) -> Snapshot:
    """Remove deleted texts from segments that are not stored, small, or have many deleted texts."""

    def should_compact(segment: Segment, n_deleted: int) -> bool:
        is_small = len(segment) < segments_module.SMALL_SEGMENT_SIZE
        return segment.file is None or is_small or n_deleted >= MAX_DELETED_SHARE * len(segment)

    return compact(snapshot, should_compact)


def compact_if_mostly_deleted(snapshot: Snapshot) -> Snapshot:
    """Remove deleted texts from in-memory segments if they outnumber the live ones."""
    n_deleted = len(snapshot.alive) - len(snapshot)
    if n_deleted <= max(len(snapshot), MIN_DELETED):
        return snapshot
    return compact(snapshot, lambda segment, n_deleted: segment.file is None)


def compact(snapshot: Snapshot, should_compact: Callable[[Segment, int], bool]) -> Snapshot:
    """Remove deleted texts from the segments that ``should_compact(segment, n_deleted)`` selects."""
    groups = []
    for segment, first, rows in _live_rows(snapshot):
        if not should_compact(segment, len(segment) - len(rows)):
            rows = np.arange(len(segment))
        groups.append([(segment, first, rows)] if len(rows) else [])
    return replace_segments(snapshot, *_rewrite(groups), len(snapshot.segments))


def _live_rows(snapshot: Snapshot) -> Iterator[RowsOfSegment]:
    """Yield each segment with its first row in the snapshot and its live rows, counted from that row."""
    for segment, first, last in snapshot.segment_ranges:
        yield segment, first, np.flatnonzero(snapshot.alive[first:last])


def merge_segments(
    snapshot: Snapshot, max_size: int, folder: str | Path | None = None,
    progress: ProgressCallback | None = None,
) -> tuple[list[Segment], Array]:  # fmt: skip
    """Merge adjacent segments into segments of at most ``max_size`` texts, without deleted texts.

    Return the segments, and the rows of the snapshot that they hold. With a folder, each segment is stored
    before the next one is made, so that memory holds one of them.
    """
    groups: list[list[RowsOfSegment]] = []
    size = 0
    for part in [part for part in _live_rows(snapshot) if len(part[2])]:
        size += len(part[2])
        if not groups or size > max_size:
            groups.append([])
            size = len(part[2])
        groups[-1].append(part)
    return _rewrite(groups, folder, ProgressCounter(progress, len(snapshot)))


def _rewrite(
    groups: list[list[RowsOfSegment]], folder: str | Path | None = None,
    progress: ProgressCounter | None = None,
) -> tuple[list[Segment], Array]:  # fmt: skip
    """Merge each group into a segment, which gets a graph if one of the group has a graph."""
    segments, rows = [], [np.zeros(0, np.int64)]
    for group in filter(None, groups):
        merged = Segment.concat([segment.take(segment_rows) for segment, _, segment_rows in group])
        if merged.graph is None and any(segment.graph for segment, _, _ in group):
            merged = _with_new_graph(merged)
        segments.append(merged if folder is None else flush_segment(merged, folder))
        rows += [first + segment_rows for _, first, segment_rows in group]
        if progress:
            progress.advance(len(merged))
    return segments, np.concatenate(rows)


def replace_segments(snapshot: Snapshot, segments: Sequence[Segment], rows: Array, n: int) -> Snapshot:
    """Replace the first n segments by others that hold some of their rows."""
    if tuple(segments) == snapshot.segments[:n]:
        return snapshot
    end = int(snapshot.row_offsets[n])
    alive = np.concatenate([snapshot.alive[:end][rows], snapshot.alive[end:]])
    return replace(snapshot, segments=(*segments, *snapshot.segments[n:]), alive=alive)
