"""Cache of models and indexes on disk: private, limited in size, safe with several processes.

An entry is a folder ``VERSION/KIND/NAME`` below `cache_root`. Every version of tacit has entries of its own.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import tacit
from tacit.errors import TacitError
from tacit.storage import lock_for_writing
from tacit.workflows.loading import load

logger = logging.getLogger(__name__)

CACHE_VARIABLE = "TACIT_CACHE"
"""The environment variable that names the folder of the cache."""

MAX_CACHE_BYTES = 2_000_000_000
BACKGROUNDS, FILES, THEMES = KINDS = ("backgrounds", "files", "themes")


def cache_root() -> Path:
    """Return the folder of the cache: ``$TACIT_CACHE``, or the cache folder of the user."""
    from platformdirs import user_cache_path

    folder = os.environ.get(CACHE_VARIABLE)
    return Path(folder) if folder else user_cache_path("tacit", appauthor=False)


def cache_entry(kind: str, name: str) -> Path:
    """Return the folder of an entry, which may not exist.

    >>> cache_entry(FILES, "0af3").parts[-2:]
    ('files', '0af3')
    """
    return cache_root() / tacit.__version__ / kind / name


def load_or_build(folder: Path, kind: str, build: Callable[[], Any], n_threads: int | None = None) -> Any:
    """Load a cached model or index; build and store it if it is missing or damaged.

    Where the cache cannot be written, as on a full disk, a warning is logged.
    """

    def read() -> Any:
        return load(folder, kind, n_threads) if (folder / "config.json").is_file() else None

    stored = read_entry(folder, read)
    if stored is not None:
        return stored
    with ExitStack() as stack:
        try:
            _create_private_folder(folder.parent)
            stack.enter_context(lock_for_writing(folder))
        except (TacitError, OSError) as error:
            _warn_not_stored(error)
            return build()
        stored = read_entry(folder, read)  # another process may have built it meanwhile
        if stored is not None:
            return stored
        built = build()
        store_entry(folder, built.save)
    remove_oldest_entries()
    return built


def read_entry(folder: Path, read: Callable[[], Any]) -> Any:
    """Return what ``read`` finds in an entry, None if that is nothing, and mark the entry as used.

    A damaged entry, for which ``read`` raises an error, is removed.
    """
    try:
        loaded = read()
    except (TacitError, OSError) as error:
        logger.warning(f"{folder}, an entry of the cache, is damaged and is built again ({error})")
        shutil.rmtree(folder, ignore_errors=True)
        return None
    if loaded is not None:
        with suppress(OSError):
            os.utime(folder)
    return loaded


def store_entry(folder: Path, save: Callable[[Path], None]) -> None:
    """Save an entry; log a warning if the cache cannot be written."""
    try:
        _create_private_folder(folder.parent)
        save(folder)
    except (TacitError, OSError) as error:
        _warn_not_stored(error)


def remove_oldest_entries(max_bytes: int | None = None) -> int:
    """Remove the entries that were not used for longest, down to a size; returns the number of removed bytes.

    Parameters
    ----------
    max_bytes : int, optional
        Size of the cache; `MAX_CACHE_BYTES` by default. With 0 all entries are removed.
    """
    limit, n_kept, n_removed = MAX_CACHE_BYTES if max_bytes is None else max_bytes, 0, 0
    entries = [entry for kind in KINDS for entry in cache_root().glob(f"*/{kind}/*")]
    for entry in sorted(entries, key=_last_use, reverse=True):
        size = _folder_size(entry)
        if n_kept + size <= limit and limit:
            n_kept += size
        else:
            shutil.rmtree(entry, ignore_errors=True)
            n_removed += size
    return n_removed


def _create_private_folder(folder: Path) -> None:
    """Create a folder and its missing parents, which only this user can read."""
    for each in (*reversed(folder.parents), folder):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)


def _warn_not_stored(error: Exception) -> None:
    logger.warning(f"nothing is stored in the cache ({error}); set ${CACHE_VARIABLE} to another folder")


def _last_use(entry: Path) -> float:
    with suppress(OSError):
        return entry.stat().st_mtime
    return 0.0  # another process has removed it


def _folder_size(folder: Path) -> int:
    """Return the bytes of all files of a folder."""
    size = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            size += path.lstat().st_size
    return size
