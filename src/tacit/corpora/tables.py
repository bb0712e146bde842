"""What tables of every kind have in common: columns that are asked for, and rows that give them.

In TSV, CSV and Excel a column *name* means that the first row is a header; a *number* (counted from 1) means
a position in a table without one. Nothing is guessed: a column left out is an error that lists the columns
there are, and a row with more or fewer cells than the first is an error that names its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from tacit.errors import InputError

Column = str | int | None
Cells = list[str]
Row = tuple[int, list[Any], dict[str, Any]]
"""The number of a row, the values asked for, the other columns; a blank row has neither."""


class Wanted(NamedTuple):
    """What is asked of a table: columns by name or number, the other columns too, exactly so many columns.

    ``remedy`` is said of a row that has more or fewer cells than it should.
    """

    columns: tuple[str | None, ...]
    others: bool = False
    width: int | None = None
    remedy: str = "mend it, or say what stands between cells with delimiter=CHARACTER"


def choose(names: Sequence[str], column: str | None, name: str) -> int:
    """Find the one of ``names`` that is called ``column``, or list those there are.

    >>> choose(["id", "text"], "text", "faq.tsv")
    1
    >>> choose(["id", "text"], "body", "faq.tsv")
    Traceback (most recent call last):
    tacit.errors.InputError: faq.tsv has no column 'body'; it has 2: 'id', 'text'
    """
    if column is not None and names.count(column) == 1:
        return names.index(column)
    there = f"it has {len(names)}: {_listed(names)}"
    if column is None:
        raise InputError(
            f"{name} is a table; {there}",
            parameter="column",
            remedy="name the column to read with column=NAME",
        )
    if column not in names:
        raise InputError(f"{name} has no column {column!r}; {there}")
    raise InputError(f"{name} has more than one column {column!r}; rename the others; {there}")


def chosen_columns(names: Sequence[str], wanted: Wanted, name: str) -> tuple[list[int], dict[str, int]]:
    """Find the places of the columns that are asked for, and of the others by their names.

    >>> chosen_columns(["id", "text", "team"], Wanted(("text",), others=True), "faq.tsv")
    ([1], {'id': 0, 'team': 2})
    """
    places = [choose(names, column, name) for column in wanted.columns]
    if not wanted.others:
        return places, {}
    rest = {names[at]: choose(names, names[at], name) for at in range(len(names)) if at not in places}
    return places, rest


def separated_rows(
    rows: Iterator[tuple[int, Cells]], wanted: Wanted, header: bool | None, name: str, unit: str = "line"
) -> Iterator[Row]:
    """Stream the rows of a table whose first row may be a header; that row is checked now.

    >>> rows = iter([(1, ["id", "text"]), (2, ["7", "how?"])])
    >>> list(separated_rows(rows, Wanted(("text",)), None, "faq.tsv"))
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
    columns = tuple(_by_number(names, column) for column in wanted.columns)
    places, others = chosen_columns(names, wanted._replace(columns=columns), name)
    return _cut(rows, width, places, others, f"{name}, {unit}", wanted)


def has_header(columns: Sequence[str | None], header: bool | None) -> bool:
    """Whether the first row names the columns: as told, or where one is asked for by its name.

    >>> has_header(["text"], None), has_header(["2"], None), has_header(["2"], True)
    (True, False, True)
    """
    return header if header is not None else any(_number(column) is None for column in columns)


def _cut(
    rows: Iterator[tuple[int, Cells]],
    width: int,
    places: list[int],
    others: dict[str, int],
    where: str,
    wanted: Wanted,
) -> Iterator[Row]:
    """Give the cells at ``places`` and at ``others``, blank rows as such."""
    for row in rows:
        number, cells = row
        if _is_blank(cells):
            yield number, [], {}
            continue
        if len(cells) != width:
            _check_width(row, width, where, wanted)
        yield number, [cells[at] for at in places], {title: cells[at] for title, at in others.items()}


def _check_width(row: tuple[int, Cells], width: int, where: str, wanted: Wanted) -> None:
    number, cells = row
    if len(cells) != width:
        parts = f"{len(cells)} column{'s' * (len(cells) != 1)}"
        as_first = "" if wanted.width else " as the first row"
        problem = f"{where} {number} has {parts}, not {width}{as_first}"
        raise InputError(problem, parameter="delimiter", remedy=wanted.remedy)


def _by_number(names: list[str], column: str | None) -> str | None:
    """The name of a column given by its number, unless the number is a name itself."""
    number = _number(column)
    return names[number - 1] if number and column not in names and number <= len(names) else column


def _number(column: str | None) -> int | None:
    """Read a column given as a position; a name gives None."""
    return int(column) if column and column.isascii() and column.isdigit() and len(column) < 10 else None


def _is_blank(cells: Cells) -> bool:
    """Whether a row is an empty line, or one of spaces alone."""
    return len(cells) < 2 and not any(map(str.strip, cells))


def _listed(names: Sequence[str], most: int = 10, width: int = 40) -> str:
    """Write column names on one line, however many and long they are."""
    shown = [repr(c if len(c) <= width else c[:width] + "...") for c in names[:most]]
    return ", ".join(shown) + (f" and {len(names) - most} more" if len(names) > most else "")
