"""Group texts that are equal up to case and white space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.search.snapshot import Snapshot
from tacit.search.string_array import StringArray, hash_strings
from tacit.types import Array

_BATCH = 1 << 15  # texts that are normalized together


@dataclass(frozen=True)
class ExactDuplicates:
    """The live rows, grouped by text: distinct text i has ``rows[starts[i] : starts[i + 1]]``.

    The distinct texts are in the order of their first rows.
    """

    rows: Array
    starts: Array

    def __len__(self) -> int:
        """Return the number of distinct texts."""
        return len(self.starts) - 1

    @property
    def first_rows(self) -> Array:
        """The first row of each distinct text."""
        return self.rows[self.starts[:-1]]

    @property
    def sizes(self) -> Array:
        """The number of rows of each distinct text."""
        return np.diff(self.starts)

    def rows_of(self, text: int) -> list[int]:
        """Return the rows of a distinct text."""
        rows: list[int] = self.rows[self.starts[text] : self.starts[text + 1]].tolist()
        return rows


def group_exact_duplicates(snapshot: Snapshot) -> ExactDuplicates:
    """Group the live texts by hashes of their normalized form; texts with equal hashes are compared."""
    alive = np.flatnonzero(snapshot.alive)
    hashes = np.empty(len(alive), np.uint64)
    for start in range(0, len(alive), _BATCH):
        batch = slice(start, start + _BATCH)
        hashes[batch] = hash_strings(StringArray.from_strings(_normalized_texts(snapshot, alive[batch])))
    order = np.argsort(hashes, kind="stable")
    is_boundary = np.ones(len(order) + 1, np.bool_)  # between different hashes
    is_boundary[1:-1] = hashes[order[1:]] != hashes[order[:-1]]
    rows = alive[order]
    first_rows = rows[np.maximum.accumulate(np.where(is_boundary[:-1], np.arange(len(rows)), 0))]
    _resolve_hash_collisions(snapshot, rows, first_rows, is_boundary)
    order = np.lexsort((rows, first_rows))
    is_start = np.concatenate([[True], first_rows[order][1:] != first_rows[order][:-1], [True]])
    return ExactDuplicates(rows[order], np.flatnonzero(is_start) if len(rows) else np.zeros(1, np.int64))


def _normalized_texts(snapshot: Snapshot, rows: Array) -> list[str]:
    return [" ".join(text.casefold().split()) for text in snapshot.texts.decode(rows)]


def _resolve_hash_collisions(snapshot: Snapshot, rows: Array, first_rows: Array, is_boundary: Array) -> None:
    """Correct ``first_rows`` for texts that have the hash of another text, which hardly ever happens."""
    has_equal_hash = np.flatnonzero(~(is_boundary[:-1] & is_boundary[1:]))
    for start in range(0, len(has_equal_hash), _BATCH):
        positions = has_equal_hash[start : start + _BATCH]
        texts = _normalized_texts(snapshot, rows[positions])
        first_texts = _normalized_texts(snapshot, first_rows[positions])
        differs = [text != first for text, first in zip(texts, first_texts, strict=True)]
        collisions = positions[differs]
        row_of_text: dict[tuple[int, str], int] = {}
        for position, text in zip(
            collisions.tolist(), _normalized_texts(snapshot, rows[collisions]), strict=True
        ):
            key = (int(first_rows[position]), text)
            first_rows[position] = row_of_text.setdefault(key, int(rows[position]))
