"""What texts leave of their weights, kept by the first pass of a sweep so that those after it solve nothing.

A text with words V and weights x has the vector y that solves (I + c T_V' T_V) y = T_V' x (see ``short``). So

    y = T_V' z,    z = x - c T_V y:

with z, one number for each word of a text, its vector is a sum over its words. A partition's z lie beside its
rows in the work folder. Where they are missing, damaged or of another sweep they are found again by solving:
with the same bits, it only takes longer.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import jit, padded
from tacit.factorize.by_word import dot
from tacit.factorize.row_solver import Rows, WhitenedFactors
from tacit.factorize.short import combine
from tacit.scale.rows import RowsFile, unwritten
from tacit.storage.durable_files import replace_with_retry, temporary_path

Array = NDArray[Any]

_HEAD = 16  # bytes: the stamp of the sweep, and the checksum


@jit
def remainders(indptr, indices, data, Y, T, c, z):  # type: ignore[no-untyped-def]
    """z = x - c T_V y, for every text."""
    for row in range(len(indptr) - 1):
        for e in range(indptr[row], indptr[row + 1]):
            z[e] = data[e] - c * dot(Y[row], T[indices[e]])


@jit
def combined(indptr, indices, z, T, Y):  # type: ignore[no-untyped-def]
    """y = T_V' z, for every text."""
    longest = 0
    for row in range(len(indptr) - 1):
        longest = max(longest, indptr[row + 1] - indptr[row])
    own = np.zeros(longest + 3, z.dtype)
    for row in range(len(indptr) - 1):
        start, n = indptr[row], indptr[row + 1] - indptr[row]
        own[:n] = z[start : start + n]
        own[n : n + 3] = 0
        combine(T, indices[start : start + n], own, Y[row])


def solved(rows: RowsFile, given: WhitenedFactors) -> Iterator[tuple[Rows, Array, float]]:
    """Blocks of texts, their vectors by solving, and the loss these explain."""
    for block in rows.blocks(given.T.dtype):
        yield block, *given.solve(block)


def restored(rows: RowsFile, given: WhitenedFactors, stamp: int) -> Iterator[tuple[Rows, Array]]:
    """Blocks of texts, and their vectors by what the texts left in the first pass of this sweep."""
    left, first = _read(rows, given.T.dtype, stamp), 0
    for block in rows.blocks(given.T.dtype):
        if left is None:
            Y, _ = given.solve(block)
            own = remainders_of(block, Y, given)
        else:
            Y = np.zeros((padded(block.shape[0]), given.T.shape[1]), given.T.dtype)
            last = first + len(block.indices)
            own, first = left[first:last], last
        combined(block.indptr, block.indices, own, given.T, Y)
        yield block, Y


def remainders_of(block: Rows, Y: Array, given: WhitenedFactors) -> Array:
    """The z of a block of texts, whose vectors are Y."""
    z = np.empty(len(block.indices), Y.dtype)
    remainders(block.indptr, block.indices, block.data, Y, given.T, given.c, z)
    return z


def keep_remainders(rows: RowsFile, left: list[Array], stamp: int) -> None:
    """Write what the texts of a partition left; nothing is flushed: the next sweep writes it anew."""
    content = b"".join(each.tobytes() for each in left)
    path = _path(rows)
    part = temporary_path(path)
    try:
        with open(part, "xb") as file:
            file.write(_head(stamp, content) + content)
        replace_with_retry(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise unwritten(path, error) from error


def _read(rows: RowsFile, dtype: Any, stamp: int) -> Array | None:
    """What was kept of this sweep, if it is there and whole."""
    try:
        found = np.fromfile(_path(rows), np.uint8)
    except OSError:
        return None
    head, content = found[:_HEAD], found[_HEAD:]
    right = len(content) == rows.n_entries * np.dtype(dtype).itemsize
    return content.view(dtype) if right and head.tobytes() == _head(stamp, content) else None


def _head(stamp: int, content: Any) -> bytes:
    return np.array([stamp, crc32(content)], "<u8").tobytes()


def _path(rows: RowsFile) -> Path:
    path = Path(rows.path)
    return path.with_name(path.name.replace("rows", "left"))
