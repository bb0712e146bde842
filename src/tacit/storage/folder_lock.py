"""Exclusive write access to a model folder, and removal of unreferenced files.

The lock is an operating system lock (``flock``; ``msvcrt.locking`` on Windows) on the empty file ``.lock``.
It works between threads, processes and containers, and is released when its holder dies. Readers need no
lock, see `tacit.storage.model_folder`.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from io import BufferedWriter
from pathlib import Path
from tempfile import TemporaryFile

from tacit.errors import InputError, ModelError
from tacit.storage.config import MAX_CONFIG_BYTES, content_entries, parse_json_object, read_config
from tacit.storage.durable_files import (
    CONFIG_FILE,
    LOCK_FILE,
    create_folder,
    fsync_folder,
    is_content_file,
    missing_error,
    open_regular_file,
    resolve_folder,
)

_IGNORED_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", LOCK_FILE})
"""Files of file managers; a folder that has only these counts as empty."""

_log = logging.getLogger(__name__)
_held_locks: dict[tuple[Path, int], BufferedWriter] = {}  # by folder and thread: the lock file
_POLL_SECONDS = 0.05
_UNSUPPORTED_ERRNOS = {errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}
_SAFE_OPEN_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no symbolic link, no pipe


class FolderLockedError(InputError):
    """Another process or thread is writing the folder, and the time to wait for it is over."""


def check_target(folder: str | os.PathLike[str]) -> Path:
    """Return the real path of ``folder``; InputError if a model cannot be written there.

    The folder must be missing (`write_model` creates missing parents), empty, or a tacit model. A temporary
    file tests whether the disk is writable.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     check_target(Path(folder, "models", "faq")).name
    'faq'
    >>> check_target(__file__)
    Traceback (most recent call last):
    tacit.errors.InputError: cannot write a model to ...folder_lock.py: it is a file, or inside one; ...
    """
    target = resolve_folder(folder)
    with reraise_write_errors(target):
        nearest = _nearest_existing_folder(target)
        if nearest == target and not _is_empty_or_model(target):
            raise _target_error(target, "it is neither empty nor a tacit model; name another folder")
        with TemporaryFile(dir=nearest):
            pass
    return target


@contextlib.contextmanager
def reraise_write_errors(target: Path) -> Iterator[None]:
    """Turn an error of the system in writing a model folder into InputError."""
    try:
        yield
    except NotADirectoryError:
        raise _target_error(target, "it is a file, or inside one; name a folder") from None
    except OSError as error:
        problem = f"{error.strerror or error}; check space and permissions, or name another folder"
        raise _target_error(target, problem) from error


def _target_error(target: Path, problem: str) -> InputError:
    return InputError(f"cannot write a model to {target}: {problem}")


def _nearest_existing_folder(target: Path) -> Path:
    """Return ``target`` or its first parent that exists; NotADirectoryError for a file."""
    for folder in (target, *target.parents):
        with contextlib.suppress(FileNotFoundError):
            os.listdir(folder)
            return folder
    raise FileNotFoundError(target)


def _is_empty_or_model(folder: Path) -> bool:
    """Return whether a folder is empty, a tacit model, or has only files of an interrupted first write."""
    names = [name for name in os.listdir(folder) if name not in _IGNORED_FILES and not is_content_file(name)]
    if not names:
        return True
    try:
        with open_regular_file(folder / CONFIG_FILE) as file:
            config = parse_json_object(file.read(MAX_CONFIG_BYTES)) or {}
    except ModelError:
        return False
    return type(config.get("format")) is int and "tacit" in config


def remove_unreferenced_files(folder: Path) -> None:
    """Remove content files that the config does not name; the caller holds the lock of ``folder``.

    The config is flushed to the disk first: after a power failure no old config may refer to removed files.
    """
    with contextlib.suppress(OSError, ModelError):  # keep all files beside a damaged config
        fsync_folder(folder)
        is_model = os.path.lexists(folder / CONFIG_FILE)
        entries = content_entries(read_config(folder)) if is_model else []
        referenced = {entry["name"] for entry in entries}
        for name in os.listdir(folder):
            if is_content_file(name) and name not in referenced:
                with contextlib.suppress(OSError):  # mapped on Windows: the next writer tries again
                    os.unlink(folder / name)


@contextlib.contextmanager
def lock_for_writing(
    folder: str | os.PathLike[str], *, timeout: float | None = None, create: bool = True
) -> Iterator[Path]:
    """Hold the write lock of ``folder`` and yield its real path; wait for another writer, with a warning.

    Hold it while reading, changing and saving a model, so that no change of another writer is lost; saving
    inside it, in the same thread, does not wait. At the end, files that the config does not name are removed.
    InputError if a model cannot be written there. After ``timeout`` seconds of waiting, FolderLockedError.
    Without ``create``, ModelError for a folder that is missing, or is removed while this waits.

    >>> from tempfile import TemporaryDirectory
    >>> from tacit.storage import StoredModel, read_model, write_model
    >>> with TemporaryDirectory() as folder:
    ...     write_model(folder, StoredModel("WTMF", training={"texts": 1}), card="")
    ...     with lock_for_writing(folder):
    ...         texts = read_model(folder).training["texts"]
    ...         write_model(folder, StoredModel("WTMF", training={"texts": texts + 1}), card="")
    ...     read_model(folder).training
    {'texts': 2}
    """
    target = resolve_folder(folder)
    key = target, threading.get_ident()
    if key in _held_locks:
        yield target
        return
    check_target(folder)
    is_new = not target.exists()
    with reraise_write_errors(target):
        file, is_exclusive = _acquire(target, timeout, create)
    with file:
        _held_locks[key] = file
        try:
            yield target
        finally:
            # a fork of the writer holds no lock, and a folder that was moved away is not this one
            if _held_locks.pop(key, None) and is_exclusive and _is_lock_of(file, target):
                remove_unreferenced_files(target)
                if is_new:
                    _remove_empty(target)


def _acquire(folder: Path, timeout: float | None, create: bool) -> tuple[BufferedWriter, bool]:
    """Return the locked lock file, and whether the file system supports locks."""
    while True:  # another writer may remove the folder or its lock file meanwhile, see `_remove_empty`
        with contextlib.suppress(FileNotFoundError), contextlib.ExitStack() as stack:
            if create:
                create_folder(folder)
            elif not folder.exists():
                raise missing_error(folder / CONFIG_FILE)
            file = stack.enter_context(_open_lock_file(folder / LOCK_FILE))
            is_exclusive = _wait_for_lock(file, folder, timeout)
            if _is_lock_of(file, folder):
                stack.pop_all()  # the caller closes the file
                return file, is_exclusive


def _open_lock_file(path: Path) -> BufferedWriter:
    return open(path, "ab", opener=lambda name, flags: os.open(name, flags | _SAFE_OPEN_FLAGS, 0o666))


def _remove_empty(folder: Path) -> None:
    """Remove a folder that has only the lock file, after a first write that failed."""
    with contextlib.suppress(OSError):  # Windows does not remove an open file
        if os.listdir(folder) == [LOCK_FILE]:
            os.unlink(folder / LOCK_FILE)
            os.rmdir(folder)


def check_lock(folder: Path) -> None:
    """Raise OSError if a folder was moved or removed since it was locked."""
    if not _is_lock_of(_held_locks[folder, threading.get_ident()], folder):
        raise FileNotFoundError(errno.ENOENT, "the folder was replaced while it was being written")


def _is_lock_of(file: BufferedWriter, folder: Path) -> bool:
    """Return whether an open file is the lock file of a folder, and not of one that was there before."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(folder / LOCK_FILE))
    except FileNotFoundError:
        return False


def _wait_for_lock(file: BufferedWriter, folder: Path, timeout: float | None) -> bool:
    """Lock a file; return False if the file system does not support locks."""
    end = float("inf") if timeout is None else time.monotonic() + timeout
    try:
        if not try_lock(file.fileno()):
            if timeout is None:
                _log.warning("another process is writing %s: waiting until it is done", folder)
            while not try_lock(file.fileno()):
                if time.monotonic() >= end:
                    raise FolderLockedError(f"another process is writing {folder}: try again when it is done")
                time.sleep(_POLL_SECONDS)
    except OSError as error:
        if error.errno not in _UNSUPPORTED_ERRNOS:
            raise
        _log.warning("the file system of %s does not support locks: run one writer at a time", folder)
        return False
    return True


def try_lock(descriptor: int) -> bool:
    """Lock an open file without waiting; return False if another process has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # PermissionError: Windows, and some network file systems
        return False
    return True


def _release_after_fork() -> None:
    """Close the lock files in a forked child, which may live longer than the writer."""
    for file in _held_locks.values():
        file.close()
    _held_locks.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_after_fork)
