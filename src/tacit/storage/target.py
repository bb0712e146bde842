"""May a model be written there? Asked before a long training, and again before a write."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryFile

from tacit.errors import InputError, ModelError
from tacit.storage.config import LIMIT, parse_object
from tacit.storage.files import CONFIG, LOCK, is_content, open_file, real_path

_LITTER = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", LOCK})
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
    tacit.errors.InputError: cannot write a model to ...target.py: it is a file, or inside one; name a folder
    """
    target = real_path(folder)
    try:
        nearest = _nearest_folder(target)
        if nearest == target and not _may_hold_a_model(target):
            raise _refused(target, "it is neither empty nor a tacit model; name another folder")
        with TemporaryFile(dir=nearest):
            pass
    except NotADirectoryError:
        raise _refused(target, "it is a file, or inside one; name a folder") from None
    except OSError as fault:
        raise unwritable(target, fault) from fault
    return target


def unwritable(target: Path, fault: OSError) -> InputError:
    """Word what the system says against writing ``target``."""
    reason = fault.strerror or str(fault)
    return _refused(target, f"{reason}; check space and rights, or name another folder")


def _refused(target: Path, why: str) -> InputError:
    return InputError(f"cannot write a model to {target}: {why}")


def _nearest_folder(target: Path) -> Path:
    """Give ``target`` or the first of its parents that exists; raise NotADirectoryError for a file."""
    for each in (target, *target.parents):
        try:
            os.listdir(each)
        except FileNotFoundError:
            continue
        return each
    raise FileNotFoundError(target)


def _may_hold_a_model(folder: Path) -> bool:
    """Say whether a folder is empty, a tacit model, or what a killed first write has left."""
    others = [name for name in os.listdir(folder) if name not in _LITTER and not is_content(name)]
    if not others:
        return True
    try:
        with open_file(folder / CONFIG) as file:
            config = parse_object(file.read(LIMIT)) or {}
    except ModelError:
        return False
    return type(config.get("format")) is int and "tacit" in config
