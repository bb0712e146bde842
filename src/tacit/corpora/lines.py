"""Decode bytes to numbered lines; errors name the file, line and byte.

Memory is bounded by the longest line, and a line is limited to ``MAX_LINE_BYTES``, so that a binary file
raises an error instead of filling the memory. Only ``\\n`` and ``\\r\\n`` end a line: U+2028 and similar
characters are part of a text. Lines and bytes are counted from 1.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import IO

from tacit.corpora.sources import (
    Source,
    display_name,
    log_info,
    open_source,
    prefetch_first,
    reraise_as_input_error,
)
from tacit.errors import InputError

MAX_LINE_BYTES = 10_000_000
BOM = "\ufeff"
UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ENCODING_HINT = "give its encoding with encoding=NAME"


def read_lines(source: Source, keep_blank: bool = False, encoding: str | None = None) -> Iterator[str]:
    """Stream the texts of a file with one text per line; gzip is detected by content.

    Parameters
    ----------
    source : str or Path
        The file, or ``"-"`` for standard input.
    keep_blank : bool
        Yield blank lines as empty texts; by default they are skipped.
    encoding : str, optional
        Encoding of the file; by default UTF-8, or that of its byte order mark.

    Returns
    -------
    iterator of str
        The texts.

    Raises
    ------
    InputError
        If the file cannot be opened or its first text is invalid; later errors are raised in iteration.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.txt")
    ...     _ = path.write_bytes(b"a cat sat\\r\\n\\non the mat")
    ...     list(read_lines(path))
    ['a cat sat', 'on the mat']
    """
    texts = (strip_line_end(line) for _, line in numbered_lines(source, encoding))
    return prefetch_first(texts if keep_blank else filter(str.strip, texts))


def numbered_lines(source: Source, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """Stream ``(line number, line)``, with line ends, including blank lines.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.txt")
    ...     _ = path.write_bytes(b"a cat sat\\n\\non the mat")
    ...     list(numbered_lines(path))
    [(1, 'a cat sat\\n'), (2, '\\n'), (3, 'on the mat')]
    """
    with open_source(source) as stream:
        yield from decode_lines(stream, display_name(source), encoding)


def decode_lines(stream: IO[bytes], name: str, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """Stream ``(line number, line)`` from bytes; the default encoding is UTF-8, or UTF-16 after a BOM.

    ``name`` is the name of the stream in error messages.

    >>> import io
    >>> list(decode_lines(io.BytesIO(b"caf\\xc3\\xa9\\n"), "menu.txt"))
    [(1, 'café\\n')]
    >>> list(decode_lines(io.BytesIO(b"caf\\xe9\\n"), "menu.txt", "windows-1252"))
    [(1, 'café\\n')]
    """
    with reraise_as_input_error(name):
        lines = iter(lambda: stream.readline(MAX_LINE_BYTES + 1), b"")
        first = list(islice(lines, 1))
        if encoding is None and first and first[0].startswith(UTF16_BOMS):
            encoding = "utf-16"
            log_info(f"{name} is read as UTF-16, because of its byte order mark")
        encoding = encoding or "utf-8"
        if not is_ascii_compatible(encoding):
            yield from enumerate(decode_multibyte_lines(chain(first, lines), encoding, name), 1)
            return
        for number, raw in enumerate(chain(first, lines), 1):
            yield number, decode_line(raw, encoding, name, number)


def decode_line(raw: bytes, encoding: str, name: str, number: int) -> str:
    """Decode one line; InputError names the invalid byte.

    >>> decode_line(b"caf\\xe9", "utf-8", "menu.txt", 2)
    Traceback (most recent call last):
    tacit.errors.InputError: menu.txt, line 2, byte 4: 0xe9 is not UTF-8; it looks like Windows-1252: ...
    """
    if len(raw) > MAX_LINE_BYTES:
        raise _line_too_long(name, number)
    if b"\0" in raw:
        where = f"{name}, line {number}, byte {raw.index(0) + 1}: a NUL byte"
        raise InputError(f"{where}; the file looks binary: give a text file")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        where = f"{name}, line {number}, byte {error.start + 1}: 0x{raw[error.start]:02x}"
        is_utf8 = codecs.lookup(encoding).name == "utf-8"
        problem = f"{where} is not {'UTF-8' if is_utf8 else encoding}"
        remedy = _suggest_encoding(raw) if is_utf8 else _ENCODING_HINT
        raise InputError(problem, parameter="encoding", remedy=remedy) from None
    return text.removeprefix(BOM) if number == 1 else text


def _suggest_encoding(raw: bytes) -> str:
    """Return the remedy for a line that is not UTF-8: few non-ASCII bytes suggest Windows-1252."""
    try:
        text = raw.decode("windows-1252")
    except UnicodeDecodeError:
        text = ""
    if 2 * sum(not c.isascii() for c in text) < sum(map(str.isalpha, text)):
        return "it looks like Windows-1252: read it with encoding=windows-1252"
    return f"{_ENCODING_HINT} (windows-1251, gb18030, ...), or save it as UTF-8"


def decode_multibyte_lines(chunks: Iterable[bytes], encoding: str, name: str) -> Iterator[str]:
    """Stream the lines of an encoding such as UTF-16, in which the byte of ``\\n`` does not end a line.

    >>> list(decode_multibyte_lines([b"\\xff", b"\\xfea\\0\\n\\0b\\0"], "utf-16", "menu.txt"))
    ['a\\n', 'b']
    """
    pending, number = "", 1
    try:
        for text in codecs.iterdecode(chunks, encoding):
            *lines, pending = (pending + text).split("\n")
            for line in lines:
                yield line + "\n"
            number += len(lines)
            if len(pending) > MAX_LINE_BYTES:
                raise _line_too_long(name, number)
    except UnicodeError as error:
        problem = f"{name}, line {number} is not {encoding} ({getattr(error, 'reason', error)})"
        raise InputError(problem, parameter="encoding", remedy=_ENCODING_HINT) from None
    if pending:
        yield pending


def _line_too_long(name: str, number: int) -> InputError:
    limit = f"{MAX_LINE_BYTES:,} bytes"
    return InputError(f"{name}, line {number} is longer than {limit}; put one text on each line")


def strip_line_end(line: str) -> str:
    r"""Remove the line end.

    >>> strip_line_end("a cat\r\n"), strip_line_end("a cat")
    ('a cat', 'a cat')
    """
    return line.removesuffix("\n").removesuffix("\r")


def is_ascii_compatible(encoding: str) -> bool:
    """Return whether lines end with the same byte as in ASCII; InputError for an unknown encoding.

    >>> is_ascii_compatible("windows-1252"), is_ascii_compatible("utf-16")
    (True, False)
    """
    try:
        return "\n".encode(encoding) == b"\n"
    except (LookupError, ValueError):
        remedy = "give utf-8, utf-16, windows-1252 or another name of Python's"
        raise InputError(f"encoding={encoding!r} is unknown; {remedy}", parameter="encoding") from None
