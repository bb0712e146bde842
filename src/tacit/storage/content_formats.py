"""Encode and decode content files: arrays as safetensors, vocabulary as a tab-separated table.

The safetensors format is implemented here, because the package needs twice the memory of a file to write it,
and its numpy reader copies each array (31 ms and 40 MB of private memory for a file of 40 MB; mapping takes
0.1 ms and shares the page cache between processes). The header of a file is not trusted: each array must
start where the previous one ends, and the last must end with the file.

A mapped file must not be truncated while it is in use, or the system kills the process. `write_model` never
does that: other content has another name, and a removed file exists until it is unmapped.
"""

from __future__ import annotations

import json
import math
import mmap
import re
from collections.abc import Mapping, Sequence
from itertools import starmap
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.storage.config import parse_json_object
from tacit.storage.durable_files import damaged_error
from tacit.storage.stored_model import all_finite

DTYPES: dict[str, np.dtype[Any]] = {
    name: np.dtype(f"<{name[0].lower()}{int(name[1:]) // 8}")  # safetensors counts bits, numpy bytes
    for name in ("U64", "I64", "F64", "F32", "U32", "I32", "F16", "U16", "I16", "I8", "U8")
}
"""Data types by their names in safetensors, in the order in which the package writes arrays."""

_DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_ARRAY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")

MAX_HEADER_BYTES = 16 * 2**20
"""Maximum size of a header; it can list 180,000 arrays of about 90 bytes each."""


def encode_arrays(arrays: Mapping[str, NDArray[Any]]) -> list[bytes | memoryview]:
    """Return the content of a file of named arrays: its header, then the memory of each array, not copied.

    The bytes are those that the safetensors package writes. Arrays of large types come first, so that each
    one is aligned.

    >>> [len(chunk) for chunk in encode_arrays({"P": np.eye(2), "df": np.arange(3, dtype=np.int32)})]
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
    if len(text) > MAX_HEADER_BYTES:
        limit = f"a header of {MAX_HEADER_BYTES} bytes"
        raise InputError(f"{len(arrays)} arrays are too many for {limit}: join some")
    views = [checked[name].reshape(-1).view(np.uint8).data for name in header]
    return [len(text).to_bytes(8, "little") + text, *views]


def _check_array(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Return an array as contiguous little-endian memory; InputError if it cannot be stored."""
    if not _ARRAY_NAME.fullmatch(name):
        raise InputError(f"{name!r} cannot name an array: use letters, digits, '_', '.' and '-'")
    little = array.dtype.newbyteorder("<")
    if little not in DTYPES.values():
        raise InputError(f"array {name!r} is {array.dtype}: a model holds float16 to 64 and integers")
    if not all_finite(array):
        raise InputError(f"array {name!r} holds NaN or infinity: a model's numbers are finite")
    return np.asarray(array, dtype=little, order="C")


def map_arrays(file: IO[bytes], where: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an open file as read-only views of it; ``where`` is its path, for messages.

    >>> from tempfile import TemporaryFile
    >>> with TemporaryFile() as file:
    ...     file.writelines(encode_arrays({"P": np.eye(2)}))
    ...     file.flush()
    ...     P = map_arrays(file, Path("model.safetensors"))["P"]
    >>> P, P.flags.writeable
    (array([[1., 0.],
           [0., 1.]]), False)
    """
    try:
        return _map_views(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except ValueError as error:  # also from mmap for an empty file, and from numpy for an impossible shape
        raise damaged_error(where, str(error)) from error


def _map_views(mapped: mmap.mmap) -> dict[str, NDArray[Any]]:
    """Parse the header of a mapped file and return views of its arrays; ValueError if it is invalid."""
    size = int.from_bytes(mapped[:8], "little")
    if size > min(MAX_HEADER_BYTES, len(mapped) - 8):
        raise ValueError(f"its header of {size} bytes is longer than the file, or than {MAX_HEADER_BYTES}")
    start = 8 + size
    header = parse_json_object(mapped[8:start])
    if header is None:
        raise ValueError("its header is not a JSON object")
    header.pop("__metadata__", None)
    arrays, position = {}, 0
    for begin, end, name, dtype, shape in sorted(starmap(_parse_entry, header.items())):
        if begin != position:
            raise ValueError(f"array {name!r} does not start where the previous one ends")
        if end > len(mapped) - start:
            raise ValueError(f"array {name!r} ends beyond the file")
        view: NDArray[Any] = np.ndarray(shape, dtype, buffer=mapped, offset=start + begin)
        arrays[name], position = np.require(view, requirements="A"), end
    if position != len(mapped) - start:
        raise ValueError("it has bytes after the last array")
    return arrays


def _parse_entry(name: str, entry: object) -> tuple[int, int, str, np.dtype[Any], tuple[int, ...]]:
    """Return the first byte, end, name, type and shape of an array; ValueError if its entry is invalid."""
    fields = entry if isinstance(entry, dict) else {}
    dtype = DTYPES.get(str(fields.get("dtype")))
    shape, offsets = _naturals(fields.get("shape")), _naturals(fields.get("data_offsets"))
    if dtype is None or shape is None or offsets is None or len(offsets) != 2:
        raise ValueError(f"array {name!r} has no valid dtype, shape and offsets")
    if offsets[1] - offsets[0] != math.prod(shape) * dtype.itemsize:
        raise ValueError(f"array {name!r} has a shape that does not fit its bytes")
    return offsets[0], offsets[1], name, dtype, shape


def _naturals(value: object) -> tuple[int, ...] | None:
    if isinstance(value, list) and all(type(n) is int and 0 <= n < 2**63 for n in value):
        return tuple(value)
    return None


def release_pages(arrays: Mapping[str, NDArray[Any]]) -> None:
    """Free the memory of mapped arrays; their pages are read from the file again on the next use.

    >>> release_pages({"P": np.eye(2)})  # not mapped: nothing to free
    """
    for array in arrays.values():
        base: Any = array
        while base is not None and not isinstance(base, mmap.mmap):
            base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
        if base is not None and hasattr(mmap, "MADV_DONTNEED"):
            base.madvise(mmap.MADV_DONTNEED)
            return


def describe_arrays(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the types and shapes of arrays, as stored in the config.

    >>> describe_arrays({"P": np.zeros((3, 2), dtype=np.float32)})
    {'P': {'dtype': 'float32', 'shape': [3, 2]}}
    """
    return {
        name: {"dtype": array.dtype.name, "shape": list(array.shape)}
        for name, array in sorted(arrays.items())
    }


_LINE_BREAKS = re.compile("[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Tab, and all characters that some program treats as a line end."""


def encode_table(rows: Sequence[tuple[str, ...]]) -> bytes:
    r"""Return the content of a file with one line per row and tabs between the fields, in UTF-8.

    >>> encode_table([("bank", "7"), ("river", "2")])
    b'bank\t7\nriver\t2\n'
    >>> encode_table([("a\tb",)])
    Traceback (most recent call last):
    tacit.errors.InputError: vocabulary row 1: 'a\tb' contains '\t', which would break the file
    """
    fields = len(rows[0]) if rows else 0
    for number, row in enumerate(rows, start=1):
        if not row or len(row) != fields:
            raise InputError(f"vocabulary row {number} has {len(row)} fields instead of {fields}: {row!r}")
        for field in row:
            _check_field(field, number)
    return "".join("\t".join(row) + "\n" for row in rows).encode("utf-8")


def _check_field(field: str, number: int) -> None:
    """Raise InputError for a field that cannot be stored."""
    if not isinstance(field, str):
        raise InputError(f"vocabulary row {number}: {field!r} is a {type(field).__name__}, not text")
    if line_break := _LINE_BREAKS.search(field):
        problem = f"{field!r} contains {line_break[0]!r}, which would break the file"
        raise InputError(f"vocabulary row {number}: {problem}")
    if not field.isascii() and any("\ud800" <= letter <= "\udfff" for letter in field):
        raise InputError(f"vocabulary row {number}: {field!r} is not valid Unicode (a lone surrogate)")


def decode_table(data: bytes, where: Path) -> list[tuple[str, ...]]:
    r"""Return the rows of a file; ``where`` is its path, for messages.

    >>> decode_table(b"bank\t7\nriver\t2\n", Path("vocabulary.txt"))
    [('bank', '7'), ('river', '2')]
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise damaged_error(where, f"not UTF-8 at byte {error.start}") from error
    if not text:
        return []
    if not text.endswith("\n"):
        raise damaged_error(where, "its last line has no line end")
    # splitlines would also split at other characters
    rows = [tuple(line.split("\t")) for line in text[:-1].split("\n")]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise damaged_error(where, f"line {number} has {len(row)} fields instead of {len(rows[0])}")
    return rows


def describe_table(rows: Sequence[tuple[str, ...]]) -> dict[str, int]:
    """Return the size of a table, as stored in the config.

    >>> describe_table([("bank", "7"), ("river", "2")])
    {'rows': 2, 'fields': 2}
    """
    return {"rows": len(rows), "fields": len(rows[0]) if rows else 0}
