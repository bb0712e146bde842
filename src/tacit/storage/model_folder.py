"""Read and write a model folder; renaming config.json is the commit point."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tacit.errors import ModelError
from tacit.storage import config as configs
from tacit.storage import content_formats
from tacit.storage.config import open_config
from tacit.storage.durable_files import (
    CARD_FILE,
    CONFIG_FILE,
    content_name,
    damaged_error,
    digest_chunks,
    fsync_folder,
    open_regular_file,
    unreadable_error,
    write_chunks,
)
from tacit.storage.folder_lock import lock_for_writing, unwritable_error
from tacit.storage.stored_model import ArrayFile, StoredModel, all_finite

MAX_ATTEMPTS = 100
"""How often to begin again when the model was replaced underneath."""


def read_model(folder: str | os.PathLike[str], *, verify: bool = False) -> StoredModel:
    """Read the model in ``folder``; raise ModelError for what is not as it was written.

    Checked are the format, the config's checksum, the sizes of the files, types, shapes and places of the
    arrays, and the table of words. The arrays are read-only views of the mapped file: their bytes are read
    when used. With ``verify`` all are read, the SHA-256 of each file is
    checked, and that all numbers are finite. ``README.md`` is for people and may be edited.

    >>> read_model("no/such/model")
    Traceback (most recent call last):
    tacit.errors.ModelError: no model at no/such/model: check the path, or train one and save it there
    """
    for _ in range(MAX_ATTEMPTS):
        with open_config(folder) as (config, is_replaced):
            try:
                return _read_contents(Path(folder), config, verify)
            except ModelError:
                if not is_replaced():
                    raise
    raise ModelError(f"the model at {folder} is being replaced again and again: try later")


def _read_contents(folder: Path, config: dict[str, Any], verify: bool) -> StoredModel:
    arrays = map_array_file(folder, config["files"]["arrays"], config["tensors"], verify)
    rows = _read_vocabulary(folder, config, verify)
    parts = {
        name: ArrayFile(map_array_file(folder, entry, entry["tensors"], verify), entry)
        for name, entry in config["parts"].items()
    }
    kept = (config["parameters"], config["training"], arrays, rows, config["tacit"], parts)
    return StoredModel(config["class"], *kept)


def map_array_file(
    folder: Path, promised: dict[str, Any], described: dict[str, Any], verify: bool = False
) -> dict[str, NDArray[Any]]:
    """Map the arrays of a content file, which must be what the config promises and describes."""
    where = folder / promised["name"]
    with open_regular_file(where) as file:
        _check_size_and_digest(file, where, promised, verify)
        arrays = content_formats.map_arrays(file, where)
    if content_formats.describe_arrays(arrays) != described:
        raise damaged_error(where, f"its types and shapes are not those in {CONFIG_FILE}")
    for name, array in arrays.items():
        if verify and not all_finite(array):
            raise damaged_error(where, f"array {name!r} holds NaN or infinity")
    return arrays


def _read_vocabulary(folder: Path, config: dict[str, Any], verify: bool) -> list[tuple[str, ...]]:
    promised = config["files"]["vocabulary"]
    where = folder / promised["name"]
    with open_regular_file(where) as file:
        _check_size_and_digest(file, where, promised, verify)
        try:
            file.seek(0)
            content = file.read()
        except OSError as fault:
            raise unreadable_error(where, fault) from fault
    rows = content_formats.decode_table(content, where)
    if content_formats.describe_table(rows) != config["vocabulary"]:
        raise damaged_error(where, f"its rows and fields are not as many as {CONFIG_FILE} says")
    return rows


def _check_size_and_digest(file: BufferedReader, where: Path, promised: dict[str, Any], verify: bool) -> None:
    size = os.fstat(file.fileno()).st_size
    if size != promised["size"]:
        raise damaged_error(where, f"it has {size} bytes instead of {promised['size']}")
    if not verify:
        return
    try:
        digest = file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise unreadable_error(where, fault) from fault
    if digest != promised["sha256"]:
        raise damaged_error(where, "its SHA-256 is not the one it was written with")


_log = logging.getLogger(__name__)

Chunks = Sequence[bytes | memoryview]


def write_model(folder: str | os.PathLike[str], stored: StoredModel, card: str) -> None:
    """Write ``stored``, and ``card`` as its README.md, to ``folder``, replacing the model there, if any.

    Whoever has the old model open keeps it. Waits for another writer of the folder; see `writing`. Raises
    InputError if the target is something else than a model, the disk is full, or the model cannot be stored;
    the old model is then as it was. Files of others in the folder are left alone.

    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> from tacit.storage import read_model
    >>> model = StoredModel("WTMF", arrays={"P": np.eye(2)}, vocabulary=[("bank", "7"), ("river", "2")])
    >>> with TemporaryDirectory() as folder:
    ...     write_model(Path(folder, "faq"), model, card="# Frequent questions")
    ...     read_model(Path(folder, "faq")).vocabulary
    [('bank', '7'), ('river', '2')]
    """
    # errors in the contents are raised before anything is written
    content: dict[str, Chunks] = {
        "arrays": content_formats.encode_arrays(stored.arrays),
        "vocabulary": [content_formats.encode_table(stored.vocabulary)],
    }
    files = {role: _file_entry(role, chunks) for role, chunks in content.items()}
    config = configs.encode_config(_build_config(stored, files, {}))
    with lock_for_writing(folder) as target:
        try:
            for role, chunks in content.items():
                write_chunks(target / files[role]["name"], *chunks)
            if stored.parts:
                parts = {name: _reuse_or_write(target, part) for name, part in stored.parts.items()}
                config = configs.encode_config(_build_config(stored, files, parts))
            fsync_folder(target)
            write_chunks(target / CONFIG_FILE, config)
            fsync_folder(target)
        except OSError as fault:
            raise unwritable_error(target, fault) from fault
        _write_card(target, card)


def _file_entry(role: str, chunks: Chunks) -> dict[str, Any]:
    digest = digest_chunks(chunks)
    return {"name": content_name(role, digest), "size": sum(map(len, chunks)), "sha256": digest}


def write_array_file(folder: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]]) -> ArrayFile:
    """Write arrays to a content file of their own, and give them as they are mapped from there.

    Inside `writing`, and before it ends `write_model` must name the part, or it is swept.

    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, lock_for_writing(folder) as target:
    ...     part = write_array_file(target, {"rows": np.arange(3)})
    ...     write_model(folder, StoredModel("Index", parts={"first": part}), card="")
    >>> part.arrays["rows"], part.entry["size"]
    (array([0, 1, 2]), 96)
    """
    with lock_for_writing(folder) as target:
        try:
            entry = _write_arrays(target, arrays)
        except OSError as fault:
            raise unwritable_error(target, fault) from fault
    return ArrayFile(map_array_file(target, entry, entry["tensors"]), entry)


def _reuse_or_write(target: Path, part: ArrayFile) -> dict[str, Any]:
    """Return the entry of a part, whose file is written unless it is there."""
    if part.entry is not None:
        path = target / part.entry["name"]
        if path.is_file() and path.stat().st_size == part.entry["size"]:
            return part.entry
    return _write_arrays(target, part.arrays)


def _write_arrays(target: Path, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    chunks = content_formats.encode_arrays(arrays)
    entry = _file_entry("part", chunks)
    write_chunks(target / entry["name"], *chunks)
    return entry | {"tensors": content_formats.describe_arrays(arrays)}


def _build_config(stored: StoredModel, files: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": configs.FORMAT,
        "class": stored.kind,
        "tacit": stored.version,
        "parameters": configs.to_json_value(stored.parameters, "parameters"),
        "training": configs.to_json_value(stored.training, "training"),
        "files": files,
        "tensors": content_formats.describe_arrays(stored.arrays),
        "vocabulary": content_formats.describe_table(stored.vocabulary),
        "parts": parts,
    }


def _write_card(target: Path, card: str) -> None:
    try:
        write_chunks(target / CARD_FILE, card.encode("utf-8", "backslashreplace"))
    except OSError as fault:  # the model is there, and nothing reads its card but people
        _log.warning("%s could not be written: %s", target / CARD_FILE, fault.strerror)
