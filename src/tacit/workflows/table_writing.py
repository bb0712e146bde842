"""Write tables as CSV, TSV, JSON Lines, Parquet or Excel, by the suffix of the file."""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from tacit.errors import InputError, import_extra
from tacit.storage.durable_files import write_atomic

Row = Sequence[Any]

_SPREADSHEET_SUFFIXES = (".csv", ".tsv", ".xlsx")
_EXTRAS = {
    ".parquet": ("pyarrow", "writing Parquet", "frames"),
    ".xlsx": ("openpyxl", "writing Excel files", "excel"),
}
EXCEL_MAX_ROWS, EXCEL_MAX_CHARS = 1_048_576, 32_767

# full-width signs count too: spreadsheets normalize them
_FORMULA_START = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_EXCEL_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def write_table(
    path: str | Path, columns: Sequence[str], rows: Iterable[Row], escape_formulas: bool = True
) -> None:
    """Write a table with a header; the file is replaced as a whole at the end.

    With ``escape_formulas``, cells of CSV, TSV and Excel that a spreadsheet would run get an apostrophe.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "hits.csv")
    ...     write_table(path, ["id", "text"], [("1", "=1+1"), ("2", 'a "b", c')])
    ...     print(path.read_text(encoding="utf-8"), end="")
    id,text
    1,'=1+1
    2,"a ""b"", c"
    """
    target = check_table_path(path)
    suffix = target.suffix.lower()
    if escape_formulas and suffix in _SPREADSHEET_SUFFIXES:
        columns = [escape_formula(name) for name in columns]
        rows = ([escape_formula(cell) for cell in row] for row in rows)
    write_atomic(target, lambda file: _WRITERS[suffix](file, columns, rows))


def check_table_path(path: str | Path) -> Path:
    """Return the path of a table to write, after the checks of `check_output_path`."""
    return check_output_path(path, _WRITERS)


def check_output_path(path: str | Path, suffixes: Iterable[str]) -> Path:
    """Return the path of a file to write; InputError if its suffix is not allowed, or its folder is missing.

    MissingExtraError if writing a file with this suffix needs an extra that is not installed.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in suffixes:
        raise InputError(f"{str(path)!r}: the name must end in {', '.join(suffixes)}")
    if suffix in _EXTRAS:
        import_extra(*_EXTRAS[suffix])
    if target.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    if not target.absolute().parent.is_dir():
        raise InputError(f"{path}: there is no folder {target.parent}; create it first")
    return target


def escape_formula(cell: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; numbers stay.

    >>> [escape_formula(cell) for cell in ("=A1", "-5.2", "@me", "- item", -3, None)]
    ["'=A1", '-5.2', "'@me", "'- item", -3, None]
    """
    is_formula = isinstance(cell, str) and _FORMULA_START.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def _plain_cell(cell: Any) -> Any:
    """Return a cell of a format without nested values: lists and objects become JSON."""
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict | tuple) else cell


def _write_delimited(file: BinaryIO, columns: Sequence[str], rows: Iterable[Row], delimiter: str) -> None:
    writer = csv.writer(codecs.getwriter("utf-8")(file), delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_plain_cell(cell) for cell in row] for row in rows)


def _write_json_lines(file: BinaryIO, columns: Sequence[str], rows: Iterable[Row]) -> None:
    for row in rows:
        record = dict(zip(columns, row, strict=True))
        file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")


def _write_parquet(file: BinaryIO, columns: Sequence[str], rows: Iterable[Row]) -> None:
    pyarrow = import_extra(*_EXTRAS[".parquet"])
    parquet = import_extra("pyarrow.parquet", "writing Parquet", "frames")
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    arrays = [_arrow_array(pyarrow, column) for column in cells]
    parquet.write_table(pyarrow.Table.from_arrays(arrays, names=list(columns)), file)


def _arrow_array(pyarrow: Any, cells: Row) -> Any:
    """Return a column for Parquet; one with values of several types is written as text."""
    values = [_plain_cell(cell) for cell in cells]
    if all(cell is None for cell in values):
        return pyarrow.array(values, pyarrow.string())
    try:
        return pyarrow.array(values)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
        return pyarrow.array([None if cell is None else str(cell) for cell in values])


def _write_excel(file: BinaryIO, columns: Sequence[str], rows: Iterable[Row]) -> None:
    openpyxl = import_extra(*_EXTRAS[".xlsx"])
    book = openpyxl.Workbook(write_only=True)
    add_excel_sheet(book, "tacit", columns, rows)
    book.save(file)


def add_excel_sheet(book: Any, name: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Add a sheet to a write-only ``openpyxl.Workbook``; texts are never stored as formulas."""
    sheet = book.create_sheet(name)
    write_only_cell = import_extra("openpyxl.cell", "writing Excel files", "excel").WriteOnlyCell

    def create_cell(value: Any) -> Any:
        value = _plain_cell(value)
        if not isinstance(value, str):
            return value
        cell = write_only_cell(sheet, _EXCEL_ILLEGAL.sub("\ufffd", value)[:EXCEL_MAX_CHARS])
        cell.data_type = "s"
        return cell

    for number, row in enumerate(chain([columns], rows), 1):
        if number > EXCEL_MAX_ROWS:
            raise InputError(f"Excel holds at most {EXCEL_MAX_ROWS:,} rows: write a .csv or .parquet file")
        sheet.append([create_cell(value) for value in row])


_WRITERS: dict[str, Callable[[BinaryIO, Sequence[str], Iterable[Row]], None]] = {
    ".csv": partial(_write_delimited, delimiter=","),
    ".tsv": partial(_write_delimited, delimiter="\t"),
    ".jsonl": _write_json_lines,
    ".parquet": _write_parquet,
    ".xlsx": _write_excel,
}
