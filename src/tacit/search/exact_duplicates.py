"""Texts that are equal but for case and spaces: one text, however often it stands there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.search.snapshot import Snapshot
from tacit.search.string_array import StringArray, hash_strings

Array = NDArray[Any]

_AT_ONCE = 1 << 15  # texts that are looked at together


@dataclass(frozen=True)
class Copies:
    """The living rows, those of equal texts together: text i has ``rows[starts[i] : starts[i + 1]]``.

    Texts stand in the order of their first rows.
    """

    rows: Array
    starts: Array

    def __len__(self) -> int:
        """How many distinct texts there are."""
        return len(self.starts) - 1

    @property
    def first(self) -> Array:
        """The first row of each text."""
        return self.rows[self.starts[:-1]]

    @property
    def sizes(self) -> Array:
        """How often each text stands there."""
        return np.diff(self.starts)

    def of(self, text: int) -> list[int]:
        """The rows of a text."""
        found: list[int] = self.rows[self.starts[text] : self.starts[text + 1]].tolist()
        return found


def group_exact_duplicates(snapshot: Snapshot) -> Copies:
    """Put equal texts together: by their hashes, and where these are equal to the letter."""
    living = np.flatnonzero(snapshot.alive)
    hashes = np.empty(len(living), np.uint64)
    for at in range(0, len(living), _AT_ONCE):
        hashes[at : at + _AT_ONCE] = hash_strings(
            StringArray.from_strings(_plain(snapshot, living[at : at + _AT_ONCE]))
        )
    order = np.argsort(hashes, kind="stable")
    differs = np.ones(len(order) + 1, np.bool_)
    differs[1:-1] = hashes[order[1:]] != hashes[order[:-1]]
    rows = living[order]
    leader = rows[np.maximum.accumulate(np.where(differs[:-1], np.arange(len(rows)), 0))]
    _tell_apart(snapshot, rows, leader, differs)
    back = np.lexsort((rows, leader))
    starts = np.flatnonzero(np.concatenate([[True], leader[back][1:] != leader[back][:-1], [True]]))
    return Copies(rows[back], starts if len(rows) else np.zeros(1, np.int64))


def _plain(snapshot: Snapshot, rows: Array) -> list[str]:
    return [" ".join(text.casefold().split()) for text in snapshot.texts.decode(rows)]


def _tell_apart(snapshot: Snapshot, rows: Array, leader: Array, differs: Array) -> None:
    """Give texts of one hash that are not equal leaders of their own; there is hardly ever one."""
    shared = np.flatnonzero(~(differs[:-1] & differs[1:]))
    for at in range(0, len(shared), _AT_ONCE):
        places = shared[at : at + _AT_ONCE]
        pairs = zip(_plain(snapshot, rows[places]), _plain(snapshot, leader[places]), strict=True)
        wrong = places[[own != other for own, other in pairs]]
        seen: dict[tuple[int, str], int] = {}
        for place, text in zip(wrong.tolist(), _plain(snapshot, rows[wrong]), strict=True):
            leader[place] = seen.setdefault((int(leader[place]), text), int(rows[place]))
