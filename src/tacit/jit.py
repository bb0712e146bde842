"""How kernels are compiled: once, kept in a cache that may be missing, full or damaged, and never in the way.

numba keeps compiled kernels beside their source, or in the user's cache folder. Where neither can be written,
as in a hardened container, a folder of the user's own among the temporary files serves, or none. What is read
from a cache was written whole, with its digest; anything else is dropped and compiled again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import config as settings
from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache

from tacit import __version__

config: Any = settings  # it has no types
_log = logging.getLogger(__name__)
_DIGEST = sha256().digest_size


def compiled(**options: Any) -> Callable[[Any], Any]:
    """A decorator that compiles a kernel when it is first called; kernels release the interpreter lock."""

    def decorate(function: Any) -> Any:
        kernel = njit(nogil=True, **options)(function)
        kernel._cache = _cache_of(function)
        return kernel

    return decorate


def _cache_of(function: Any) -> Any:
    """The cache of a kernel: where numba puts it, among temporary files, or nowhere."""
    with contextlib.suppress(RuntimeError, OSError):  # RuntimeError: no folder can be written
        return KernelCache(function)
    if (folder := _temporary_folder()) is not None:
        with contextlib.suppress(RuntimeError, OSError), _cache_folder(folder):
            return KernelCache(function)
    return NullCache()


@cache
def _temporary_folder() -> str | None:
    """A folder that nobody else can write to: what is in a cache is run. Says once what it found."""
    try:
        user = os.getuid() if hasattr(os, "getuid") else "user"
        folder = Path(tempfile.gettempdir(), f"tacit-kernels-{user}")
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        ours = stat.S_ISDIR(found.st_mode) and (user == "user" or found.st_uid == user)
        if not ours or (user != "user" and found.st_mode & 0o077):
            raise PermissionError(f"{folder} can be written by others")
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        _log.warning(
            "compiled kernels cannot be kept (%s), so that every process compiles them anew: set "
            "NUMBA_CACHE_DIR to a folder that can be written", fault.strerror or fault
        )  # fmt: skip
        return None
    _log.warning("compiled kernels are kept in %s: set NUMBA_CACHE_DIR to a lasting folder", folder)
    return str(folder)


@contextlib.contextmanager
def _cache_folder(folder: str) -> Iterator[None]:
    before, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        yield
    finally:
        config.CACHE_DIR = before


@cache
def _say_once(what: str, fault: str) -> None:
    _log.warning("%s (%s): going on without", what, fault)


class KernelCache(FunctionCache):
    """numba's cache of one function, where a fault of the disk is no fault of the call."""

    def __init__(self, function: Any) -> None:
        """Find a folder; RuntimeError if there is none."""
        super().__init__(function)
        stamp = (self._impl.locator.get_source_stamp(), __version__)
        self._cache_file: DigestedFiles = DigestedFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None if there is none that is whole."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as fault:  # damaged files raise anything that unpickling can
            _log.info("the cache of %s is damaged (%s): compiling it again", self._name, fault)
            self._cache_file.drop()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel, if the disk lets us."""
        try:
            super().save_overload(sig, data)
        except OSError as fault:
            _say_once(f"compiled kernels cannot be kept in {self._cache_path}", fault.strerror or str(fault))
            self._cache_file.drop()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), config.BOUNDSCHECK, str(config.OPT))


class DigestedFiles(IndexDataCacheFile):
    """numba's two files for a function, the compiled code followed by its SHA-256."""

    def drop(self) -> None:
        """Remove the index: what it names is overwritten by the next save."""
        with contextlib.suppress(OSError):
            os.unlink(self._index_path)

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:  # cut short or overwritten: begin a new one
            self.drop()
            return {}

    def _load_data(self, name: str) -> Any:
        with open(self._data_path(name), "rb") as file:
            data = file.read()
        if sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
            raise ValueError(f"{name} is not as it was written")
        return super()._load_data(name)  # which stops before the digest

    def _save_data(self, name: str, data: Any) -> None:
        packed = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(packed + sha256(packed).digest())
