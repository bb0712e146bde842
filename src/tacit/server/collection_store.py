"""Collections on disk, one folder each, with an exclusive lock.

``NAME/index`` is the index, ``NAME/about.json`` describes it. New collections are written in ``.work`` and
renamed when they are complete; what a crash leaves in ``.work`` is deleted at the next start.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

from tacit.errors import InputError, TacitError
from tacit.storage import read_config
from tacit.storage.durable_files import fsync_folder, write_chunks
from tacit.storage.folder_lock import try_lock

INFO_FILE, INDEX_DIR, WORK_DIR, BACKGROUNDS_DIR = "about.json", "index", ".work", ".backgrounds"
MAX_NAME_CHARS = 60
_MAX_NAME_BYTES = 200
_NAME = re.compile(r"\w(?:[\w .,()&+-]*[\w)])?")
_WINDOWS_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_MAX_INFO_BYTES = 1_000_000


def check_name(name: str) -> str:
    """Return the name of a collection if it is also a valid folder name on all systems.

    >>> check_name("tickets 2024")
    'tickets 2024'
    >>> check_name("../tickets")
    Traceback (most recent call last):
    tacit.errors.InputError: the name '../tickets': give 1 to 60 letters, digits, spaces or -_.,()&+, ...
    """
    fits = 0 < len(name) <= MAX_NAME_CHARS and len(name.encode("utf-8", "replace")) <= _MAX_NAME_BYTES
    if not fits or not _NAME.fullmatch(name) or ".." in name or _WINDOWS_RESERVED.fullmatch(name):
        raise InputError(
            f"the name {name[:80]!r}: give 1 to {MAX_NAME_CHARS} letters, digits, spaces or -_.,()&+, with a "
            "letter or digit first and last"
        )
    return name


class CollectionStore:
    """The collections in a folder, as a context manager that holds an exclusive lock on it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, CollectionStore(Path(folder)) as store:
    ...     store.list_names()
    []
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.work_dir = self.folder / WORK_DIR
        self._lock: Any = None

    def __enter__(self) -> CollectionStore:
        """Lock the folder, and delete unfinished collections."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.work_dir.mkdir(exist_ok=True, mode=0o700)
            self._lock = (self.work_dir / ".lock").open("ab")
            if not try_lock(self._lock.fileno()):
                self._lock.close()
                raise OSError("another service uses it")
            for path in self.work_dir.iterdir():
                if path.name != ".lock":
                    shutil.rmtree(path, ignore_errors=True)
            for name in (WORK_DIR, BACKGROUNDS_DIR, *self.list_names()):
                with contextlib.suppress(OSError):  # it is missing, or belongs to another user
                    (self.folder / name).chmod(0o700)  # an earlier version may have created it
        except OSError as error:
            raise InputError(
                f"cannot keep collections in {self.folder}: {error.strerror or error}; "
                "name another folder with --home DIR"
            ) from None
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    def list_names(self, readable: bool = True) -> list[str]:
        """Return the names of all collections in alphabetical order.

        Without ``readable``, folders that are no usable collections are listed, too.
        """
        with os.scandir(self.folder) as entries:
            names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
        return [
            name for name in names if (self.exists(name) if readable else _is_collection(self.folder / name))
        ]

    def exists(self, name: str | None) -> bool:
        """Return whether there is a collection with this name."""
        return name is not None and _is_valid(name) and _is_collection(self.folder / name)

    def newest_name(self) -> str | None:
        """Return the name of the readable collection that was created last; None if there is none."""
        infos = {name: self.describe(name) for name in self.list_names()}
        names = [name for name, info in infos.items() if info["error"] is None]
        return max(names, key=lambda name: str(infos[name].get("created")), default=None)

    def describe(self, name: str) -> dict[str, Any]:
        """Return what is stored about a collection, its number of texts, and why it cannot be read."""
        info: dict[str, Any] = {"error": None}
        try:
            folder = self.folder_of(name)
            info |= read_info(folder)
            info["texts"] = read_config(folder / INDEX_DIR)["training"].get("texts")
        except TacitError as error:
            info |= {"texts": None, "error": str(error)}
        return info

    def is_name_used(self, name: str) -> bool:
        """Return whether a name is used, ignoring case, because some file systems do."""
        return name.casefold() in (path.name.casefold() for path in self.folder.iterdir())

    def folder_of(self, name: str) -> Path:
        """Return the folder of a collection."""
        return self.folder / check_name(name)

    def publish(self, folder: Path, name: str) -> None:
        """Move a complete collection to its place in one step."""
        read_config(folder / INDEX_DIR)
        if self.is_name_used(name):
            raise InputError(f"there already is a collection {name!r}: choose another name, or delete it")
        folder.chmod(0o700)
        os.rename(folder, self.folder_of(name))
        fsync_folder(self.folder)

    def delete(self, name: str) -> None:
        """Delete a collection: move it away in one step, then remove its files."""
        trash = self.work_dir / uuid4().hex
        os.rename(self.folder_of(name), trash)
        shutil.rmtree(trash, ignore_errors=True)


def _is_valid(name: str) -> bool:
    """Return whether a folder with this name can be a collection."""
    try:
        return bool(check_name(name))
    except InputError:
        return False


def _is_collection(folder: Path) -> bool:
    """Return whether a folder has the parts of a collection, or cannot be listed."""
    try:
        return not {INFO_FILE, INDEX_DIR}.isdisjoint(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def create_work_dir(parent: Path) -> Path:
    """Create an empty folder with a new name."""
    folder = parent / uuid4().hex
    folder.mkdir(mode=0o700)
    return folder


@contextlib.contextmanager
def delete_on_error(folder: Path) -> Iterator[Path]:
    """Delete a folder if the block raises an error: a refused request leaves nothing on disk."""
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def write_info(folder: Path, info: dict[str, Any]) -> None:
    """Write ``about.json`` atomically."""
    content = json.dumps(info, ensure_ascii=False, indent=2).encode("utf-8", "replace")
    write_chunks(folder / INFO_FILE, content)


def read_info(folder: Path) -> dict[str, Any]:
    """Read ``about.json``; return an empty dictionary if it is missing or damaged."""
    info: Any = {}
    with contextlib.suppress(OSError, ValueError), (folder / INFO_FILE).open("rb") as file:
        info = json.loads(file.read(_MAX_INFO_BYTES))
    return info if isinstance(info, dict) else {}
