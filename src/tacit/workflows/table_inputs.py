"""Read queries, pairs and labelled texts of any table, and choose the columns that are obvious."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tacit.checks import format_count
from tacit.corpora.column_kinds import infer_column_kind
from tacit.corpora.formats import PLAIN_LINES, find_reader
from tacit.corpora.formats.delimited import TSV
from tacit.corpora.html_text import strip_html
from tacit.corpora.lines import read_lines
from tacit.corpora.sources import display_name
from tacit.corpora.table_profile import (
    choose_text_column,
    detect_encoding,
    find_id_column,
    is_header_row,
    read_row_dicts,
)
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ReadOptions, find_column, has_header, resolve_number
from tacit.errors import InputError
from tacit.workflows.file_index import choose_columns
from tacit.workflows.records import RecordOptions, RecordSource, json_value

logger = logging.getLogger(__name__)

Row = dict[str, Any]

_LABEL_NAME = re.compile(r"(?:.*[\W_])?(?:label|class|category|intent|topic|tag|target)s?", re.I)
_COLUMN_NAME = re.compile(
    r"(?:text|sentence|question|query|title|label|class|category|intent|topic|tag|target)s?[ _-]?\w?", re.I
)


@dataclass(frozen=True)
class TextTable:
    """Rows of a table, and the columns of its texts.

    ``names`` are all columns, ``texts`` the names of those with texts, ``label`` and ``id`` those of labels
    and ids, where there are some.
    """

    path: str
    names: list[str]
    rows: list[Row]
    texts: tuple[str, ...]
    label: str | None = None
    id: str | None = None

    def column(self, name: str | None) -> list[str]:
        """Return the cells of a column as texts; row numbers without a name."""
        if name is None:
            return [str(number) for number in range(1, len(self.rows) + 1)]
        return ["" if row.get(name) is None else str(row[name]) for row in self.rows]

    def other_columns(self) -> list[Row]:
        """Return the cells of each row that are neither texts nor ids, as plain values."""
        others = [name for name in self.names if name not in (*self.texts, self.id)]
        return [{name: json_value(row.get(name)) for name in others} for row in self.rows]


def read_queries(path: str, column: str | None = None) -> list[str]:
    """Read the queries of a table, or one a line; "-" is standard input."""
    if column is None and find_reader(path, PLAIN_LINES) is PLAIN_LINES:
        queries = list(read_lines(path))
    else:
        options = RecordOptions(column)
        if path != "-":
            options = choose_columns(Path(path), options)
        if column is None:
            logger.info(f"{path}: queries are in the column {options.text!r}; --query-column names another")
        queries = list(RecordSource((path,), options=options).texts())
    if not queries:
        raise InputError(f"{path} is empty: put a query on each line")
    return queries


def read_pair_table(
    path: str, columns: Sequence[str] | None = None, reading: ReadOptions = DEFAULT_OPTIONS
) -> TextTable:
    """Read a table of pairs of texts: two named columns, the only two, or the only two with texts."""
    names, rows = _read_rows(path, reading, columns or ())
    if columns is not None:
        chosen = [_find(names, column, path) for column in columns]
    elif len(names) <= 2:
        chosen = names
    else:
        chosen = [name for name in names if infer_column_kind(row.get(name) for row in rows) == "text"]
    if not rows:
        chosen = ["", ""]
    if len(chosen) != 2:
        columns = format_count(len(chosen), "column")
        problem = f"{display_name(path)} has {columns} of texts, not 2: {', '.join(map(repr, names[:10]))}"
        raise InputError(problem, parameter="pair_columns", remedy="name two with --pair-columns A,B")
    return TextTable(path, names, rows, tuple(chosen))


def read_labelled_table(
    path: str, text: str | None = None, label: str | None = None, reading: ReadOptions = DEFAULT_OPTIONS,
    like: TextTable | None = None,
) -> TextTable:  # fmt: skip
    """Read a table of texts and labels; without a header its columns are label and text, or text alone.

    By default the columns are those of ``like``, whose labels the table may lack. Without ``like`` the labels
    are in the column with the name of a label, or in the only one that is left.
    """
    names, rows = _read_rows(path, reading, filter(None, (text, label)))
    if not rows:
        return TextTable(path, names, rows, ("",))
    if like is not None:
        text = text or next((name for name in like.texts if name in names), None)
        label = like.label if like.label in names and len(names) > 1 else None
    if names == ["1", "2"] and text in (None, "2") and label in (None, "1"):
        named = [{"label": row["1"], "text": row["2"]} for row in rows]
        return TextTable(path, ["label", "text"], named, ("text",), "label")
    if label is not None:
        label = _find(names, label, path)
    elif like is None:
        label = next((name for name in names if name != text and _LABEL_NAME.fullmatch(name)), None)
    rest = [name for name in names if name != label]
    if text is not None or len(rest) == 1:
        text = _find(names, text or rest[0], path)
    else:
        kinds = {name: infer_column_kind(row.get(name) for row in rows) for name in rest}
        text = choose_text_column(rest, kinds, rows, display_name(path))
    rest = [name for name in rest if name != text]
    ids = find_id_column(rest, rows)
    if label is None and like is None:
        [label] = [name for name in rest if name != ids] if len(rest) - (ids is not None) == 1 else [None]
    if not text.isdigit() and (label is not None or like is not None):
        labels = f", the labels in {label!r}" if label else ""
        logger.info(f"{display_name(path)}: the texts are in the column {text!r}{labels}")
    return TextTable(path, names, rows, (text,), label, ids)


def _find(names: list[str], column: str, path: str) -> str:
    """Return the name of a column that is given by its name or number."""
    return names[find_column(names, resolve_number(names, column), display_name(path))]


def _read_rows(path: str, reading: ReadOptions, columns: Iterable[str]) -> tuple[list[str], list[Row]]:
    """Return the column names and the rows of a table, whose first row may be a header."""
    reader = find_reader(path, TSV)
    if reader.read_rows is None:
        raise InputError(f"{display_name(path)} is {reader.name}: expected a table")
    if path != "-":
        reading = reading._replace(encoding=reading.encoding or detect_encoding(reader, Path(path)))
    raw = reading._replace(header=False) if reader.can_have_header else reading
    rows = list(read_row_dicts(reader, path, raw))
    if reading.html:
        rows = [{name: strip_html(str(cell or "")) for name, cell in row.items()} for row in rows]
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not (reader.can_have_header and rows):
        return names, rows
    cells = [[str(row[name]) for name in names] for row in rows]
    if reading.header is None:
        chosen = list(columns)
        is_headed = has_header(chosen, None) if chosen else _has_header(cells)
    else:
        is_headed = reading.header
    if not is_headed:
        return names, rows
    titles = [str(cell).strip() or number for number, cell in zip(names, cells[0], strict=True)]
    return titles, [dict(zip(titles, row.values(), strict=True)) for row in rows[1:]]


def _has_header(cells: list[list[str]]) -> bool:
    """Return whether the first row names the columns.

    In a table of two columns it may be a first pair, or a label and a text: there, names do not occur again
    in their columns, and one is a usual name of a column, or both are single words above longer texts.

    >>> _has_header([["label", "text"], ["pets", "my cat"]]), _has_header([["pets", "my cat"]])
    (True, False)
    """
    first, rest = cells[0], cells[1:]
    if len(first) != 2 or not is_header_row(first, rest):
        return len(first) > 2 and is_header_row(first, rest)
    columns = list(zip(*rest, strict=True))
    if any(name in column for name, column in zip(first, columns, strict=False)):
        return False
    if any(_COLUMN_NAME.fullmatch(name.strip()) for name in first):
        return True
    is_name = all(re.fullmatch(r"[^\W\d]\w*", name.strip()) for name in first)
    return is_name and any(median(len(cell.split()) for cell in column) >= 3 for column in columns)
