"""Plain text, one text a line: streamed, UTF-8, plain or gzip, from a file or standard input.

Memory stays bounded by the longest line, and a line has a limit (``MAX_LINE`` bytes), so a file that is not
text is refused instead of filling the machine. Lines end at ``\\n`` or ``\\r\\n`` only: U+2028 and its kin
are characters of a text. A blank line is no text and is left out. Lines and bytes are counted from 1.
"""

from __future__ import annotations

import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, count, islice
from pathlib import Path
from typing import IO, TypeVar

from tacit.errors import InputError

Source = str | Path
"""A path, or the string ``"-"`` for standard input (``Path("-")`` is a file of that name)."""

MAX_LINE = 10_000_000
GZIP_MAGIC = b"\x1f\x8b"
BOM = "\ufeff"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")

T = TypeVar("T")


def read_lines(source: Source, keep_blank: bool = False) -> Iterator[str]:
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
    return started(kept((chomp(line) for _, line in numbered_lines(source)), keep_blank))


def numbered_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Stream ``(line number, line)``, each line with the terminator it had, blank ones too.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.txt")
    ...     _ = path.write_bytes(b"a cat sat\\n\\non the mat")
    ...     list(numbered_lines(path))
    [(1, 'a cat sat\\n'), (2, '\\n'), (3, 'on the mat')]
    """
    with opened(source) as stream:
        yield from decoded(stream, shown(source))


def decoded(stream: IO[bytes], name: str) -> Iterator[tuple[int, str]]:
    """Stream ``(line number, line)`` from bytes; errors call the stream by its ``name``.

    >>> list(decoded(io.BytesIO(b"caf\\xc3\\xa9\\n"), "menu.txt"))
    [(1, 'café\\n')]
    >>> list(decoded(io.BytesIO(b"caf\\xe9\\n"), "menu.txt"))
    Traceback (most recent call last):
    tacit.errors.InputError: menu.txt, line 1, byte 4: 0xe9 is not UTF-8; save it as UTF-8, for example: ...
    """
    for number in count(1):
        try:
            raw = stream.readline(MAX_LINE + 1)
        except (EOFError, OSError, zlib.error) as error:
            where = f"{name} is damaged after line {number - 1}"
            raise InputError(f"{where} ({error}); copy or compress it again") from error
        if not raw:
            return
        yield number, _decode(raw, name, number)


def chomp(line: str) -> str:
    r"""Take the line terminator off.

    >>> chomp("a cat\r\n"), chomp("a cat")
    ('a cat', 'a cat')
    """
    return line.removesuffix("\n").removesuffix("\r")


def kept(texts: Iterator[str], keep_blank: bool) -> Iterator[str]:
    """Leave out blank texts, unless every row of a file has to keep its place.

    >>> list(kept(iter(["a", " "]), keep_blank=False)), list(kept(iter(["a", " "]), keep_blank=True))
    (['a'], ['a', ' '])
    """
    return texts if keep_blank else filter(str.strip, texts)


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


def _decode(raw: bytes, name: str, number: int) -> str:
    """Decode one line, or say which byte of it is wrong."""
    if b"\0" not in raw and len(raw) <= MAX_LINE:
        try:
            text = raw.decode("utf-8")
            return text.removeprefix(BOM) if number == 1 else text
        except UnicodeDecodeError as error:
            raise _bad_byte(raw, error.start, name, number) from None
    if number == 1 and raw.startswith(UTF16_BOMS):
        raise _bad_byte(raw, 0, name, number)
    if b"\0" in raw:
        where = f"{name}, line {number}, byte {raw.index(0) + 1}: a NUL byte"
        raise InputError(f"{where}; it looks binary, and texts are read from UTF-8 text files")
    raise InputError(f"{name}, line {number} is longer than {MAX_LINE:,} bytes; put one text on each line")


def _bad_byte(raw: bytes, at: int, name: str, number: int) -> InputError:
    """Name the byte that is not UTF-8 and the way out."""
    encoding = "utf-16" if number == 1 and raw.startswith(UTF16_BOMS) else "latin1"
    where = f"{name}, line {number}, byte {at + 1}: 0x{raw[at]:02x} is not UTF-8"
    return InputError(f"{where}; save it as UTF-8, for example: iconv -f {encoding} -t utf-8")
