"""Parquet, read with pyarrow a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tacit.corpora.sources import FileRange, Source, display_name, open_source, reraise_as_input_error
from tacit.corpora.table_rows import ColumnRequest, ReadOptions, TableRow, find_columns
from tacit.errors import import_extra

BATCH_ROWS = 8192


def read_parquet_rows(source: Source, wanted: ColumnRequest, _: ReadOptions) -> Iterator[TableRow]:
    """Stream the rows of a Parquet file; only the columns asked for are read.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import pyarrow, pyarrow.parquet
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.parquet")
    ...     pyarrow.parquet.write_table(pyarrow.table({"id": [7, 8], "text": ["how?", None]}), path)
    ...     list(read_parquet_rows(path, ColumnRequest(("text",)), ReadOptions()))
    [(1, ['how?'], {}), (2, [None], {})]
    """
    parquet, errors = _import_pyarrow()
    name = display_name(source)
    with open_source(source) as stream, reraise_as_input_error(name, "Parquet", *errors):
        table = parquet.ParquetFile(stream)
        names = table.schema_arrow.names
        places, others = find_columns(names, wanted, name)
        number = 0
        read = [names[at] for at in (*places, *others.values())]
        groups = range(source.start, source.stop) if isinstance(source, FileRange) else None
        for batch in table.iter_batches(BATCH_ROWS, row_groups=groups, columns=read):
            for values in zip(*(batch.column(column).to_pylist() for column in read), strict=True):
                number += 1
                rest = dict(zip(others, map(_to_json_value, values[len(places) :]), strict=True))
                yield number, list(values[: len(places)]), rest


def row_group_sizes(path: str) -> list[int]:
    """The bytes of each row group, as they are in memory."""
    parquet, errors = _import_pyarrow()
    with open_source(path) as stream, reraise_as_input_error(path, "Parquet", *errors):
        found = parquet.ParquetFile(stream).metadata
        return [int(found.row_group(number).total_byte_size) for number in range(found.num_row_groups)]


def _import_pyarrow() -> tuple[Any, tuple[type[Exception], ...]]:
    """Return the module ``pyarrow.parquet`` and the exceptions that a damaged file raises."""
    parquet = import_extra("pyarrow.parquet", "reading Parquet", "frames")
    return parquet, (import_extra("pyarrow", "reading Parquet", "frames").ArrowException, ValueError)


def _to_json_value(value: Any) -> Any:
    """A value JSON can hold; a date or a number of another kind becomes its text."""
    return value if value is None or isinstance(value, bool | int | float | str | list | dict) else str(value)
