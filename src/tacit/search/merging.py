"""Segments put together, without the texts that were deleted, and linked: what makes search faster again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.search import segment
from tacit.search.approximate import HnswGraph
from tacit.search.segment import Segment
from tacit.search.snapshot import Snapshot
from tacit.types import ProgressCounter

if TYPE_CHECKING:
    from tacit.search.index import Index

Array = NDArray[Any]
Progress = Callable[[int, int], None]

DEAD = 0.2
"""The share of deleted texts from which on a segment is written again when the index is saved."""

FEW = 1000
"""So many deleted texts are not worth the work of taking them out."""

MOST_SEGMENTS = 200
"""More than these are merged when the index is saved: each is an open file, and some time of every search."""


def build_graphs(
    snapshot: Snapshot, n_threads: int | None = None, progress: Progress | None = None
) -> Snapshot:
    """Build a graph for each segment that has none."""
    segments, counter = [], ProgressCounter(progress, len(snapshot.alive))
    for part in snapshot.segments:
        if part.graph is None:
            segments.append(part.linked(HnswGraph.build(part.vectors, n_threads, counter)))
        else:
            segments.append(part)
            counter.advance(len(part))
    return replace(snapshot, segments=tuple(segments))


def lightened(snapshot: Snapshot, n_threads: int | None = None) -> Snapshot:
    """The collection as it is saved, without deleted texts but for few of a large segment in a file."""

    def light(each: Segment, dead: int) -> bool:
        return each.part is None or len(each) < segment.SMALL_SEGMENT_SIZE or dead >= DEAD * len(each)

    return compact(snapshot, light, n_threads)


def uncrowded(snapshot: Snapshot, n_threads: int | None = None) -> Snapshot:
    """The collection without deleted texts that are in memory, once these outnumber those that live."""
    if len(snapshot.alive) - len(snapshot) <= max(len(snapshot), FEW):
        return snapshot
    return compact(snapshot, lambda each, dead: each.part is None, n_threads)


def compact(
    snapshot: Snapshot, wanted: Callable[[Segment, int], bool], n_threads: int | None = None
) -> Snapshot:
    """The collection without the deleted texts of segments that ``wanted`` names by how many these are."""
    segments, alive = [], []
    for each, first, last in snapshot.parts:
        living = snapshot.alive[first:last]
        dead = last - first - int(np.count_nonzero(living))
        if dead and wanted(each, dead):
            each = _together([each], [np.flatnonzero(living)], n_threads)
            living = np.ones(len(each), np.bool_)
        if len(each):
            segments.append(each)
            alive.append(living)
    if len(segments) == len(snapshot.segments) and all(map(_is, segments, snapshot.segments)):
        return snapshot
    return replace(
        snapshot, segments=tuple(segments), alive=np.concatenate([np.zeros(0, np.bool_), *alive]), beside={}
    )


def merge_index(index: Index, folder: str | Path | None = None, progress: Progress | None = None) -> None:
    """Merge the segments there are; if others took their place meanwhile, once more while writers wait."""
    from tacit.storage import lock_for_writing

    with nullcontext() if folder is None else lock_for_writing(folder):
        if not _published(index, folder, progress):
            with index._writing:
                _published(index, folder, progress)
        if folder is not None:
            index.save(folder)


def _published(index: Index, folder: str | Path | None, progress: Progress | None) -> bool:
    """Merge the segments as they are now; say whether they still were when that was done."""
    before = index.snapshot
    n = len(before.segments)
    segments, kept = _merged(index, before, folder, progress)
    if len(segments) == n and all(map(_is, segments, before.segments)):
        return True
    with index._writing:
        if len(index.snapshot.segments) < n or not all(map(_is, index.snapshot.segments, before.segments)):
            return False
        index.snapshot = _followed(index.snapshot, segments, kept, n)
    return True


def _followed(snapshot: Snapshot, segments: Sequence[Segment], kept: Array, n: int) -> Snapshot:
    """The collection with others in the place of its first n segments, of whose rows some are kept."""
    end = int(snapshot.starts[n])
    alive = np.concatenate([snapshot.alive[:end][kept], snapshot.alive[end:]])
    return replace(snapshot, segments=(*segments, *snapshot.segments[n:]), alive=alive, beside={})


def _merged(
    index: Index, snapshot: Snapshot, folder: str | Path | None, progress: Progress | None
) -> tuple[list[Segment], Array]:
    """The segments put together, and which rows are kept; each is in the folder before the next is made."""
    from tacit.search.serialization import flush_segment

    found, kept, done = [], [np.zeros(0, np.int64)], 0
    for group in _groups(snapshot, index.max_segment_size):
        rows = [np.flatnonzero(snapshot.alive[first:last]) for _, first, last in group]
        made = _together([each for each, _, _ in group], rows, index.n_threads)
        if folder is not None:
            made = flush_segment(made, folder)
        found.append(made)
        kept += [own + first for own, (_, first, _) in zip(rows, group, strict=True)]
        done += sum(map(len, rows))
        if progress:
            progress(done, len(snapshot))
    return found, np.concatenate(kept)


def _groups(snapshot: Snapshot, most: int) -> list[list[tuple[Segment, int, int]]]:
    """Segments that stand side by side and fit into one; those without a living text are in none."""
    groups: list[list[tuple[Segment, int, int]]] = []
    size = most + 1
    for each, first, last in snapshot.parts:
        living = int(np.count_nonzero(snapshot.alive[first:last]))
        if not living:
            continue
        if size + living > most:
            groups.append([])
            size = 0
        groups[-1].append((each, first, last))
        size += living
    return groups


def _together(segments: Sequence[Segment], rows: Sequence[Array], n_threads: int | None) -> Segment:
    """Some rows of segments as one, linked again if one of them was."""
    made = Segment.merged(segments, rows)
    if made.graph is None and any(each.graph for each in segments) and len(made):
        made = made.linked(HnswGraph.build(made.vectors, n_threads))
    return made


def _is(one: object, other: object) -> bool:
    return one is other
