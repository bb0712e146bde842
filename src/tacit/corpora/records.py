"""Rows of a collection: a text, its id if a column gives one, and the other columns, which are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from tacit.corpora.files import Source, chomp, numbered_lines, shown, started
from tacit.corpora.parquet import BATCH, read_parquet
from tacit.corpora.tables import (
    Column,
    Row,
    choose,
    column_number,
    csv_rows,
    is_blank,
    json_cell,
    json_object,
    tsv_rows,
)
from tacit.errors import InputError

Cells = tuple[str, dict[str, Any]]
"""Where a row is, and its cells by column; a table without a header has columns "1", "2", ..."""


class Record(NamedTuple):
    """A text, its id (None where no column gives one), and the other columns of its row."""

    text: str
    id: str | None
    columns: dict[str, Any]


def read_records(
    source: Source, kind: str, column: Column = None, id_column: str | None = None
) -> Iterator[Record]:
    r"""Stream the rows of a file that have a text; ``kind`` is the suffix that tells how to read it.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.tsv")
    ...     _ = path.write_text("id\ttext\tlink\n7\thow do I log in\t/login\n", encoding="utf-8")
    ...     list(read_records(path, ".tsv", "text", "id"))
    [Record(text='how do I log in', id='7', columns={'link': '/login'})]
    """
    if kind not in READERS:
        given = column if column is not None else id_column
        if given is not None:
            tables = ", ".join(READERS)
            raise InputError(
                f"{shown(source)} is read as lines and has no column {given!r}; files with columns: {tables}"
            )
        lines = (chomp(line) for _, line in numbered_lines(source))
        return started(Record(line, None, {}) for line in lines if line.strip())
    rows = READERS[kind](source, column)
    name = str(column)
    return started(
        _record(where, cells, name, id_column) for where, cells in rows if str(cells.get(name) or "").strip()
    )


def _record(where: str, cells: dict[str, Any], column: str, id_column: str | None) -> Record:
    text = json_cell(cells, column, where)
    rest = {name: value for name, value in cells.items() if name not in (column, id_column)}
    if id_column is None:
        return Record(text, None, rest)
    name = cells[list(cells)[choose(list(cells), id_column, where)]]
    if name is None or not str(name).strip():
        raise InputError(f"{where} has no id in the column {id_column!r}; mend it, or leave the ids out")
    return Record(text, str(name), rest)


def _table(rows: Iterator[Row], column: Column, name: str) -> Iterator[Cells]:
    """Rows by the names of a header, or by numbers where the column is one."""
    first = next((row for row in rows if not is_blank(row)), None)
    number = column_number(column)
    if first is None:
        if number is None:
            raise InputError(f"{name} is empty: it has no header line to find a column in")
        return iter(())
    if number is None:
        header = first[1]
        choose(header, column, name)
    else:
        header, rows = [str(i + 1) for i in range(len(first[1]))], chain([first], rows)
        choose(header, str(number), name)
    return (_named(row, header, name) for row in rows if not is_blank(row))


def _named(row: Row, header: list[str], name: str) -> Cells:
    line, cells = row
    if len(cells) != len(header):
        raise InputError(
            f"{name}, line {line} has {len(cells)} columns, the first line {len(header)}; mend it"
        )
    return f"{name}, line {line}", dict(zip(header, cells, strict=True))


def _tsv(source: Source, column: Column) -> Iterator[Cells]:
    return _table(tsv_rows(source), column, shown(source))


def _csv(source: Source, column: Column) -> Iterator[Cells]:
    return _table(csv_rows(source), column, shown(source))


def _jsonl(source: Source, column: Column) -> Iterator[Cells]:
    for number, line in numbered_lines(source):
        if line.strip():
            where = f"{shown(source)}, line {number}"
            row = json_object(line, where)
            json_cell(row, column, where)
            yield where, row


def _parquet(source: Source, column: Column) -> Iterator[Cells]:
    read_parquet(source, column)  # what is wrong with the file or the column, in its own words
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(source) as table:
        number = 0
        for batch in table.iter_batches(BATCH):
            for row in batch.to_pylist():
                number += 1
                yield f"{shown(source)}, row {number}", {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    """A value JSON can hold; a date or a number of another kind becomes its text."""
    return value if value is None or isinstance(value, bool | int | float | str | list | dict) else str(value)


READERS: dict[str, Callable[[Source, Column], Iterator[Cells]]] = {
    ".tsv": _tsv,
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".parquet": _parquet,
}
"""What gives the rows of a kind of table."""
