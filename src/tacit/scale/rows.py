"""A partition's rows on disk: written once, mapped from then on, checked whenever they are opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.factorize.row_solver import Rows
from tacit.storage.durable_files import write_chunks

Array = NDArray[Any]

BLOCK = 8192
"""Texts solved at a time: their vectors stay in the cache until their words have been told."""


@dataclass(frozen=True)
class RowsFile:
    """The CSR rows of a partition: row starts, columns and weights, one after the other in a file."""

    path: str
    partition: str
    n_texts: int
    n_entries: int
    n_words: int
    digest: str
    modified: int

    @property
    def size(self) -> int:
        """In bytes."""
        return 8 * (self.n_texts + 1) + 8 * self.n_entries

    def arrays(self) -> tuple[Array, Array, Array]:
        """Row starts, columns and weights, mapped; a file that is not as it was written is named."""
        self.check()
        n, e = self.n_texts, self.n_entries
        if not e:
            return np.zeros(n + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32)
        # copy on write: kernels are compiled for arrays that may be written, and the file never is
        mapped = np.memmap(self.path, np.uint8, "c")
        start, middle = 8 * (n + 1), 8 * (n + 1) + 4 * e
        parts = mapped[:start], mapped[start:middle], mapped[middle:]
        types = np.int64, np.int32, np.float32
        indptr, indices, data = (np.asarray(p).view(t) for p, t in zip(parts, types, strict=True))
        return indptr, indices, data

    def blocks(self, dtype: Any) -> Iterator[Rows]:
        """The rows, so many at a time."""
        indptr, indices, data = self.arrays()
        for first in range(0, self.n_texts, BLOCK):
            last = min(first + BLOCK, self.n_texts)
            start, stop = indptr[first], indptr[last]
            own = indptr[first : last + 1] - start
            weights = data[start:stop].astype(dtype, copy=False)
            yield Rows(own, indices[start:stop], weights, (last - first, self.n_words))

    def check(self, deeply: bool = False) -> None:
        """Raise an error unless the file is as it was written; ``deeply`` reads every byte."""
        try:
            found = os.stat(self.path)
        except OSError as error:
            raise self._wrong(f"{error.strerror}") from None
        if found.st_size != self.size:
            raise self._wrong(f"it has {found.st_size:,} bytes instead of {self.size:,}")
        if (deeply or found.st_mtime_ns != self.modified) and _digest(Path(self.path)) != self.digest:
            raise self._wrong("its content has changed")

    def _wrong(self, why: str) -> InputError:
        return InputError(
            f"the rows of {self.partition} are damaged ({self.path}: {why}): "
            "delete the work folder and begin anew"
        )


def write_rows(
    path: Path, partition: str, indptr: Array, indices: Array, data: Array, n_words: int
) -> RowsFile:
    """Write the rows of a partition, whole or not at all."""
    content = indptr.astype("<i8").tobytes() + indices.astype("<i4").tobytes() + data.astype("<f4").tobytes()
    try:
        write_chunks(path, content)
        modified = os.stat(path).st_mtime_ns
    except OSError as error:
        raise unwritten(path, error) from error
    digest = sha256(content).hexdigest()
    return RowsFile(str(path), partition, len(indptr) - 1, len(indices), n_words, digest, modified)


def unwritten(path: Path, error: OSError) -> InputError:
    """Word what the system says against writing a file of the work folder."""
    return InputError(
        f"{path} cannot be written: {error.strerror or error}",
        parameter="work_dir",
        remedy="make room or name another folder with work_dir=FOLDER, and give the same command again: "
        "what is done is kept",
    )


def _digest(path: Path) -> str:
    found = sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            found.update(piece)
    return found.hexdigest()
