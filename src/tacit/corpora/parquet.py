"""Texts in a column of a Parquet file, read with pyarrow a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tacit.corpora.files import Source, kept, opened, shown
from tacit.corpora.tables import Column, choose
from tacit.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 8192


def read_parquet(source: Source, column: Column = None, keep_blank: bool = False) -> Iterator[str]:
    """Stream one column of strings of a Parquet file; nulls and blank texts are left out unless kept.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import pyarrow, pyarrow.parquet
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "faq.parquet")
    ...     pyarrow.parquet.write_table(pyarrow.table({"id": [7, 8], "text": ["how?", None]}), path)
    ...     list(read_parquet(path, "text"))
    ['how?']
    """
    if source == "-":
        raise InputError("Parquet cannot be read from standard input; name the file")
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("reading Parquet", "frames") from None
    with opened(source):
        pass  # a missing file, a directory or a forbidden one, in this room's own words
    try:
        schema = pyarrow.parquet.read_schema(source)
    except pyarrow.ArrowException as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{shown(source)} is not a Parquet file ({reason})") from None
    at = choose(schema.names, column, shown(source))
    if not _holds_strings(schema.types[at]):
        raise InputError(f"{shown(source)}: column {column!r} holds {schema.types[at]}, not strings")
    return kept(_values(source, schema.names[at]), keep_blank)


def _holds_strings(kind: pa.DataType) -> bool:
    """Tell whether a column of this type gives Python strings."""
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    # a view of strings is a type of its own since pyarrow 16
    return types.is_string(kind) or types.is_large_string(kind) or str(kind) == "string_view"


def _values(source: Source, column: str) -> Iterator[str]:
    """Stream a column a batch at a time, nulls as empty strings."""
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(source) as table:
            for batch in table.iter_batches(BATCH, columns=[column]):
                values: list[Any] = batch.column(0).to_pylist()
                yield from (value or "" for value in values)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{shown(source)} is damaged ({reason}); write or copy it again") from error
