"""The vectors of texts that come as a stream, written to a file of one of three formats as they are made.

Memory is that of a batch: how many rows there are is only known at the end, so the header of a file has room
for any number and is written again when it is closed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError, import_extra
from tacit.models.text_set import LanguageCodes, TextSet

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

Array = NDArray[Any]
TextRow = tuple[str, str | None]
"""A text, and its id if it has one."""

ENCODE_BATCH = 1 << 16


class VectorFile(Protocol):
    """A file of vectors that is being written."""

    def write(self, vectors: Array, ids: list[str] | None) -> None:
        """Add rows."""

    def close(self) -> None:
        """Write what is known at the end."""


class _FixedHeaderFile:
    """A header of fixed size, then float32 numbers in the order of the rows."""

    def __init__(self, file: BinaryIO, components: int) -> None:
        self.file, self.shape = file, (0, components)
        self.start = file.tell()
        file.write(self.header())

    def header(self) -> bytes:
        raise NotImplementedError

    def write(self, vectors: Array, ids: list[str] | None) -> None:
        if ids is not None:
            raise InputError("this format holds vectors alone: write .parquet to keep ids beside them")
        self.file.write(np.ascontiguousarray(vectors, "<f4").data)
        self.shape = (self.shape[0] + len(vectors), self.shape[1])

    def close(self) -> None:
        end = self.file.tell()
        self.file.seek(self.start)
        self.file.write(self.header())
        self.file.seek(end)


class NpyFile(_FixedHeaderFile):
    """NumPy's own format (NEP 1), version 1.0."""

    def header(self) -> bytes:
        """128 bytes."""
        described = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {self.shape}, }}"
        return b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little") + f"{described:<117}\n".encode("ascii")


class SafetensorsFile(_FixedHeaderFile):
    """One array, ``vectors``."""

    def header(self) -> bytes:
        """136 bytes: their number, and JSON filled up with spaces."""
        size = 4 * self.shape[0] * self.shape[1]
        entry = {"dtype": "F32", "shape": self.shape, "data_offsets": [0, size]}
        described = json.dumps({"vectors": entry}, separators=(",", ":"))
        return (128).to_bytes(8, "little") + f"{described:<128}".encode("ascii")


class ParquetFile:
    """A column ``vector`` of lists of fixed size, and ``id`` before it if there are ids."""

    def __init__(self, file: BinaryIO, components: int) -> None:
        """Begin; the columns are settled by the first rows."""
        self.arrow, self.file, self.components = import_pyarrow(), file, components
        self.writer: Any = None

    def write(self, vectors: Array, ids: list[str] | None) -> None:
        """Add a group of rows."""
        arrow, flat = self.arrow, np.ascontiguousarray(vectors, np.float32).ravel()
        columns = {} if ids is None else {"id": arrow.array(ids, arrow.string())}
        columns["vector"] = arrow.FixedSizeListArray.from_arrays(arrow.array(flat), self.components)
        table = arrow.table(columns)
        self.writer = self.writer or arrow.parquet.ParquetWriter(self.file, table.schema)
        self.writer.write_table(table)

    def close(self) -> None:
        """Write the footer; without a row, that of an empty table."""
        if self.writer is None:
            self.write(np.zeros((0, self.components), np.float32), None)
        self.writer.close()


FORMATS: dict[str, Callable[[BinaryIO, int], VectorFile]] = {
    ".npy": NpyFile,
    ".parquet": ParquetFile,
    ".safetensors": SafetensorsFile,
}
"""By the ending of a file's name."""


def import_pyarrow() -> Any:
    """What writes Parquet, or what to install."""
    import_extra("pyarrow.parquet", "writing Parquet", "frames")
    return import_extra("pyarrow", "writing Parquet", "frames")


def write_vectors(
    model: TextModel,
    rows: Iterable[TextRow],
    file: BinaryIO,
    ending: str,
    language: LanguageCodes = None,
    told: Callable[[int], None] = lambda _: None,
) -> tuple[int, int]:
    """Write the vector of every row, in order; how many rows there are, how many without a known word.

    ``told`` hears how many rows are done. With ids, all rows must have one.

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
    target, done, empty = FORMATS[ending](file, model.n_components), 0, 0
    for batch in _batches(rows):
        seen = TextSet.from_texts(model, [text for text, _ in batch], language)
        ids = None if batch[0][1] is None else [str(name) for _, name in batch]
        target.write(seen.vectors, ids)
        done += len(batch)
        empty += int(np.count_nonzero(seen.n_known == 0))
        told(done)
    target.close()
    return done, empty


def _batches(rows: Iterable[TextRow]) -> Iterator[list[TextRow]]:
    rows = iter(rows)
    while batch := list(islice(rows, ENCODE_BATCH)):
        yield batch
