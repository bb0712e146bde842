"""A part of a file, read as if it were a file of its own: some of its bytes, or of Parquet's row groups."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

BUFFER = 1 << 18


class FileRange(NamedTuple):
    """From ``start`` to before ``stop``, counted in bytes, or in row groups for Parquet.

    ``head`` are bytes that are read before it: the header of a table, which stands at the top of the file.

    >>> str(FileRange("faq.csv", 10, 20)), FileRange("faq.csv", 10, 20).shown
    ('faq.csv', 'faq.csv (from byte 10)')
    """

    path: str
    start: int
    stop: int
    head: bytes = b""
    unit: str = "byte"

    def __str__(self) -> str:
        """The path: its ending tells the format."""
        return self.path

    @property
    def shown(self) -> str:
        """What an error calls it: lines are counted from there."""
        return f"{self.path} (from {self.unit} {self.start:,})"


def range_reader(file: io.BufferedReader, part: FileRange) -> io.BufferedReader:
    """The bytes of a part of an open file, its head first."""
    if part.unit != "byte":
        return file
    return io.BufferedReader(_Range(file, part), BUFFER)


class _Range(io.RawIOBase):
    """A window on a file."""

    def __init__(self, file: io.BufferedReader, part: FileRange) -> None:
        super().__init__()
        self.file, self.head, self.left = file, part.head, part.stop - part.start
        file.seek(part.start)

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The head, then the window; a file that ends before it is damaged."""
        size = len(buffer)
        if self.head:
            data, self.head = self.head[:size], self.head[size:]
        else:
            data = self.file.read(min(size, self.left))
            self.left -= len(data)
            if not data and self.left:
                raise EOFError(f"it ends {self.left:,} bytes early")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file, too."""
        self.file.close()
        super().close()
