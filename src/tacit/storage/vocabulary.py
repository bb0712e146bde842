"""``vocabulary-DIGEST.txt``: one word a line, its fields separated by tabs, UTF-8."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tacit.errors import InputError
from tacit.storage.files import damaged

_BREAKS = re.compile("[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Tab, and all that some program takes for the end of a line."""


def encode(rows: Sequence[tuple[str, ...]]) -> bytes:
    r"""Give the file of a table.

    >>> encode([("bank", "7"), ("river", "2")])
    b'bank\t7\nriver\t2\n'
    >>> encode([("a\tb",)])
    Traceback (most recent call last):
    tacit.errors.InputError: vocabulary row 1: 'a\tb' contains '\t', which would break the file
    """
    fields = len(rows[0]) if rows else 0
    for number, row in enumerate(rows, start=1):
        if not row or len(row) != fields:
            raise InputError(
                f"vocabulary row {number} has {len(row)} fields, the first one {fields}: {row!r}"
            )
        for field in row:
            _check_field(field, number)
    return "".join("\t".join(row) + "\n" for row in rows).encode("utf-8")


def _check_field(field: str, number: int) -> None:
    if not isinstance(field, str):
        raise InputError(f"vocabulary row {number}: {field!r} is a {type(field).__name__}, not text")
    if found := _BREAKS.search(field):
        raise InputError(
            f"vocabulary row {number}: {field!r} contains {found[0]!r}, which would break the file"
        )
    if not field.isascii() and any("\ud800" <= letter <= "\udfff" for letter in field):
        raise InputError(f"vocabulary row {number}: {field!r} is not valid Unicode (a lone surrogate)")


def decode(data: bytes, where: Path) -> list[tuple[str, ...]]:
    r"""Give the table of a file; ``where`` is its path, for the messages.

    >>> decode(b"bank\t7\nriver\t2\n", Path("vocabulary.txt"))
    [('bank', '7'), ('river', '2')]
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise damaged(where, f"not UTF-8 at byte {fault.start}") from fault
    if not text:
        return []
    if not text.endswith("\n"):
        raise damaged(where, "its last line has no end")
    # not splitlines: only these two characters separate
    rows = [tuple(line.split("\t")) for line in text[:-1].split("\n")]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise damaged(where, f"line {number} has {len(row)} fields, the first one {len(rows[0])}")
    return rows


def describe(rows: Sequence[tuple[str, ...]]) -> dict[str, int]:
    """Give the size of a table as the config records it.

    >>> describe([("bank", "7"), ("river", "2")])
    {'rows': 2, 'fields': 2}
    """
    return {"rows": len(rows), "fields": len(rows[0]) if rows else 0}
