"""Registry of file formats; plain lines and JSON Lines are read here.

A format is an entry of ``READERS``: the command line, the errors and the documentation list the formats from
there. A table yields rows; ``opening`` turns them into texts, records and pairs.
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
"""A reader of numbered lines; the name is that of their source, for messages."""


class Reader(NamedTuple):
    """A file format.

    ``endings`` are the suffixes of its files. ``rows`` reads tables; None for a format that is no table.
    ``unit`` is what its errors count. ``cut`` says where a file can be split: at "lines", at the ends of
    "rows", whose quoted cells may contain line ends, at "groups" of rows, or nowhere.
    """

    name: str
    endings: tuple[str, ...]
    rows: ReadRows | None = None
    unit: str = "line"
    cut: str = ""


def _read_source(
    read: ReadLineRows, source: Source, wanted: ColumnRequest, options: ReadOptions
) -> Iterator[TableRow]:
    """Open a source and read its numbered lines."""
    return read(numbered_lines(source, options.encoding), display_name(source), wanted, options)


def _read_plain_lines(
    lines: Lines, name: str, wanted: ColumnRequest, options: ReadOptions
) -> Iterator[TableRow]:
    """Stream lines as rows of one value."""
    for number, line in lines:
        yield number, [strip_line_end(line)] if line.strip() else [], {}


def read_json_rows(
    lines: Lines, name: str, wanted: ColumnRequest, options: ReadOptions
) -> Iterator[TableRow]:
    r"""Stream the objects of JSON Lines, each with its own keys; an empty line is a blank row.

    >>> lines = iter([(1, '{"id": 7, "text": "how?"}\n')])
    >>> list(read_json_rows(lines, "faq.jsonl", ColumnRequest(("text",), others=True), ReadOptions()))
    [(1, ['how?'], {'id': 7})]
    """
    for number, line in lines:
        if not line.strip():
            yield number, [], {}
            continue
        where = f"{name}, line {number}"
        row = _parse_object(line, where)
        keys = list(row)
        values = [row[keys[find_column(keys, column, where)]] for column in wanted.columns]
        rest = {key: row[key] for key in keys if key not in wanted.columns} if wanted.others else {}
        yield number, values, rest


def _parse_object(line: str, where: str) -> dict[str, Any]:
    """Parse a line, which must hold one object without lone surrogates."""
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
            raise InputError(f"{where} holds half a character (a lone \\ud800-\\udfff); mend it") from None
    return row


def _sniff_rows(lines: Lines, name: str, wanted: ColumnRequest, options: ReadOptions) -> Iterator[TableRow]:
    """Stream the rows of a table whose name does not show its format: JSON Lines or CSV."""
    first = next((line for line in lines if line[1].strip()), None)
    is_json = first is not None and first[1].lstrip().startswith("{")
    read = read_json_rows if is_json else read_csv_rows
    return read(chain([first] if first else [], lines), name, wanted, options)


PLAIN_LINES = Reader("lines of text", (), partial(_read_source, _read_plain_lines), cut="lines")
TSV = Reader("TSV", (".tsv",), partial(_read_source, read_tsv_rows), cut="lines")
CONLLU = Reader("CoNLL-U", (".conllu",))
TMX = Reader("TMX", (".tmx",), unit="unit")
SNIFFED_TABLE = Reader("a table", (), partial(_read_source, _sniff_rows))

READERS = (
    TSV,
    Reader("CSV", (".csv",), partial(_read_source, read_csv_rows), cut="rows"),
    Reader("JSONL", (".jsonl", ".ndjson"), partial(_read_source, read_json_rows), cut="lines"),
    Reader("Parquet", (".parquet",), read_parquet_rows, unit="row", cut="groups"),
    Reader("Excel", (".xlsx",), read_excel_rows, unit="row"),
    TMX,
    CONLLU,
)
"""Every format that a file's name can tell; each may be gzipped, with ``.gz`` after its ending."""

TABLE_READERS = tuple(reader for reader in READERS if reader.rows)


def format_names(readers: Sequence[Reader], last: str = "or") -> str:
    """The names of formats, for people.

    >>> format_names(TABLE_READERS)
    'TSV, CSV, JSONL, Parquet or Excel'
    """
    *names, final = (reader.name for reader in readers)
    return f"{', '.join(names)} {last} {final}"


def find_reader(source: Source, otherwise: Reader) -> Reader:
    """The format that a file's name tells, or else another.

    >>> find_reader("faq.CSV.gz", PLAIN_LINES).name, find_reader("-", PLAIN_LINES).name
    ('CSV', 'lines of text')
    """
    name = str(source).lower().removesuffix(".gz")
    # a name that is nothing but an ending, such as .csv, tells nothing
    known = (reader for reader in READERS if Path(name).suffix in reader.endings)
    return otherwise if source == "-" else next(known, otherwise)
