"""Read options, column selection and header handling shared by all table formats.

In TSV, CSV and Excel, selecting a column by *name* means that the first row is a header; a *number* (from 1)
selects by position in a table without header. Nothing is guessed: without a column the error lists the
columns, and a row with more or fewer cells than the first is an error that names its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, starmap
from typing import Any, NamedTuple

from tacit.corpora.lines import is_ascii_compatible, numbered_lines
from tacit.corpora.sources import Source, display_name
from tacit.errors import InputError

_NAMED_DELIMITERS = {"tab": "\t", "\\t": "\t"}

Column = str | int | None
"""The name or number of a column; None if there is nothing to select."""
Cells = list[str]
Lines = Iterator[tuple[int, str]]
"""Lines with their numbers."""
TableRow = tuple[int, list[Any], dict[str, Any]]
"""The number of a row, the requested values, the other columns by name; both are empty for a blank row."""
TableRows = Iterator[TableRow]


class Record(NamedTuple):
    """A text, its id (None without an id column), and the other columns of its row."""

    text: str
    id: str | None
    columns: dict[str, Any]


class ReadOptions(NamedTuple):
    """How to read a file; None detects the option from the content.

    ``delimiter`` is one character, or ``tab``. ``header`` is whether the first row of a table names its
    columns; by default it does, unless columns are selected by number. ``html`` strips tags from texts.
    ``max_unpacked`` is the maximum size of an Excel workbook in bytes, unpacked.

    >>> ReadOptions(delimiter=";", encoding="windows-1252").header is None
    True
    """

    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    html: bool = False
    max_unpacked: int = 2_000_000_000

    def validated(self) -> ReadOptions:
        """Return the options with the delimiter as a character; InputError if one is invalid.

        >>> ReadOptions(delimiter="tab").validated().delimiter
        '\\t'
        >>> ReadOptions(encoding="ansi-8").validated()
        Traceback (most recent call last):
        tacit.errors.InputError: encoding='ansi-8' is unknown; give utf-8, utf-16, windows-1252 or another ...
        """
        delimiter = self.delimiter and _NAMED_DELIMITERS.get(self.delimiter, self.delimiter)
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
            problem = f"delimiter={self.delimiter!r}: give one character other than a quote, or tab"
            raise InputError(problem, parameter="delimiter")
        if self.encoding is not None:
            is_ascii_compatible(self.encoding)
        return self._replace(delimiter=delimiter)


DEFAULT_OPTIONS = ReadOptions()
"""Everything is detected."""


class ColumnRequest(NamedTuple):
    """Columns to read, by name or number; the other columns too if ``include_others``.

    ``n_columns`` is the required number of columns. ``hint`` ends the error about a row with another number
    of cells.
    """

    columns: tuple[str | None, ...]
    include_others: bool = False
    n_columns: int | None = None
    hint: str = "fix the row, or give the delimiter with delimiter=CHARACTER"


ReadRows = Callable[[Source, ColumnRequest, ReadOptions], TableRows]
ReadLineRows = Callable[[Lines, str, ColumnRequest, ReadOptions], TableRows]
"""A reader of numbered lines; the second argument is the name of their source in error messages."""


class Reader(NamedTuple):
    """A file format.

    ``read_rows`` is None for a format that is not a table. ``row_unit`` is what error messages count.
    ``split_at`` is where a large file can be split: at "lines", at the ends of "rows", whose quoted cells can
    contain line ends, or nowhere. ``group_sizes`` returns the bytes of each group of rows, for a format whose
    files are split between groups. ``is_text`` is whether files have an encoding, ``can_have_header`` whether
    the first row may name the columns.
    """

    name: str
    suffixes: tuple[str, ...]
    read_rows: ReadRows | None = None
    row_unit: str = "line"
    split_at: str = ""
    group_sizes: Callable[[str], list[int]] | None = None
    is_text: bool = True
    can_have_header: bool = False


def read_source(
    read: ReadLineRows, source: Source, request: ColumnRequest, options: ReadOptions
) -> TableRows:
    """Open a source and read the rows of its numbered lines."""
    return read(numbered_lines(source, options.encoding), display_name(source), request, options)


def column_names(*columns: Column) -> tuple[str | None, ...]:
    """Return columns with their numbers as text.

    >>> column_names("text", 2, None)
    ('text', '2', None)
    """
    return tuple(None if column is None else str(column) for column in columns)


def find_column(names: Sequence[str], column: str | None, name: str) -> int:
    """Return the position of a column; InputError lists the columns if it is missing or ambiguous.

    >>> find_column(["id", "text"], "text", "faq.tsv")
    1
    >>> find_column(["id", "text"], "body", "faq.tsv")
    Traceback (most recent call last):
    tacit.errors.InputError: faq.tsv has no column 'body'; it has 2: 'id', 'text'
    """
    if column is not None and names.count(column) == 1:
        return names.index(column)
    columns = f"it has {len(names)}: {_format_names(names)}"
    if column is None:
        remedy = "name the column to read with column=NAME"
        raise InputError(f"{name} is a table; {columns}", parameter="column", remedy=remedy)
    if column not in names:
        raise InputError(f"{name} has no column {column!r}; {columns}")
    raise InputError(f"{name} has more than one column {column!r}; rename the others; {columns}")


def find_columns(names: Sequence[str], request: ColumnRequest, name: str) -> tuple[list[int], dict[str, int]]:
    """Return the positions of the requested columns, and of the others by name.

    >>> find_columns(["id", "text", "team"], ColumnRequest(("text",), include_others=True), "faq.tsv")
    ([1], {'id': 0, 'team': 2})
    """
    positions = [find_column(names, column, name) for column in request.columns]
    if not request.include_others:
        return positions, {}
    rest = [position for position in range(len(names)) if position not in positions]
    return positions, {names[position]: find_column(names, names[position], name) for position in rest}


def select_columns(
    rows: Iterator[tuple[int, Cells]], request: ColumnRequest, header: bool | None, name: str,
    unit: str = "line",
) -> TableRows:  # fmt: skip
    """Stream the requested columns of a table whose first row may be a header; this call checks that row.

    ``unit`` is what the numbers of rows count, for error messages.

    >>> rows = iter([(1, ["id", "text"]), (2, ["7", "how?"])])
    >>> list(select_columns(rows, ColumnRequest(("text",)), None, "faq.tsv"))
    [(2, ['how?'], {})]
    """
    first = next((row for row in rows if not _is_blank(row[1])), None)
    is_headed = has_header(request.columns, header)
    if first is None:
        if is_headed:
            raise InputError(f"{name} is empty: it has no header line to find a column in")
        return iter(())
    width = request.n_columns or len(first[1])

    def check_width(number: int, cells: Cells) -> None:
        if len(cells) != width:
            columns = f"{len(cells)} column{'s' * (len(cells) != 1)}"
            as_first = "" if request.n_columns else " as the first row"
            problem = f"{name}, {unit} {number} has {columns}, not {width}{as_first}"
            raise InputError(problem, parameter="delimiter", remedy=request.hint)

    def select(number: int, cells: Cells) -> TableRow:
        if _is_blank(cells):
            return number, [], {}
        if len(cells) != width:
            check_width(number, cells)
        return number, [cells[i] for i in positions], {title: cells[i] for title, i in others.items()}

    check_width(*first)
    names = [str(number) for number in range(1, width + 1)]
    if is_headed:
        names = [title or number for title, number in zip(first[1], names, strict=True)]
    else:
        rows = chain([first], rows)
    columns = tuple(resolve_number(names, column) for column in request.columns)
    positions, others = find_columns(names, request._replace(columns=columns), name)
    return starmap(select, rows)


def has_header(columns: Sequence[str | None], header: bool | None) -> bool:
    """Return whether the first row names the columns: ``header``, or whether one is requested by name.

    >>> has_header(["text"], None), has_header(["2"], None), has_header(["2"], True)
    (True, False, True)
    """
    return header if header is not None else any(_column_number(column) is None for column in columns)


def resolve_number(names: list[str], column: str | None) -> str | None:
    """Return the name of a column given by number, unless the number itself is a name."""
    number = _column_number(column)
    return names[number - 1] if number and column not in names and number <= len(names) else column


def _column_number(column: str | None) -> int | None:
    """Return the number of a column given by position; None for a name."""
    return int(column) if column and column.isascii() and column.isdigit() and len(column) < 10 else None


def _is_blank(cells: Cells) -> bool:
    """Return whether a row is an empty line or has only spaces."""
    return len(cells) < 2 and not any(map(str.strip, cells))


def _format_names(names: Sequence[str], max_names: int = 10, max_characters: int = 40) -> str:
    """Format column names for one line of an error message, truncated."""
    quoted = [repr(c if len(c) <= max_characters else c[:max_characters] + "...") for c in names[:max_names]]
    return ", ".join(quoted) + (f" and {len(names) - max_names} more" if len(names) > max_names else "")
