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
from tacit.search.approximate import Graph
from tacit.search.collection import Collection
from tacit.search.segment import Segment

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


def linked(now: Collection, n_threads: int | None = None, progress: Progress | None = None) -> Collection:
    """The collection with a graph for every segment."""
    segments, done = [], 0

    def told(at: int, _: int) -> None:
        if progress:
            progress(done + at, len(now.alive))

    for each in now.segments:
        graph = each.graph or Graph.of(each.vectors, n_threads, told)
        segments.append(each.linked(graph, each.graph_part if each.graph else None))
        done += len(each)
    return replace(now, segments=tuple(segments))


def lightened(now: Collection, n_threads: int | None = None) -> Collection:
    """The collection as it is saved, without deleted texts but for few of a large segment in a file."""

    def light(each: Segment, dead: int) -> bool:
        return each.part is None or len(each) < segment.SMALL or dead >= DEAD * len(each)

    return compacted(now, light, n_threads)


def uncrowded(now: Collection, n_threads: int | None = None) -> Collection:
    """The collection without deleted texts that are in memory, once these outnumber those that live."""
    if len(now.alive) - len(now) <= max(len(now), FEW):
        return now
    return compacted(now, lambda each, dead: each.part is None, n_threads)


def compacted(
    now: Collection, wanted: Callable[[Segment, int], bool], n_threads: int | None = None
) -> Collection:
    """The collection without the deleted texts of segments that ``wanted`` names by how many these are."""
    segments, alive = [], []
    for each, first, last in now.parts:
        living = now.alive[first:last]
        dead = last - first - int(np.count_nonzero(living))
        if dead and wanted(each, dead):
            each = _together([each], [np.flatnonzero(living)], n_threads)
            living = np.ones(len(each), np.bool_)
        if len(each):
            segments.append(each)
            alive.append(living)
    if len(segments) == len(now.segments) and all(map(_is, segments, now.segments)):
        return now
    return replace(
        now, segments=tuple(segments), alive=np.concatenate([np.zeros(0, np.bool_), *alive]), beside={}
    )


def merge_index(index: Index, folder: str | Path | None = None, progress: Progress | None = None) -> None:
    """Merge the segments there are; if others took their place meanwhile, once more while writers wait."""
    from tacit.storage import writing

    with nullcontext() if folder is None else writing(folder):
        if not _published(index, folder, progress):
            with index._writing:
                _published(index, folder, progress)
        if folder is not None:
            index.save(folder)


def _published(index: Index, folder: str | Path | None, progress: Progress | None) -> bool:
    """Merge the segments as they are now; say whether they still were when that was done."""
    before = index.now
    n = len(before.segments)
    segments, kept = _merged(index, before, folder, progress)
    if len(segments) == n and all(map(_is, segments, before.segments)):
        return True
    with index._writing:
        if len(index.now.segments) < n or not all(map(_is, index.now.segments, before.segments)):
            return False
        index.now = _followed(index.now, segments, kept, n)
    return True


def _followed(now: Collection, segments: Sequence[Segment], kept: Array, n: int) -> Collection:
    """The collection with others in the place of its first n segments, of whose rows some are kept."""
    end = int(now.starts[n])
    alive = np.concatenate([now.alive[:end][kept], now.alive[end:]])
    return replace(now, segments=(*segments, *now.segments[n:]), alive=alive, beside={})


def _merged(
    index: Index, now: Collection, folder: str | Path | None, progress: Progress | None
) -> tuple[list[Segment], Array]:
    """The segments put together, and which rows are kept; each is in the folder before the next is made."""
    from tacit.search.serialization import stowed_segment

    found, kept, done = [], [np.zeros(0, np.int64)], 0
    for group in _groups(now, index.segment_texts):
        rows = [np.flatnonzero(now.alive[first:last]) for _, first, last in group]
        made = _together([each for each, _, _ in group], rows, index.n_threads)
        if folder is not None:
            made = stowed_segment(made, folder)
        found.append(made)
        kept += [own + first for own, (_, first, _) in zip(rows, group, strict=True)]
        done += sum(map(len, rows))
        if progress:
            progress(done, len(now))
    return found, np.concatenate(kept)


def _groups(now: Collection, most: int) -> list[list[tuple[Segment, int, int]]]:
    """Segments that stand side by side and fit into one; those without a living text are in none."""
    groups: list[list[tuple[Segment, int, int]]] = []
    size = most + 1
    for each, first, last in now.parts:
        living = int(np.count_nonzero(now.alive[first:last]))
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
        made = made.linked(Graph.of(made.vectors, n_threads))
    return made


def _is(one: object, other: object) -> bool:
    return one is other
