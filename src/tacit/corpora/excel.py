"""Excel: the first sheet of a workbook, each cell as text, as a CSV export would have it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

from tacit.corpora.files import Source, damage_named, opened, say, shown
from tacit.corpora.options import ReadOptions
from tacit.corpora.tables import Cells, Row, Wanted, separated_rows
from tacit.errors import import_extra

BATCH = 1000


def excel_rows(source: Source, wanted: Wanted, options: ReadOptions) -> Iterator[Row]:
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
    ...     list(excel_rows(path, Wanted(("text",), others=True), ReadOptions()))
    [(2, ['how?'], {'id': '7'})]
    """
    import_extra("openpyxl", "reading Excel files", "excel")
    return separated_rows(_filled(_cells(source)), wanted, options.header, shown(source), "row")


def _filled(rows: Iterator[Cells]) -> Iterator[tuple[int, Cells]]:
    """Number the rows and give each the empty cells at its end that the sheet leaves out."""
    width = 0
    for number, cells in enumerate(rows, 1):
        width = width or len(cells)
        yield number, cells + [""] * (width - len(cells)) if cells else []


def _cells(source: Source) -> Iterator[Cells]:
    """Stream the cells of each row, without the empty ones at its end."""
    import openpyxl

    # a damaged workbook raises whatever openpyxl stumbles over
    with opened(source) as stream, damage_named(shown(source), "an Excel workbook", Exception):
        with _quiet():
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what other programs write there is often wrong
            rows = sheet.iter_rows(values_only=True)
        if len(book.worksheets) > 1:
            say(f"{shown(source)} has {len(book.worksheets)} sheets; the first, {sheet.title!r}, is read")
        while True:
            with _quiet():
                batch = list(islice(rows, BATCH))
            if not batch:
                return
            yield from (_texts(row) for row in batch)


def _texts(row: tuple[Any, ...]) -> Cells:
    """The cells of a row as texts."""
    cells = ["" if value is None else str(value) for value in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _quiet() -> warnings.catch_warnings:
    """Keep openpyxl's warnings about styles and validations to itself."""
    return warnings.catch_warnings(action="ignore")
