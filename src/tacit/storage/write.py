"""Writes a model folder: all of it, durably, or nothing."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from tacit.errors import InputError
from tacit.storage import config as configs
from tacit.storage import tensors, vocabulary
from tacit.storage.layout import CARD, CONFIG, FORMAT, TENSORS, WORDS, Stored
from tacit.storage.replace import place, sync_folder
from tacit.storage.siblings import discard, new_token, sibling, sweep
from tacit.storage.target import check_target, nearest_existing, unwritable


def write_model(folder: str | os.PathLike[str], stored: Stored, card: str) -> None:
    """Write ``stored``, and ``card`` as its README.md, to ``folder``, replacing the model there, if any.

    The model grows in a hidden folder next to ``folder``, is flushed to the disk, and only then takes the
    name: after a crash the folder holds the old model or the new one, whole. Raises InputError, with nothing
    changed, if the target is something else than a model, the disk is full, or the model cannot be stored.

    >>> import numpy as np
    >>> from tempfile import TemporaryDirectory
    >>> from tacit.storage import read_model
    >>> model = Stored("WTMF", arrays={"P": np.eye(2)}, vocabulary=[("bank", "7"), ("river", "2")])
    >>> with TemporaryDirectory() as folder:
    ...     write_model(Path(folder, "faq"), model, card="# Frequent questions")
    ...     read_model(Path(folder, "faq")).vocabulary
    [('bank', '7'), ('river', '2')]
    """
    files = _files(stored, card)  # what is wrong with the model shows before the disk is touched
    target = check_target(folder)
    try:
        _install(files, target)
        sweep(target)
    except OSError as fault:
        raise unwritable(target, fault) from fault


def _files(stored: Stored, card: str) -> dict[str, bytes]:
    data = {TENSORS: tensors.encode(stored.arrays), WORDS: vocabulary.encode(stored.vocabulary)}
    config = configs.render(_config(stored, data))
    if len(config) > configs.LIMIT:
        raise InputError(f"the config has {len(config)} bytes, more than {configs.LIMIT}: store less in it")
    return {CONFIG: config, **data, CARD: card.encode("utf-8", "backslashreplace")}


def _config(stored: Stored, data: dict[str, bytes]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "class": stored.kind,
        "tacit": stored.version,
        "parameters": configs.plain(stored.parameters, "parameters"),
        "training": configs.plain(stored.training, "training"),
        "files": {
            name: {"size": len(content), "sha256": sha256(content).hexdigest()}
            for name, content in data.items()
        },
        "tensors": tensors.describe(stored.arrays),
        "vocabulary": vocabulary.describe(stored.vocabulary),
    }


def _install(files: dict[str, bytes], target: Path) -> None:
    token = new_token()
    new = sibling(target, "tmp", token)
    known = nearest_existing(target.parent)
    try:
        os.makedirs(target.parent, exist_ok=True)
        os.mkdir(new)
        for name, content in files.items():
            _put(new / name, content)
        sync_folder(new)
        place(new, target, aside=sibling(target, "old", token))
        _sync_parents(target, known)
    finally:
        discard(new)  # unfinished, or what was replaced


def _put(path: Path, content: bytes) -> None:
    with open(path, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_parents(target: Path, known: Path) -> None:
    for parent in target.parents:
        sync_folder(parent)
        if parent == known:
            return
