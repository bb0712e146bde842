"""The folders a write keeps next to its target: ``.NAME.tmp-TOKEN`` and, for a moment, ``.NAME.old-TOKEN``.

A token names the machine, the process and the write, so that what a killed write left behind can be told from
what another write, here or on another machine with the same disk, is busy with.
"""

from __future__ import annotations

import contextlib
import logging
import os
import platform
import re
import secrets
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tacit.storage.layout import LITTER, OURS

_log = logging.getLogger(__name__)

ABANDONED = 24 * 3600.0
"""Seconds after which a write of another machine, or of a process number in use again, is taken for dead."""


class Sibling(NamedTuple):
    """A folder next to a target: its role (tmp or old), and the token of the write it belongs to."""

    path: Path
    role: str
    token: str


def new_token() -> str:
    """Give a token no other write has: machine, process, and eight random digits.

    >>> new_token() == new_token()
    False
    """
    return f"{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"


def sibling(target: Path, role: str, token: str) -> Path:
    """Name a folder next to ``target``, and so on the same file system.

    >>> sibling(Path("/models/faq"), "tmp", "0badcafe-77-00c0ffee").name
    '.faq.tmp-0badcafe-77-00c0ffee'
    """
    return target.with_name(f".{target.name}.{role}-{token}")


def siblings(target: Path) -> list[Sibling]:
    """List the folders, of this process or any other, that writes of ``target`` keep or have left."""
    pattern = re.compile(rf"\.{re.escape(target.name)}\.(tmp|old)-([0-9a-f]{{8}}-[0-9]+-[0-9a-f]{{8}})")
    found = []
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            match = pattern.fullmatch(entry.name)
            if match and entry.is_dir(follow_symlinks=False):
                found.append(Sibling(Path(entry.path), match[1], match[2]))
    return found


def set_aside(target: Path) -> Path | None:
    """Find the model a killed (or running) write has moved aside before it could put the new one in place.

    Only while its twin, the new model, waits as well: an old model without a twin was replaced for good.
    """
    found = siblings(target)
    waiting = {each.token for each in found if each.role == "tmp"}
    return next((each.path for each in found if each.role == "old" and each.token in waiting), None)


def sweep(target: Path) -> None:
    """Remove what killed writes of ``target`` have left."""
    for each in _stale(target):
        discard(each.path)


def discard(folder: Path) -> None:
    """Remove a folder of ours if it is there: the files of a model, and nothing else it may hold."""
    for name in OURS | LITTER:
        with contextlib.suppress(OSError):
            (folder / name).unlink()
    try:
        folder.rmdir()
    except FileNotFoundError:
        pass
    except OSError as fault:
        _log.warning("%s could not be removed: %s", folder, fault.strerror)


def _stale(target: Path) -> Iterator[Sibling]:
    for each in siblings(target):
        machine, process, _ = each.token.split("-")
        with contextlib.suppress(OSError):
            dead = machine == _machine() and not _alive(int(process))
            if dead or time.time() - each.path.stat().st_mtime > ABANDONED:
                yield each


def _machine() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _alive(process: int) -> bool:
    if os.name == "nt":  # there, signal 0 is Ctrl-C: age alone must tell
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True
