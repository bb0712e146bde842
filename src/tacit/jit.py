"""Compile numba kernels and cache them on disk; a missing, full or damaged cache never fails a call.

numba caches compiled kernels beside their source, or in the user's cache folder. Where neither is writable,
as in a hardened container, a private folder among the temporary files is used, or no cache at all. Cached
code is stored with its SHA-256; a file that does not match is deleted and the kernel is compiled again.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import config, njit, version_info
from numba.core import event
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache
from numba.core.runtime.nrt import rtsys

from tacit import __version__, first_start

numba_config: Any = config  # numba has no type annotations
_log = logging.getLogger(__name__)
_DIGEST_BYTES = sha256().digest_size
_POLL_SECONDS = 0.02

_CAN_LOAD_WITHOUT_REFRESH = (0, 60) <= version_info.short <= (0, 68)
"""Whether this is a version of numba for which loading a kernel without its registries was tested."""


def njit_cached(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles a kernel at its first call and caches it; kernels release the GIL."""

    def decorate(function: Any) -> Any:
        kernel = njit(nogil=True, **{"no_cfunc_wrapper": True, **options})(function)  # no C code calls it
        kernel._cache = _open_cache(function)
        return kernel

    return decorate


jit: Callable[[Any], Any] = njit_cached()
jit_inline: Callable[[Any], Any] = njit_cached(inline="always")


def _open_cache(function: Any) -> Any:
    """Return the cache of a kernel: in numba's folder, or among temporary files, or a null cache."""
    with contextlib.suppress(RuntimeError, OSError):  # RuntimeError: no folder is writable
        return KernelCache(function)
    if (folder := _temp_cache_dir()) is not None:
        with contextlib.suppress(RuntimeError, OSError), _use_cache_dir(folder):
            return KernelCache(function)
    return NullCache()


@cache
def _temp_cache_dir() -> str | None:
    """Return a folder that only this user can write to, since cached code is executed; None if there is none.

    Logs the result once per process.
    """
    try:
        user = os.getuid() if hasattr(os, "getuid") else "user"
        folder = Path(tempfile.gettempdir(), f"tacit-kernels-{user}")
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        is_private = stat.S_ISDIR(status.st_mode) and (user == "user" or status.st_uid == user)
        if not is_private or (user != "user" and status.st_mode & 0o077):
            raise PermissionError(f"{folder} can be written by others")
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        _log.warning(
            "cannot cache compiled kernels (%s), every process recompiles them: set NUMBA_CACHE_DIR to a "
            "writable folder", error.strerror or error
        )  # fmt: skip
        return None
    _log.warning("compiled kernels are cached in %s: set NUMBA_CACHE_DIR to a permanent folder", folder)
    return str(folder)


@contextlib.contextmanager
def _use_cache_dir(folder: str) -> Iterator[None]:
    """Set numba's cache folder in the body of a with statement."""
    before, numba_config.CACHE_DIR = numba_config.CACHE_DIR, folder
    try:
        yield
    finally:
        numba_config.CACHE_DIR = before


@cache
def _warn_once(reason: str) -> None:
    """Log a disk error of the cache once, not once for the folder of each module."""
    _log.warning(
        "cannot cache compiled kernels (%s), continuing without a cache: free disk space, or set "
        "NUMBA_CACHE_DIR to another folder", reason
    )  # fmt: skip


class CompilationListener(event.Listener):
    """Begins the first start before its first kernel, and pauses garbage collection, which takes .3 s."""

    _depth = 0  # a kernel is compiled while the kernel that calls it is
    _collects_garbage = True

    def on_start(self, event: Any) -> None:
        """Handle the start of a compilation."""
        if not self._depth:
            self._collects_garbage = gc.isenabled()
            gc.disable()
        self._depth += 1
        kernel = event.data["dispatcher"]
        is_first = kernel.py_func.__name__ == first_start.FIRST_KERNEL
        if is_first and not isinstance(kernel._cache, NullCache):  # else no process could use it
            first_start.begin()

    def on_end(self, event: Any) -> None:
        """Handle the end of a compilation."""
        self._depth -= 1
        if not self._depth and self._collects_garbage:
            gc.enable()


event.register("numba:compile", CompilationListener())


class KernelCache(FunctionCache):
    """numba's cache of one function; a disk error never fails the call."""

    def __init__(self, function: Any) -> None:
        """Choose the cache folder; RuntimeError if none is writable."""
        super().__init__(function)
        self._module: str = function.__module__
        stamp = (self._impl.locator.get_source_stamp(), __version__)
        self._cache_file: ChecksummedCacheFile = ChecksummedCacheFile(
            self._cache_path, self._impl.filename_base, stamp
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the compiled kernel; None if it is missing or damaged. Waits while it is being compiled."""
        while True:
            # asked before the attempt, so that the last attempt is made after the compilation has ended
            is_compiling = first_start.is_compiling(self._module)
            overload = self._try_to_load(sig, target_context)
            if overload is not None or not is_compiling:
                return overload
            time.sleep(_POLL_SECONDS)

    def _try_to_load(self, sig: Any, target_context: Any) -> Any:
        try:
            if not _CAN_LOAD_WITHOUT_REFRESH:
                return super().load_overload(sig, target_context)
            # numba registers all overloads first, 0.2 s in every process; loading needs only the runtime
            rtsys.initialize(target_context)
            return self._load_overload(sig, target_context)
        except Exception as error:  # unpickling a damaged file can raise any exception
            _log.info("the cache of %s is damaged (%s): compiling it again", self._name, error)
            self._cache_file.delete_index()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled kernel; a disk error is logged once."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(error.strerror or str(error))
            self._cache_file.delete_index()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), numba_config.BOUNDSCHECK, str(numba_config.OPT))


class ChecksummedCacheFile(IndexDataCacheFile):
    """numba's index and data files of a function; the compiled code is followed by its SHA-256."""

    def delete_index(self) -> None:
        """Delete the index; the next save overwrites the data files."""
        with contextlib.suppress(OSError):
            os.unlink(self._index_path)

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:  # truncated or overwritten: start a new index
            self.delete_index()
            return {}

    def _load_data(self, name: str) -> Any:
        with open(self._data_path(name), "rb") as file:
            data = file.read()
        if sha256(data[:-_DIGEST_BYTES]).digest() != data[-_DIGEST_BYTES:]:
            raise ValueError(f"the checksum of {name} does not match")
        return super()._load_data(name)  # the unpickler stops before the digest

    def _save_data(self, name: str, data: Any) -> None:
        packed = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(packed + sha256(packed).digest())
