"""The registry of file formats.

A format is an entry of ``READERS``: the command line, the errors and the documentation read what there is
from here. A table gives rows, of which ``opening`` makes texts, records and pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tacit.corpora.excel import excel_rows
from tacit.corpora.files import Source, chomp, numbered_lines, shown
from tacit.corpora.jsonl import json_rows, json_rows_of
from tacit.corpora.options import ReadOptions
from tacit.corpora.parquet import parquet_rows
from tacit.corpora.separated import csv_rows, csv_rows_of, tsv_rows
from tacit.corpora.tables import Row, Wanted
from tacit.corpora.tmx import tmx_pairs

if TYPE_CHECKING:
    from tacit.corpora.passages import Passage

ReadRows = Callable[[Source, Wanted, ReadOptions], Iterator[Row]]


class Reader(NamedTuple):
    """A file format: its name, how its files' names end, and what it gives.

    ``rows`` is of tables, which need a column; ``pairs`` of translations by their languages; ``passages`` of
    parsed text. ``unit`` is what its errors count. ``cut`` says where a file can be cut in parts: at "lines",
    at the ends of "rows", which may hold line ends in quotes, at "groups" of rows, or nowhere.
    """

    name: str
    endings: tuple[str, ...]
    rows: ReadRows | None = None
    pairs: Callable[[Source, Sequence[str]], Iterator[tuple[int, list[str]]]] | None = None
    passages: Callable[[Source], Iterator[Passage]] | None = None
    unit: str = "line"
    cut: str = ""


def _line_rows(source: Source, _: Wanted, options: ReadOptions) -> Iterator[Row]:
    """Stream lines as rows of one value."""
    for number, line in numbered_lines(source, options.encoding):
        yield number, [chomp(line)] if line.strip() else [], {}


def _recognised_rows(source: Source, wanted: Wanted, options: ReadOptions) -> Iterator[Row]:
    """Stream the rows of a table whose name does not tell its format: JSON lines or CSV."""
    lines = numbered_lines(source, options.encoding)
    first = next((line for line in lines if line[1].strip()), None)
    whole = chain([first] if first else [], lines)
    if first is not None and first[1].lstrip().startswith("{"):
        return json_rows_of(whole, shown(source), wanted)
    return csv_rows_of(whole, shown(source), wanted, options)


def _conllu(source: Source) -> Iterator[Passage]:
    from tacit.corpora.conllu import read_conllu

    return read_conllu(source)


LINES = Reader("lines of text", (), _line_rows, cut="lines")
TSV = Reader("TSV", (".tsv",), tsv_rows, cut="lines")
CONLLU = Reader("CoNLL-U", (".conllu",), passages=_conllu)
UNNAMED_TABLE = Reader("a table", (), _recognised_rows)

READERS = (
    TSV,
    Reader("CSV", (".csv",), csv_rows, cut="rows"),
    Reader("JSONL", (".jsonl", ".ndjson"), json_rows, cut="lines"),
    Reader("Parquet", (".parquet",), parquet_rows, unit="row", cut="groups"),
    Reader("Excel", (".xlsx",), excel_rows, unit="row"),
    Reader("TMX", (".tmx",), pairs=tmx_pairs, unit="unit"),
    CONLLU,
)
"""Every format that a file's name can tell; each may be gzipped, with ``.gz`` after its ending."""

TABLES = tuple(reader for reader in READERS if reader.rows)


def names_of(readers: Sequence[Reader], last: str = "or") -> str:
    """The names of formats, for people.

    >>> names_of(TABLES)
    'TSV, CSV, JSONL, Parquet or Excel'
    """
    *names, final = (reader.name for reader in readers)
    return f"{', '.join(names)} {last} {final}"


def find_reader(source: Source, otherwise: Reader) -> Reader:
    """The format that a file's name tells, or else another.

    >>> find_reader("faq.CSV.gz", LINES).name, find_reader("-", LINES).name
    ('CSV', 'lines of text')
    """
    name = str(source).lower().removesuffix(".gz")
    # a name that is nothing but an ending, such as .csv, tells nothing
    known = (reader for reader in READERS if Path(name).suffix in reader.endings)
    return otherwise if source == "-" else next(known, otherwise)
