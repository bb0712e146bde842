"""How a file is to be read where its content does not tell, or tells wrongly."""

from __future__ import annotations

from typing import NamedTuple

from tacit.errors import InputError

_NAMED_DELIMITERS = {"tab": "\t", "\\t": "\t"}


class ReadOptions(NamedTuple):
    """What overrules the recognition of a file; None leaves it to the file.

    ``delimiter`` is one character, or ``tab``. ``header`` says whether the first row of a table names its
    columns; left out, it does unless columns are given by number. ``html`` strips tags off the texts.

    >>> ReadOptions(delimiter=";", encoding="windows-1252").header is None
    True
    """

    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    html: bool = False

    def checked(self) -> ReadOptions:
        """The same with the delimiter as a character; what cannot be is refused.

        >>> ReadOptions(delimiter="tab").checked().delimiter
        '\\t'
        >>> ReadOptions(encoding="ansi-8").checked()
        Traceback (most recent call last):
        tacit.errors.InputError: encoding='ansi-8' is unknown; give utf-8, utf-16, windows-1252 or another ...
        """
        given = self.delimiter
        mark = given and _NAMED_DELIMITERS.get(given, given)
        if mark is not None and (len(mark) != 1 or mark in '"\r\n\0'):
            raise InputError(
                f"delimiter={given!r}: give one character other than a quote, or tab", parameter="delimiter"
            )
        if self.encoding is not None:
            ascii_compatible(self.encoding)
        return self._replace(delimiter=mark)


AS_FOUND = ReadOptions()
"""Nothing is overruled."""


def ascii_compatible(encoding: str) -> bool:
    """Whether lines end in the same byte as in ASCII; an encoding that Python does not have is refused.

    >>> ascii_compatible("windows-1252"), ascii_compatible("utf-16")
    (True, False)
    """
    try:
        return "\n".encode(encoding) == b"\n"
    except (LookupError, ValueError):
        raise InputError(
            f"encoding={encoding!r} is unknown; give utf-8, utf-16, windows-1252 or another name of Python's",
            parameter="encoding",
        ) from None
