"""Exclusive write access to a model folder, and removal of unreferenced files."""

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
    open_regular_file,
    resolve_folder,
)

_IGNORED_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", LOCK_FILE})
"""What file managers leave behind: no reason to refuse a folder."""


def check_target(folder: str | os.PathLike[str]) -> Path:
    """Raise InputError unless a model can be written to ``folder``; give its real path, links followed.

    A model may go to a free name (`write_model` makes missing parents), to an empty folder, or in the place
    of another tacit model. Whether the disk lets us write there is tried out with a temporary file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     check_target(Path(folder, "models", "faq")).name
    'faq'
    >>> check_target(__file__)
    Traceback (most recent call last):
    tacit.errors.InputError: cannot write a model to ...folder_lock.py: it is a file, or inside one; ...
    """
    target = resolve_folder(folder)
    try:
        nearest = _nearest_existing_folder(target)
        if nearest == target and not _is_empty_or_model(target):
            raise _target_error(target, "it is neither empty nor a tacit model; name another folder")
        with TemporaryFile(dir=nearest):
            pass
    except NotADirectoryError:
        raise _target_error(target, "it is a file, or inside one; name a folder") from None
    except OSError as fault:
        raise unwritable_error(target, fault) from fault
    return target


def unwritable_error(target: Path, fault: OSError) -> InputError:
    """Word what the system says against writing ``target``."""
    reason = fault.strerror or str(fault)
    return _target_error(target, f"{reason}; check space and rights, or name another folder")


def _target_error(target: Path, why: str) -> InputError:
    return InputError(f"cannot write a model to {target}: {why}")


def _nearest_existing_folder(target: Path) -> Path:
    """Give ``target`` or the first of its parents that exists; raise NotADirectoryError for a file."""
    for each in (target, *target.parents):
        try:
            os.listdir(each)
        except FileNotFoundError:
            continue
        return each
    raise FileNotFoundError(target)


def _is_empty_or_model(folder: Path) -> bool:
    """Say whether a folder is empty, a tacit model, or what a killed first write has left."""
    others = [name for name in os.listdir(folder) if name not in _IGNORED_FILES and not is_content_file(name)]
    if not others:
        return True
    try:
        with open_regular_file(folder / CONFIG_FILE) as file:
            config = parse_json_object(file.read(MAX_CONFIG_BYTES)) or {}
    except ModelError:
        return False
    return type(config.get("format")) is int and "tacit" in config


def remove_unreferenced_files(folder: Path) -> None:
    """Remove content that the config does not name; the caller holds the lock of ``folder``.

    Nothing goes before the config is known to be on the disk: a power cut must not bring back one whose
    files are gone.
    """
    with contextlib.suppress(OSError, ModelError):  # a damaged config may still be mended by hand
        fsync_folder(folder)
        named = _referenced_files(folder)
        for name in os.listdir(folder):
            if is_content_file(name) and name not in named:
                with contextlib.suppress(
                    OSError
                ):  # Windows keeps what is mapped; the next writer tries again
                    os.unlink(folder / name)


def _referenced_files(folder: Path) -> set[str]:
    if not os.path.lexists(folder / CONFIG_FILE):
        return set()
    return {entry["name"] for entry in content_entries(read_config(folder))}


_log = logging.getLogger(__name__)
_held_locks: dict[
    Path, tuple[int, BufferedWriter]
] = {}  # by folder: the thread that writes there, and its lock
_POLL_SECONDS = 0.05  # seconds
_UNSUPPORTED_ERRNOS = {errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}
_SAFE_OPEN_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no link elsewhere, no pipe


@contextlib.contextmanager
def lock_for_writing(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Be the only writer of ``folder``; give its real path. Others wait, with a warning in the log.

    Hold it over reading, changing and saving, and no other writer's change is lost; saving inside it, in the
    same thread, does not wait. On the way out, files that no config names are removed. Raises InputError if a
    model cannot be written there.

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
    if target in _held_locks and _held_locks[target][0] == threading.get_ident():
        yield target
        return
    check_target(folder)
    made = not target.exists()
    file, exclusive = _acquire(target)
    with file:
        _held_locks[target] = threading.get_ident(), file
        try:
            yield target
        finally:
            if _held_locks.pop(target, None) and exclusive:  # a fork of the writer holds nothing
                remove_unreferenced_files(target)
                if made:
                    _remove_empty(target)


def _acquire(folder: Path) -> tuple[BufferedWriter, bool]:
    """Give the lock file, locked, and whether that locks out others."""
    while True:
        try:
            create_folder(folder)
            file = _open_lock_file(folder / LOCK_FILE)
        except FileNotFoundError:  # the folder went again; see `_remove_empty`
            continue
        except OSError as fault:
            raise unwritable_error(folder, fault) from fault
        try:
            exclusive = _wait_for_lock(file, folder)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.stat(folder / LOCK_FILE)):
                    return file, exclusive
        except BaseException:
            file.close()
            raise
        file.close()  # it is a lock no longer


def _open_lock_file(path: Path) -> BufferedWriter:
    return open(path, "ab", opener=lambda name, flags: os.open(name, flags | _SAFE_OPEN_FLAGS, 0o666))


def _remove_empty(folder: Path) -> None:
    """Take away the folder of a first write that failed, and its lock while it is held."""
    with contextlib.suppress(OSError):  # Windows keeps an open file
        if os.listdir(folder) == [LOCK_FILE]:
            os.unlink(folder / LOCK_FILE)
            os.rmdir(folder)


def _wait_for_lock(file: BufferedWriter, folder: Path) -> bool:
    """Take the lock; say whether there are locks on this disk at all."""
    try:
        if not try_lock(file.fileno()):
            _log.warning("another process is writing %s: waiting until it is done", folder)
            while not try_lock(file.fileno()):
                time.sleep(_POLL_SECONDS)
    except OSError as fault:
        if fault.errno not in _UNSUPPORTED_ERRNOS:
            raise unwritable_error(folder, fault) from fault
        _log.warning("the disk of %s knows no locks: let one process at a time write there", folder)
        return False
    return True


if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Take the system's lock on an open file, unless another has it; say whether that went well."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Take the system's lock on an open file, unless another has it; say whether that went well."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # some network disks say the latter
            return False
        return True

    def _release_after_fork() -> None:
        for _, file in _held_locks.values():
            file.close()
        _held_locks.clear()

    os.register_at_fork(after_in_child=_release_after_fork)  # a child may outlive the writer
