"""Read options, column selection and header handling shared by all table formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from tacit.corpora.lines import is_ascii_compatible
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
            is_ascii_compatible(self.encoding)
        return self._replace(delimiter=mark)


DEFAULT_OPTIONS = ReadOptions()
"""Nothing is overruled."""


Column = str | int | None
Cells = list[str]
TableRow = tuple[int, list[Any], dict[str, Any]]
"""The number of a row, the values asked for, the other columns; a blank row has neither."""


class ColumnRequest(NamedTuple):
    """What is asked of a table: columns by name or number, the other columns too, exactly so many columns.

    ``remedy`` is said of a row that has more or fewer cells than it should.
    """

    columns: tuple[str | None, ...]
    others: bool = False
    width: int | None = None
    remedy: str = "mend it, or say what stands between cells with delimiter=CHARACTER"


def find_column(names: Sequence[str], column: str | None, name: str) -> int:
    """Find the one of ``names`` that is called ``column``, or list those there are.

    >>> find_column(["id", "text"], "text", "faq.tsv")
    1
    >>> find_column(["id", "text"], "body", "faq.tsv")
    Traceback (most recent call last):
    tacit.errors.InputError: faq.tsv has no column 'body'; it has 2: 'id', 'text'
    """
    if column is not None and names.count(column) == 1:
        return names.index(column)
    there = f"it has {len(names)}: {_format_names(names)}"
    if column is None:
        raise InputError(
            f"{name} is a table; {there}",
            parameter="column",
            remedy="name the column to read with column=NAME",
        )
    if column not in names:
        raise InputError(f"{name} has no column {column!r}; {there}")
    raise InputError(f"{name} has more than one column {column!r}; rename the others; {there}")


def find_columns(names: Sequence[str], wanted: ColumnRequest, name: str) -> tuple[list[int], dict[str, int]]:
    """Find the places of the columns that are asked for, and of the others by their names.

    >>> find_columns(["id", "text", "team"], ColumnRequest(("text",), others=True), "faq.tsv")
    ([1], {'id': 0, 'team': 2})
    """
    places = [find_column(names, column, name) for column in wanted.columns]
    if not wanted.others:
        return places, {}
    rest = {names[at]: find_column(names, names[at], name) for at in range(len(names)) if at not in places}
    return places, rest


def select_columns(
    rows: Iterator[tuple[int, Cells]],
    wanted: ColumnRequest,
    header: bool | None,
    name: str,
    unit: str = "line",
) -> Iterator[TableRow]:
    """Stream the rows of a table whose first row may be a header; that row is checked now.

    >>> rows = iter([(1, ["id", "text"]), (2, ["7", "how?"])])
    >>> list(select_columns(rows, ColumnRequest(("text",)), None, "faq.tsv"))
    [(2, ['how?'], {})]
    """
    first = next((row for row in rows if not _is_blank(row[1])), None)
    headed = has_header(wanted.columns, header)
    if first is None:
        if headed:
            raise InputError(f"{name} is empty: it has no header line to find a column in")
        return iter(())
    width = wanted.width or len(first[1])
    _check_width(first, width, f"{name}, {unit}", wanted)
    names = [str(place + 1) for place in range(width)]
    if headed:
        names = [title or number for title, number in zip(first[1], names, strict=True)]
    else:
        rows = chain([first], rows)
    columns = tuple(_resolve_number(names, column) for column in wanted.columns)
    places, others = find_columns(names, wanted._replace(columns=columns), name)
    return _select_cells(rows, width, places, others, f"{name}, {unit}", wanted)


def has_header(columns: Sequence[str | None], header: bool | None) -> bool:
    """Whether the first row names the columns: as told, or where one is asked for by its name.

    >>> has_header(["text"], None), has_header(["2"], None), has_header(["2"], True)
    (True, False, True)
    """
    return header if header is not None else any(_column_number(column) is None for column in columns)


def _select_cells(
    rows: Iterator[tuple[int, Cells]],
    width: int,
    places: list[int],
    others: dict[str, int],
    where: str,
    wanted: ColumnRequest,
) -> Iterator[TableRow]:
    """Give the cells at ``places`` and at ``others``, blank rows as such."""
    for row in rows:
        number, cells = row
        if _is_blank(cells):
            yield number, [], {}
            continue
        if len(cells) != width:
            _check_width(row, width, where, wanted)
        yield number, [cells[at] for at in places], {title: cells[at] for title, at in others.items()}


def _check_width(row: tuple[int, Cells], width: int, where: str, wanted: ColumnRequest) -> None:
    number, cells = row
    if len(cells) != width:
        parts = f"{len(cells)} column{'s' * (len(cells) != 1)}"
        as_first = "" if wanted.width else " as the first row"
        problem = f"{where} {number} has {parts}, not {width}{as_first}"
        raise InputError(problem, parameter="delimiter", remedy=wanted.remedy)


def _resolve_number(names: list[str], column: str | None) -> str | None:
    """The name of a column given by its number, unless the number is a name itself."""
    number = _column_number(column)
    return names[number - 1] if number and column not in names and number <= len(names) else column


def _column_number(column: str | None) -> int | None:
    """Read a column given as a position; a name gives None."""
    return int(column) if column and column.isascii() and column.isdigit() and len(column) < 10 else None


def _is_blank(cells: Cells) -> bool:
    """Whether a row is an empty line, or one of spaces alone."""
    return len(cells) < 2 and not any(map(str.strip, cells))


def _format_names(names: Sequence[str], most: int = 10, width: int = 40) -> str:
    """Write column names on one line, however many and long they are."""
    shown = [repr(c if len(c) <= width else c[:width] + "...") for c in names[:most]]
    return ", ".join(shown) + (f" and {len(names) - most} more" if len(names) > most else "")
