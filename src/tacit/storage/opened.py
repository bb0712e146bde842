"""Reads a folder that may be replaced at any moment: the old model or the new one, never half of each."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from tacit.errors import ModelError
from tacit.storage.layout import damaged, real_path
from tacit.storage.siblings import set_aside

T = TypeVar("T")
ATTEMPTS = 10
"""How often to begin again when a folder was replaced underneath."""

_BY_DESCRIPTOR = os.open in os.supports_dir_fd
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe must not hang us


class OpenFolder:
    """A folder held open: its files are found in it even when another folder has taken its name."""

    def __init__(self, path: Path, shown: Path) -> None:
        """Open ``path``; messages speak of ``shown``, the name the user gave."""
        self.path, self.shown = path, shown
        self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY) if _BY_DESCRIPTOR else None

    def __enter__(self) -> Self:
        """Begin reading."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the folder go; files and mappings opened from it live on."""
        if self._descriptor is not None:
            os.close(self._descriptor)

    def names(self) -> set[str]:
        """List its files."""
        return set(os.listdir(self.path if self._descriptor is None else self._descriptor))

    def open(self, name: str) -> BufferedReader:
        """Open one of its files for reading."""
        where = self.shown / name
        try:
            if self._descriptor is None:
                descriptor = os.open(self.path / name, _FLAGS)
            else:
                descriptor = os.open(name, _FLAGS, dir_fd=self._descriptor)
        except FileNotFoundError as fault:
            raise ModelError(
                f"{self.shown} is not a whole model: {name} is missing; copy it again, or train again"
            ) from fault
        except OSError as fault:
            raise ModelError(f"cannot read {where}: {fault.strerror}") from fault
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise damaged(where, "not a regular file")
        return os.fdopen(descriptor, "rb")

    def replaced(self) -> bool:
        """Say whether another folder bears the name now.

        The descriptor keeps the inode from being used again, so the same number means the same folder.
        """
        if self._descriptor is None:
            return False
        try:
            return not os.path.samestat(os.fstat(self._descriptor), os.stat(self.path))
        except OSError:
            return True


def read_settled(folder: str | os.PathLike[str], read: Callable[[OpenFolder], T]) -> T:
    """Give what ``read`` makes of a model folder; begin again if the folder was replaced meanwhile."""
    path = real_path(folder, ModelError)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            opened = OpenFolder(_located(path, Path(folder)), Path(folder))
        except FileNotFoundError:
            continue  # it was there a moment ago
        except OSError as fault:
            raise ModelError(f"cannot read the model at {folder}: {fault.strerror}") from fault
        with opened:
            try:
                return read(opened)
            except ModelError:
                if attempt == ATTEMPTS or not opened.replaced():
                    raise
    raise ModelError(f"the model at {folder} is being replaced again and again: try later")


def _located(path: Path, shown: Path) -> Path:
    for _ in range(ATTEMPTS):
        try:
            mode = os.stat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            if aside := set_aside(path):
                return aside
            continue  # look again: a write may have been between its two renames
        if not stat.S_ISDIR(mode):
            raise ModelError(f"{shown} is a file, not a model: name the folder that holds config.json")
        return path
    raise ModelError(f"no model at {shown}: check the path, or train one and save it there")
