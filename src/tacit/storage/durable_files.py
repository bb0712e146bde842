"""Write files atomically and durably, and open them safely."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import file_digest, sha256
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

from tacit.errors import InputError, ModelError

CONFIG_FILE = "config.json"
CARD_FILE = "README.md"
LOCK_FILE = ".lock"
CONTENT_FILES = {"arrays": "model-{}.safetensors", "vocabulary": "vocabulary-{}.txt"}
"""What a config may name, and the name of each: the first digits of its SHA-256 go between."""

PART_FILE = "part-{}.safetensors"
"""The name of a further content file, of which a config may name any number."""

_DIGEST_DIGITS = 16
_CONTENT_PATTERN = re.compile(
    r"((model|part)-[0-9a-f]{16}\.safetensors|vocabulary-[0-9a-f]{16}\.txt|.+\.[0-9a-f]{8}\.part)"
)
_RETRY_SECONDS = (0.01, 0.1, 1.0)  # seconds
_OPEN_FLAGS = (
    os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
)  # a pipe must not hang us


def content_name(role: str, digest: str) -> str:
    """Name a content file.

    >>> content_name("vocabulary", "0123456789abcdef" * 4)
    'vocabulary-0123456789abcdef.txt'
    """
    return CONTENT_FILES.get(role, PART_FILE).format(digest[:_DIGEST_DIGITS])


def is_content_file(name: str) -> bool:
    """Test whether a file is content of a model or an unfinished write.

    >>> is_content_file("model-0123456789abcdef.safetensors"), is_content_file("README.md")
    (True, False)
    """
    return _CONTENT_PATTERN.fullmatch(name) is not None


def damaged_error(where: Path, what: str) -> ModelError:
    """Word the fault of a file that is not as it was written."""
    return ModelError(f"{where} is damaged: {what}; copy the model again, or train it again")


def resolve_folder(folder: str | os.PathLike[str]) -> Path:
    """Follow links and dots, so that one folder has one name."""
    try:
        return Path(os.path.realpath(os.fspath(folder)))
    except (OSError, ValueError) as fault:  # ValueError: a null character
        raise InputError(f"{folder!r} cannot be the name of a folder: {fault}") from fault


def write_chunks(path: Path, *chunks: bytes | memoryview) -> None:
    """Write a file in one step, flushed to the disk before it is renamed to ``path``.

    A file that has this content already is not replaced: on Windows a mapped file cannot be.
    """
    if _has_content(path, chunks):
        return
    part = temporary_path(path)
    with open(part, "xb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    replace_with_retry(part, path)


def write_atomic(target: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Write a file beside the target with ``write``, then rename it: a crash leaves the old file or the new.

    The temporary file is removed if writing fails; a fault of the disk is an `InputError`.
    """
    temporary = target.with_name(f".tacit-{os.getpid()}{target.suffix}")
    try:
        with temporary.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        replace_with_retry(temporary, target)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror or error}; write elsewhere") from None
    finally:
        temporary.unlink(missing_ok=True)


def temporary_path(path: Path) -> Path:
    """A name for a file that is being written and has no other yet; the sweep knows it."""
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")


def digest_chunks(chunks: Iterable[bytes | memoryview]) -> str:
    """Return the SHA-256 of chunks of bytes, in hexadecimal."""
    digest = sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def _has_content(path: Path, chunks: Sequence[bytes | memoryview]) -> bool:
    """Test whether a file has this content; if so, flush it to the disk."""
    try:
        with open(path, "r+b") as file:
            same = os.fstat(file.fileno()).st_size == sum(map(len, chunks))
            same = same and file_digest(file, "sha256").hexdigest() == digest_chunks(chunks)
            if same:
                os.fsync(file.fileno())
            return same
    except OSError:
        return False


def replace_with_retry(part: Path, path: Path) -> None:
    """Give a written file its name."""
    for pause in _RETRY_SECONDS:
        try:
            return os.replace(part, path)
        except PermissionError:  # on Windows while a reader has the file open, which is for milliseconds
            time.sleep(pause)
    os.replace(part, path)


def create_folder(folder: Path) -> None:
    """Make a folder and its missing parents, durably."""
    if not folder.exists():
        create_folder(folder.parent)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        fsync_folder(folder.parent)


def fsync_folder(folder: Path) -> None:
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


def open_regular_file(path: Path) -> BufferedReader:
    """Open a file of a model for reading; raise ModelError for anything but a regular file."""
    try:
        descriptor = os.open(path, _OPEN_FLAGS)
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise _missing_error(path) from fault
    except OSError as fault:
        raise unreadable_error(path, fault) from fault
    except ValueError as fault:  # a null character
        raise ModelError(f"{str(path.parent)!r} cannot be the name of a folder: {fault}") from fault
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise damaged_error(path, "not a regular file")
    return os.fdopen(descriptor, "rb")


def unreadable_error(path: Path, fault: OSError) -> ModelError:
    """Word what the system says against reading a file."""
    return ModelError(f"cannot read {path}: {fault.strerror}; check the disk and the rights")


def _missing_error(path: Path) -> ModelError:
    folder = path.parent
    if folder.is_dir():
        return ModelError(
            f"{folder} is not a whole model: {path.name} is missing; copy it again, or train again"
        )
    if folder.exists():
        return ModelError(f"{folder} is a file, not a model: name the folder that holds {CONFIG_FILE}")
    return ModelError(f"no model at {folder}: check the path, or train one and save it there")
