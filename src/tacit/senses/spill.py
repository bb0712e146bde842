"""Whole numbers by the million, kept on disk beyond a bounded buffer."""

from __future__ import annotations

import tempfile
import weakref
from array import array
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_BUFFER = 1 << 20  # numbers held before they are written


class Spill:
    """A list of int32 that only grows; it lives in a temporary file that goes with it.

    >>> spill = Spill()
    >>> spill.extend([3, 1, 2])
    >>> spill.numbers().tolist()
    [3, 1, 2]
    """

    def __init__(self) -> None:
        """Start empty."""
        self._buffer = array("i")
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self._file.close)  # a mapping of it lives on

    def extend(self, numbers: Iterable[int]) -> None:
        """Put numbers at the end."""
        self._buffer.extend(numbers)
        if len(self._buffer) >= _BUFFER:
            self._flush()

    def numbers(self) -> NDArray[np.int32]:
        """All of them, mapped from the file where there are any."""
        self._flush()
        size = self._file.tell()
        if not size:
            return np.zeros(0, np.int32)
        return np.memmap(self._file, np.int32, "r", shape=(size // 4,))

    def _flush(self) -> None:
        self._file.write(self._buffer.tobytes())
        self._file.flush()
        self._buffer = array("i")
