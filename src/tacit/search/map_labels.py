"""Names of places on a map: of groups, and of smaller and smaller neighbourhoods for a closer look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tacit.search.collection import Collection

Array = NDArray[Any]

FIRST, LEVELS = 8, 4
"""Neighbourhoods a side at the first level, twice as many at each further one; how many levels there are.
The viewer's labels.js counts the same."""

NAMING = 3
"""Words of a group's name."""

LEAST = 4
"""Texts that make a neighbourhood worth a name."""


@dataclass(frozen=True)
class Label:
    """A name, where it stands, at which level, and for how many texts."""

    level: int
    x: float
    y: float
    name: str
    size: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def group_names(words: Sequence[Sequence[str]]) -> list[str]:
    """The first words of each group; where others are called so already, the last gives way to a further one.

    >>> group_names([["sent", "again", "so", "bill"], ["again", "so", "sent", "parcel"], []])
    ['sent, again, so', 'again, so, parcel', 'group 3']
    """
    taken: set[frozenset[str]] = set()
    names = []
    for number, all_of_it in enumerate(words, 1):
        first, further = list(all_of_it[:NAMING]), all_of_it[NAMING:]
        tries = [first, *([*first[:-1], word] for word in further)]
        chosen = next((one for one in tries if frozenset(one) not in taken), first)
        taken.add(frozenset(chosen))
        names.append(", ".join(chosen) or f"group {number}")
    return names


def group_labels(points: Array, group: Array, names: Sequence[str]) -> list[Label]:
    """The names of groups, each in the midst of its points."""
    return _placed(points, group, names, 0)


def local_labels(now: Collection, rows: Array, points: Array) -> list[Label]:
    """The words used more in each small square of the map than elsewhere, level after level."""
    found: list[Label] = []
    for level in range(1, LEVELS + 1):
        side = FIRST * 2 ** (level - 1)
        if level > 1 and len(rows) < side * side:
            break
        found += _level(now, rows, points, level, side)
    return found


def _level(now: Collection, rows: Array, points: Array, level: int, side: int) -> list[Label]:
    from tacit.search.clusters import said_words

    across = np.clip(((points + 1) / 2 * side).astype(np.int64), 0, side - 1)
    cells, cell, sizes = np.unique(
        across[:, 1] * side + across[:, 0], return_inverse=True, return_counts=True
    )
    cell = cell.reshape(-1)
    said = said_words(now, rows, cell, len(cells))
    names = [
        ", ".join(word for word, _ in words[:2]) if size >= LEAST else ""
        for words, size in zip(said, sizes.tolist(), strict=True)
    ]
    return _placed(points, cell, names, level)


def _placed(points: Array, number_of: Array, names: Sequence[str], level: int) -> list[Label]:
    """Names in the middle of what they name, on one of its points: the middle may lie among others."""
    order = np.argsort(number_of, kind="stable")
    ends = np.searchsorted(number_of[order], np.arange(len(names) + 1))
    found = []
    for number, name in enumerate(names):
        members = order[ends[number] : ends[number + 1]]
        if name and len(members):
            here = points[members]
            far = np.abs(here - np.median(here, axis=0)).sum(axis=1)
            x, y = here[np.argmin(far)].tolist()
            found.append(Label(level, round(x, 4), round(y, 4), name, len(members)))
    return found
