"""Read and write a model folder; renaming config.json is the commit point.

A writer stores content files under names that no other content has, flushes them to the disk, and then
replaces ``config.json`` with one rename. A crash before the rename leaves the old model, one after it the new
model, on every system.

Readers need no lock. A config is complete at any time and names its content by digest, so that content is
never overwritten, only removed after another config has replaced the one that names it; the read then starts
again. Configs are compared as files, not by content, because a model can be replaced by a copy of itself.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path
from typing import Any

from tacit.errors import ModelError
from tacit.storage import config as configs
from tacit.storage import content_formats
from tacit.storage.durable_files import (
    CARD_FILE,
    CONFIG_FILE,
    content_name,
    damaged_error,
    digest_chunks,
    fsync_folder,
    open_regular_file,
    reraise_read_errors,
    resolve_folder,
    write_chunks,
)
from tacit.storage.folder_lock import check_lock, lock_for_writing, reraise_write_errors
from tacit.storage.stored_model import ArrayFile, StoredModel, all_finite
from tacit.types import Array

MAX_ATTEMPTS = 100
"""Number of reads to try while another process keeps replacing the model."""

_log = logging.getLogger(__name__)

Chunks = Sequence[bytes | memoryview]


def read_model(folder: str | os.PathLike[str], *, verify: bool = False) -> StoredModel:
    """Read and check the model in ``folder``; ModelError if it is damaged.

    Checks the format, the checksum of the config, the sizes of the files, types, shapes and offsets of the
    arrays, and the vocabulary table. The arrays are read-only views of the mapped file: their bytes are read
    on use. With ``verify``, all bytes are read, and the SHA-256 of each file and that all numbers are finite
    are checked. ``README.md`` is not checked.

    >>> read_model("no/such/model")
    Traceback (most recent call last):
    tacit.errors.ModelError: no model at no/such/model: no such file or folder; check the path, or ...
    """
    for _ in range(MAX_ATTEMPTS):
        with configs.open_config(folder) as (config, is_replaced):
            try:
                return _read_contents(Path(folder), config, verify)
            except ModelError:
                if not is_replaced():
                    raise
    raise ModelError(f"the model at {folder} keeps being replaced: try again later")


def _read_contents(folder: Path, config: dict[str, Any], verify: bool) -> StoredModel:
    """Read the content files that a config names."""
    arrays = map_array_file(folder, config["files"]["arrays"], config["tensors"], verify)
    vocabulary = _read_vocabulary(folder, config, verify)
    parts = {
        name: ArrayFile(map_array_file(folder, entry, entry["tensors"], verify), entry)
        for name, entry in config["parts"].items()
    }
    contents = (config["parameters"], config["training"], arrays, vocabulary, config["tacit"], parts)
    return StoredModel(config["class"], *contents, resolve_folder(folder), config["checksum"])


def map_array_file(
    folder: Path, entry: dict[str, Any], expected: dict[str, Any], verify: bool = False
) -> dict[str, Array]:
    """Map the arrays of a content file; ModelError unless it matches its entry and ``expected`` shapes."""
    path = folder / entry["name"]
    with open_regular_file(path) as file:
        _check_size_and_digest(file, path, entry, verify)
        arrays = content_formats.map_arrays(file, path)
    if content_formats.describe_arrays(arrays) != expected:
        raise damaged_error(path, f"its types and shapes are not those in {CONFIG_FILE}")
    for name, array in arrays.items():
        if verify and not all_finite(array):
            raise damaged_error(path, f"array {name!r} holds NaN or infinity")
    return arrays


def _read_vocabulary(folder: Path, config: dict[str, Any], verify: bool) -> list[tuple[str, ...]]:
    """Read the vocabulary table; ModelError unless it matches the config."""
    entry = config["files"]["vocabulary"]
    path = folder / entry["name"]
    with open_regular_file(path) as file:
        _check_size_and_digest(file, path, entry, verify)
        with reraise_read_errors(path):
            file.seek(0)
            content = file.read()
    rows = content_formats.decode_table(content, path)
    if content_formats.describe_table(rows) != config["vocabulary"]:
        raise damaged_error(path, f"its number of rows or fields differs from that in {CONFIG_FILE}")
    return rows


def _check_size_and_digest(file: BufferedReader, path: Path, entry: dict[str, Any], verify: bool) -> None:
    """Raise ModelError if the size of a file, or with ``verify`` its digest, is not that of its entry."""
    size = os.fstat(file.fileno()).st_size
    if size != entry["size"]:
        raise damaged_error(path, f"it has {size} bytes instead of {entry['size']}")
    with reraise_read_errors(path):
        if verify and file_digest(file, "sha256").hexdigest() != entry["sha256"]:
            raise damaged_error(path, "its SHA-256 is not the one it was written with")


def write_model(folder: str | os.PathLike[str], stored: StoredModel, card: str) -> None:
    """Write a model and its card (README.md) to ``folder``, replacing the model there, if any.

    Readers of the old model keep it. Waits for another writer of the folder, see `lock_for_writing`. If the
    target is not a model, the disk is full, or the model cannot be stored, InputError is raised and the old
    model does not change. Other files in the folder are not touched.

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
    with lock_for_writing(folder) as target, reraise_write_errors(target):
        for role, chunks in content.items():
            write_chunks(target / files[role]["name"], *chunks)
        if stored.parts:
            parts = {name: _reuse_or_write(target, part) for name, part in stored.parts.items()}
            config = configs.encode_config(_build_config(stored, files, parts))
        fsync_folder(target)
        check_lock(target)
        write_chunks(target / CONFIG_FILE, config)
        fsync_folder(target)
        _write_card(target, card)


def _file_entry(role: str, chunks: Chunks) -> dict[str, Any]:
    """Return the entry of a content file in the config."""
    digest = digest_chunks(chunks)
    return {"name": content_name(role, digest), "size": sum(map(len, chunks)), "sha256": digest}


def write_array_file(folder: str | os.PathLike[str], arrays: Mapping[str, Array]) -> ArrayFile:
    """Write arrays to a content file and return them as mapped from there.

    Call it inside `lock_for_writing`, and `write_model` with the result before the lock is released, which
    removes unreferenced files.

    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, lock_for_writing(folder) as target:
    ...     part = write_array_file(target, {"rows": np.arange(3)})
    ...     write_model(folder, StoredModel("Index", parts={"first": part}), card="")
    >>> part.arrays["rows"], part.entry["size"]
    (array([0, 1, 2]), 96)
    """
    with lock_for_writing(folder) as target, reraise_write_errors(target):
        entry = _write_arrays(target, arrays)
    return ArrayFile(map_array_file(target, entry, entry["tensors"]), entry)


def _reuse_or_write(target: Path, part: ArrayFile) -> dict[str, Any]:
    """Return the entry of an array file, which is written unless it is in the folder already."""
    if part.entry is not None:
        path = target / part.entry["name"]
        if path.is_file() and path.stat().st_size == part.entry["size"]:
            return part.entry
    return _write_arrays(target, part.arrays)


def _write_arrays(target: Path, arrays: Mapping[str, Array]) -> dict[str, Any]:
    """Write an array file and return its entry."""
    chunks = content_formats.encode_arrays(arrays)
    entry = _file_entry("part", chunks)
    write_chunks(target / entry["name"], *chunks)
    return entry | {"tensors": content_formats.describe_arrays(arrays)}


def _build_config(stored: StoredModel, files: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Return the config of a model; InputError for values that JSON cannot hold."""
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
    """Write the card; an error is only logged, because the model is complete without it."""
    try:
        write_chunks(target / CARD_FILE, card.encode("utf-8", "backslashreplace"))
    except OSError as error:
        _log.warning("%s could not be written: %s", target / CARD_FILE, error.strerror)
