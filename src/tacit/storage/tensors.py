"""``model-DIGEST.safetensors``: named arrays, written by safetensors and mapped, not copied, when read.

The package's own numpy reader copies each array (31 ms and 40 MB of private memory for a 40 MB file; a
mapping takes 0.1 ms and shares the page cache between processes), so the header, which is JSON, is parsed
here. Nothing in it is believed: each array must begin where the one before it ended, and the last must end
with the file. Its writer is used through memory: its `save_file` makes files only their owner can read.

A mapped file must not be shortened in place while in use (the system would stop the process). `write_model`
never does that: other content has another name, and a file that is removed lives on while it is mapped.
"""

from __future__ import annotations

import json
import math
import mmap
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from tacit.errors import InputError
from tacit.storage.config import parse_object
from tacit.storage.files import damaged
from tacit.storage.stored_model import all_finite

DTYPES: dict[str, np.dtype[Any]] = {
    "F16": np.dtype("<f2"),
    "F32": np.dtype("<f4"),
    "F64": np.dtype("<f8"),
    "I8": np.dtype("i1"),
    "I16": np.dtype("<i2"),
    "I32": np.dtype("<i4"),
    "I64": np.dtype("<i8"),
    "U8": np.dtype("u1"),
    "U16": np.dtype("<u2"),
    "U32": np.dtype("<u4"),
    "U64": np.dtype("<u8"),
}
"""The types a model may hold, by safetensors' names."""

_SHORT = {dtype: name for name, dtype in DTYPES.items()}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")

PIECE = 2**24
"""Bytes of an array that are written at once."""

HEADER_LIMIT = 16 * 2**20
"""No header is larger than this many bytes: an array takes some 90 of them, so it can list 180,000, and one
that was made to be parsed for ever is refused unread."""


def encode(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Give the file of named arrays; the same arrays give the same bytes.

    >>> len(encode({"P": np.zeros((3, 2), dtype=np.float32)})) % 8
    0
    """
    data = save({name: _checked(name, array) for name, array in arrays.items()})
    if _header_size(data) > HEADER_LIMIT:
        raise InputError(f"{len(arrays)} arrays are too many for a header of {HEADER_LIMIT} bytes: join some")
    return data


def pieces(arrays: Mapping[str, NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """Give the bytes of the same format a piece at a time: nothing is held twice.

    >>> arrays = {"P": np.eye(2), "df": np.arange(3, dtype=np.int32)}
    >>> [len(piece) for piece in pieces(arrays)][1:], len(b"".join(pieces(arrays))) == len(encode(arrays))
    ([32, 12], True)
    """
    kept = {name: _checked(name, array) for name, array in arrays.items()}
    order = sorted(kept, key=lambda name: (-kept[name].itemsize, name))  # so that each array is aligned
    header, position = {}, 0
    for name in order:
        array = kept[name]
        offsets = [position, position := position + array.nbytes]
        header[name] = {"dtype": _SHORT[array.dtype], "shape": list(array.shape), "data_offsets": offsets}
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 8)
    if len(text) > HEADER_LIMIT:
        raise InputError(f"{len(arrays)} arrays are too many for a header of {HEADER_LIMIT} bytes: join some")
    yield len(text).to_bytes(8, "little") + text
    for name in order:
        flat = kept[name].reshape(-1).view(np.uint8)
        yield from (flat[at : at + PIECE].data for at in range(0, len(flat), PIECE))


def _checked(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if not _NAME.fullmatch(name):
        raise InputError(f"{name!r} cannot name an array: use letters, digits, '_', '.' and '-'")
    little = array.dtype.newbyteorder("<")
    if little not in DTYPES.values():
        raise InputError(f"array {name!r} is {array.dtype}: a model holds float16 to 64 and integers")
    if not all_finite(array):
        raise InputError(f"array {name!r} holds NaN or infinity: a model's numbers are finite")
    # safetensors takes the memory as it lies: strides and foreign byte order must be gone before
    return np.asarray(array, dtype=little, order="C")


def map_arrays(file: IO[bytes], where: Path) -> dict[str, NDArray[Any]]:
    """Give the arrays of an open file as read-only views of it; ``where`` is its path, for the messages.

    >>> from tempfile import TemporaryFile
    >>> with TemporaryFile() as file:
    ...     _ = file.write(encode({"P": np.eye(2)}))
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
    size = _header_size(mapped)
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


def _header_size(content: bytes | mmap.mmap) -> int:
    return int.from_bytes(content[:8], "little")


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
