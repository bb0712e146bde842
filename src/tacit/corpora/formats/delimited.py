"""Read TSV and CSV and detect the delimiter.

In TSV cells are separated by tabs and quotes have no meaning. In CSV a quoted cell can contain delimiters,
quotes and line ends. The delimiter is the one given, that of Excel's line ``sep=;``, or detected from the
first lines (comma, semicolon, tab or bar).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice

from tacit.corpora.lines import MAX_LINE_BYTES, numbered_lines, strip_line_end
from tacit.corpora.sources import Source, log_info
from tacit.corpora.table_rows import (
    Cells,
    ColumnRequest,
    Lines,
    Reader,
    ReadOptions,
    TableRows,
    read_source,
    select_columns,
)
from tacit.errors import InputError

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SAMPLE_LINES = 100
_EXCEL_SEP_LINE = re.compile(r"sep=(.)\r?\n?")


def read_tsv_rows(lines: Lines, name: str, request: ColumnRequest, options: ReadOptions) -> TableRows:
    """Stream the rows of TSV; with a delimiter in the options, it is read as CSV."""
    if options.delimiter is not None:
        return read_csv_rows(lines, name, request, options)
    rows = ((number, strip_line_end(line).split("\t")) for number, line in lines)
    return select_columns(rows, request, options.header, name)


def read_csv_rows(lines: Lines, name: str, request: ColumnRequest, options: ReadOptions) -> TableRows:
    r"""Stream the rows of CSV.

    >>> lines = enumerate(["id;text\n", '7;"yes; but how?"\n'], 1)
    >>> list(read_csv_rows(lines, "faq.csv", ColumnRequest(("text",)), ReadOptions()))
    [(2, ['yes; but how?'], {})]
    """
    sample = list(islice(lines, _SAMPLE_LINES))
    delimiter, has_sep_line = choose_delimiter([line for _, line in sample], options)
    if has_sep_line:
        del sample[0]
    if options.delimiter is None and delimiter != ",":
        log_info(f"{name}: cells are separated by {DELIMITERS.get(delimiter, repr(delimiter))}")
    rows = _parse_csv(chain(sample, lines), delimiter, name, 1 + has_sep_line)
    return select_columns(rows, request, options.header, name)


def choose_delimiter(lines: list[str], options: ReadOptions) -> tuple[str, bool]:
    r"""Return the delimiter of CSV from its first lines, and whether the first is Excel's ``sep=`` line.

    >>> choose_delimiter(["sep=;\n", "id;text\n"], ReadOptions())
    (';', True)
    """
    sep_line = _EXCEL_SEP_LINE.fullmatch(lines[0]) if lines else None
    return options.delimiter or (sep_line[1] if sep_line else sniff_delimiter(lines)), bool(sep_line)


def detect_delimiter(source: Source, options: ReadOptions) -> str:
    """Return the delimiter of a CSV file."""
    lines = islice(numbered_lines(source, options.encoding), _SAMPLE_LINES)
    return choose_delimiter([line for _, line in lines], options)[0]


def sniff_delimiter(lines: list[str]) -> str:
    r"""Return the delimiter that splits most lines into as many cells as the first, and into most cells.

    >>> sniff_delimiter(["id;text\n", "7;yes, but how?\n"])
    ';'
    """
    import csv

    def score(delimiter: str) -> tuple[float, int]:
        try:
            rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        except csv.Error:
            return 0.0, 0
        width = len(rows[0]) if rows else 0
        # the sample may end within a quoted cell of the last row
        n_equal = sum(len(row) == width for row in rows[:-1]) + 1
        return (n_equal / len(rows), width) if width > 1 else (0.0, width)

    return max(DELIMITERS, key=score)


def _parse_csv(lines: Lines, delimiter: str, name: str, start: int) -> Iterator[tuple[int, Cells]]:
    """Stream the number of the line where a row starts, and its cells."""
    import csv

    csv.field_size_limit(MAX_LINE_BYTES)  # process-wide; the default of 131,072 is too small for long e-mails
    # strict: an invalid quote is an error; by default it merges rows
    reader = csv.reader((line for _, line in lines), delimiter=delimiter, strict=True)
    while True:
        number = start + reader.line_num
        try:
            cells = next(reader, None)
        except csv.Error as error:
            where = f"{name}, the row that starts on line {number}"
            raise InputError(f"{where} is not CSV ({error}); check its quotes") from None
        if cells is None:
            return
        yield number, cells


TSV = Reader("TSV", (".tsv",), partial(read_source, read_tsv_rows), split_at="lines", can_have_header=True)
CSV = Reader("CSV", (".csv",), partial(read_source, read_csv_rows), split_at="rows", can_have_header=True)
READERS = (TSV, CSV)
