"""All texts of a collection that say nearly the same, by an exact join that holds no matrix.

Texts equal but for case and spaces are one text. The others are compared by latent cosine, all with all, a
block at a time; a pair that passes is measured. As the blend has a latent part and its other part is never
above 1, a blend from t on needs a latent cosine (``Measure.least_cosine``), and from t = 0.95 on every pair
is found. Below that ``t - SLACK`` is asked for: a pair with nearly the same words but other vectors may be
left out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import choice, number
from tacit.compute.nearest import QUERIES, fixed, packed, row_blocks
from tacit.compute.scan import ROWS, scan_above
from tacit.compute.threads import ranges, run
from tacit.compute.tiles import jit
from tacit.errors import InputError
from tacit.models.measure import Measure, score_pairs
from tacit.models.measures import find_measure
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.search.collection import Collection
from tacit.search.results import Group, Pair
from tacit.search.shorten import ROUNDING, full_products, shortened

if TYPE_CHECKING:
    from tacit.search.index import Index

Array = NDArray[Any]
Progress = Callable[[int, int], None]

MEASURES = ("blend", "latent")
"""Those with a bound on the cosine of a pair that reaches a score."""

SURE = 0.95
SLACK = 0.1
MOST_PAIRS = 20_000_000
"""More pairs than this are no answer: a higher threshold, or groups, tell more."""

_BUFFER = 1 << 19  # pairs of a thread that wait to be measured


def duplicate_pairs(
    index: Index, threshold: float, measure: str, progress: Progress | None = None
) -> list[Pair]:
    """Every pair with a score from the threshold on, the most alike first, then in the index's order."""
    check_join(threshold, measure)
    now = index.now
    copies = same_texts(now)
    found: list[Array] = [_equal_pairs(copies)]
    held = [len(found[0])]

    def keep(left: Array, right: Array, scores: Array) -> None:
        expanded = [
            (a, b, score)
            for i, j, score in zip(left.tolist(), right.tolist(), scores.tolist(), strict=True)
            for a in copies[i]
            for b in copies[j]
        ]
        held[0] += len(expanded)
        _check_number(held[0], threshold)
        if expanded:
            found.append(np.array(expanded))

    _join(now, copies, threshold, measure, keep, None, progress)
    rows = np.concatenate(found)
    rows[:, :2].sort(axis=1)
    order = np.lexsort((rows[:, 1], rows[:, 0], -rows[:, 2]))
    return [_pair(now, int(a), int(b), float(score)) for a, b, score in rows[order].tolist()]


def duplicate_groups(
    index: Index, threshold: float, measure: str, progress: Progress | None = None
) -> list[Group]:
    """The connected texts, the largest group first, then in the index's order."""
    check_join(threshold, measure)
    now = index.now
    copies = same_texts(now)
    parents = np.arange(len(copies))

    def keep(left: Array, right: Array, scores: Array) -> None:
        connect(parents, left, right)

    _join(now, copies, threshold, measure, keep, parents, progress)
    members: dict[int, list[int]] = {}
    for i, rows in enumerate(copies):
        members.setdefault(int(root(parents, i)), []).extend(rows)
    groups = sorted((sorted(rows) for rows in members.values() if len(rows) > 1), key=lambda g: (-len(g), g))
    return _scored(now, groups, measure)


def check_join(threshold: float, measure: str) -> None:
    """Refuse what the join cannot do, before work starts."""
    choice("measure", measure, MEASURES)
    number("threshold", threshold, 0.5, 1, what="0.9 finds near-copies")


def _least(model: TextModel, threshold: float, measure: Measure) -> float:
    """The latent cosine from which on pairs are measured."""
    needed = measure.least_cosine(model, threshold) or 0.0
    return needed if threshold >= SURE else max(threshold - SLACK, needed)


def same_texts(now: Collection) -> list[list[int]]:
    """The living rows, those of texts equal but for case and spaces together."""
    found: dict[str, list[int]] = {}
    for row, (text, alive) in enumerate(zip(now.texts, now.alive.tolist(), strict=True)):
        if alive:
            found.setdefault(" ".join(text.casefold().split()), []).append(row)
    return list(found.values())


def _equal_pairs(copies: list[list[int]]) -> Array:
    _check_number(sum(len(rows) * (len(rows) - 1) // 2 for rows in copies), 1.0)
    pairs = [(a, b, 1.0) for rows in copies for a, b in combinations(rows, 2)]
    return np.array(pairs) if pairs else np.zeros((0, 3))


def _check_number(found: int, threshold: float) -> None:
    if found > MOST_PAIRS:
        raise InputError(
            f"more than {MOST_PAIRS:,} pairs score {threshold:g} or more: raise it, or ask for groups"
        )


def _join(
    now: Collection, copies: list[list[int]], threshold: float, measure: str,
    keep: Callable[[Array, Array, Array], None], parents: Array | None, progress: Progress | None,
) -> None:  # fmt: skip
    """Call ``keep`` with the pairs of distinct texts that pass; ``parents`` tells which need no look."""
    first = [rows[0] for rows in copies]
    texts, by = now.seen.taken(np.array(first, np.int64)), find_measure(measure)
    vectors = texts.vectors
    least = np.float32(_least(texts.model, threshold, by))
    least -= np.float32(ROUNDING)  # rounding must lose no pair; the measure decides
    short = shortened(vectors, float(least))
    lock, done = threading.Lock(), 0
    chunks = ranges(len(first), QUERIES)

    def work(chunk: tuple[int, int]) -> None:
        nonlocal done
        for left, right in candidates(short, chunk, least):
            near = full_products(fixed(vectors), left, right) >= least
            left, right = left[near], right[near]
            if parents is not None:
                with lock:
                    apart = unconnected(parents, left, right)
                left, right = left[apart], right[apart]
            scores = _measured(by, texts, left, right)
            passed = scores >= threshold
            with lock:
                keep(left[passed], right[passed], scores[passed])
        with lock:
            done += 1
            if progress:
                progress(done, len(chunks))

    run(work, chunks, texts.model.usable_threads)


def _measured(measure: Measure, texts: TextSet, left: Array, right: Array) -> Array:
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


def _pair(now: Collection, a: int, b: int, score: float) -> Pair:
    return Pair(now.ids[a], now.ids[b], now.texts[a], now.texts[b], score)


def _scored(now: Collection, groups: list[list[int]], measure: str) -> list[Group]:
    """The groups with the lowest score of a text with the first of its group."""
    if not groups:
        return []
    members = np.array([row for group in groups for row in group], np.int64)
    sizes = [len(group) for group in groups]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    pairs = (np.repeat(starts, sizes), np.arange(len(members)))
    scores = _measured(find_measure(measure), now.seen.taken(members), *pairs)
    return [
        Group(
            [now.ids[row] for row in group],
            [now.texts[row] for row in group],
            float(scores[start : start + len(group)].min()),
        )
        for start, group in zip(starts.tolist(), groups, strict=True)
    ]
