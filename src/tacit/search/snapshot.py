"""The texts of an index at one moment: never changed, only followed by another; readers need no lock.

A collection is cut into segments. What is asked of it does not depend on how: every answer has the bits that
it has of one segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.compute.nearest import best_first, fixed
from tacit.compute.threads import usable_threads
from tacit.corpora.column_kinds import combine_kinds
from tacit.errors import InputError
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.search.bm25 import Asked, best_words
from tacit.search.segment import Segment
from tacit.search.stored_vectors import rescore_exact
from tacit.search.string_array import LazyStrings, StringArray
from tacit.storage import ArrayFile

Array = NDArray[Any]

QUERIES = 256
"""Answered together: the more, the fewer texts are looked up twice, and the more room they take."""

MAX_CATEGORIES = 50
"""A column with more values, and more than a twentieth of the number of texts, is not categorical."""

AGAIN, MORE = 2, 32
"""Of vectors that are not whole, so many times as many are looked at again, and some more."""


@dataclass(frozen=True)
class Snapshot:
    """Segments of texts, whose rows are counted on from one to the next.

    A deleted text keeps its row and is not ``alive``; ``next_number`` is the id of the next text without one.
    ``beside`` is what else is saved with the texts, by name, such as a layout; whoever changes the rows drops
    it.
    """

    model: TextModel
    segments: tuple[Segment, ...]
    alive: NDArray[np.bool_]
    next_id: int = 1
    precision: str = "float32"
    beside: Mapping[str, ArrayFile] = field(default_factory=dict)

    @classmethod
    def empty(cls, model: TextModel, precision: str = "float32") -> Snapshot:
        """No texts yet."""
        return cls(model, (), np.zeros(0, np.bool_), precision=precision)

    def __len__(self) -> int:
        """How many texts there are, without those deleted."""
        return self._living

    @cached_property
    def _living(self) -> int:
        return int(np.count_nonzero(self.alive))

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the rows of each segment start, and where the last one's end."""
        return np.concatenate([[0], np.cumsum([len(each) for each in self.segments])]).astype(np.int64)

    @property
    def parts(self) -> Iterator[tuple[Segment, int, int]]:
        """The segments, each with its first row and the one after its last."""
        return zip(self.segments, self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True)

    @property
    def ids(self) -> SnapshotStrings:
        """The id of each row."""
        return SnapshotStrings(self, "ids")

    @property
    def texts(self) -> SnapshotStrings:
        """The text of each row, those deleted too."""
        return SnapshotStrings(self, "texts")

    @property
    def records(self) -> SnapshotStrings:
        """The kept columns of each row, as JSON."""
        return SnapshotStrings(self, "records")

    @cached_property
    def vectors(self) -> Array:
        """The vectors of all rows at length 1: those of one segment as they lie, of several a copy."""
        if len(self.segments) == 1 and self.segments[0].vectors.is_full_precision:
            return self.segments[0].vectors.values
        none = np.zeros((0, self.model.n_components), np.float32)
        return np.concatenate([none, *(each.vectors.to_float32(slice(None)) for each in self.segments)])

    @cached_property
    def column_kinds(self) -> dict[str, str]:
        """The kind of each column of the records, decided by the texts that are not deleted."""
        kinds: dict[str, set[str]] = {}
        for segment, first, last in self.parts:
            for name, column in segment.record_columns.items():
                kinds.setdefault(name, set()).update(column.kinds_in(self.alive[first:last]))
        return {name: combine_kinds(each) for name, each in kinds.items()}

    @cached_property
    def categorical_columns(self) -> set[str]:
        """The columns whose values are few and repeat: those to filter by."""
        limit = max(MAX_CATEGORIES, len(self.alive) // 20)
        names = set()
        for name, kind in self.column_kinds.items():
            columns = [each.record_columns[name] for each in self.segments if name in each.record_columns]
            if all(len(column.values) <= limit for column in columns):
                n_values = len({key for column in columns for key in column.keys(kind)})
                names |= {name} if 0 < n_values <= limit else set()
        return names

    def rows_with_known_words(self, purpose: str) -> Array:
        """Return the rows of live texts with a known word; raise an error if there is none."""
        rows: Array = np.flatnonzero(self.alive & self.vectors.any(axis=1))
        if len(rows) == 0:
            raise InputError(f"there is no text with a known word to {purpose}: add texts to the index")
        return rows

    @property
    def linked(self) -> bool:
        """Whether a segment has a graph."""
        return any(each.graph is not None for each in self.segments)

    def extended(self, added: Sequence[Segment], most: int) -> Snapshot:
        """These texts and more; a small last segment is taken up into the next, if both fit into one."""
        segments = list(self.segments)
        for each in added:
            if segments and segments[-1].takes_more(len(each), most):
                segments[-1] = Segment.merged([segments[-1], each])
            else:
                segments.append(each)
        n = sum(map(len, added))
        alive = np.concatenate([self.alive, np.ones(n, np.bool_)])
        number = self.next_id + n
        return replace(self, segments=tuple(segments), alive=alive, next_id=number, beside={})

    def without(self, rows: Sequence[int]) -> Snapshot:
        """These texts less some."""
        alive = self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive, beside={})

    def split(self, rows: Array) -> Iterator[tuple[Segment, Array, Array]]:
        """The segments that some rows are of; the rows as each one counts them, and their places."""
        owner = np.searchsorted(self.starts, rows, side="right") - 1
        for number in np.unique(owner).tolist():
            places = np.flatnonzero(owner == number)
            yield self.segments[number], rows[places] - self.starts[number], places

    def taken(self, rows: Array, longest: int | None = None, beside: TextSet | None = None) -> TextSet:
        """Some texts as the model sees them, in the order given, and then others."""
        parts, order = [], [np.zeros(0, np.int64)]
        for segment, own, places in self.split(rows):
            parts.append(segment.taken(own, longest))
            order.append(places)
        if beside is not None or not parts:
            parts.append(TextSet.from_texts(self.model, []) if beside is None else beside)
        back = np.argsort(np.concatenate(order), kind="stable")
        joined = TextSet.concat(parts)
        return joined.take(np.concatenate([back, np.arange(len(rows), len(joined))]))

    def full_precision_vectors(self, rows: Array) -> Array:
        """The whole vectors of some rows, in the order given."""
        found = np.zeros((len(rows), self.model.n_components), np.float32)
        for segment, own, places in self.split(rows):
            found[places] = segment.full_precision_vectors(own)
        return found

    def spoken(self, rows: Array) -> Array:
        """The number of the language of some rows."""
        found = np.zeros(len(rows), np.int64)
        for segment, own, places in self.split(rows):
            found[places] = segment.spoken[own]
        return found

    def lengths(self, rows: Array) -> Array:
        """How many tokens some rows have."""
        found = np.zeros(len(rows), np.int64)
        for segment, own, places in self.split(rows):
            found[places] = segment.token_starts[own + 1] - segment.token_starts[own]
        return found

    def n_without_known_words(self, first: int = 0) -> int:
        """How many rows, from ``first`` on, have no word that the model knows."""
        found = 0
        for segment, start, end in self.parts:
            if end > first:
                own = segment.vectors.values[max(first - start, 0) :]
                found += len(own) - int(np.count_nonzero(own.any(axis=1)))
        return found

    def find(self, names: Sequence[str]) -> Array:
        """The rows of the living texts with these ids, -1 where there is none."""
        found, wanted = np.full(len(names), -1, np.int64), StringArray.from_strings(names)
        for segment, first, last in self.parts:
            rows = segment.names.find(wanted, self.alive[first:last])
            found = np.where(rows >= 0, rows + first, found)
        return found

    def row(self, name: str | int) -> int:
        """The row of the text with this id."""
        row = int(self.find([str(name) if isinstance(name, int) else name])[0])
        if row < 0:
            raise InputError(f"the index has no text with the id {name!r}")
        return row

    def nearest(
        self, queries: Array, k: int, approximate: bool = False, n_threads: int | None = None
    ) -> tuple[Array, Array]:
        """The k rows nearest to each unit vector: scores and rows, best first, -1 and -inf for no more.

        ``approximate`` asks the graph of a segment that has one.
        """
        queries = np.ascontiguousarray(queries, np.float32)
        whole = all(each.vectors.is_full_precision for each in self.segments)
        wide = k if whole else AGAIN * k + MORE
        scores = [np.full((len(queries), wide), -np.inf, np.float32)]
        rows = [np.full((len(queries), wide), -1, np.int64)]
        for segment, first, last in self.parts:
            look, may = segment.vectors.nearest, fixed(self.alive[first:last])
            if approximate and segment.graph is not None and 2 * np.count_nonzero(may) >= len(segment):
                look = segment.graph.nearest  # where few rows may be found, it would walk past them
            found, own = look(queries, wide, may, n_threads)
            scores.append(found)
            rows.append(np.where(own >= 0, own + first, -1))
        best = best_first(np.concatenate(scores, axis=1), np.concatenate(rows, axis=1), wide)
        return best if whole else rescore_exact(self.full_precision_vectors, queries, best[1], k)

    def best_by_words(self, queries: TextSet, k: int, n_threads: int | None = None) -> tuple[Asked, Array]:
        """What queries ask for, and the rows of the k texts that score best for each by BM25; -1 for none."""
        asked, terms = self.asked(queries)
        scores = [np.zeros((len(queries), k), np.float32)]
        rows = [np.full((len(queries), k), -1, np.int64)]
        for (segment, first, last), own in zip(self.parts, terms, strict=True):
            alive = self.alive[first:last]
            found = segment.postings.best(asked, own, k, alive, usable_threads(n_threads))
            scores.append(found[0])
            rows.append(np.where(found[1] >= 0, found[1] + first, -1))
        return asked, best_words(np.concatenate(scores, axis=1), np.concatenate(rows, axis=1), k)[1]

    def asked(self, queries: TextSet) -> tuple[Asked, list[Array]]:
        """What queries ask for by their words, and the numbers of these in each segment."""
        return Asked.by(queries, [each.postings for each in self.segments])


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
        strings = [""] * len(rows)
        for segment, segment_rows, positions in self.snapshot.split(rows):
            decoded = getattr(segment, self.field).decode(segment_rows)
            for position, string in zip(positions.tolist(), decoded, strict=True):
                strings[position] = string
        return strings


def unit_set(model: TextModel, texts: list[str], language: Any = None) -> TextSet:
    """Texts as a collection keeps them: tokenised, with vectors of length 1."""
    seen = TextSet.from_texts(model, texts, language)
    seen.vectors = unit(np.asarray(seen.vectors, np.float32))
    return seen


def query_batches(model: TextModel, queries: list[str], language: Any = None) -> Iterator[TextSet]:
    """Queries prepared as many at a time as are answered together."""
    for start in range(0, len(queries), QUERIES):
        yield unit_set(model, queries[start : start + QUERIES], language)
