"""Encode named arrays in the safetensors format, and map them from a file without copying.

The format is written and parsed here. The safetensors package holds a file twice in memory to write it, and
its numpy reader copies each array (31 ms and 40 MB of private memory for a 40 MB file; a mapping takes 0.1 ms
and shares the page cache between processes). The header of a file, which is JSON, is not trusted: each array
must begin where the one before it ends, and the last must end with the file.

A mapped file must not be truncated while it is in use, or the system ends the process. `write_model` never
does that: other content has another name, and a removed file exists until it is no longer mapped.
"""

from __future__ import annotations

import json
import math
import mmap
import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.storage.config import parse_object
from tacit.storage.files import damaged
from tacit.storage.stored_model import all_finite

DTYPES: dict[str, np.dtype[Any]] = {
    "U64": np.dtype("<u8"),
    "I64": np.dtype("<i8"),
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "U32": np.dtype("<u4"),
    "I32": np.dtype("<i4"),
    "F16": np.dtype("<f2"),
    "U16": np.dtype("<u2"),
    "I16": np.dtype("<i2"),
    "I8": np.dtype("i1"),
    "U8": np.dtype("u1"),
}
"""The types of arrays by their names in safetensors, in the order in which the package writes them."""

_DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_ARRAY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")

HEADER_LIMIT = 16 * 2**20
"""No header is larger than this many bytes: an array takes some 90 of them, so it can list 180,000, and one
that was made to be parsed for ever is refused unread."""


def encode(arrays: Mapping[str, NDArray[Any]]) -> list[bytes | memoryview]:
    """Return the content of a file of named arrays: its header, then the memory of each array, not copied.

    The bytes are those that the safetensors package writes. Arrays of large types come first, so that each
    one is aligned.

    >>> [len(chunk) for chunk in encode({"P": np.eye(2), "df": np.arange(3, dtype=np.int32)})]
    [128, 32, 12]
    """
    checked = {name: _check_array(name, array) for name, array in arrays.items()}
    order, header, end = list(DTYPES.values()), {}, 0
    for name in sorted(checked, key=lambda name: (order.index(checked[name].dtype), name)):
        array = checked[name]
        offsets = [end, end := end + array.nbytes]
        dtype = _DTYPE_NAMES[array.dtype]
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": offsets}
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 8)
    if len(text) > HEADER_LIMIT:
        raise InputError(f"{len(arrays)} arrays are too many for a header of {HEADER_LIMIT} bytes: join some")
    views = [checked[name].reshape(-1).view(np.uint8).data for name in header]
    return [len(text).to_bytes(8, "little") + text, *views]


def _check_array(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if not _ARRAY_NAME.fullmatch(name):
        raise InputError(f"{name!r} cannot name an array: use letters, digits, '_', '.' and '-'")
    little = array.dtype.newbyteorder("<")
    if little not in DTYPES.values():
        raise InputError(f"array {name!r} is {array.dtype}: a model holds float16 to 64 and integers")
    if not all_finite(array):
        raise InputError(f"array {name!r} holds NaN or infinity: a model's numbers are finite")
    # the memory is written as it is: without strides, in little-endian order
    return np.asarray(array, dtype=little, order="C")


def map_arrays(file: IO[bytes], where: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an open file as read-only views of it; ``where`` is its path, for messages.

    >>> from tempfile import TemporaryFile
    >>> with TemporaryFile() as file:
    ...     file.writelines(encode({"P": np.eye(2)}))
    ...     file.flush()
    ...     P = map_arrays(file, Path("model.safetensors"))["P"]
    >>> P, P.flags.writeable
    (array([[1., 0.],
           [0., 1.]]), False)
    """
    try:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _views(mapped)
    except ValueError as fault:  # also what mmap says of an empty file, and numpy of an impossible shape
        raise damaged(where, str(fault)) from fault


def _views(mapped: mmap.mmap) -> dict[str, NDArray[Any]]:
    size = int.from_bytes(mapped[:8], "little")
    if size > min(HEADER_LIMIT, len(mapped) - 8):
        raise ValueError(f"its header of {size} bytes is longer than the file, or than {HEADER_LIMIT}")
    start = 8 + size
    header = parse_object(mapped[8:start])
    if header is None:
        raise ValueError("its header is not a JSON object")
    header.pop("__metadata__", None)
    entries = sorted((_entry(name, entry) for name, entry in header.items()), key=lambda e: (e[1], e[2]))
    arrays, position = {}, 0
    for name, begin, end, dtype, shape in entries:
        if begin != position:
            raise ValueError(f"array {name!r} does not begin where the one before it ends")
        if end > len(mapped) - start:
            raise ValueError(f"array {name!r} ends beyond the file")
        view: NDArray[Any] = np.ndarray(shape, dtype, buffer=mapped, offset=start + begin)
        arrays[name], position = np.require(view, requirements="A"), end
    if position != len(mapped) - start:
        raise ValueError("there is more in it than its arrays")
    return arrays


def _entry(name: str, entry: object) -> tuple[str, int, int, np.dtype[Any], tuple[int, ...]]:
    fields = entry if isinstance(entry, dict) else {}
    dtype = DTYPES.get(str(fields.get("dtype")))
    shape, offsets = _naturals(fields.get("shape")), _naturals(fields.get("data_offsets"))
    if dtype is None or shape is None or offsets is None or len(offsets) != 2:
        raise ValueError(f"array {name!r} has no valid dtype, shape and offsets")
    if offsets[1] - offsets[0] != math.prod(shape) * dtype.itemsize:
        raise ValueError(f"array {name!r} has a shape that does not fit its bytes")
    return name, offsets[0], offsets[1], dtype, shape


def _naturals(value: object) -> tuple[int, ...] | None:
    if isinstance(value, list) and all(type(n) is int and 0 <= n < 2**63 for n in value):
        return tuple(value)
    return None


def release(arrays: Mapping[str, NDArray[Any]]) -> None:
    """Let go of the pages of mapped arrays that were read: they come back from the file when asked for.

    >>> release({"P": np.eye(2)})  # not mapped: nothing to let go
    """
    for array in arrays.values():
        base: Any = array
        while base is not None and not isinstance(base, mmap.mmap):
            base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
        if base is not None and hasattr(mmap, "MADV_DONTNEED"):
            base.madvise(mmap.MADV_DONTNEED)
            return


def describe(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Give the types and shapes as the config records them.

    >>> describe({"P": np.zeros((3, 2), dtype=np.float32)})
    {'P': {'dtype': 'float32', 'shape': [3, 2]}}
    """
    return {
        name: {"dtype": array.dtype.name, "shape": list(array.shape)}
        for name, array in sorted(arrays.items())
    }
