"""Puts a finished folder in the place of another, so that a crash leaves the old one or the new one.

On Linux the two change names in one step (``renameat2`` with ``RENAME_EXCHANGE``, which ext4, XFS, Btrfs,
tmpfs and most others know). Elsewhere it takes two renames, and for an instant between them nothing bears
the name. Other programs may then see no folder, and a crash at that instant leaves none; `read_model` finds
the old model set aside and reads that one, until the next write puts a new one in place.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
from pathlib import Path

from tacit.storage.siblings import discard
from tacit.storage.target import check_replaceable

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM}
_TAKEN = {errno.ENOTEMPTY, errno.EEXIST}
_OVERTAKEN = {*_TAKEN, errno.ENOENT}
_ATTEMPTS = 10  # against other writes of the same target


def place(new: Path, target: Path, aside: Path) -> None:
    """Give ``new`` the name ``target``; what bore it before is then at ``new`` or gone.

    ``aside`` is where the old folder waits if the two cannot change names in one step.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return _place_once(new, target, aside)
        except OSError as fault:
            if fault.errno not in _OVERTAKEN or attempt == _ATTEMPTS:
                raise


def exchange(one: Path, other: Path) -> bool:
    """Let two folders change names in one step; say whether the system can."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if os.name == "posix" else None
    if rename is None:
        return False
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(other))


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name == "nt":  # folders cannot be opened there
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as fault:
        if fault.errno != errno.EINVAL:  # a file system that cannot do it for folders
            raise
    finally:
        os.close(descriptor)


def _place_once(new: Path, target: Path, aside: Path) -> None:
    if not os.path.lexists(target):
        os.rename(new, target)
        return
    check_replaceable(target)  # again: a training may lie between
    if not exchange(new, target):
        _step_aside(new, target, aside)


def _step_aside(new: Path, target: Path, aside: Path) -> None:
    try:
        os.rename(target, aside)
        os.rename(new, target)
    except BaseException:
        _step_back(aside, target)
        raise
    discard(aside)


def _step_back(aside: Path, target: Path) -> None:
    with contextlib.suppress(FileNotFoundError):  # nothing was set aside
        try:
            os.rename(aside, target)
        except OSError as fault:
            if fault.errno not in _TAKEN:
                raise
            discard(aside)  # a newer model, ours or that of another write, has the name
