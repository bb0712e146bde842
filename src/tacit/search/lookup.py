"""Strings found among millions by their hashes, kept in order: two arrays on a disk and no dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.nearest import fixed
from tacit.compute.tiles import jit
from tacit.errors import ModelError
from tacit.search.strings import Strings
from tacit.storage.stored_model import ArrayReader

Array = NDArray[Any]


class Lookup:
    """Finds strings: their hashes in order, and whose each one is; what matches is compared to the letter.

    >>> table = Lookup.of(Strings.of(["tea", "cake"]))
    >>> table.find(Strings.of(["cake", "salt"])).tolist()
    [1, -1]
    """

    def __init__(self, strings: Strings, hashes: Array, rows: Array) -> None:
        """Take the parts; ``of`` makes them."""
        self.strings, self.hashes, self.rows = strings, hashes, rows

    @classmethod
    def of(cls, strings: Strings) -> Lookup:
        """Hash strings and sort the hashes."""
        hashes = hashes_of(strings)
        rows = np.argsort(hashes, kind="stable").astype(np.int32)
        return cls(strings, hashes[rows], rows)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array], name: str, strings: Strings) -> Lookup:
        """Read and check the arrays that ``arrays`` returned."""
        reader, n = ArrayReader(arrays, f"{name}."), len(strings)
        hashes = reader.array("hashes", np.uint64, (n,))
        rows = reader.indices("rows", np.int32, (n,), n)
        if n > 1 and bool((hashes[1:] < hashes[:-1]).any()):
            raise ModelError(f"the index's {name} are out of order: build it again")
        return cls(strings, hashes, rows)

    def arrays(self, name: str) -> dict[str, Array]:
        """The two arrays, by name."""
        return {f"{name}.hashes": self.hashes, f"{name}.rows": self.rows}

    def find(self, wanted: Strings, alive: Array | None = None) -> Array:
        """The row of each wanted string, the last of equal ones that is alive; -1 where there is none."""
        living = np.ones(len(self.strings), np.bool_) if alive is None else alive
        own = (fixed(self.hashes), fixed(self.rows), fixed(self.strings.data), fixed(self.strings.starts))
        asked = (hashes_of(wanted), fixed(wanted.data), fixed(wanted.starts))
        found: Array = find_strings(*own, fixed(living), *asked)
        return found


def hashes_of(strings: Strings) -> Array:
    """A number of 64 bits for each string, the same on every machine."""
    found: Array = hash_strings(fixed(strings.data), fixed(strings.starts))
    return found


@jit
def hash_strings(data, starts):  # type: ignore[no-untyped-def]
    """FNV-1a (Fowler, Noll & Vo) of each run of bytes, its bits mixed once more."""
    found = np.empty(len(starts) - 1, np.uint64)
    for i in range(len(found)):
        value = np.uint64(0xCBF29CE484222325)
        for k in range(starts[i], starts[i + 1]):
            value = (value ^ np.uint64(data[k])) * np.uint64(0x100000001B3)
        value ^= value >> np.uint64(32)
        value *= np.uint64(0x9E3779B97F4A7C15)
        found[i] = value ^ (value >> np.uint64(29))
    return found


@jit
def find_strings(hashes, rows, data, starts, alive, asked, asked_data, asked_starts):  # type: ignore[no-untyped-def]
    """For each string asked for, the largest row that is alive and has the same bytes, or -1."""
    found = np.full(len(asked), -1, np.int64)
    for i in range(len(asked)):
        low, high = 0, len(hashes)
        while low < high:
            middle = (low + high) // 2
            if hashes[middle] < asked[i]:
                low = middle + 1
            else:
                high = middle
        size = asked_starts[i + 1] - asked_starts[i]
        while low < len(hashes) and hashes[low] == asked[i]:
            row = rows[low]
            low += 1
            if row <= found[i] or not alive[row] or starts[row + 1] - starts[row] != size:
                continue
            same = True
            for k in range(size):
                if data[starts[row] + k] != asked_data[asked_starts[i] + k]:
                    same = False
                    break
            if same:
                found[i] = row
    return found
