"""Files of one partition in the work folder: tokens, rows, text residuals.

Tokens are written by the first pass over the texts and deleted when the rows are written. Rows are written
once and memory-mapped from then on. Text residuals are written by the first pass of each sweep.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from tacit.compute.csr import CSRArrays
from tacit.errors import InputError
from tacit.storage.durable_files import open_atomic
from tacit.text.token_ids import TokenizedTexts
from tacit.types import Array

BLOCK_TEXTS = 8192  # texts solved at a time: their vectors stay in the cache until their words are summed
_RESIDUALS_HEADER_BYTES = 16  # sweep id and checksum


@dataclass(frozen=True)
class PartitionRows:
    """A file with the rows of a partition in CSR format: row starts, columns and weights."""

    path: str
    partition_name: str
    n_texts: int
    n_nonzero: int
    n_words: int
    digest: str
    mtime_ns: int

    @property
    def size(self) -> int:
        """Size of the file in bytes."""
        return 8 * (self.n_texts + 1) + 8 * self.n_nonzero

    def map_arrays(self) -> tuple[Array, Array, Array]:
        """Check the file and map row starts, columns and weights."""
        self.check()
        # copy-on-write, because kernels are compiled for writable arrays; the file is never written
        mapped = np.memmap(self.path, np.uint8, "c")
        sizes = (np.int64, self.n_texts + 1), (np.int32, self.n_nonzero), (np.float32, self.n_nonzero)
        indptr, indices, data = split_buffer(mapped, sizes)
        return indptr, indices, data

    def iterate_blocks(self, dtype: Any) -> Iterator[CSRArrays]:
        """Yield the rows in blocks of 8,192 texts."""
        indptr, indices, data = self.map_arrays()
        for first in range(0, self.n_texts, BLOCK_TEXTS):
            last = min(first + BLOCK_TEXTS, self.n_texts)
            start, stop = indptr[first], indptr[last]
            block_indptr = indptr[first : last + 1] - start
            weights = data[start:stop].astype(dtype, copy=False)
            yield CSRArrays(block_indptr, indices[start:stop], weights, (last - first, self.n_words))

    def check(self, verify_digest: bool = False) -> None:
        """Raise `InputError` if size or time of the file changed, or its content with ``verify_digest``."""
        try:
            status = os.stat(self.path)
        except OSError as error:
            raise self._damaged_error(f"{error.strerror}") from None
        if status.st_size != self.size:
            raise self._damaged_error(f"it has {status.st_size:,} bytes instead of {self.size:,}")
        if verify_digest or status.st_mtime_ns != self.mtime_ns:
            with open(self.path, "rb") as file:
                if file_digest(file, "sha256").hexdigest() != self.digest:
                    raise self._damaged_error("its content has changed")

    def _damaged_error(self, reason: str) -> InputError:
        return InputError(
            f"the rows of {self.partition_name} are damaged ({self.path}: {reason}): "
            "delete the work folder and start again"
        )


def save_rows(path: Path, partition_name: str, rows: Any) -> PartitionRows:
    """Write the rows of a partition, which have ``indptr``, ``indices``, ``data`` and ``shape``."""
    arrays = rows.indptr.astype("<i8"), rows.indices.astype("<i4"), rows.data.astype("<f4")
    content = b"".join(array.tobytes() for array in arrays)
    mtime_ns = _write(path, content)
    digest = sha256(content).hexdigest()
    n_texts, n_words = rows.shape
    return PartitionRows(str(path), partition_name, n_texts, len(rows.indices), n_words, digest, mtime_ns)


def split_buffer(buffer: Any, sizes: Sequence[tuple[Any, int]]) -> Iterator[Array]:
    """Split a buffer into arrays of these types and lengths, without a copy.

    >>> [part.tolist() for part in split_buffer(b"abc", [("S1", 1), ("u1", 2)])]
    [[b'a'], [98, 99]]
    """
    start = 0
    for dtype, length in sizes:
        yield np.frombuffer(buffer, dtype, length, start)
        start += length * np.dtype(dtype).itemsize


def _write(path: Path, *chunks: Any, flush: bool = True) -> int:
    """Write a file atomically and return its modification time; not flushed, it may be lost in a crash."""
    try:
        with open_atomic(path, flush) as file:
            file.write(b"".join(chunks))
        return os.stat(path).st_mtime_ns
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror or error}",
            parameter="work_dir",
            remedy="make room or name another folder with work_dir=FOLDER, and give the same command again: "
            "completed work is kept",
        ) from error


def tokens_path(folder: Path, number: int) -> Path:
    """Return the path of the tokens of a partition."""
    return folder / f"tokens-{number:06}.bin"


def save_tokens(folder: Path, number: int, tokens: TokenizedTexts) -> None:
    """Write the tokens of a partition: numbers of texts, ids and bytes of names, then these three."""
    names = "\n".join(tokens.tokens).encode("utf-8", "surrogatepass")
    header = np.array([len(tokens.lengths), len(tokens.ids), len(names)], "<i8")
    _write(tokens_path(folder, number), header, tokens.lengths.astype("<i8"), tokens.ids, names)


def load_tokens(folder: Path, number: int, partition_name: str) -> TokenizedTexts:
    """Read the tokens of a partition."""
    path = tokens_path(folder, number)
    try:
        content = bytearray(path.read_bytes())  # kernels are compiled for writable arrays
        n_texts, n_ids, n_bytes = np.frombuffer(content, "<i8", 3).tolist()
        sizes = ("<i8", 3), ("<i8", n_texts), ("<i4", n_ids), ("u1", n_bytes)
        _, lengths, ids, encoded = split_buffer(content, sizes)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is truncated"
        raise InputError(
            f"the tokens of {partition_name} cannot be read ({path}: {reason}): every worker must "
            "see the work folder under the same path; delete it and start again"
        ) from None
    names = encoded.tobytes().decode("utf-8", "surrogatepass")
    return TokenizedTexts(ids, lengths, names.split("\n") if names else [])


def save_residuals(rows: PartitionRows, residuals: list[Array], sweep_id: int) -> None:
    """Write the text residuals of a partition.

    They are not flushed to the disk, because the next sweep writes them again.
    """
    content = b"".join(block.tobytes() for block in residuals)
    _write(_residuals_path(rows), _residuals_header(sweep_id, content), content, flush=False)


def load_residuals(rows: PartitionRows, dtype: Any, sweep_id: int) -> Array | None:
    """Read the text residuals of a sweep; None if they are missing, damaged or of another sweep."""
    try:
        raw = np.fromfile(_residuals_path(rows), np.uint8)
    except OSError:
        return None
    header, content = raw[:_RESIDUALS_HEADER_BYTES], raw[_RESIDUALS_HEADER_BYTES:]
    has_right_size = len(content) == rows.n_nonzero * np.dtype(dtype).itemsize
    if not has_right_size or header.tobytes() != _residuals_header(sweep_id, content):
        return None
    return content.view(dtype)


def _residuals_header(sweep_id: int, content: Any) -> bytes:
    return np.array([sweep_id, crc32(content)], "<u8").tobytes()


def _residuals_path(rows: PartitionRows) -> Path:
    path = Path(rows.path)
    return path.with_name(path.name.replace("rows", "left"))
