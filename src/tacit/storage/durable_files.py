"""Write files atomically and durably, and open them safely."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import file_digest, sha256
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

from tacit.errors import InputError, ModelError

CONFIG_FILE = "config.json"
CARD_FILE = "README.md"
LOCK_FILE = ".lock"
CONTENT_FILES = {"arrays": "model-{}.safetensors", "vocabulary": "vocabulary-{}.txt"}
"""Names of the content files by role; the first digits of the SHA-256 are inserted."""

PART_FILE = "part-{}.safetensors"
"""Name of an additional content file; a model can have any number of them."""

_DIGEST_DIGITS = 16
_CONTENT_PATTERN = re.compile(
    r"(model|part)-[0-9a-f]{16}\.safetensors|vocabulary-[0-9a-f]{16}\.txt|.+\.[0-9a-f]{8}\.part"
)
_RETRY_SECONDS = (0.01, 0.1, 1.0)
# O_NONBLOCK: opening a named pipe must not block
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def content_name(role: str, digest: str) -> str:
    """Return the name of a content file.

    >>> content_name("vocabulary", "0123456789abcdef" * 4)
    'vocabulary-0123456789abcdef.txt'
    """
    return CONTENT_FILES.get(role, PART_FILE).format(digest[:_DIGEST_DIGITS])


def is_content_file(name: str) -> bool:
    """Return whether a file name is that of a content file or of a temporary file of an unfinished write.

    >>> is_content_file("model-0123456789abcdef.safetensors"), is_content_file("README.md")
    (True, False)
    """
    return _CONTENT_PATTERN.fullmatch(name) is not None


def damaged_error(path: Path, problem: str) -> ModelError:
    """Return the error for a file whose content is not what was written."""
    return ModelError(f"{path} is damaged: {problem}; copy the model again, or train it again")


def resolve_folder(folder: str | os.PathLike[str]) -> Path:
    """Return the absolute path of a folder without links and dots, so that each folder has one name."""
    try:
        return Path(os.path.realpath(os.fspath(folder)))
    except (OSError, ValueError) as error:  # ValueError: a null character
        raise InputError(f"{folder!r} cannot be the name of a folder: {error}") from error


@contextlib.contextmanager
def open_atomic(path: Path, flush: bool = True) -> Iterator[BinaryIO]:
    """Open a temporary file for writing that replaces ``path`` at the end; after an error it is removed.

    Unless it is flushed to the disk first, a crash of the machine may lose the file.
    """
    temporary = temporary_path(path)
    try:
        with temporary.open("xb") as file:
            yield file
            if flush:
                file.flush()
                os.fsync(file.fileno())
        replace_with_retry(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def write_chunks(path: Path, *chunks: bytes | memoryview) -> None:
    """Write a file atomically, flushed to the disk before it is renamed to ``path``.

    A file that already has this content is not replaced: on Windows a mapped file cannot be.
    """
    if not _has_content(path, chunks):
        with open_atomic(path) as file:
            for chunk in chunks:
                file.write(chunk)


def write_atomic(path: Path, content: bytes | Callable[[BinaryIO], Any]) -> None:
    """Write bytes, or what a function writes, to a file atomically; InputError for an error of the disk.

    A crash leaves the old file or the new one. The temporary file is removed if writing fails.
    """
    try:
        with open_atomic(path) as file:
            content(file) if callable(content) else file.write(content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}; name another file") from None


def temporary_path(path: Path) -> Path:
    """Return a random name for an unfinished file, which ``remove_unreferenced_files`` recognizes."""
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")


def digest_chunks(chunks: Iterable[bytes | memoryview]) -> str:
    """Return the SHA-256 of chunks of bytes, in hexadecimal."""
    digest = sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()


def _has_content(path: Path, chunks: Sequence[bytes | memoryview]) -> bool:
    """Return whether a file has this content; if so, flush it to the disk."""
    try:
        with open(path, "r+b") as file:
            if os.fstat(file.fileno()).st_size != sum(map(len, chunks)):
                return False
            if file_digest(file, "sha256").hexdigest() != digest_chunks(chunks):
                return False
            os.fsync(file.fileno())
            return True
    except OSError:
        return False


def replace_with_retry(temporary: Path, path: Path) -> None:
    """Rename a file to ``path``; retry while a reader on Windows has the old file open."""
    for seconds in _RETRY_SECONDS:
        try:
            return os.replace(temporary, path)
        except PermissionError:
            time.sleep(seconds)
    os.replace(temporary, path)


def create_folder(folder: Path) -> None:
    """Create a folder and its missing parents, durably."""
    if not folder.exists():
        create_folder(folder.parent)
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        fsync_folder(folder.parent)


def fsync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk."""
    if os.name == "nt":  # folders cannot be opened on Windows
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # the file system does not support it for folders
            raise
    finally:
        os.close(descriptor)


def open_regular_file(path: Path) -> BufferedReader:
    """Open a file of a model for reading; ModelError for anything but a regular file."""
    with reraise_read_errors(path):
        try:
            descriptor = os.open(path, _OPEN_FLAGS)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise missing_error(path) from error
        except ValueError as error:  # a null character
            raise ModelError(f"{str(path.parent)!r} cannot be the name of a folder: {error}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise damaged_error(path, "not a regular file")
    return os.fdopen(descriptor, "rb")


@contextlib.contextmanager
def reraise_read_errors(path: Path) -> Iterator[None]:
    """Turn an error of the system in reading a file of a model into ModelError."""
    try:
        yield
    except OSError as error:
        problem = f"cannot read {path}: {error.strerror}"
        raise ModelError(f"{problem}; check the disk and the permissions") from error


def missing_error(path: Path) -> ModelError:
    """Return the error for a missing file of a model, or a missing model."""
    folder = path.parent
    if folder.is_dir():
        problem = f"{folder} is an incomplete model: {path.name} is missing"
        return ModelError(f"{problem}; copy it again, or retrain")
    if folder.exists():
        return ModelError(f"{folder} is a file, not a model: name the folder that has {CONFIG_FILE}")
    return ModelError(
        f"no model at {folder}: no such file or folder; check the path, or train one and save it there"
    )
