"""Read Parquet files in batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tacit.corpora.sources import FileRange, Source, display_name, open_source, reraise_as_input_error
from tacit.corpora.table_rows import ColumnRequest, Reader, ReadOptions, TableRows, find_columns
from tacit.errors import import_extra

BATCH_ROWS = 8192


def read_parquet_rows(source: Source, request: ColumnRequest, _: ReadOptions) -> TableRows:
    """Stream the rows of a Parquet file; only the requested columns are read.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import pyarrow, pyarrow.parquet
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.parquet")
    ...     pyarrow.parquet.write_table(pyarrow.table({"id": [7, 8], "text": ["how?", None]}), path)
    ...     list(read_parquet_rows(path, ColumnRequest(("text",)), ReadOptions()))
    [(1, ['how?'], {}), (2, [None], {})]
    """
    with _open_parquet(source) as file:
        names = file.schema_arrow.names
        positions, others = find_columns(names, request, display_name(source))
        columns = [names[i] for i in (*positions, *others.values())]
        groups = range(source.start, source.stop) if isinstance(source, FileRange) else None
        number = 0
        for batch in file.iter_batches(BATCH_ROWS, row_groups=groups, columns=columns):
            for values in zip(*(batch.column(column).to_pylist() for column in columns), strict=True):
                number += 1
                rest = dict(zip(others, map(_to_json_value, values[len(positions) :]), strict=True))
                yield number, list(values[: len(positions)]), rest


def row_group_sizes(path: str) -> list[int]:
    """Return the uncompressed bytes of each row group."""
    with _open_parquet(path) as file:
        metadata = file.metadata
        return [int(metadata.row_group(number).total_byte_size) for number in range(metadata.num_row_groups)]


@contextmanager
def _open_parquet(source: Source) -> Iterator[Any]:
    """Open a ``pyarrow.parquet.ParquetFile``; InputError if it is damaged."""
    parquet = import_extra("pyarrow.parquet", "reading Parquet", "frames")
    errors = import_extra("pyarrow", "reading Parquet", "frames").ArrowException, ValueError
    name = display_name(source)
    with open_source(source) as stream, reraise_as_input_error(name, "Parquet", *errors):
        yield parquet.ParquetFile(stream)


def _to_json_value(value: Any) -> Any:
    """Return a value that JSON can hold; dates and other types become text."""
    return value if value is None or isinstance(value, bool | int | float | str | list | dict) else str(value)


READERS = (
    Reader("Parquet", (".parquet",), read_parquet_rows, "row", group_sizes=row_group_sizes, is_text=False),
)
