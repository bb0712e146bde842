"""May a model be written there? Asked before a long training, and again before a folder is replaced."""

from __future__ import annotations

import os
from pathlib import Path

from tacit.errors import InputError, ModelError
from tacit.storage.config import LIMIT, parse_object
from tacit.storage.layout import CONFIG, LITTER, OURS, real_path
from tacit.storage.opened import ATTEMPTS, OpenFolder
from tacit.storage.siblings import discard, new_token, sibling


def check_target(folder: str | os.PathLike[str]) -> Path:
    """Raise InputError unless a model can be written to ``folder``; give its real path, links followed.

    A model may go to a free name (`write_model` makes missing parents), to an empty folder, or in the place
    of another tacit model. Whether the disk lets us write there is tried out with an empty folder.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     check_target(Path(folder, "models", "faq")).name
    'faq'
    >>> check_target(__file__)
    Traceback (most recent call last):
    tacit.errors.InputError: cannot write a model to ...target.py: it is a file, or inside one; name a folder
    """
    target = real_path(folder, InputError)
    try:
        check_replaceable(target)
        _try_out(target)
    except OSError as fault:
        raise unwritable(target, fault) from fault
    return target


def check_replaceable(target: Path) -> None:
    """Raise InputError unless ``target`` is free, an empty folder, or a tacit model and nothing more."""
    for _ in range(ATTEMPTS):
        try:
            with OpenFolder(target, shown=target) as opened:
                objection = _objection(opened)
                overtaken = objection is not None and opened.replaced()
        except FileNotFoundError:
            return
        except NotADirectoryError:
            objection, overtaken = "it is a file, or inside one; name a folder", False
        if not overtaken:  # else what was looked at is not what is there now
            break
    if objection is not None:
        raise InputError(f"cannot write a model to {target}: {objection}")


def nearest_existing(folder: Path) -> Path:
    """Give ``folder``, or the first of its parents that exists.

    >>> nearest_existing(Path("/no/such/folder")) == Path("/")
    True
    """
    return next(each for each in (folder, *folder.parents) if os.path.lexists(each))


def unwritable(target: Path, fault: OSError) -> InputError:
    """Word what the system says against writing ``target``."""
    reason = fault.strerror or str(fault)
    return InputError(
        f"cannot write a model to {target}: {reason}; check space and rights, or name another folder"
    )


def _objection(opened: OpenFolder) -> str | None:
    names = opened.names() - LITTER
    if names and not _is_model(opened):
        return "it is neither empty nor a tacit model; name another folder"
    if foreign := sorted(names - OURS):
        return (
            f"it also holds {foreign[0]!r}, which is no part of a model; "
            "move that away or name another folder"
        )
    return None


def _is_model(opened: OpenFolder) -> bool:
    try:
        with opened.open(CONFIG) as file:
            config = parse_object(file.read(LIMIT)) or {}
    except ModelError:
        return False
    return type(config.get("format")) is int and "tacit" in config


def _try_out(target: Path) -> None:
    parent = nearest_existing(target.parent)
    probe = sibling(parent / target.name, "tmp", new_token())
    try:
        os.mkdir(probe)
    finally:
        discard(probe)
