"""Files and standard input as bytes and as lines, plain or gzip, which is recognised by its content."""

from __future__ import annotations

import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, TypeVar

from tacit.corpora.decoding import MAX_LINE, UTF16_BOMS, decode_line, decode_wide
from tacit.corpora.options import ascii_compatible
from tacit.corpora.ranges import FileRange, range_reader
from tacit.errors import InputError, TacitError

Source = str | Path | FileRange
"""A path, ``"-"`` for standard input (``Path("-")`` is a file of that name), or a part of a file."""

GZIP_MAGIC = b"\x1f\x8b"

T = TypeVar("T")


def read_lines(source: Source, keep_blank: bool = False, encoding: str | None = None) -> Iterator[str]:
    """Stream the texts of a file that has one text a line; blank lines are left out unless kept.

    ``source`` is a path or ``"-"`` for standard input; gzip is recognised by its content, not its name. A
    file that cannot be opened, or whose first text is bad, is reported by this call, not at the first text.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.txt")
    ...     _ = path.write_bytes(b"a cat sat\\r\\n\\non the mat")
    ...     list(read_lines(path))
    ['a cat sat', 'on the mat']
    """
    texts = (chomp(line) for _, line in numbered_lines(source, encoding))
    return started(texts if keep_blank else filter(str.strip, texts))


def numbered_lines(source: Source, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """Stream ``(line number, line)``, each line with the terminator it had, blank ones too.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.txt")
    ...     _ = path.write_bytes(b"a cat sat\\n\\non the mat")
    ...     list(numbered_lines(path))
    [(1, 'a cat sat\\n'), (2, '\\n'), (3, 'on the mat')]
    """
    with opened(source) as stream:
        yield from decoded(stream, shown(source), encoding)


def decoded(stream: IO[bytes], name: str, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """Stream ``(line number, line)`` from bytes: UTF-8, or UTF-16 with its mark, unless an encoding is given.

    Errors call the stream by its ``name``.

    >>> list(decoded(io.BytesIO(b"caf\\xc3\\xa9\\n"), "menu.txt"))
    [(1, 'café\\n')]
    >>> list(decoded(io.BytesIO(b"caf\\xe9\\n"), "menu.txt", "windows-1252"))
    [(1, 'café\\n')]
    """
    with damage_named(name):
        first = stream.readline(MAX_LINE + 1)
        if encoding is None and first.startswith(UTF16_BOMS):
            encoding = "utf-16"
            say(f"{name} is read as UTF-16, by its byte order mark")
        encoding = encoding or "utf-8"
        if not ascii_compatible(encoding):
            yield from enumerate(decode_wide(first, stream, encoding, name), 1)
            return
        lines = iter(lambda: stream.readline(MAX_LINE + 1), b"")
        for number, raw in enumerate(chain([first] if first else (), lines), 1):
            yield number, decode_line(raw, encoding, name, number)


@contextmanager
def damage_named(name: str, kind: str = "", *errors: type[Exception]) -> Iterator[None]:
    """Turn what reading a damaged file raises, and ``errors``, into one line; ``kind`` is what it should be.

    >>> with damage_named("notes.gz"):
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


def say(message: str) -> None:
    """Log what people should know of how a file is read."""
    import logging  # not before it is needed: the door of this room opens quickly

    logging.getLogger("tacit.corpora").info(message)


def chomp(line: str) -> str:
    r"""Take the line terminator off.

    >>> chomp("a cat\r\n"), chomp("a cat")
    ('a cat', 'a cat')
    """
    return line.removesuffix("\n").removesuffix("\r")


def started(items: Iterator[T]) -> Iterator[T]:
    """Pull the first item now, so that what is wrong with a file is reported by the call that names it.

    >>> list(started(iter("ab")))
    ['a', 'b']
    """
    return chain(list(islice(items, 1)), items)


def shown(source: object) -> str:
    """Name ``source`` as an error message does.

    >>> shown("-"), shown(Path("notes.txt"))
    ('standard input', 'notes.txt')
    """
    if isinstance(source, FileRange):
        return source.shown
    return "standard input" if source == "-" else str(source)


@contextmanager
def opened(source: Source) -> Iterator[IO[bytes]]:
    """Open ``source`` as bytes, gunzipped if it is gzip; standard input is left open at the end.

    >>> with opened("no/such/file.txt"):
    ...     pass
    Traceback (most recent call last):
    tacit.errors.InputError: no such file: no/such/file.txt; check the path
    """
    with ExitStack() as stack:
        stream = _standard_input() if source == "-" else stack.enter_context(_open_file(source))
        if _is_gzip(stream, shown(source)):
            import gzip

            # a buffer over GzipFile: its own readline is a Python call a line
            stream = stack.enter_context(io.BufferedReader(gzip.GzipFile(fileobj=stream)))
        yield stream


def _open_file(source: Source) -> io.BufferedReader:
    """Open a file, or say in one line why it cannot be opened."""
    if isinstance(source, FileRange):
        return range_reader(_open_file(source.path), source)
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


def _standard_input() -> io.BufferedReader:
    """Give standard input as bytes that can be peeked into."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("standard input is not open, or not as bytes; name a file instead of '-'")
    if isinstance(stream, io.BufferedReader):
        return stream
    return io.BufferedReader(io.BytesIO(stream.read()))  # a stand-in, held in memory already
