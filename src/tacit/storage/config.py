"""``config.json``: written from plain values, sealed by a checksum, and parsed with suspicion.

The last entry of the file, ``checksum``, is the SHA-256 of every byte before it, and nothing but the closing
brace may follow: any changed byte shows. The file is not meant to be edited by hand.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import InputError, ModelError
from tacit.storage.layout import FORMAT, damaged

LIMIT = 64 * 2**20
"""No config is larger than this many bytes."""

SHAPE: dict[str, type] = {
    "class": str,
    "tacit": str,
    "parameters": dict,
    "training": dict,
    "files": dict,
    "tensors": dict,
    "vocabulary": dict,
}
"""The keys of a config beside ``format``, and what each one is."""

_MARK = b',\n  "checksum": "'


def render(config: Mapping[str, Any]) -> bytes:
    """Give the bytes of a sealed config.

    >>> print(render({"format": 1, "class": "WTMF"}).decode())
    {
      "format": 1,
      "class": "WTMF",
      "checksum": "..."
    }
    """
    # ASCII only: even a file name that is not Unicode (a lone surrogate) survives the round trip
    body = json.dumps(config, indent=2, allow_nan=False).removesuffix("\n}")
    return _seal(body.encode("ascii"))


def parse(raw: bytes, where: Path) -> dict[str, Any]:
    """Check and parse the bytes of a config; ``where`` is the file's path, for the messages.

    >>> parse(b"[]", Path("m", "config.json"))
    Traceback (most recent call last):
    tacit.errors.ModelError: m/config.json is damaged: not a JSON object; copy the model again, ...
    """
    config = parse_object(raw)
    if config is None:
        raise damaged(where, "not a JSON object")
    _check_format(config.get("format"), where)
    # only now: a newer format may be sealed in another way
    if _seal(raw.rpartition(_MARK)[0]) != raw:
        raise damaged(where, "its checksum does not match")
    for key, kind in SHAPE.items():
        if not isinstance(config.get(key), kind):
            raise damaged(where, f"{key!r} is missing or not a {kind.__name__}")
    return config


def parse_object(raw: bytes) -> dict[str, Any] | None:
    """Parse a JSON object, or give None for anything else (never an exception, however odd the bytes).

    >>> parse_object(b'{"format": 1}'), parse_object(b"[1]"), parse_object(b"{"), parse_object(b"[" * 10**6)
    ({'format': 1}, None, None, None)
    """
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def plain(value: object, where: str) -> Any:
    """Give ``value`` with numpy scalars and arrays as Python's own, or say which part JSON cannot hold.

    >>> plain({"loss": (np.float32(0.5), 2)}, "training")
    {'loss': [0.5, 2]}
    >>> plain({"loss": [1.0, float("nan")]}, "training")
    Traceback (most recent call last):
    tacit.errors.InputError: training.loss[1] is nan: a model's config holds finite numbers only
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _finite(value, where)
    if isinstance(value, list | tuple):
        return [plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {_key(key, where): plain(item, f"{where}.{key}") for key, item in value.items()}
    raise InputError(f"{where} is a {type(value).__name__}: a model's config holds numbers, text and lists")


def _seal(head: bytes) -> bytes:
    return head + _MARK + sha256(head).hexdigest().encode() + b'"\n}\n'


def _check_format(number: object, where: Path) -> None:
    if type(number) is not int or number < 1:
        raise damaged(where, f"its format is {number!r}, not a whole number from 1")
    if number > FORMAT:
        raise ModelError(
            f"{where.parent} was written by a newer tacit "
            f"(format {number}, this one reads up to {FORMAT}): upgrade tacit"
        )


def _finite(value: float, where: str) -> float:
    if not math.isfinite(value):
        raise InputError(f"{where} is {value}: a model's config holds finite numbers only")
    return value


def _key(key: object, where: str) -> str:
    if not isinstance(key, str):
        raise InputError(f"{where} has the key {key!r}: keys must be text")
    return key


def _refuse(constant: str) -> None:
    raise ValueError(constant)
