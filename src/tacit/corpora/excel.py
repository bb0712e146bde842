"""Read the first sheet of an Excel workbook, each cell as text, as in a CSV export."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

from tacit.corpora.sources import Source, display_name, log_info, open_source, reraise_as_input_error
from tacit.corpora.table_rows import Cells, ColumnRequest, ReadOptions, TableRow, select_columns
from tacit.errors import import_extra

BATCH_ROWS = 1000


def read_excel_rows(source: Source, request: ColumnRequest, options: ReadOptions) -> Iterator[TableRow]:
    """Stream the rows of the first sheet.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import openpyxl
    >>> book = openpyxl.Workbook()
    >>> for row in [("id", "text"), (7, "how?")]:
    ...     book.active.append(row)
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.xlsx")
    ...     book.save(path)
    ...     list(read_excel_rows(path, ColumnRequest(("text",), include_others=True), ReadOptions()))
    [(2, ['how?'], {'id': '7'})]
    """
    openpyxl = import_extra("openpyxl", "reading Excel files", "excel")
    rows = _pad_rows(_read_sheet(openpyxl, source))
    return select_columns(rows, request, options.header, display_name(source), "row")


def _pad_rows(rows: Iterator[Cells]) -> Iterator[tuple[int, Cells]]:
    """Number the rows and add the empty cells at the end that the sheet omits."""
    width = 0
    for number, cells in enumerate(rows, 1):
        width = width or len(cells)
        yield number, cells + [""] * (width - len(cells)) if cells else []


def _read_sheet(openpyxl: Any, source: Source) -> Iterator[Cells]:
    """Stream the cells of each row, without empty cells at its end."""
    name = display_name(source)
    # openpyxl can raise any exception for a damaged workbook
    with open_source(source) as stream, reraise_as_input_error(name, "an Excel workbook", Exception):
        with _suppress_warnings():
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # those written by other programs are often wrong
            rows = sheet.iter_rows(values_only=True)
        if len(book.worksheets) > 1:
            log_info(f"{name} has {len(book.worksheets)} sheets; the first, {sheet.title!r}, is read")
        while True:
            with _suppress_warnings():
                batch = list(islice(rows, BATCH_ROWS))
            if not batch:
                return
            yield from map(_cells_to_text, batch)


def _cells_to_text(row: tuple[Any, ...]) -> Cells:
    """Return the cells of a row as text, without empty cells at its end."""
    cells = ["" if value is None else str(value) for value in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _suppress_warnings() -> warnings.catch_warnings:
    """Ignore openpyxl's warnings about styles and validations."""
    return warnings.catch_warnings(action="ignore")
