"""Excel: the first sheet of a workbook, each cell as text, as a CSV export would have it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

from tacit.corpora.sources import Source, display_name, log_info, open_source, reraise_as_input_error
from tacit.corpora.table_rows import Cells, ColumnRequest, ReadOptions, TableRow, select_columns
from tacit.errors import import_extra

BATCH_ROWS = 1000


def read_excel_rows(source: Source, wanted: ColumnRequest, options: ReadOptions) -> Iterator[TableRow]:
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
    ...     list(read_excel_rows(path, ColumnRequest(("text",), others=True), ReadOptions()))
    [(2, ['how?'], {'id': '7'})]
    """
    import_extra("openpyxl", "reading Excel files", "excel")
    return select_columns(_pad_rows(_cells(source)), wanted, options.header, display_name(source), "row")


def _pad_rows(rows: Iterator[Cells]) -> Iterator[tuple[int, Cells]]:
    """Number the rows and give each the empty cells at its end that the sheet leaves out."""
    width = 0
    for number, cells in enumerate(rows, 1):
        width = width or len(cells)
        yield number, cells + [""] * (width - len(cells)) if cells else []


def _cells(source: Source) -> Iterator[Cells]:
    """Stream the cells of each row, without the empty ones at its end."""
    import openpyxl

    # a damaged workbook raises whatever openpyxl stumbles over
    with (
        open_source(source) as stream,
        reraise_as_input_error(display_name(source), "an Excel workbook", Exception),
    ):
        with _suppress_warnings():
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what other programs write there is often wrong
            rows = sheet.iter_rows(values_only=True)
        if len(book.worksheets) > 1:
            name, n_sheets = display_name(source), len(book.worksheets)
            log_info(f"{name} has {n_sheets} sheets; the first, {sheet.title!r}, is read")
        while True:
            with _suppress_warnings():
                batch = list(islice(rows, BATCH_ROWS))
            if not batch:
                return
            yield from (_cells_to_text(row) for row in batch)


def _cells_to_text(row: tuple[Any, ...]) -> Cells:
    """The cells of a row as texts."""
    cells = ["" if value is None else str(value) for value in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _suppress_warnings() -> warnings.catch_warnings:
    """Keep openpyxl's warnings about styles and validations to itself."""
    return warnings.catch_warnings(action="ignore")
