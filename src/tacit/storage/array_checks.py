"""What a kernel assumes of an array that came from a file, checked before it gets there.

A right checksum does not make a folder honest, and a kernel checks nothing: an index out of range reads or
writes memory that is not its own. Each check raises ModelError with the array's name, and takes memory for
one block, not for a copy of the array.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tacit.errors import ModelError

REMEDY = "copy the model again, or train it again"
_BLOCK = 2**20


def check_array(
    name: str, array: NDArray[Any], dtype: DTypeLike, shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """Give the array if it has exactly this type and shape; None in ``shape`` stands for any length.

    >>> check_array("starts", np.arange(3), np.int64, (None,))
    array([0, 1, 2])
    """
    fits = len(shape) == array.ndim and all(
        wanted is None or wanted == length for wanted, length in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype != np.dtype(dtype):
        wanted = f"{np.dtype(dtype)} ({', '.join('any' if n is None else str(n) for n in shape)})"
        found = f"{array.dtype} ({', '.join(map(str, array.shape))})"
        raise ModelError(f"array {name!r} is {found}, not {wanted}: {REMEDY}")
    return array


def check_starts(name: str, starts: NDArray[Any], count: int, end: int) -> None:
    """Hold that ``starts`` cuts 0 to ``end`` into ``count`` runs: from 0, never falling, up to ``end``.

    >>> check_starts("starts", np.array([0, 2, 2, 5]), count=3, end=5)
    >>> check_starts("starts", np.array([0, 3, 2, 5]), count=3, end=5)
    Traceback (most recent call last):
    tacit.errors.ModelError: array 'starts' falls from 3 to 2: copy the model again, or train it again
    """
    check_array(name, starts, np.int64, (count + 1,))
    if starts[0] != 0 or starts[-1] != end:
        raise ModelError(
            f"array {name!r} runs from {starts[0]} to {starts[-1]}, not from 0 to {end}: {REMEDY}"
        )
    for at in range(0, count, _BLOCK):
        piece = starts[at : at + _BLOCK + 1]
        if (falls := piece[1:] < piece[:-1]).any():
            place = at + int(falls.argmax())
            raise ModelError(f"array {name!r} falls from {starts[place]} to {starts[place + 1]}: {REMEDY}")


def check_indices(name: str, indices: NDArray[Any], count: int) -> None:
    """Hold that every number points at one of ``count`` things.

    >>> check_indices("columns", np.array([0, 7]), count=7)
    Traceback (most recent call last):
    tacit.errors.ModelError: array 'columns' holds 7, outside 0 to 6: copy the model again, or train it again
    """
    if indices.dtype.kind not in "iu":
        raise ModelError(f"array {name!r} is {indices.dtype}, not whole numbers: {REMEDY}")
    check_within(name, indices, 0, count - 1)


def check_within(name: str, values: NDArray[Any], low: float, high: float) -> None:
    """Hold that every number is finite and from ``low`` to ``high``, both included.

    >>> check_within("counts", np.array([3, 0]), 1, 100)
    Traceback (most recent call last):
    tacit.errors.ModelError: array 'counts' holds 0, outside 1 to 100: copy the model again, or train it again
    """
    for block in _blocks(values):
        if (outside := ~((block >= low) & (block <= high))).any():  # so that NaN is outside, too
            found = block[outside.argmax()]
            raise ModelError(f"array {name!r} holds {found}, outside {low} to {high}: {REMEDY}")


def check_finite(name: str, values: NDArray[Any]) -> None:
    """Hold that no number is NaN or infinite.

    >>> check_finite("P", np.array([1.0, np.nan]))
    Traceback (most recent call last):
    tacit.errors.ModelError: array 'P' holds NaN or infinity: copy the model again, or train it again
    """
    if not all_finite(values):
        raise ModelError(f"array {name!r} holds NaN or infinity: {REMEDY}")


def all_finite(array: NDArray[Any]) -> bool:
    """Say whether no value is NaN or infinite.

    >>> all_finite(np.array([1.0, np.inf])), all_finite(np.arange(3))
    (False, True)
    """
    return array.dtype.kind != "f" or all(bool(np.isfinite(block).all()) for block in _blocks(array))


def _blocks(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    flat = array.reshape(-1)
    return (flat[at : at + _BLOCK] for at in range(0, flat.size, _BLOCK))
