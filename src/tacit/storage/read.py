"""Reads a model folder, checks everything in it, and runs nothing from it."""

from __future__ import annotations

import os
from hashlib import file_digest
from io import BufferedReader
from typing import Any

from numpy.typing import NDArray

from tacit.errors import ModelError
from tacit.storage import config as configs
from tacit.storage import tensors, vocabulary
from tacit.storage.layout import CONFIG, TENSORS, WORDS, Stored, damaged
from tacit.storage.opened import OpenFolder, read_settled


def read_model(folder: str | os.PathLike[str], expect: str | None = None) -> Stored:
    """Read the model in ``folder``; raise ModelError for anything that is not as it was written.

    Checked are the format, the class if ``expect`` names one, sizes and SHA-256 of the files, types and
    shapes of the arrays, that all numbers are finite, and the table of words. The arrays are read-only views
    of the mapped file. ``README.md`` is for people and may be edited: it is not checked.

    >>> read_model("no/such/model")
    Traceback (most recent call last):
    tacit.errors.ModelError: no model at no/such/model: check the path, or train one and save it there
    """
    return read_settled(folder, lambda opened: _read(opened, expect))


def read_config(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """Read and check ``config.json`` alone: what a model is, without reading the model.

    >>> from tempfile import TemporaryDirectory
    >>> from tacit.storage import write_model
    >>> with TemporaryDirectory() as folder:
    ...     write_model(folder, Stored("WTMF", parameters={"n_components": 100}), card="")
    ...     config = read_config(folder)
    >>> config["class"], config["format"], config["parameters"]
    ('WTMF', 1, {'n_components': 100})
    """
    return read_settled(folder, _config)


def _read(opened: OpenFolder, expect: str | None) -> Stored:
    config = _config(opened)
    if expect is not None and config["class"] != expect:
        raise ModelError(
            f"{opened.shown} holds a {config['class']}, not a {expect}: load it as a {config['class']}"
        )
    with opened.open(TENSORS) as arrays_file, opened.open(WORDS) as words_file:
        arrays = _arrays(arrays_file, opened, config)
        rows = _rows(words_file, opened, config)
    return Stored(config["class"], config["parameters"], config["training"], arrays, rows, config["tacit"])


def _config(opened: OpenFolder) -> dict[str, Any]:
    where = opened.shown / CONFIG
    with opened.open(CONFIG) as file:
        raw = _whole(file, opened, CONFIG, configs.LIMIT + 1)
    if len(raw) > configs.LIMIT:
        raise damaged(where, f"larger than {configs.LIMIT} bytes")
    return configs.parse(raw, where)


def _arrays(file: BufferedReader, opened: OpenFolder, config: dict[str, Any]) -> dict[str, NDArray[Any]]:
    where = opened.shown / TENSORS
    _verify(file, opened, TENSORS, config)
    arrays = tensors.map_arrays(file, where)
    if tensors.describe(arrays) != config["tensors"]:
        raise damaged(where, f"its types and shapes are not those in {CONFIG}")
    for name, array in arrays.items():
        if not tensors.all_finite(array):
            raise damaged(where, f"array {name!r} holds NaN or infinity")
    return arrays


def _rows(file: BufferedReader, opened: OpenFolder, config: dict[str, Any]) -> list[tuple[str, ...]]:
    where = opened.shown / WORDS
    _verify(file, opened, WORDS, config)
    file.seek(0)
    rows = vocabulary.decode(_whole(file, opened, WORDS, -1), where)
    if vocabulary.describe(rows) != config["vocabulary"]:
        raise damaged(where, f"its rows and fields are not as many as {CONFIG} says")
    return rows


def _verify(file: BufferedReader, opened: OpenFolder, name: str, config: dict[str, Any]) -> None:
    where, promised = opened.shown / name, config["files"].get(name)
    if not isinstance(promised, dict):
        raise damaged(opened.shown / CONFIG, f"it says nothing of {name}")
    size = os.fstat(file.fileno()).st_size
    if size != promised.get("size"):
        raise damaged(where, f"it has {size} bytes instead of {promised.get('size')}")
    try:
        digest = file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise ModelError(f"cannot read {where}: {fault.strerror}") from fault
    if digest != promised.get("sha256"):
        raise damaged(where, "its SHA-256 is not the one it was written with")


def _whole(file: BufferedReader, opened: OpenFolder, name: str, limit: int) -> bytes:
    try:
        return file.read(limit)
    except OSError as fault:
        raise ModelError(f"cannot read {opened.shown / name}: {fault.strerror}") from fault
