"""Reads a model folder, checks it, and runs nothing from it.

Readers need no lock. A config is whole at any moment, and names its content by digest, so that what it names
is never overwritten, only removed after another config has taken its place; then the read begins again. That
other may have the same bytes, of a model that was put back: what tells is the file, not what is in it.
"""

from __future__ import annotations

import os
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tacit.errors import ModelError
from tacit.storage import tensors, vocabulary
from tacit.storage.config import held_config
from tacit.storage.files import CONFIG, damaged, open_file, unreadable
from tacit.storage.stored_model import Part, Stored, all_finite

ATTEMPTS = 100
"""How often to begin again when the model was replaced underneath."""


def read_model(folder: str | os.PathLike[str], *, verify: bool = False) -> Stored:
    """Read the model in ``folder``; raise ModelError for what is not as it was written.

    Checked are the format, the config's checksum, the sizes of the files, types, shapes and places of the
    arrays, and the table of words. The arrays are read-only views of the mapped file: their bytes are read
    when used. With ``verify`` all are read, the SHA-256 of each file is
    checked, and that all numbers are finite. ``README.md`` is for people and may be edited.

    >>> read_model("no/such/model")
    Traceback (most recent call last):
    tacit.errors.ModelError: no model at no/such/model: check the path, or train one and save it there
    """
    for _ in range(ATTEMPTS):
        with held_config(folder) as (config, is_replaced):
            try:
                return _read(Path(folder), config, verify)
            except ModelError:
                if not is_replaced():
                    raise
    raise ModelError(f"the model at {folder} is being replaced again and again: try later")


def _read(folder: Path, config: dict[str, Any], verify: bool) -> Stored:
    arrays = mapped_arrays(folder, config["files"]["arrays"], config["tensors"], verify)
    rows = _rows(folder, config, verify)
    parts = {
        name: Part(mapped_arrays(folder, entry, entry["tensors"], verify), entry)
        for name, entry in config["parts"].items()
    }
    kept = (config["parameters"], config["training"], arrays, rows, config["tacit"], parts)
    return Stored(config["class"], *kept)


def mapped_arrays(
    folder: Path, promised: dict[str, Any], described: dict[str, Any], verify: bool = False
) -> dict[str, NDArray[Any]]:
    """Map the arrays of a content file, which must be what the config promises and describes."""
    where = folder / promised["name"]
    with open_file(where) as file:
        _check_bytes(file, where, promised, verify)
        arrays = tensors.map_arrays(file, where)
    if tensors.describe(arrays) != described:
        raise damaged(where, f"its types and shapes are not those in {CONFIG}")
    for name, array in arrays.items():
        if verify and not all_finite(array):
            raise damaged(where, f"array {name!r} holds NaN or infinity")
    return arrays


def _rows(folder: Path, config: dict[str, Any], verify: bool) -> list[tuple[str, ...]]:
    promised = config["files"]["vocabulary"]
    where = folder / promised["name"]
    with open_file(where) as file:
        _check_bytes(file, where, promised, verify)
        try:
            file.seek(0)
            content = file.read()
        except OSError as fault:
            raise unreadable(where, fault) from fault
    rows = vocabulary.decode(content, where)
    if vocabulary.describe(rows) != config["vocabulary"]:
        raise damaged(where, f"its rows and fields are not as many as {CONFIG} says")
    return rows


def _check_bytes(file: BufferedReader, where: Path, promised: dict[str, Any], verify: bool) -> None:
    size = os.fstat(file.fileno()).st_size
    if size != promised["size"]:
        raise damaged(where, f"it has {size} bytes instead of {promised['size']}")
    if not verify:
        return
    try:
        digest = file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise unreadable(where, fault) from fault
    if digest != promised["sha256"]:
        raise damaged(where, "its SHA-256 is not the one it was written with")
