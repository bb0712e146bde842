"""Read the first sheet of an Excel workbook, each cell as text, as in a CSV export.

A workbook is a zip archive, in which a small file can hold any amount of text. Its unpacked size is limited,
and rows and cells have the limits of Excel.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any

from tacit.corpora.sources import Source, display_name, log_info, open_source, reraise_as_input_error
from tacit.corpora.table_rows import Cells, ColumnRequest, Reader, ReadOptions, TableRows, select_columns
from tacit.errors import InputError, import_extra

BATCH_ROWS = 1000
MAX_ROWS, MAX_CELL_CHARACTERS = 1_048_576, 32_767
"""The limits of Excel."""


def read_excel_rows(source: Source, request: ColumnRequest, options: ReadOptions) -> TableRows:
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
    import_extra("openpyxl", "reading Excel files", "excel")
    rows = _read_sheet(source, options.max_unpacked)
    return select_columns(rows, request, options.header, display_name(source), "row")


def _read_sheet(source: Source, max_unpacked: int) -> Iterator[tuple[int, Cells]]:
    """Stream the number and the cells of each row; the cells that a sheet omits at its end are empty."""
    name, first, width = display_name(source), 1, 0
    # openpyxl can raise any exception for a damaged workbook
    with open_source(source) as stream, reraise_as_input_error(name, "an Excel workbook", Exception):
        with warnings.catch_warnings(action="ignore"):  # about styles and validations
            book = _open_workbook(stream, name, max_unpacked)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # those written by other programs are often wrong
            rows = sheet.iter_rows(values_only=True)
        if len(book.worksheets) > 1:
            log_info(f"{name} has {len(book.worksheets)} sheets; the first, {sheet.title!r}, is read")
        while True:
            with warnings.catch_warnings(action="ignore"):
                batch = list(islice(rows, BATCH_ROWS))
            if not batch:
                return
            if first + len(batch) - 1 > MAX_ROWS:
                raise OverflowError(f"more than {MAX_ROWS:,} rows, the limit of Excel")
            for number, cells in enumerate(map(_cells_to_text, batch), first):
                width = width or len(cells)
                yield number, cells + [""] * (width - len(cells)) if cells else []
            first += len(batch)


def _open_workbook(stream: IO[bytes], name: str, max_unpacked: int) -> Any:
    """Open a workbook whose parts have together at most ``max_unpacked`` bytes."""
    from openpyxl.reader.excel import ExcelReader

    from tacit.corpora.excel_archive import ExcelArchive

    reader = ExcelReader(stream, read_only=True, data_only=True)
    reader.archive = ExcelArchive(stream)
    # zipfile reads no more of a part than the size that the archive states, even if that is wrong
    if sum(part.file_size for part in reader.archive.infolist()) > max_unpacked:
        problem = f"{name} expands to more than {max_unpacked:,} bytes: give a smaller file"
        remedy = "or a larger max_unpacked=SIZE"
        raise InputError(problem, parameter="max_unpacked", remedy=remedy)
    reader.read()
    return reader.wb


def _cells_to_text(row: tuple[Any, ...]) -> Cells:
    """Return the cells of a row as text, without empty cells at its end."""
    cells = ["" if value is None else str(value) for value in row]
    while cells and not cells[-1]:
        cells.pop()
    if any(len(cell) > MAX_CELL_CHARACTERS for cell in cells):
        raise OverflowError(f"a cell has more than {MAX_CELL_CHARACTERS:,} characters, the limit of Excel")
    return cells


READERS = (Reader("Excel", (".xlsx",), read_excel_rows, "row", is_text=False, can_have_header=True),)
