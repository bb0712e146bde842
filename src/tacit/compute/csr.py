"""CSR arrays in the index types that the kernels are compiled for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np

from tacit.jit import jit
from tacit.types import Array


@dataclass(frozen=True)
class CSRArrays:
    """The arrays of a sparse matrix in CSR format: int64 row starts, int32 columns, and values."""

    indptr: Array
    indices: Array
    data: Array
    shape: tuple[int, int]

    @classmethod
    def from_scipy(cls, X: Any, dtype: Any) -> Self:
        """Convert any CSR matrix whose columns are sorted and distinct within a row; X is not changed.

        Arrays that have the right type already are shared with X.
        """
        indptr, indices = X.indptr.astype(np.int64, copy=False), X.indices.astype(np.int32, copy=False)
        return cls(indptr, indices, X.data.astype(dtype, copy=False), tuple(X.shape))


def take_slices(
    values: Array, offsets: Array, rows: Array, max_length: int | None = None
) -> tuple[Array, Array]:
    """Concatenate slices of an array, each cut to ``max_length`` values; return them and their lengths.

    Slice i is ``values[offsets[i] : offsets[i + 1]]``.

    >>> take_slices(np.array([7, 8, 9]), np.array([0, 2, 3]), np.array([1, 0]))
    (array([9, 7, 8]), array([1, 2]))
    """
    lengths = offsets[rows + 1] - offsets[rows]
    if max_length is not None:
        lengths = np.minimum(lengths, max_length)
    before = np.cumsum(lengths) - lengths
    positions = np.repeat(offsets[rows] - before, lengths)
    positions += np.arange(len(positions))
    return values[positions], lengths


def transpose(indptr: Array, indices: Array, n_columns: int) -> tuple[Array, Array, Array]:
    """Return where each column starts, the rows that have it, and the position of each of these cells.

    >>> starts, rows, positions = transpose(np.array([0, 2, 3]), np.array([0, 2, 0]), 3)
    >>> starts.tolist(), rows.tolist(), positions.tolist()
    ([0, 2, 2, 3], [0, 1, 0], [0, 2, 1])
    """
    order = np.argsort(indices, kind="stable")
    rows = np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))[order]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(indices, minlength=n_columns))])
    return starts, rows, order


@jit
def equal_slices(values, offsets, left, right):  # type: ignore[no-untyped-def]
    """Return whether slices left[i] and right[i] have the same values, for each i; an empty slice has none.

    Slice i is ``values[offsets[i] : offsets[i + 1]]``.
    """
    equal = np.zeros(len(left), np.bool_)
    for pair in range(len(left)):
        start, other = offsets[left[pair]], offsets[right[pair]]
        length = offsets[left[pair] + 1] - start
        if length > 0 and offsets[right[pair] + 1] - other == length:
            k = 0
            while k < length and values[start + k] == values[other + k]:
                k += 1
            equal[pair] = k == length
    return equal


def split_by_nonzeros(indptr: Array, n_nonzeros: int) -> list[tuple[int, int]]:
    """Split the rows of a CSR matrix into ranges with about ``n_nonzeros`` non-zeros each.

    >>> split_by_nonzeros(np.array([0, 40, 80, 90]), 64)
    [(0, 2), (2, 3)]
    """
    first_rows = np.flatnonzero(np.diff(indptr[:-1] // n_nonzeros, prepend=-1)).tolist()
    return list(pairwise([*first_rows, len(indptr) - 1]))
