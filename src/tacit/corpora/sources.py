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


def open_range(file: io.BufferedReader, part: FileRange) -> io.BufferedReader:
    """The bytes of a part of an open file, its head first."""
    if part.unit != "byte":
        return file
    return io.BufferedReader(_RangeIO(file, part), BUFFER_BYTES)


class _RangeIO(io.RawIOBase):
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


Source = str | Path | FileRange
"""A path, ``"-"`` for standard input (``Path("-")`` is a file of that name), or a part of a file."""

GZIP_MAGIC = b"\x1f\x8b"

T = TypeVar("T")


@contextmanager
def reraise_as_input_error(name: str, kind: str = "", *errors: type[Exception]) -> Iterator[None]:
    """Turn what reading a damaged file raises, and ``errors``, into one line; ``kind`` is what it should be.

    >>> with reraise_as_input_error("notes.gz"):
    ...     raise EOFError("it ends early")
    Traceback (most recent call last):
    tacit.errors.InputError: notes.gz is damaged (it ends early); copy or write it again
    """
    damage: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, *errors)
    try:
        yield
    except TacitError:
        raise
    except damage as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        wrong = f"damaged, or not {kind}" if kind else "damaged"
        raise InputError(f"{name} is {wrong} ({reason:.200}); copy or write it again") from error


def log_info(message: str) -> None:
    """Log what people should know of how a file is read."""
    import logging  # not before it is needed: the door of this room opens quickly

    logging.getLogger("tacit.corpora").info(message)


def prefetch_first(items: Iterator[T]) -> Iterator[T]:
    """Pull the first item now, so that what is wrong with a file is reported by the call that names it.

    >>> list(prefetch_first(iter("ab")))
    ['a', 'b']
    """
    return chain(list(islice(items, 1)), items)


def display_name(source: object) -> str:
    """Name ``source`` as an error message does.

    >>> display_name("-"), display_name(Path("notes.txt"))
    ('standard input', 'notes.txt')
    """
    if isinstance(source, FileRange):
        return source.shown
    return "standard input" if source == "-" else str(source)


@contextmanager
def open_source(source: Source) -> Iterator[IO[bytes]]:
    """Open ``source`` as bytes, gunzipped if it is gzip; standard input is left open at the end.

    >>> with open_source("no/such/file.txt"):
    ...     pass
    Traceback (most recent call last):
    tacit.errors.InputError: no such file: no/such/file.txt; check the path
    """
    with ExitStack() as stack:
        stream = _open_stdin() if source == "-" else stack.enter_context(_open_file(source))
        if _is_gzip(stream, display_name(source)):
            import gzip

            # a buffer over GzipFile: its own readline is a Python call a line
            stream = stack.enter_context(io.BufferedReader(gzip.GzipFile(fileobj=stream)))
        yield stream


def _open_file(source: Source) -> io.BufferedReader:
    """Open a file, or say in one line why it cannot be opened."""
    if isinstance(source, FileRange):
        return open_range(_open_file(source.path), source)
    if not isinstance(source, str | Path):
        raise InputError(f"a source is a path or '-' for standard input, not {type(source).__name__}")
    path = Path(source)
    try:
        if not str(source) or path.is_dir():  # asked first: Windows calls it a denied permission
            raise InputError(f"{str(source) or repr('')} is a directory; name the files in it")
        return path.open("rb")
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"no such file: {source}; check the path") from None
    except PermissionError:
        raise InputError(f"{source}: permission denied; allow yourself to read it (chmod u+r)") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{str(source)!r} cannot be opened: {error}; check the path") from error


def _is_gzip(stream: io.BufferedReader, name: str) -> bool:
    """Tell by the first two bytes, which stay unread, whether a stream is gzip."""
    try:
        return stream.peek(2)[:2] == GZIP_MAGIC
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error}; check the path") from error


def _open_stdin() -> io.BufferedReader:
    """Give standard input as bytes that can be peeked into."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("standard input is not open, or not as bytes; name a file instead of '-'")
    if isinstance(stream, io.BufferedReader):
        return stream
    return io.BufferedReader(io.BytesIO(stream.read()))  # a stand-in, held in memory already
