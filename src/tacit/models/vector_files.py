"""Write vectors to .npy, .safetensors or .parquet as a stream.

Memory is that of one batch. The number of rows is not known before the end, so that the header has a fixed
size and is written again when the file is closed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from tacit.errors import InputError, import_extra
from tacit.models.text_set import LanguageCodes, TextSet
from tacit.storage.content_formats import map_arrays
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

TextRow = tuple[str, str | None]
"""A text and its id, or None."""

ENCODE_BATCH = 1 << 16


def npy_header(shape: tuple[int, int]) -> bytes:
    """Return the header of NumPy's format (NEP 1), version 1.0: 128 bytes."""
    description = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    return b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + f"{description:<117}\n".encode("ascii")


def safetensors_header(shape: tuple[int, int]) -> bytes:
    """Return the header of a safetensors file with one array, ``vectors``: 136 bytes."""
    entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, 4 * shape[0] * shape[1]]}
    description = json.dumps({"vectors": entry}, separators=(",", ":"))
    return (128).to_bytes(8, "little") + f"{description:<128}".encode("ascii")


HEADERS = {".npy": npy_header, ".safetensors": safetensors_header}
FORMATS = (".npy", ".parquet", ".safetensors")
"""Suffixes of files of vectors."""


class FixedHeaderFile:
    """A header of fixed size, then the float32 values row by row."""

    def __init__(self, file: BinaryIO, components: int, suffix: str) -> None:
        """Write the header of an empty array."""
        self.file, self.shape, self.header = file, (0, components), HEADERS[suffix]
        self.start = file.tell()
        file.write(self.header(self.shape))

    def write(self, vectors: Array, ids: list[str] | None) -> None:
        """Append rows; this format has no ids."""
        if ids is not None:
            raise InputError("this format cannot store ids: write a .parquet file")
        self.file.write(np.ascontiguousarray(vectors, "<f4").data)
        self.shape = (self.shape[0] + len(vectors), self.shape[1])

    def close(self) -> None:
        """Write the header again, with the number of rows."""
        end = self.file.tell()
        self.file.seek(self.start)
        self.file.write(self.header(self.shape))
        self.file.seek(end)


class ParquetFile:
    """A Parquet file with a column ``vector`` of fixed-size lists, after a column ``id`` if there are ids."""

    def __init__(self, file: BinaryIO, components: int) -> None:
        """Store the file; the first rows determine the columns."""
        self.arrow, self.file, self.components = import_pyarrow(), file, components
        self.writer: Any = None

    def write(self, vectors: Array, ids: list[str] | None) -> None:
        """Append a row group."""
        arrow, flat = self.arrow, np.ascontiguousarray(vectors, np.float32).ravel()
        columns = {} if ids is None else {"id": arrow.array(ids, arrow.string())}
        columns["vector"] = arrow.FixedSizeListArray.from_arrays(arrow.array(flat), self.components)
        table = arrow.table(columns)
        self.writer = self.writer or arrow.parquet.ParquetWriter(self.file, table.schema)
        self.writer.write_table(table)

    def close(self) -> None:
        """Write the footer; without rows, the file is an empty table."""
        if self.writer is None:
            self.write(np.zeros((0, self.components), np.float32), None)
        self.writer.close()


def import_pyarrow() -> Any:
    """Import pyarrow, or raise an error that names the extra to install."""
    for module in ("pyarrow.parquet", "pyarrow.compute"):
        import_extra(module, "reading and writing Parquet", "frames")
    return import_extra("pyarrow", "reading and writing Parquet", "frames")


def read_vectors(path: str | Path) -> Array:
    """Read vectors from .npy, the only matrix of .safetensors, or a column of .parquet.

    "FILE.parquet:COLUMN" names the column; by default it is the first one of lists.
    """
    vectors: Array
    file, column = Path(path), None
    if ".parquet:" in file.name:
        name, _, column = file.name.partition(":")
        file = file.with_name(name)
    try:
        if file.suffix == ".npy":
            vectors = np.load(file, mmap_mode="r", allow_pickle=False)
        elif file.suffix == ".safetensors":
            with file.open("rb") as stream:
                (vectors,) = map_arrays(stream, file).values()
        elif file.suffix == ".parquet":
            vectors = _read_parquet(file, column)
        else:
            raise InputError(f"{file} is not a file of vectors: give .npy, .safetensors or .parquet[:COLUMN]")
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{file} has no vectors: {error}") from None
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise InputError(f"{file} has an array of {vectors.dtype} {vectors.shape}: give texts x dimensions")
    return vectors


def _read_parquet(file: Path, column: str | None) -> Array:
    """Read a column of lists of equal length, by default the first one."""
    arrow = import_pyarrow()
    schema = arrow.parquet.read_schema(file)
    names = [field.name for field in schema if "list" in str(field.type)]
    if not names or column not in (None, *names):
        problem = "column of lists" if column is None else f"column {column!r} of lists"
        raise InputError(f"{file} has no {problem}: its columns are {', '.join(schema.names)}")
    lists = arrow.parquet.read_table(file, columns=[column or names[0]]).column(0)
    lengths = set(arrow.compute.list_value_length(lists).to_pylist())
    if len(lengths) > 1 or None in lengths:
        raise InputError(f"{file} has lists of different lengths in the column {column or names[0]!r}")
    values = [np.asarray(chunk.flatten(), np.float32) for chunk in lists.chunks]
    return np.concatenate([np.zeros(0, np.float32), *values]).reshape(len(lists), -1 if len(lists) else 0)


def write_vectors(
    model: TextModel, rows: Iterable[TextRow], file: BinaryIO, suffix: str, language: LanguageCodes = None,
    report: Callable[[int], None] = lambda _: None,
) -> tuple[int, int]:  # fmt: skip
    """Write the vector of each row, in order; returns the number of rows and of those without known words.

    ``report`` is called with the number of finished rows. Either all rows have ids or none.

    >>> from io import BytesIO
    >>> from tacit import WTMF, TextVectorizer
    >>> model = WTMF(TextVectorizer(min_df=1), n_components=2).fit(["red tea", "green tea"]).model_
    >>> file = BytesIO()
    >>> write_vectors(model, [("red tea", None), ("salt", None)], file, ".npy")
    (2, 1)
    >>> _ = file.seek(0)
    >>> np.load(file).shape
    (2, 2)
    """
    is_parquet, n = suffix not in HEADERS, model.n_components
    writer = ParquetFile(file, n) if is_parquet else FixedHeaderFile(file, n, suffix)
    rows, n_rows, n_empty = iter(rows), 0, 0
    while batch := list(islice(rows, ENCODE_BATCH)):
        texts = TextSet.from_texts(model, [text for text, _ in batch], language)
        ids = None if batch[0][1] is None else [str(text_id) for _, text_id in batch]
        writer.write(texts.vectors, ids)
        n_rows += len(batch)
        n_empty += int(np.count_nonzero(texts.n_known == 0))
        report(n_rows)
    writer.close()
    return n_rows, n_empty
