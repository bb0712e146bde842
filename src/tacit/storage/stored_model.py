"""Contents of a model folder and checked access to its arrays.

A correct checksum does not prove that a folder is valid, and the numba kernels do not check bounds: an index
out of range reads or writes foreign memory. `ArrayReader` therefore checks every array when it is read. The
checks need memory for one block, not for a copy of the array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from tacit import __version__
from tacit.errors import ModelError
from tacit.types import Array

Shape = tuple[int | None, ...]

REMEDY = "copy the model again, or train it again"
_BLOCK_VALUES = 2**20


@dataclass(frozen=True, eq=False)
class ArrayFile:
    """Arrays in a content file of their own, which is written once and referenced from then on.

    ``entry`` is the file's entry in the config; None before the file is written.
    """

    arrays: Mapping[str, Array]
    entry: dict[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class StoredModel:
    """The contents of a model folder.

    kind: the name of the class, such as ``"WTMF"``.
    parameters, training: JSON values (None, bool, int, finite float, str, lists and dicts of them).
    arrays: by name; after reading they are read-only views of the file, not copies.
    vocabulary: a table with one row per word; every row has the same number of fields.
    parts: further arrays by name, each in its own file.
    version: the version of the library that wrote the folder.
    folder, checksum: where it was read, and the checksum of its config; None before it is written.

    >>> StoredModel(kind="WTMF", parameters={"n_components": 100}).parameters["n_components"]
    100
    """

    kind: str
    parameters: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    vocabulary: list[tuple[str, ...]] = field(default_factory=list)
    version: str = __version__
    parts: dict[str, ArrayFile] = field(default_factory=dict)
    folder: Path | None = None
    checksum: str | None = None


@dataclass(frozen=True)
class ArrayReader:
    """Checked access to arrays whose names start with ``prefix``; each check raises ModelError.

    >>> reader = ArrayReader({"en.P": np.eye(2)}, prefix="en.")
    >>> reader.floats("P", np.float64, (None, 2)).shape
    (2, 2)
    >>> reader.array("P", np.float32, (None, 2))
    Traceback (most recent call last):
    tacit.errors.ModelError: array 'en.P' is float64 (2, 2), not float32 (any, 2): copy the model again, ...
    """

    arrays: Mapping[str, Array]
    prefix: str = ""

    def names(self, start: str) -> list[str]:
        """List the names, without the prefix, that begin with ``start``."""
        full = self.prefix + start
        return [name.removeprefix(self.prefix) for name in self.arrays if name.startswith(full)]

    def array(self, name: str, dtype: DTypeLike, shape: Shape) -> Array:
        """Return an array that has exactly this type and shape; None in ``shape`` allows any length."""
        name = self.prefix + name
        if name not in self.arrays:
            raise ModelError(f"array {name!r} is missing: {REMEDY}")
        return check_array(name, self.arrays[name], dtype, shape)

    def floats(self, name: str, dtype: DTypeLike, shape: Shape) -> Array:
        """Return an array without NaN and infinity.

        >>> ArrayReader({"P": np.array([1.0, np.nan])}).floats("P", np.float64, (2,))
        Traceback (most recent call last):
        tacit.errors.ModelError: array 'P' holds NaN or infinity: copy the model again, or train it again
        """
        array = self.array(name, dtype, shape)
        if not all_finite(array):
            raise ModelError(f"array {self.prefix + name!r} holds NaN or infinity: {REMEDY}")
        return array

    def in_range(self, name: str, dtype: DTypeLike, shape: Shape, low: float, high: float) -> Array:
        """Return an array whose values are from ``low`` to ``high``, both included."""
        return check_range(self.prefix + name, self.array(name, dtype, shape), low, high)

    def indices(self, name: str, dtype: DTypeLike, shape: Shape, count: int) -> Array:
        """Return an array of positions in a sequence of length ``count``.

        >>> ArrayReader({"columns": np.array([0, 7])}).indices("columns", np.int64, (None,), count=7)
        Traceback (most recent call last):
        tacit.errors.ModelError: array 'columns' holds 7, outside 0 to 6: copy the model again, ...
        """
        return self.in_range(name, dtype, shape, 0, count - 1)

    def offsets(self, name: str, count: int | None, end: int) -> Array:
        """Return the offsets that split 0 to ``end`` into ``count`` ranges; None allows any number of them.

        >>> ArrayReader({"starts": np.array([0, 3, 2, 5])}).offsets("starts", count=3, end=5)
        Traceback (most recent call last):
        tacit.errors.ModelError: array 'starts' falls from 3 to 2: copy the model again, or train it again
        """
        offsets = self.array(name, np.int64, (None if count is None else count + 1,))
        name = self.prefix + name
        if not len(offsets) or offsets[0] != 0 or offsets[-1] != end:
            raise ModelError(f"array {name!r} does not run from 0 to {end}: {REMEDY}")
        for start in range(0, len(offsets) - 1, _BLOCK_VALUES):
            block = offsets[start : start + _BLOCK_VALUES + 1]
            if (falls := block[1:] < block[:-1]).any():
                at = int(falls.argmax())
                raise ModelError(f"array {name!r} falls from {block[at]} to {block[at + 1]}: {REMEDY}")
        return offsets


def check_array(name: str, array: Array, dtype: DTypeLike, shape: Shape) -> Array:
    """Return the array if it has exactly this type and shape; None in ``shape`` allows any length."""
    fits = len(shape) == array.ndim and all(
        expected in (None, length) for expected, length in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype != np.dtype(dtype):
        expected = f"{np.dtype(dtype)} ({', '.join('any' if n is None else str(n) for n in shape)})"
        actual = f"{array.dtype} ({', '.join(map(str, array.shape))})"
        raise ModelError(f"array {name!r} is {actual}, not {expected}: {REMEDY}")
    return array


def check_range(name: str, values: Array, low: float, high: float) -> Array:
    """Return the values if all are finite and from ``low`` to ``high``, both included.

    >>> check_range("counts", np.array([3, 0]), 1, 100)
    Traceback (most recent call last):
    tacit.errors.ModelError: array 'counts' holds 0, outside 1 to 100: copy the model again, or train it again
    """
    for block in _iter_blocks(values):
        if (outside := ~((block >= low) & (block <= high))).any():  # NaN is outside, too
            value = block[outside.argmax()]
            raise ModelError(f"array {name!r} holds {value}, outside {low} to {high}: {REMEDY}")
    return values


def all_finite(array: Array) -> bool:
    """Test whether an array has neither NaN nor infinity.

    >>> all_finite(np.array([1.0, np.inf])), all_finite(np.arange(3))
    (False, True)
    """
    return array.dtype.kind != "f" or all(bool(np.isfinite(block).all()) for block in _iter_blocks(array))


def _iter_blocks(array: Array) -> Iterator[Array]:
    flat = array.reshape(-1)
    return (flat[at : at + _BLOCK_VALUES] for at in range(0, flat.size, _BLOCK_VALUES))


@contextmanager
def restoring(remedy: str = "train it again") -> Iterator[None]:
    """Turn errors of inconsistent contents into one ModelError; a missing tokenizer is the caller's error.

    >>> with restoring():
    ...     {}["seed"]
    Traceback (most recent call last):
    tacit.errors.ModelError: the stored parts do not fit together ('seed'): train it again
    """
    from tacit.text.tokenizers import MissingTokenizerError

    try:
        yield
    except MissingTokenizerError:
        raise
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"the stored parts do not fit together ({error}): {remedy}") from None


def model_card(title: str, summary: str, example: str) -> str:
    """Return the README of a model folder; the first word of ``example`` is the variable that is loaded.

    >>> "kernel = tacit.load(" in model_card("A tacit model", "A kernel.", "kernel.transform(texts)")
    True
    """
    return f"""# {title}

{summary}

```python
import tacit

{example.partition(".")[0]} = tacit.load("this-folder")
{example}
```

Written by tacit {__version__}. Reading it runs no code of the folder.
"""
