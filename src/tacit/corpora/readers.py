"""Registry of file formats; plain lines and JSON Lines are read here.

A format is an entry of ``READERS``, from which the command line, error messages and documentation list the
formats. Readers of tables yield rows; `tacit.corpora.reading` turns them into texts, records and pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from tacit.corpora.delimited import Lines, read_csv_rows, read_tsv_rows
from tacit.corpora.excel import read_excel_rows
from tacit.corpora.lines import numbered_lines, strip_line_end
from tacit.corpora.parquet import read_parquet_rows
from tacit.corpora.sources import Source, display_name
from tacit.corpora.table_rows import ColumnRequest, ReadOptions, TableRow, find_column
from tacit.errors import InputError

ReadRows = Callable[[Source, ColumnRequest, ReadOptions], Iterator[TableRow]]
ReadLineRows = Callable[[Lines, str, ColumnRequest, ReadOptions], Iterator[TableRow]]
"""A reader of numbered lines; the second argument is the name of their source in error messages."""


class Reader(NamedTuple):
    """A file format.

    ``read_rows`` is None for a format that is not a table. ``row_unit`` is what error messages count.
    ``split_at`` is where a large file can be split: at "lines", at the ends of "rows", whose quoted cells can
    contain line ends, at "groups" of rows, or nowhere.
    """

    name: str
    suffixes: tuple[str, ...]
    read_rows: ReadRows | None = None
    row_unit: str = "line"
    split_at: str = ""


def _read_source(
    read: ReadLineRows, source: Source, request: ColumnRequest, options: ReadOptions
) -> Iterator[TableRow]:
    """Open a source and read its numbered lines."""
    return read(numbered_lines(source, options.encoding), display_name(source), request, options)


def _read_plain_lines(
    lines: Lines, name: str, request: ColumnRequest, options: ReadOptions
) -> Iterator[TableRow]:
    """Stream lines as rows of one value."""
    for number, line in lines:
        yield number, [strip_line_end(line)] if line.strip() else [], {}


def read_json_rows(
    lines: Lines, name: str, request: ColumnRequest, options: ReadOptions
) -> Iterator[TableRow]:
    r"""Stream the objects of JSON Lines, each with its own keys; an empty line is a blank row.

    >>> lines = iter([(1, '{"id": 7, "text": "how?"}\n')])
    >>> list(read_json_rows(lines, "faq.jsonl", ColumnRequest(("text",), include_others=True), ReadOptions()))
    [(1, ['how?'], {'id': 7})]
    """
    for number, line in lines:
        if not line.strip():
            yield number, [], {}
            continue
        where = f"{name}, line {number}"
        row = _parse_object(line, where)
        keys = list(row)
        values = [row[keys[find_column(keys, column, where)]] for column in request.columns]
        rest = {key: row[key] for key in keys if key not in request.columns} if request.include_others else {}
        yield number, values, rest


def _parse_object(line: str, where: str) -> dict[str, Any]:
    """Parse a line, which must have one object without lone surrogates."""
    import json

    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON ({error}); write one JSON object a line") from None
    if not isinstance(row, dict):
        raise InputError(f"{where} is a JSON {type(row).__name__}; write one JSON object a line")
    if "\\u" in line:
        try:
            json.dumps(row, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{where} is not valid Unicode (a lone surrogate, \\ud800-\\udfff); fix it"
            ) from None
    return row


def _sniff_rows(lines: Lines, name: str, request: ColumnRequest, options: ReadOptions) -> Iterator[TableRow]:
    """Stream the rows of a table whose name does not show its format: JSON Lines or CSV."""
    first = next((line for line in lines if line[1].strip()), None)
    is_json = first is not None and first[1].lstrip().startswith("{")
    read = read_json_rows if is_json else read_csv_rows
    return read(chain([first] if first else [], lines), name, request, options)


PLAIN_LINES = Reader("lines of text", (), partial(_read_source, _read_plain_lines), split_at="lines")
TSV = Reader("TSV", (".tsv",), partial(_read_source, read_tsv_rows), split_at="lines")
CONLLU = Reader("CoNLL-U", (".conllu",))
TMX = Reader("TMX", (".tmx",), row_unit="unit")
SNIFFED_TABLE = Reader("a table", (), partial(_read_source, _sniff_rows))

READERS = (
    TSV,
    Reader("CSV", (".csv",), partial(_read_source, read_csv_rows), split_at="rows"),
    Reader("JSONL", (".jsonl", ".ndjson"), partial(_read_source, read_json_rows), split_at="lines"),
    Reader("Parquet", (".parquet",), read_parquet_rows, row_unit="row", split_at="groups"),
    Reader("Excel", (".xlsx",), read_excel_rows, row_unit="row"),
    TMX,
    CONLLU,
)
"""All formats with a suffix; files can be compressed, with ``.gz`` after the suffix."""

TABLE_READERS = tuple(reader for reader in READERS if reader.read_rows)


def format_names(readers: Sequence[Reader], last: str = "or") -> str:
    """Return the names of formats for a sentence.

    >>> format_names(TABLE_READERS)
    'TSV, CSV, JSONL, Parquet or Excel'
    """
    *names, final = (reader.name for reader in readers)
    return f"{', '.join(names)} {last} {final}"


def find_reader(source: Source, default: Reader) -> Reader:
    """Return the format of a file by its suffix, or the default.

    >>> find_reader("faq.CSV.gz", PLAIN_LINES).name, find_reader("-", PLAIN_LINES).name
    ('CSV', 'lines of text')
    """
    name = str(source).lower().removesuffix(".gz")
    # Path(".csv").suffix is "": a name that is only a suffix gets the default
    readers = (reader for reader in READERS if Path(name).suffix in reader.suffixes)
    return default if source == "-" else next(readers, default)
