"""Writes a model folder: all of it, durably, or nothing.

Content goes first, under names no other content has, and is flushed to the disk; then one rename puts the new
``config.json`` in the place of the old one. That is the only moment that counts: a crash before it leaves the
old model, one after it the new model, on every system.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tacit.storage import config as configs
from tacit.storage import tensors, vocabulary
from tacit.storage.files import CARD, CONFIG, content_name, digest_chunks, put, sync_folder
from tacit.storage.lock import writing
from tacit.storage.read import mapped_arrays
from tacit.storage.stored_model import Part, Stored
from tacit.storage.target import unwritable

_log = logging.getLogger(__name__)

Chunks = Sequence[bytes | memoryview]


def write_model(folder: str | os.PathLike[str], stored: Stored, card: str) -> None:
    """Write ``stored``, and ``card`` as its README.md, to ``folder``, replacing the model there, if any.

    Whoever has the old model open keeps it. Waits for another writer of the folder; see `writing`. Raises
    InputError if the target is something else than a model, the disk is full, or the model cannot be stored;
    the old model is then as it was. Files of others in the folder are left alone.

    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> from tacit.storage import read_model
    >>> model = Stored("WTMF", arrays={"P": np.eye(2)}, vocabulary=[("bank", "7"), ("river", "2")])
    >>> with TemporaryDirectory() as folder:
    ...     write_model(Path(folder, "faq"), model, card="# Frequent questions")
    ...     read_model(Path(folder, "faq")).vocabulary
    [('bank', '7'), ('river', '2')]
    """
    # errors in the contents are raised before anything is written
    content: dict[str, Chunks] = {
        "arrays": tensors.encode(stored.arrays),
        "vocabulary": [vocabulary.encode(stored.vocabulary)],
    }
    files = {role: _file_entry(role, chunks) for role, chunks in content.items()}
    config = configs.render(_config(stored, files, {}))
    with writing(folder) as target:
        try:
            for role, chunks in content.items():
                put(target / files[role]["name"], *chunks)
            if stored.parts:
                parts = {name: _reuse_or_write(target, part) for name, part in stored.parts.items()}
                config = configs.render(_config(stored, files, parts))
            sync_folder(target)
            put(target / CONFIG, config)
            sync_folder(target)
        except OSError as fault:
            raise unwritable(target, fault) from fault
        _put_card(target, card)


def _file_entry(role: str, chunks: Chunks) -> dict[str, Any]:
    digest = digest_chunks(chunks)
    return {"name": content_name(role, digest), "size": sum(map(len, chunks)), "sha256": digest}


def put_part(folder: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]]) -> Part:
    """Write arrays to a content file of their own, and give them as they are mapped from there.

    Inside `writing`, and before it ends `write_model` must name the part, or it is swept.

    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, writing(folder) as target:
    ...     part = put_part(target, {"rows": np.arange(3)})
    ...     write_model(folder, Stored("Index", parts={"first": part}), card="")
    >>> part.arrays["rows"], part.entry["size"]
    (array([0, 1, 2]), 96)
    """
    with writing(folder) as target:
        try:
            entry = _write_arrays(target, arrays)
        except OSError as fault:
            raise unwritable(target, fault) from fault
    return Part(mapped_arrays(target, entry, entry["tensors"]), entry)


def _reuse_or_write(target: Path, part: Part) -> dict[str, Any]:
    """Return the entry of a part, whose file is written unless it is there."""
    if part.entry is not None:
        path = target / part.entry["name"]
        if path.is_file() and path.stat().st_size == part.entry["size"]:
            return part.entry
    return _write_arrays(target, part.arrays)


def _write_arrays(target: Path, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    chunks = tensors.encode(arrays)
    entry = _file_entry("part", chunks)
    put(target / entry["name"], *chunks)
    return entry | {"tensors": tensors.describe(arrays)}


def _config(stored: Stored, files: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": configs.FORMAT,
        "class": stored.kind,
        "tacit": stored.version,
        "parameters": configs.plain(stored.parameters, "parameters"),
        "training": configs.plain(stored.training, "training"),
        "files": files,
        "tensors": tensors.describe(stored.arrays),
        "vocabulary": vocabulary.describe(stored.vocabulary),
        "parts": parts,
    }


def _put_card(target: Path, card: str) -> None:
    try:
        put(target / CARD, card.encode("utf-8", "backslashreplace"))
    except OSError as fault:  # the model is there, and nothing reads its card but people
        _log.warning("%s could not be written: %s", target / CARD, fault.strerror)
