"""A zip archive of XML that raises an error for a text that Excel does not allow, before it is in memory."""

from __future__ import annotations

import io
from typing import IO, Any
from zipfile import ZipFile

MAX_TEXT_BYTES = 20 * 32_767
"""Bytes of XML between two tags: Excel allows 32,767 characters, of up to ten bytes each."""


class ExcelArchive(ZipFile):
    """A zip archive whose parts are ``_CheckedXML``."""

    def open(self, *args: Any, **options: Any) -> Any:
        """Open a file of the archive for reading."""
        return _CheckedXML(super().open(*args, **options))


class _CheckedXML(io.RawIOBase):
    """An XML file that raises an error for a longer text than Excel allows, before the text is in memory."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self.file, self.n_since_tag = file, 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes, and count those since the last tag."""
        data = self.file.read(len(buffer))
        first, last = data.find(b"<"), data.rfind(b"<")
        n_before_tag = self.n_since_tag + (len(data) if first < 0 else first)
        if n_before_tag > MAX_TEXT_BYTES:
            raise OverflowError("a cell has more than 32,767 characters, the limit of Excel")
        self.n_since_tag = n_before_tag if first < 0 else len(data) - last
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the part of the archive as well."""
        self.file.close()
        super().close()
