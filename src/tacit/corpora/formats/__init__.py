"""Registry of file formats: one module each, which defines ``READERS``, a tuple of `Reader`.

A module is listed nowhere else: the command line, error messages and documentation take the formats from
``READERS``. Readers of tables yield rows; `tacit.corpora.reading` turns them into texts, records and pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules

from tacit.corpora.formats.delimited import read_csv_rows
from tacit.corpora.formats.json_lines import read_json_rows
from tacit.corpora.lines import strip_line_end
from tacit.corpora.sources import Source
from tacit.corpora.table_rows import ColumnRequest, Lines, Reader, ReadOptions, TableRows, read_source


def _read_plain_lines(lines: Lines, name: str, request: ColumnRequest, options: ReadOptions) -> TableRows:
    """Stream lines as rows of one value."""
    for number, line in lines:
        yield number, [strip_line_end(line)] if line.strip() else [], {}


def _sniff_rows(lines: Lines, name: str, request: ColumnRequest, options: ReadOptions) -> TableRows:
    """Stream the rows of a table whose name does not show its format: JSON Lines or CSV."""
    first = next((line for line in lines if line[1].strip()), None)
    is_json = first is not None and first[1].lstrip().startswith("{")
    read = read_json_rows if is_json else read_csv_rows
    return read(chain([first] if first else [], lines), name, request, options)


PLAIN_LINES = Reader("lines of text", (), partial(read_source, _read_plain_lines), split_at="lines")
SNIFFED_TABLE = Reader("a table", (), partial(read_source, _sniff_rows))


def discover_readers() -> tuple[Reader, ...]:
    """Return the formats of all modules in this package."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return tuple(reader for module in modules for reader in module.READERS)


READERS = discover_readers()
"""All formats with a suffix; files can be compressed, with ``.gz`` after the suffix."""

TABLE_READERS = tuple(reader for reader in READERS if reader.read_rows)


def format_names(readers: Sequence[Reader]) -> str:
    """Return the names of formats for a sentence.

    >>> format_names(TABLE_READERS)
    'TSV, CSV, Excel, JSONL or Parquet'
    """
    *names, final = (reader.name for reader in readers)
    return f"{', '.join(names)} or {final}"


def find_reader(source: Source, default: Reader) -> Reader:
    """Return the format of a file by its suffix, or the default.

    >>> find_reader("faq.CSV.gz", PLAIN_LINES).name, find_reader("-", PLAIN_LINES).name
    ('CSV', 'lines of text')
    """
    name = str(source).lower().removesuffix(".gz")
    # Path(".csv").suffix is "": a name that is only a suffix gets the default
    readers = (reader for reader in READERS if Path(name).suffix in reader.suffixes)
    return default if source == "-" else next(readers, default)
