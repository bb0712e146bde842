"""SHA-256 fingerprint of a sequence of texts, bytes and arrays."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError


def fingerprint(parts: Iterable[str | bytes | NDArray[Any]]) -> str:
    """Return the SHA-256, in hexadecimal, of a sequence of texts, bytes and arrays.

    Each part is hashed with its type and length, so that boundaries matter; an array with its dtype and
    shape, independent of its memory layout. Only one part is in memory at a time.

    >>> len(fingerprint(["a bank", np.arange(3)]))
    64
    >>> fingerprint(["ab", "c"]) == fingerprint(["a", "bc"])
    False
    """
    digest = sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            _add_array(digest, part)
        elif isinstance(part, str):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(b"s%d:%b" % (len(data), data))
        elif isinstance(part, bytes):
            digest.update(b"b%d:%b" % (len(part), part))
        else:
            raise InputError(f"a fingerprint takes text, bytes and arrays, not a {type(part).__name__}")
    return digest.hexdigest()


def _add_array(digest: Any, array: NDArray[Any]) -> None:
    """Update a digest with an array."""
    if array.dtype.kind not in "biufcUS":
        raise InputError(f"a fingerprint takes arrays of numbers or text, not of {array.dtype}")
    little = np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")
    digest.update(f"a{little.dtype.str}{little.shape}:".encode())
    digest.update(little.reshape(-1).view(np.uint8))
