"""The texts of an index at one moment: never changed, only followed by another; readers need no lock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.errors import InputError
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.search.bm25 import Postings
from tacit.search.strings import Strings

if TYPE_CHECKING:
    from tacit.search.approximate import Graph

Array = NDArray[Any]

QUERIES = 256
"""Answered together: the more, the fewer texts are looked up twice, and the more room they take."""


@dataclass(frozen=True)
class Collection:
    """Texts with their tokens and unit vectors (``seen``), ids and kept columns; a row for each.

    A deleted text keeps its row and is not ``alive``; ``next_number`` is the id of the next text without one.
    """

    seen: TextSet
    alive: NDArray[np.bool_]
    ids: Strings
    texts: Strings
    records: Strings
    next_number: int = 1
    graph: Graph | None = None

    @classmethod
    def empty(cls, model: TextModel) -> Collection:
        """No texts yet."""
        none = Strings.of([])
        seen = TextSet.of(model, [])
        seen.vectors = np.zeros((0, model.n_components), np.float32)
        return cls(seen, np.zeros(0, np.bool_), none, none, none)

    def __len__(self) -> int:
        """How many texts there are, without those deleted."""
        return int(np.count_nonzero(self.alive))

    @property
    def vectors(self) -> Array:
        """The texts' vectors at length 1."""
        return self.seen.vectors

    def extended(self, seen: TextSet, texts: list[str], ids: list[str], records: list[str]) -> Collection:
        """These texts and more."""
        return replace(
            self,
            seen=self.seen.extended(seen),
            alive=np.concatenate([self.alive, np.ones(len(texts), np.bool_)]),
            ids=self.ids.extended(ids),
            texts=self.texts.extended(texts),
            records=self.records.extended(records),
            next_number=self.next_number + len(texts),
        )

    def without(self, rows: list[int]) -> Collection:
        """These texts less some."""
        alive = self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive)

    def compacted(self) -> Collection:
        """These texts without the rows of deleted ones."""
        if self.alive.all():
            return self
        rows = np.flatnonzero(self.alive)
        parts = {name: getattr(self, name).taken(rows) for name in ("seen", "ids", "texts", "records")}
        return replace(self, alive=np.ones(len(rows), np.bool_), graph=None, **parts)

    @cached_property
    def rows(self) -> dict[str, int]:
        """From an id to its row, of the living."""
        living = np.flatnonzero(self.alive)
        return dict(zip(self.ids.decoded(living), living.tolist(), strict=True))

    def row(self, name: str | int) -> int:
        """The row of the text with this id."""
        row = self.rows.get(str(name) if isinstance(name, int) else name)
        if row is None:
            raise InputError(f"the index has no text with the id {name!r}")
        return row

    @cached_property
    def postings(self) -> Postings:
        """Which texts have which term."""
        return Postings.of(self.seen)


def unit_set(model: TextModel, texts: list[str], language: Any = None) -> TextSet:
    """Texts as a collection keeps them: tokenised, with vectors of length 1."""
    seen = TextSet.of(model, texts, language)
    seen.vectors = unit(np.asarray(seen.vectors, np.float32))
    return seen


def in_batches(model: TextModel, queries: list[str], language: Any = None) -> Iterator[TextSet]:
    """Queries prepared as many at a time as are answered together."""
    for start in range(0, len(queries), QUERIES):
        yield unit_set(model, queries[start : start + QUERIES], language)
