"""From bytes to lines of text; what is wrong is named to the byte.

Memory stays bounded by the longest line, and a line has a limit (``MAX_LINE`` bytes), so a file that is not
text is refused instead of filling the machine. Lines end at ``\\n`` or ``\\r\\n`` only: U+2028 and its kin
are characters of a text. Lines and bytes are counted from 1.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

from tacit.errors import InputError

MAX_LINE = 10_000_000
BOM = "\ufeff"
UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_GIVE = "give its encoding with encoding=NAME"


def decode_line(raw: bytes, encoding: str, name: str, number: int) -> str:
    """Decode one line, or say which byte of it is wrong.

    >>> decode_line(b"caf\\xe9", "utf-8", "menu.txt", 2)
    Traceback (most recent call last):
    tacit.errors.InputError: menu.txt, line 2, byte 4: 0xe9 is not UTF-8; it looks like Windows-1252: ...
    """
    if len(raw) > MAX_LINE:
        raise _too_long(name, number)
    if b"\0" in raw:
        where = f"{name}, line {number}, byte {raw.index(0) + 1}: a NUL byte"
        raise InputError(f"{where}; it looks binary, and texts are read from text files")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        where = f"{name}, line {number}, byte {error.start + 1}: 0x{raw[error.start]:02x} is not"
        if codecs.lookup(encoding).name != "utf-8":
            raise InputError(f"{where} {encoding}", parameter="encoding", remedy=_GIVE) from None
        raise InputError(f"{where} UTF-8", parameter="encoding", remedy=_likely(raw)) from None
    return text.removeprefix(BOM) if number == 1 else text


def _likely(raw: bytes) -> str:
    """The way out for a line that is not UTF-8: few bytes beyond ASCII are the accents of Western Europe."""
    try:
        text = raw.decode("windows-1252")
    except UnicodeDecodeError:
        text = ""
    if 2 * sum(not c.isascii() for c in text) < sum(map(str.isalpha, text)):
        return "it looks like Windows-1252: read it with encoding=windows-1252"
    return f"{_GIVE} (windows-1251, gb18030, ...), or save it as UTF-8"


def decode_wide(first: bytes, stream: IO[bytes], encoding: str, name: str) -> Iterator[str]:
    """Stream the lines of an encoding such as UTF-16, in which a line does not end in ASCII's byte.

    ``first`` are bytes that have been read already.

    >>> import io
    >>> list(decode_wide(b"\\xff", io.BytesIO(b"\\xfea\\0\\n\\0b\\0"), "utf-16", "menu.txt"))
    ['a\\n', 'b']
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    pending, number, chunk = "", 1, first
    while True:
        try:
            pending += decoder.decode(chunk, final=not chunk)
        except UnicodeError as error:
            reason = getattr(error, "reason", error)
            raise InputError(
                f"{name}, line {number} is not {encoding} ({reason})", parameter="encoding", remedy=_GIVE
            ) from None
        *whole, pending = pending.split("\n")
        for line in whole:
            yield line + "\n"
        number += len(whole)
        if len(pending) > MAX_LINE:
            raise _too_long(name, number)
        if not chunk:
            break
        chunk = stream.readline(MAX_LINE + 1)
    if pending:
        yield pending


def _too_long(name: str, number: int) -> InputError:
    return InputError(f"{name}, line {number} is longer than {MAX_LINE:,} bytes; put one text on each line")
