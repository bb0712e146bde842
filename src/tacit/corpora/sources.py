"""Open a source as bytes: a path, standard input, gzip, or a byte range of a file."""

from __future__ import annotations

import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

from tacit.errors import InputError, TacitError

BUFFER_BYTES = 1 << 18
GZIP_MAGIC = b"\x1f\x8b"

T = TypeVar("T")


class FileRange(NamedTuple):
    """Part of a file, read like a file: from ``start`` to before ``stop``, in bytes or Parquet row groups.

    ``header`` is read before the range: the header line of a table, which is at the start of the file.

    >>> str(FileRange("faq.csv", 10, 20)), FileRange("faq.csv", 10, 20).display_name
    ('faq.csv', 'faq.csv (from byte 10)')
    """

    path: str
    start: int
    stop: int
    header: bytes = b""
    unit: str = "byte"

    def __str__(self) -> str:
        """Return the path, whose suffix shows the format."""
        return self.path

    @property
    def display_name(self) -> str:
        """The name in error messages, which count lines from the start of the range."""
        return f"{self.path} (from {self.unit} {self.start:,})"


Source = str | Path | FileRange
"""A path, ``"-"`` for standard input (``Path("-")`` is a file of that name), or a part of a file."""


class _RangeIO(io.RawIOBase):
    """A byte range of an open file as a stream, after its header."""

    def __init__(self, file: io.BufferedReader, file_range: FileRange) -> None:
        super().__init__()
        self.file, self.header = file, file_range.header
        self.n_remaining = file_range.stop - file_range.start
        file.seek(file_range.start)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the header, then the range; EOFError if the file ends within the range."""
        size = len(buffer)
        if self.header:
            data, self.header = self.header[:size], self.header[size:]
        else:
            data = self.file.read(min(size, self.n_remaining))
            self.n_remaining -= len(data)
            if not data and self.n_remaining:
                raise EOFError(f"it ends {self.n_remaining:,} bytes early")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file as well."""
        self.file.close()
        super().close()


@contextmanager
def open_source(source: Source) -> Iterator[IO[bytes]]:
    """Open a source as bytes, decompressed if it is gzip; standard input is not closed at the end.

    >>> with open_source("no/such/file.txt"):
    ...     pass
    Traceback (most recent call last):
    tacit.errors.InputError: no such file: no/such/file.txt; check the path
    """
    with ExitStack() as stack:
        stream = _open_stdin() if source == "-" else stack.enter_context(_open_file(source))
        if _is_gzip(stream, display_name(source)):
            import gzip

            # buffered, because GzipFile.readline is a Python call for each line
            stream = stack.enter_context(io.BufferedReader(gzip.GzipFile(fileobj=stream)))
        yield stream


def _open_file(source: Source) -> io.BufferedReader:
    """Open a file or a part of one; InputError with one line if it cannot be opened."""
    if isinstance(source, FileRange):
        file = _open_file(source.path)
        is_bytes = source.unit == "byte"
        return io.BufferedReader(_RangeIO(file, source), BUFFER_BYTES) if is_bytes else file
    if not isinstance(source, str | Path):
        raise InputError(f"a source is a path or '-' for standard input, not {type(source).__name__}")
    path = Path(source)
    try:
        if not str(source) or path.is_dir():  # checked first: on Windows it raises PermissionError
            raise InputError(f"{str(source) or repr('')} is a directory; name the files in it")
        return path.open("rb")
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"no such file: {source}; check the path") from None
    except PermissionError:
        raise InputError(f"{source}: permission denied; make it readable (chmod u+r)") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{str(source)!r} cannot be opened: {error}; check the path") from error


def _is_gzip(stream: io.BufferedReader, name: str) -> bool:
    """Return whether a stream is gzip, by its first two bytes, which are not consumed."""
    try:
        return stream.peek(2)[:2] == GZIP_MAGIC
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error}; check the path") from error


def _open_stdin() -> io.BufferedReader:
    """Return standard input as a binary stream with ``peek``."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("standard input is not open, or not binary; name a file instead of '-'")
    if isinstance(stream, io.BufferedReader):
        return stream
    return io.BufferedReader(io.BytesIO(stream.read()))  # a replacement such as BytesIO, already in memory


@contextmanager
def reraise_as_input_error(name: str, kind: str = "", *errors: type[Exception]) -> Iterator[None]:
    """Turn the exceptions of reading a damaged file, and ``errors``, into InputError with one line.

    ``kind`` is the expected format.

    >>> with reraise_as_input_error("notes.gz"):
    ...     raise EOFError("it ends early")
    Traceback (most recent call last):
    tacit.errors.InputError: notes.gz is damaged (it ends early); copy or write it again
    """
    caught: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, *errors)
    try:
        yield
    except TacitError:
        raise
    except caught as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        problem = f"damaged, or not {kind}" if kind else "damaged"
        raise InputError(f"{name} is {problem} ({reason:.200}); copy or write it again") from error


def log_info(message: str) -> None:
    """Log how a file is read."""
    import logging  # on first use: ``import tacit.corpora`` is fast

    logging.getLogger("tacit.corpora").info(message)


def prefetch_first(items: Iterator[T]) -> Iterator[T]:
    """Compute the first item now, so that the caller of a generator gets errors of the file immediately.

    >>> list(prefetch_first(iter("ab")))
    ['a', 'b']
    """
    return chain(list(islice(items, 1)), items)


def display_name(source: object) -> str:
    """Return the name of a source in error messages.

    >>> display_name("-"), display_name(Path("notes.txt"))
    ('standard input', 'notes.txt')
    """
    if isinstance(source, FileRange):
        return source.display_name
    return "standard input" if source == "-" else str(source)
