"""One writer at a time: a lock in the model folder, which the system lets go when its holder dies.

The lock is the system's own (``flock``; ``msvcrt.locking`` on Windows) on the empty file ``.lock``. It holds
between threads, processes and containers, whatever numbers these give their processes, and a killed holder
blocks nobody. Readers take no lock: `tacit.storage.read` says why they need none.
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

from tacit.storage.files import LOCK, make_folder, real_path
from tacit.storage.sweep import sweep
from tacit.storage.target import check_target, unwritable

_log = logging.getLogger(__name__)
_held: dict[Path, tuple[int, BufferedWriter]] = {}  # by folder: the thread that writes there, and its lock
_PAUSE = 0.05  # seconds
_NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no link elsewhere, no pipe


@contextlib.contextmanager
def writing(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Be the only writer of ``folder``; give its real path. Others wait, with a warning in the log.

    Hold it over reading, changing and saving, and no other writer's change is lost; saving inside it, in the
    same thread, does not wait. On the way out, files that no config names are removed. Raises InputError if a
    model cannot be written there.

    >>> from tempfile import TemporaryDirectory
    >>> from tacit.storage import Stored, read_model, write_model
    >>> with TemporaryDirectory() as folder:
    ...     write_model(folder, Stored("WTMF", training={"texts": 1}), card="")
    ...     with writing(folder):
    ...         texts = read_model(folder).training["texts"]
    ...         write_model(folder, Stored("WTMF", training={"texts": texts + 1}), card="")
    ...     read_model(folder).training
    {'texts': 2}
    """
    target = real_path(folder)
    if target in _held and _held[target][0] == threading.get_ident():
        yield target
        return
    check_target(folder)
    made = not target.exists()
    file, exclusive = _acquire(target)
    with file:
        _held[target] = threading.get_ident(), file
        try:
            yield target
        finally:
            if _held.pop(target, None) and exclusive:  # a fork of the writer holds nothing
                sweep(target)
                if made:
                    _remove_empty(target)


def _acquire(folder: Path) -> tuple[BufferedWriter, bool]:
    """Give the lock file, locked, and whether that locks out others."""
    while True:
        try:
            make_folder(folder)
            file = _opened(folder / LOCK)
        except FileNotFoundError:  # the folder went again; see `_remove_empty`
            continue
        except OSError as fault:
            raise unwritable(folder, fault) from fault
        try:
            exclusive = _wait(file, folder)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.stat(folder / LOCK)):
                    return file, exclusive
        except BaseException:
            file.close()
            raise
        file.close()  # it is a lock no longer


def _opened(path: Path) -> BufferedWriter:
    return open(path, "ab", opener=lambda name, flags: os.open(name, flags | _PLAIN, 0o666))


def _remove_empty(folder: Path) -> None:
    """Take away the folder of a first write that failed, and its lock while it is held."""
    with contextlib.suppress(OSError):  # Windows keeps an open file
        if os.listdir(folder) == [LOCK]:
            os.unlink(folder / LOCK)
            os.rmdir(folder)


def _wait(file: BufferedWriter, folder: Path) -> bool:
    """Take the lock; say whether there are locks on this disk at all."""
    try:
        if not taken(file.fileno()):
            _log.warning("another process is writing %s: waiting until it is done", folder)
            while not taken(file.fileno()):
                time.sleep(_PAUSE)
    except OSError as fault:
        if fault.errno not in _NO_LOCKS:
            raise unwritable(folder, fault) from fault
        _log.warning("the disk of %s knows no locks: let one process at a time write there", folder)
        return False
    return True


if sys.platform == "win32":
    import msvcrt

    def taken(descriptor: int) -> bool:
        """Take the system's lock on an open file, unless another has it; say whether that went well."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def taken(descriptor: int) -> bool:
        """Take the system's lock on an open file, unless another has it; say whether that went well."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # some network disks say the latter
            return False
        return True

    def _forget() -> None:
        for _, file in _held.values():
            file.close()
        _held.clear()

    os.register_at_fork(after_in_child=_forget)  # a child may outlive the writer
