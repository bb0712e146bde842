"""A long list of strings as two arrays, which can be stored and mapped; each is decoded when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from tacit.errors import ModelError
from tacit.storage.stored_model import ArrayReader

Array = NDArray[Any]

_AT_ONCE = 4096  # strings that are decoded together


class Strings(Sequence[str]):
    """Strings one after another as UTF-8, and where each one starts.

    >>> names = Strings.of(["café", ""]).extended(["tea"])
    >>> len(names), list(names), names[-1]
    (3, ['café', '', 'tea'], 'tea')
    """

    def __init__(self, data: Array, starts: Array) -> None:
        """Take the bytes and the starts, whose last number is the end."""
        self.data, self.starts = data, starts

    @classmethod
    def of(cls, strings: Iterable[str]) -> Strings:
        """Keep strings."""
        return cls(np.zeros(0, np.uint8), np.zeros(1, np.int64)).extended(strings)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array], name: str) -> Strings:
        """Read and check the arrays that ``arrays`` returned."""
        reader = ArrayReader(arrays, f"{name}.")
        data = reader.array("data", np.uint8, (None,))
        starts = reader.offsets("starts", None, len(data))
        return cls(data, starts)

    def arrays(self, name: str) -> dict[str, Array]:
        """The two arrays, by name."""
        return {f"{name}.data": self.data, f"{name}.starts": self.starts}

    def extended(self, strings: Iterable[str]) -> Strings:
        """These strings with others after them."""
        encoded = [string.encode("utf-8", "surrogatepass") for string in strings]
        data = np.frombuffer(b"".join(encoded), np.uint8)
        ends = self.starts[-1] + np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)))
        return Strings(np.concatenate([self.data, data]), np.concatenate([self.starts, ends]))

    @classmethod
    def joined(cls, parts: Sequence[Strings]) -> Strings:
        """The strings of several, one after another."""
        sizes = [np.diff(part.starts) for part in parts]
        starts = np.concatenate([np.zeros(1, np.int64), *sizes]).cumsum()
        return cls(np.concatenate([np.zeros(0, np.uint8), *(part.data for part in parts)]), starts)

    def taken(self, rows: Array) -> Strings:
        """Some of the strings, in the order given."""
        data, sizes = runs_at(self.data, self.starts, rows)
        return Strings(data, np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]))

    def decoded(self, rows: Array) -> list[str]:
        """Some of the strings, as a list."""
        data: Any = memoryview(self.data)  # type: ignore[arg-type]
        ends = zip(self.starts[rows].tolist(), self.starts[rows + 1].tolist(), strict=True)
        try:
            return [str(data[start:end], "utf-8", "surrogatepass") for start, end in ends]
        except UnicodeDecodeError as error:
            raise ModelError(f"a string of the index is not UTF-8 ({error}): build it again") from None

    def __len__(self) -> int:
        """How many there are."""
        return len(self.starts) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        """Decode one string, or some."""
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        return self.decoded(np.array([row % len(self)]))[0]

    def __iter__(self) -> Iterator[str]:
        """Decode all, one after another."""
        rows = np.arange(len(self))
        return chain.from_iterable(
            self.decoded(rows[at : at + _AT_ONCE]) for at in range(0, len(self), _AT_ONCE)
        )


def runs_at(values: Array, starts: Array, rows: Array, longest: int | None = None) -> tuple[Array, Array]:
    """The values of some runs, one run after another, and how many each has, at most ``longest``.

    >>> runs_at(np.array([7, 8, 9]), np.array([0, 2, 3]), np.array([1, 0]))
    (array([9, 7, 8]), array([1, 2]))
    """
    sizes = starts[rows + 1] - starts[rows]
    if longest is not None:
        sizes = np.minimum(sizes, longest)
    before = np.cumsum(sizes) - sizes
    places = np.repeat(starts[rows] - before, sizes)
    places += np.arange(len(places))
    return values[places], sizes
