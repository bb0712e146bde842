"""Texts in a column of a table: TSV, CSV, JSON lines and Parquet, and pairs of texts in a TSV file.

In TSV and CSV a column *name* means that the first line is a header; a *number* (counted from 1, as an int
or as digits) means a position in a file without a header. Nothing is guessed: a column left out is an error
that lists the columns there are. Blank cells, nulls and blank lines are no texts and are left out, unless
``keep_blank`` says that every row after the header has to keep its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from tacit.corpora.files import Source, chomp, kept, numbered_lines, shown, started
from tacit.errors import InputError

Column = str | int | None
Row = tuple[int, list[str]]


def read_tsv(source: Source, column: Column = None, keep_blank: bool = False) -> Iterator[str]:
    """Stream one column of a tab-separated file, in which quotes have no meaning.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.tsv")
    ...     _ = path.write_text("id\\ttext\\n7\\thow do I log in\\n", encoding="utf-8")
    ...     list(read_tsv(path, "text")), list(read_tsv(path, 1))
    (['how do I log in'], ['id', '7'])
    """
    return _cells(tsv_rows(source), column, shown(source), keep_blank)


def read_csv(source: Source, column: Column = None, keep_blank: bool = False) -> Iterator[str]:
    """Stream one column of a comma-separated file; a quoted cell may hold commas, quotes and line ends.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.csv")
    ...     _ = path.write_text('id,text\\n7,"yes, but how?"\\n', encoding="utf-8")
    ...     list(read_csv(path, "text"))
    ['yes, but how?']
    """
    return _cells(csv_rows(source), column, shown(source), keep_blank)


def read_jsonl(source: Source, column: Column = None, keep_blank: bool = False) -> Iterator[str]:
    """Stream the strings under the key ``column`` of a file with one JSON object a line.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.jsonl")
    ...     _ = path.write_text('{"id": 7, "text": "how?"}\\n{"id": 8, "text": null}\\n', encoding="utf-8")
    ...     list(read_jsonl(path, "text"))
    ['how?']
    """
    values = (_json_text(line, column, f"{shown(source)}, line {n}") for n, line in numbered_lines(source))
    return started(kept(values, keep_blank))


def read_pairs(source: Source, what: str = "two texts") -> Iterator[tuple[str, str]]:
    """Stream the pairs of a tab-separated file of exactly two columns, such as sentences and translations.

    An empty side is kept, so that the caller can count such pairs; an empty line is no pair. ``what`` says in
    an error what belongs on a line.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "en-es.tsv")
    ...     _ = path.write_text("a cat\\tun gato\\na dog\\t\\n", encoding="utf-8")
    ...     list(read_pairs(path))
    [('a cat', 'un gato'), ('a dog', '')]
    """
    name = shown(source)
    return started(_pair(row, name, what) for row in tsv_rows(source) if row[1] != [""])


def choose(columns: Sequence[str], column: Column, name: str) -> int:
    """Find the one of ``columns`` that is called ``column``, or list those there are.

    >>> choose(["id", "text"], "text", "faq.tsv")
    1
    >>> choose(["id", "text"], "body", "faq.tsv")
    Traceback (most recent call last):
    tacit.errors.InputError: faq.tsv has no column 'body'; it has 2: 'id', 'text'
    """
    if isinstance(column, str) and columns.count(column) == 1:
        return columns.index(column)
    there = f"it has {len(columns)}: {_listed(columns)}"
    if column is None:
        raise InputError(f"{name} is a table: name the column to read with column= or --column; {there}")
    if column not in columns:
        raise InputError(f"{name} has no column {column!r}; {there}")
    raise InputError(f"{name} has more than one column {column!r}; rename the others; {there}")


def _listed(columns: Sequence[str], most: int = 10, width: int = 40) -> str:
    """Write column names on one line, however many and long they are."""
    names = [repr(c if len(c) <= width else c[:width] + "...") for c in columns[:most]]
    return ", ".join(names) + (f" and {len(columns) - most} more" if len(columns) > most else "")


def column_number(column: Column) -> int | None:
    """Read a column given as a position; a name gives None."""
    if isinstance(column, str):
        return int(column) if column.isascii() and column.isdigit() else None
    return column


def _cells(rows: Iterator[Row], column: Column, name: str, keep_blank: bool) -> Iterator[str]:
    """Stream the cells of one column; the header, or the first row's width, is checked now."""
    first = next((row for row in rows if not is_blank(row)), None)
    if first is None:
        if column_number(column) is None:
            raise InputError(f"{name} is empty: it has no header line to find a column in")
        return iter(())
    line, cells = first
    number = column_number(column)
    if number is None:
        at = choose(cells, column, name)
    elif 1 <= number <= len(cells):
        at, rows = number - 1, chain([first], rows)
    else:
        there = f"line {line} has {len(cells)}, counted from 1: {_listed(cells)}"
        raise InputError(f"{name} has no column number {number}; {there}")
    return kept(("" if is_blank(row) else _cell(row, at, name) for row in rows), keep_blank)


def is_blank(row: Row) -> bool:
    """Whether a row has nothing but spaces."""
    return not any(map(str.strip, row[1]))


def _cell(row: Row, at: int, name: str) -> str:
    """Give the cell ``at`` of a row, or name the line that has none."""
    line, cells = row
    if at < len(cells):
        return cells[at]
    raise InputError(
        f"{name}, line {line} has {len(cells)} columns, and column {at + 1} is to be read; mend it"
    )


def _pair(row: Row, name: str, what: str) -> tuple[str, str]:
    """Give the two cells of a row, or name the line that has more or fewer."""
    line, cells = row
    if len(cells) != 2:
        parts = f"{len(cells)} column{'s' * (len(cells) != 1)}"
        raise InputError(f"{name}, line {line} has {parts}, not 2; put {what} with one tab between them")
    return cells[0], cells[1]


def tsv_rows(source: Source) -> Iterator[Row]:
    """Stream line numbers and cells of a TSV file."""
    return ((number, chomp(line).split("\t")) for number, line in numbered_lines(source))


def csv_rows(source: Source) -> Iterator[Row]:
    """Stream line numbers (where the row starts) and cells of a CSV file."""
    import csv

    # strict: a stray or unclosed quote is an error, where the default glues rows together
    reader = csv.reader((line for _, line in numbered_lines(source)), strict=True)
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            where = f"{shown(source)}, the row that starts on line {start}"
            raise InputError(f"{where} is not CSV ({error}); check its quotes") from None
        if cells is None:
            return
        yield start, cells


def _json_text(line: str, column: Column, where: str) -> str:
    """Give the string under a key of one JSON line; a blank line and a null give an empty string."""
    if not line.strip():
        return ""
    return json_cell(json_object(line, where), column, where)


def json_object(line: str, where: str) -> dict[str, Any]:
    """Parse one JSON line, which must hold an object."""
    import json

    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON ({error}); write one JSON object a line") from None
    if not isinstance(row, dict):
        raise InputError(f"{where} is a JSON {type(row).__name__}; write one JSON object a line")
    return row


def json_cell(row: dict[str, Any], column: Column, where: str) -> str:
    """Give the string under a key of a JSON object; a null gives an empty string."""
    keys = list(row)
    value = row[keys[choose(keys, column, where)]]
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f"{where}: the value of {column!r} is a JSON {type(value).__name__}, not a string")
    if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise InputError(f"{where}: the value of {column!r} holds half a character (a lone \\ud800-\\udfff)")
    return value
