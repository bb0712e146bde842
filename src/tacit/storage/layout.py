"""What a model folder is made of: its files, its format number, and how its faults are worded."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tacit.errors import ModelError, TacitError

FORMAT = 1
"""The format written now, and the newest one that can be read."""

CONFIG = "config.json"
TENSORS = "model.safetensors"
WORDS = "vocabulary.txt"
CARD = "README.md"

OURS = frozenset({CONFIG, TENSORS, WORDS, CARD})
"""The files of a model; nothing else in a folder is ever removed, save `LITTER`."""

LITTER = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""What file managers leave behind: no reason to refuse a folder."""


def _library_version() -> str:
    from tacit import __version__  # here, since the package itself may import this room

    return __version__


@dataclass(frozen=True, eq=False)
class Stored:
    """What a model folder holds.

    kind: the name of the class, such as ``"WTMF"``.
    parameters, training: plain values (None, bool, int, finite float, str, lists and dicts of them).
    arrays: by name; after reading they are read-only views of the file, not copies.
    vocabulary: a table, one row a word, every row with the same number of fields.
    version: the library that wrote it.

    >>> Stored(kind="WTMF", parameters={"n_components": 100}).parameters["n_components"]
    100
    """

    kind: str
    parameters: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    vocabulary: list[tuple[str, ...]] = field(default_factory=list)
    version: str = field(default_factory=_library_version)


def damaged(where: Path, what: str) -> ModelError:
    """Word the fault of a file that is not as it was written."""
    return ModelError(f"{where} is damaged: {what}; copy the model again, or train it again")


def real_path(folder: str | os.PathLike[str], error: type[TacitError]) -> Path:
    """Follow links and dots, so that a link to a model stays a link when the model is replaced."""
    try:
        return Path(os.path.realpath(os.fspath(folder)))
    except (OSError, ValueError) as fault:  # ValueError: a null character
        raise error(f"{folder!r} cannot be the name of a folder: {fault}") from fault
