"""Many strings in two arrays, found by sorted 64-bit hashes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tacit.compute.csr import take_slices
from tacit.compute.nearest import readonly_view
from tacit.compute.tiles import jit
from tacit.errors import ModelError
from tacit.storage.stored_model import ArrayReader
from tacit.types import Array

_DECODE_BATCH = 4096  # strings that are decoded together during iteration


class LazyStrings(Sequence[str]):
    """A sequence of strings that are decoded on access; subclasses define ``__len__`` and ``decode``."""

    def decode(self, rows: Array) -> list[str]:
        """Return the strings of some rows, in the order of ``rows``."""
        raise NotImplementedError

    def __getitem__(self, row: Any) -> Any:
        """Decode one string, or the list of strings of a slice."""
        if isinstance(row, slice):
            return self.decode(np.arange(*row.indices(len(self))))
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} is out of range for {len(self)} strings")
        return self.decode(np.array([row % len(self)]))[0]

    def __iter__(self) -> Iterator[str]:
        """Decode all strings in batches."""
        for start in range(0, len(self), _DECODE_BATCH):
            yield from self.decode(np.arange(start, min(start + _DECODE_BATCH, len(self))))


class StringArray(LazyStrings):
    """Strings as one array of UTF-8 bytes and the offset of each string in it.

    >>> names = StringArray.from_strings(["café", "", "tea"])
    >>> len(names), list(names), names[-1]
    (3, ['café', '', 'tea'], 'tea')
    >>> names.find(StringArray.from_strings(["tea", "salt"])).tolist()
    [2, -1]
    """

    def __init__(self, data: Array, offsets: Array) -> None:
        """Store the bytes and the offsets; the last offset is the number of bytes."""
        self.data, self.offsets = data, offsets

    @classmethod
    def from_strings(cls, strings: Iterable[str]) -> StringArray:
        """Encode strings."""
        strings = list(strings)
        joined = "".join(strings)
        data = np.frombuffer(joined.encode("utf-8", "surrogatepass"), np.uint8)
        parts = strings if joined.isascii() else (text.encode("utf-8", "surrogatepass") for text in strings)
        return cls(data, np.cumsum([0, *map(len, parts)], dtype=np.int64))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array], name: str, with_hashes: bool = False) -> StringArray:
        """Read and check the arrays that `to_arrays` returned."""
        reader = ArrayReader(arrays, f"{name}.")
        data = reader.array("data", np.uint8, (None,))
        strings = cls(data, reader.offsets("starts", None, len(data)))
        if with_hashes:
            hashes = reader.array("hashes", np.uint64, (len(strings),))
            if bool((hashes[1:] < hashes[:-1]).any()):
                raise ModelError(f"the hashes of the index's {name} are not sorted: build the index again")
            strings.sorted_hashes = hashes, reader.indices("rows", np.int32, (len(strings),), len(strings))
        return strings

    def to_arrays(self, name: str, with_hashes: bool = False) -> dict[str, Array]:
        """Return the arrays by their names in a file."""
        arrays = {f"{name}.data": self.data, f"{name}.starts": self.offsets}
        if with_hashes:
            arrays[f"{name}.hashes"], arrays[f"{name}.rows"] = self.sorted_hashes
        return arrays

    @cached_property
    def sorted_hashes(self) -> tuple[Array, Array]:
        """The hashes of the strings in ascending order, and the row of each hash."""
        hashes = hash_strings(self)
        rows = np.argsort(hashes, kind="stable").astype(np.int32)
        return hashes[rows], rows

    def find(self, strings: StringArray, alive: Array | None = None) -> Array:
        """Return the row of each string, the last live one if several are equal, or -1 if there is none.

        Rows with an equal hash are confirmed by comparing the bytes.
        """
        alive = np.ones(len(self), np.bool_) if alive is None else alive
        queries = (hash_strings(strings), readonly_view(strings.data), readonly_view(strings.offsets))
        table = map(readonly_view, (*self.sorted_hashes, self.data, self.offsets, alive))
        return np.asarray(_find_rows(*table, *queries))

    @classmethod
    def concat(cls, parts: Sequence[StringArray]) -> StringArray:
        """Concatenate several arrays."""
        sizes = [np.diff(part.offsets) for part in parts]
        offsets = np.concatenate([np.zeros(1, np.int64), *sizes]).cumsum()
        return cls(np.concatenate([np.zeros(0, np.uint8), *(part.data for part in parts)]), offsets)

    def take(self, rows: Array) -> StringArray:
        """Return an array of the strings of some rows."""
        data, sizes = take_slices(self.data, self.offsets, rows)
        return StringArray(data, np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]))

    def decode(self, rows: Array) -> list[str]:
        """Return the strings of some rows, in the order of ``rows``."""
        data: Any = memoryview(self.data)  # type: ignore[arg-type]
        ends = zip(self.offsets[rows].tolist(), self.offsets[rows + 1].tolist(), strict=True)
        try:
            return [str(data[start:end], "utf-8", "surrogatepass") for start, end in ends]
        except UnicodeDecodeError as error:
            raise ModelError(f"a string of the index is not UTF-8 ({error}): build it again") from None

    def __len__(self) -> int:
        """Return the number of strings."""
        return len(self.offsets) - 1


def hash_strings(strings: StringArray) -> Array:
    """Return a 64-bit hash of each string, the same on every machine."""
    return np.asarray(_fnv1a_hashes(readonly_view(strings.data), readonly_view(strings.offsets)))


@jit
def _fnv1a_hashes(data, offsets):  # type: ignore[no-untyped-def]
    """Compute the FNV-1a hash (Fowler, Noll & Vo) of each slice of bytes and mix its bits once more."""
    hashes = np.empty(len(offsets) - 1, np.uint64)
    for i in range(len(hashes)):
        value = np.uint64(0xCBF29CE484222325)
        for k in range(offsets[i], offsets[i + 1]):
            value = (value ^ np.uint64(data[k])) * np.uint64(0x100000001B3)
        value ^= value >> np.uint64(32)
        value *= np.uint64(0x9E3779B97F4A7C15)
        hashes[i] = value ^ (value >> np.uint64(29))
    return hashes


@jit
def _find_rows(hashes, rows, data, offsets, alive, query_hashes, query_data, query_offsets):  # type: ignore[no-untyped-def]
    """Return for each query the largest live row with the same bytes, or -1."""
    matches = np.full(len(query_hashes), -1, np.int64)
    for i in range(len(query_hashes)):
        low, high = 0, len(hashes)
        while low < high:
            middle = (low + high) // 2
            if hashes[middle] < query_hashes[i]:
                low = middle + 1
            else:
                high = middle
        size = query_offsets[i + 1] - query_offsets[i]
        while low < len(hashes) and hashes[low] == query_hashes[i]:
            row = rows[low]
            low += 1
            if row <= matches[i] or not alive[row] or offsets[row + 1] - offsets[row] != size:
                continue
            k = 0
            while k < size and data[offsets[row] + k] == query_data[query_offsets[i] + k]:
                k += 1
            if k == size:
                matches[i] = row
    return matches
