"""Encode, verify and parse config.json.

The last entry of the file, ``checksum``, is the SHA-256 of all bytes before it, and only the closing brace
may follow, so that any changed byte is detected. The file is not meant to be edited by hand.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import InputError, ModelError
from tacit.storage.durable_files import (
    CONFIG_FILE,
    CONTENT_FILES,
    content_name,
    damaged_error,
    open_regular_file,
    reraise_read_errors,
)

FORMAT = 3
"""The version of the format; no other version is read."""

MAX_CONFIG_BYTES = 16 * 2**20
"""Maximum size of a config; it can list 100,000 arrays of about 120 bytes each."""

FIELD_TYPES: dict[str, type] = {"class": str, "tacit": str} | dict.fromkeys(
    ("parameters", "training", "files", "tensors", "vocabulary", "parts"), dict
)
"""The keys of a config other than ``format``, and the type of each value."""

_SHA256 = re.compile("[0-9a-f]{64}")
_CHECKSUM_FIELD = b',\n  "checksum": "'


def encode_config(config: Mapping[str, Any]) -> bytes:
    """Return the bytes of a config with its checksum.

    >>> print(encode_config({"format": 3, "class": "WTMF"}).decode())
    {
      "format": 3,
      "class": "WTMF",
      "checksum": "..."
    }
    """
    # ASCII only, so that a file name that is not Unicode (a lone surrogate) can be stored
    body = json.dumps(config, indent=2, allow_nan=False).removesuffix("\n}")
    encoded = _append_checksum(body.encode("ascii"))
    if len(encoded) > MAX_CONFIG_BYTES:
        raise InputError(f"the config has {len(encoded)} bytes, more than {MAX_CONFIG_BYTES}: store less")
    return encoded


def read_config(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """Read and check ``config.json`` without reading the contents of the model.

    >>> from tempfile import TemporaryDirectory
    >>> from tacit.storage import StoredModel, write_model
    >>> with TemporaryDirectory() as folder:
    ...     write_model(folder, StoredModel("WTMF", parameters={"n_components": 100}), card="")
    ...     config = read_config(folder)
    >>> config["class"], config["format"], config["parameters"]
    ('WTMF', 3, {'n_components': 100})
    """
    with open_config(folder) as (config, _):
        return config


def read_checksum(folder: str | os.PathLike[str]) -> str | None:
    """Return the checksum of a model's config, which identifies its contents; None if it cannot be read.

    >>> print(read_checksum("no/such/model"))
    None
    """
    try:
        return str(read_config(folder)["checksum"])
    except ModelError:
        return None


@contextmanager
def open_config(folder: str | os.PathLike[str]) -> Iterator[tuple[dict[str, Any], Callable[[], bool]]]:
    """Yield the config and a function that returns whether another file has replaced it since.

    The file stays open, so that its inode number is not reused. On Windows it is closed: an open file cannot
    be replaced there, and file numbers are not reused.
    """
    where = Path(folder, CONFIG_FILE)
    with open_regular_file(where) as file:
        identity = os.fstat(file.fileno())
        with reraise_read_errors(where):
            raw = file.read(MAX_CONFIG_BYTES + 1)
        if len(raw) > MAX_CONFIG_BYTES:
            raise damaged_error(where, f"larger than {MAX_CONFIG_BYTES} bytes")
        config = decode_config(raw, where)
        if os.name == "nt":
            file.close()
        yield config, lambda: _is_replaced(where, identity)


def _is_replaced(where: Path, identity: os.stat_result) -> bool:
    """Return whether a path is missing, or another file than ``identity``."""
    try:
        return not os.path.samestat(os.stat(where), identity)
    except OSError:  # missing: reading it again raises the error
        return True


def decode_config(raw: bytes, where: Path) -> dict[str, Any]:
    """Check and parse the bytes of a config; ``where`` is the path of the file, for messages.

    >>> decode_config(b"[]", Path("m", "config.json"))
    Traceback (most recent call last):
    tacit.errors.ModelError: m/config.json is damaged: not a JSON object; copy the model again, ...
    """
    config = parse_json_object(raw)
    if config is None:
        raise damaged_error(where, "not a JSON object")
    _check_format(config.get("format"), where)
    # after the format, because a newer one may have another checksum
    if _append_checksum(raw.rpartition(_CHECKSUM_FIELD)[0]) != raw:
        raise damaged_error(where, "its checksum does not match")
    for key, kind in FIELD_TYPES.items():
        if not isinstance(config.get(key), kind):
            raise damaged_error(where, f"{key!r} is missing or not a {kind.__name__}")
    for role in CONTENT_FILES:
        _check_file_entry(role, config["files"].get(role), where)
    for name, entry in config["parts"].items():
        _check_file_entry(name, entry, where)
        if not isinstance(entry.get("tensors"), dict):
            raise damaged_error(where, f"it does not list the arrays of its {name}")
    return config


def content_entries(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the entries of all content files: name, size and digest."""
    return [*config["files"].values(), *config["parts"].values()]


def parse_json_object(raw: bytes) -> dict[str, Any] | None:
    """Parse a JSON object; return None for anything else, without an exception.

    >>> [parse_json_object(raw) for raw in (b'{"format": 1}', b"[1]", b"{", b"[" * 10**6)]
    [{'format': 1}, None, None, None]
    """
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=_parse_finite, parse_float=_parse_finite)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def to_json_value(value: object, where: str) -> Any:
    """Convert numpy scalars and arrays to Python values; InputError for values that JSON cannot hold.

    >>> to_json_value({"loss": (np.float32(0.5), 2)}, "training")
    {'loss': [0.5, 2]}
    >>> to_json_value({"loss": [1.0, float("nan")]}, "training")
    Traceback (most recent call last):
    tacit.errors.InputError: training.loss[1] is nan: a model's config holds finite numbers only
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise InputError(f"{where} is {value}: a model's config holds finite numbers only")
    if isinstance(value, list | tuple):
        return [to_json_value(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InputError(f"{where} has the key {key!r}: keys must be text")
        return {key: to_json_value(item, f"{where}.{key}") for key, item in value.items()}
    raise InputError(f"{where} is a {type(value).__name__}: a model's config holds numbers, text and lists")


def _append_checksum(head: bytes) -> bytes:
    """Return a config with its checksum, from the bytes before the checksum."""
    return head + _CHECKSUM_FIELD + sha256(head).hexdigest().encode() + b'"\n}\n'


def _check_format(number: object, where: Path) -> None:
    """Raise ModelError for any other format than the present one."""
    if type(number) is not int or number < 1:
        raise damaged_error(where, f"its format is {number!r}, not an integer of at least 1")
    if number != FORMAT:
        remedy = "upgrade tacit" if number > FORMAT else "train it again, or use the tacit that wrote it"
        raise ModelError(f"{where.parent} has format {number}, and this tacit reads {FORMAT}: {remedy}")


def _check_file_entry(role: str, entry: object, where: Path) -> None:
    """Raise ModelError unless the entry of a content file has a size, and the name for its digest."""
    fields = entry if isinstance(entry, dict) else {}
    digest = str(fields.get("sha256"))
    # such a name cannot be a path outside the folder
    is_named = _SHA256.fullmatch(digest) and fields.get("name") == content_name(role, digest)
    if not is_named or type(fields.get("size")) is not int:
        raise damaged_error(where, f"the entry of its {role} has no valid name, digest and size")


def _parse_finite(number: str) -> float:
    """Return a float; ValueError for NaN, infinity and numbers that are too large, such as 1e999."""
    if not math.isfinite(value := float(number)):
        raise ValueError(number)
    return value
