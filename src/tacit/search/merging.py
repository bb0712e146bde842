"""Merge segments, remove deleted texts, build graphs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tacit.search import segment as segments_module
from tacit.search.approximate import HnswGraph
from tacit.search.segment import Segment
from tacit.search.serialization import flush_segment
from tacit.search.snapshot import Snapshot
from tacit.storage import lock_for_writing
from tacit.types import Array, ProgressCallback, ProgressCounter

if TYPE_CHECKING:
    from tacit.search.index_writer import IndexWriter

MAX_DELETED_SHARE = 0.2
"""A stored segment with a larger share of deleted texts is rewritten when the index is saved."""

MIN_DELETED = 1000
"""With fewer deleted texts, in-memory segments are not rewritten."""

MAX_SEGMENTS = 200
"""More segments are merged when the index is saved: each is an open file and takes time in every search."""

Group = list[tuple[Segment, int, Array]]
"""Segments to merge: each with its first row in the snapshot, and which of its own rows to keep."""


def build_graphs(
    snapshot: Snapshot, n_threads: int | None = None, progress: ProgressCallback | None = None
) -> Snapshot:
    """Build a graph for each segment that has none."""
    segments, counter = [], ProgressCounter(progress, len(snapshot.alive))
    for segment in snapshot.segments:
        if segment.graph is None:
            segments.append(segment.with_graph(HnswGraph.build(segment.vectors, n_threads, counter)))
        else:
            segments.append(segment)
            counter.advance(len(segment))
    return replace(snapshot, segments=tuple(segments))


def compact_for_save(snapshot: Snapshot, n_threads: int | None = None) -> Snapshot:
    """Remove deleted texts from segments that are not stored, small, or have many deleted texts."""

    def should_compact(segment: Segment, n_deleted: int) -> bool:
        is_small = len(segment) < segments_module.SMALL_SEGMENT_SIZE
        return segment.file is None or is_small or n_deleted >= MAX_DELETED_SHARE * len(segment)

    return compact(snapshot, should_compact, n_threads)


def compact_if_mostly_deleted(snapshot: Snapshot, n_threads: int | None = None) -> Snapshot:
    """Remove deleted texts from in-memory segments if they outnumber the live ones."""
    n_deleted = len(snapshot.alive) - len(snapshot)
    if n_deleted <= max(len(snapshot), MIN_DELETED):
        return snapshot
    return compact(snapshot, lambda segment, n_deleted: segment.file is None, n_threads)


def compact(
    snapshot: Snapshot, should_compact: Callable[[Segment, int], bool], n_threads: int | None = None
) -> Snapshot:
    """Remove deleted texts from the segments that ``should_compact(segment, n_deleted)`` selects."""
    groups: list[Group] = []
    for segment, first, last in snapshot.segment_ranges:
        rows = np.flatnonzero(snapshot.alive[first:last])
        n_deleted = len(segment) - len(rows)
        if not (n_deleted and should_compact(segment, n_deleted)):
            rows = np.arange(len(segment))
        if len(rows):
            groups.append([(segment, first, rows)])
    return _replace_segments(snapshot, *_rewrite(groups, n_threads), len(snapshot.segments))


def merge_segments(
    snapshot: Snapshot, max_size: int, n_threads: int | None = None, folder: str | Path | None = None
) -> Snapshot:
    """Merge adjacent segments into segments of at most ``max_size`` texts, without deleted texts."""
    merged = _rewrite(_plan_merges(snapshot, max_size), n_threads, folder)
    return _replace_segments(snapshot, *merged, len(snapshot.segments))


def merge_index(
    index: IndexWriter, folder: str | Path | None = None, progress: ProgressCallback | None = None
) -> None:
    """Merge the segments of an index while others use it, and save it if there is a folder.

    If a writer replaces the segments in the meantime, they are merged again while writers wait.
    """
    with nullcontext() if folder is None else lock_for_writing(folder):
        if not _merge_and_swap(index, folder, progress):
            with index._write_lock:
                _merge_and_swap(index, folder, progress)
        if folder is not None:
            index.save(folder)


def _merge_and_swap(index: IndexWriter, folder: str | Path | None, progress: ProgressCallback | None) -> bool:
    """Merge the current segments and publish the result.

    Return False, and publish nothing, if a writer replaced the segments in the meantime.
    """
    before = index.snapshot
    n = len(before.segments)
    groups, counter = _plan_merges(before, index.max_segment_size), ProgressCounter(progress, len(before))
    segments, rows = _rewrite(groups, index.n_threads, folder, counter)
    with index._write_lock:
        current = index.snapshot
        if len(current.segments) < n or not all(map(operator.is_, current.segments, before.segments)):
            return False
        index.snapshot = _replace_segments(current, segments, rows, n)
    return True


def _plan_merges(snapshot: Snapshot, max_size: int) -> list[Group]:
    """Group adjacent segments whose live texts fit into one segment; omit segments without live texts."""
    groups: list[Group] = []
    size = max_size + 1
    for segment, first, last in snapshot.segment_ranges:
        rows = np.flatnonzero(snapshot.alive[first:last])
        if not len(rows):
            continue
        if size + len(rows) > max_size:
            groups.append([])
            size = 0
        groups[-1].append((segment, first, rows))
        size += len(rows)
    return groups


def _rewrite(
    groups: list[Group],
    n_threads: int | None,
    folder: str | Path | None = None,
    progress: ProgressCounter | None = None,
) -> tuple[list[Segment], Array]:
    """Merge each group into a segment; return the segments and the rows of the snapshot that they hold.

    A segment made from one with a graph gets a graph. With a folder, each segment is stored before the next
    one is made, so that memory holds one of them.
    """
    segments, rows = [], [np.zeros(0, np.int64)]
    for group in groups:
        merged = Segment.concat([part for part, _, _ in group], [kept for _, _, kept in group])
        if merged.graph is None and any(part.graph for part, _, _ in group):
            merged = merged.with_graph(HnswGraph.build(merged.vectors, n_threads))
        segments.append(merged if folder is None else flush_segment(merged, folder))
        rows += [first + kept for _, first, kept in group]
        if progress:
            progress.advance(len(merged))
    return segments, np.concatenate(rows)


def _replace_segments(snapshot: Snapshot, segments: Sequence[Segment], rows: Array, n: int) -> Snapshot:
    """Replace the first n segments by others that hold some of their rows."""
    if len(segments) == n and all(map(operator.is_, segments, snapshot.segments)):
        return snapshot
    end = int(snapshot.row_offsets[n])
    alive = np.concatenate([snapshot.alive[:end][rows], snapshot.alive[end:]])
    return replace(snapshot, segments=(*segments, *snapshot.segments[n:]), alive=alive)
