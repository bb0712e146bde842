"""Read TSV and CSV and detect the delimiter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from tacit.corpora.lines import MAX_LINE_BYTES, strip_line_end
from tacit.corpora.sources import log_info
from tacit.corpora.table_rows import Cells, ColumnRequest, ReadOptions, TableRow, select_columns
from tacit.errors import InputError

Lines = Iterator[tuple[int, str]]

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SAMPLE_LINES = 100
_EXCEL_SEP_LINE = re.compile(r"sep=(.)\r?\n?")


def read_tsv_rows(lines: Lines, name: str, wanted: ColumnRequest, options: ReadOptions) -> Iterator[TableRow]:
    """Stream the rows of numbered lines of TSV; with a delimiter, as CSV."""
    if options.delimiter is not None:
        return read_csv_rows(lines, name, wanted, options)
    rows = ((number, strip_line_end(line).split("\t")) for number, line in lines)
    return select_columns(rows, wanted, options.header, name)


def read_csv_rows(lines: Lines, name: str, wanted: ColumnRequest, options: ReadOptions) -> Iterator[TableRow]:
    r"""Stream the rows of numbered lines of CSV.

    >>> lines = enumerate(["id;text\n", '7;"yes; but how?"\n'], 1)
    >>> list(read_csv_rows(lines, "faq.csv", ColumnRequest(("text",)), ReadOptions()))
    [(2, ['yes; but how?'], {})]
    """
    sample = list(islice(lines, _SAMPLE_LINES))
    mark, excel = choose_delimiter([line for _, line in sample], options)
    if excel:
        del sample[0]
    if options.delimiter is None and mark != ",":
        log_info(f"{name} is read with {DELIMITERS.get(mark, repr(mark))} between its cells")
    rows = _parse_csv(chain(sample, lines), mark, name, 1 + excel)
    return select_columns(rows, wanted, options.header, name)


def choose_delimiter(lines: list[str], options: ReadOptions) -> tuple[str, bool]:
    r"""What separates the cells of CSV, by its first lines, and whether Excel's line says so.

    >>> choose_delimiter(["sep=;\n", "id;text\n"], ReadOptions())
    (';', True)
    """
    excel = _EXCEL_SEP_LINE.fullmatch(lines[0]) if lines else None
    return options.delimiter or (excel[1] if excel else sniff_delimiter(lines)), bool(excel)


def sniff_delimiter(lines: list[str]) -> str:
    r"""Give the mark that cuts most of the lines into as many cells as the first, and into most cells.

    >>> sniff_delimiter(["id;text\n", "7;yes, but how?\n"])
    ';'
    """
    import csv

    def fitness(mark: str) -> tuple[float, int]:
        try:
            rows = [row for row in csv.reader(lines, delimiter=mark) if row]
        except csv.Error:
            return 0.0, 0
        width = len(rows[0]) if rows else 0
        # the last row may be cut within a quoted cell
        alike = sum(len(row) == width for row in rows[:-1]) + 1
        return (alike / len(rows), width) if width > 1 else (0.0, width)

    return max(DELIMITERS, key=fitness)


def _parse_csv(lines: Lines, mark: str, name: str, start: int) -> Iterator[tuple[int, Cells]]:
    """Stream the number of the line where a row starts, and its cells."""
    import csv

    csv.field_size_limit(
        MAX_LINE_BYTES
    )  # for every reader of the process; 131,072 characters are a long e-mail
    # strict: a stray or unclosed quote is an error, where the default glues rows together
    reader = csv.reader((line for _, line in lines), delimiter=mark, strict=True)
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
