"""Collections kept on disk, a folder each, below one home; whoever holds the home is alone in it.

``NAME/index`` is an index, ``NAME/about.json`` says what is in it. Work goes on in ``.work``: what is
finished is renamed into its place, so that no half-written collection is ever seen, and what a crash has left
there is swept at the next start.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from tacit.errors import InputError
from tacit.storage import read_config, writing
from tacit.storage.files import put

ABOUT, INDEX, WORK = "about.json", "index", ".work"
LONGEST_NAME = 60
_NAME = re.compile(r"\w(?:[\w .,()&+-]*[\w)])?")
_WINDOWS = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_LARGEST_ABOUT = 1_000_000


def check_name(name: str) -> str:
    """A name for a collection, which is that of a folder too, or an error that says what is one.

    >>> check_name("tickets 2024")
    'tickets 2024'
    >>> check_name("../tickets")
    Traceback (most recent call last):
    tacit.errors.InputError: the name '../tickets': give 1 to 60 letters, digits, spaces or -_.,()&+, ...
    """
    fits = 0 < len(name) <= LONGEST_NAME and len(name.encode("utf-8", "replace")) <= 200
    if not fits or not _NAME.fullmatch(name) or ".." in name or _WINDOWS.fullmatch(name):
        raise InputError(
            f"the name {name[:80]!r}: give 1 to {LONGEST_NAME} letters, digits, spaces or -_.,()&+, with a "
            "letter or digit first and last"
        )
    return name


class CollectionStore:
    """The collections below a folder.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, CollectionStore(Path(folder)) as home:
    ...     home.names()
    []
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.work = self.folder / WORK
        self._lock: Any = None

    def __enter__(self) -> CollectionStore:
        """Take the home, or say who has it; sweep what a crash has left."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.work.mkdir(exist_ok=True)
            self._lock = _locked(self.work / ".lock")
            for left in self.work.iterdir():
                if left.name != ".lock":
                    _remove(left)
        except OSError as fault:
            raise InputError(
                f"{self.folder} cannot be a home for collections: {fault.strerror or fault}; "
                "name another with --home DIR"
            ) from None
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def names(self) -> list[str]:
        """The collections there are, in the order of their names."""
        found = [path.name for path in self.folder.iterdir() if (path / ABOUT).is_file()]
        return sorted(name for name in found if not name.startswith("."))

    def taken(self, name: str) -> bool:
        """Whether a name is in use, whatever the case of its letters: some disks make no difference."""
        return name.casefold() in (there.name.casefold() for there in self.folder.iterdir())

    def index(self, name: str) -> Path:
        """The folder of a collection's index."""
        return self.folder / check_name(name) / INDEX

    def about(self, name: str) -> dict[str, Any]:
        """What is known of a collection without reading it."""
        return read_about(self.folder / check_name(name))

    def describe(self, name: str, **facts: Any) -> None:
        """Change what is said of a collection."""
        write_about(self.folder / check_name(name), {**self.about(name), **facts})

    def room(self) -> Path:
        """A new folder to work in."""
        made = self.work / uuid4().hex
        made.mkdir(mode=0o700)
        return made

    def adopt(self, made: Path, name: str) -> None:
        """Put a finished collection in its place, in one step."""
        read_config(made / INDEX)
        target = self.folder / check_name(name)
        if self.taken(name):
            raise InputError(f"there is a collection {name!r} already: give another name, or delete it")
        os.rename(made, target)

    def remove(self, name: str) -> None:
        """Delete a collection: it is gone at once, its files soon after."""
        gone = self.work / uuid4().hex
        os.rename(self.folder / check_name(name), gone)
        _remove(gone)

    def writing(self, name: str) -> Any:
        """Be the only writer of a collection's index."""
        return writing(self.index(name))


def write_about(folder: Path, facts: dict[str, Any]) -> None:
    """Write what is known of a collection, whole or not at all."""
    put(folder / ABOUT, json.dumps(facts, ensure_ascii=False, indent=2).encode("utf-8", "replace"))


def read_about(folder: Path) -> dict[str, Any]:
    """What is known of a collection; a file that tells nothing is as good as none."""
    found: Any = {}
    with contextlib.suppress(OSError, ValueError), (folder / ABOUT).open("rb") as file:
        found = json.loads(file.read(_LARGEST_ABOUT))
    return found if isinstance(found, dict) else {}


def _locked(path: Path) -> Any:
    """The lock of a home, held until it is closed or its holder dies."""
    from tacit.storage.lock import taken

    file = path.open("ab")
    if not taken(file.fileno()):
        file.close()
        raise OSError("another service uses it")
    return file


def _remove(path: Path) -> None:
    """Delete a file or folder, as far as that goes."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        path.unlink()


def now() -> str:
    """The moment, as it is kept."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
