"""Limit BLAS to one thread while a result must be reproducible, and restore the limit afterwards."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

_lock = threading.Lock()
_n_users = 0
_saved_limits: list[tuple[Any, int]] = []  # each BLAS library, and how many threads it had before


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit all BLAS libraries of the process to one thread inside the context.

    Contexts may overlap in several threads: the first one sets the limit, and the last one restores it.

    >>> from threadpoolctl import threadpool_info
    >>> with one_blas_thread():
    ...     {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
    {1}
    """
    _acquire()
    try:
        yield
    finally:
        _release()


def _acquire() -> None:
    global _n_users, _saved_limits
    with _lock:
        if _n_users == 0:
            libraries = _find_blas_libraries(len(sys.modules))
            _saved_limits = [(library, library.get_num_threads()) for library in libraries]
            for library, _ in _saved_limits:
                _set_n_threads(library, 1)
        _n_users += 1


def _release() -> None:
    global _n_users
    with _lock:
        _n_users -= 1
        if _n_users == 0:
            for library, n_threads in _saved_limits:
                _set_n_threads(library, n_threads)


def _set_n_threads(library: Any, n_threads: int) -> None:
    """Set the number of threads of a library, also if another thread of ours has set it last.

    Since version 3.8, threadpoolctl ignores all threads but the one that first set a limit.
    """
    clear = getattr(library, "clear_controlling_thread", lambda force: None)
    clear(force=True)
    library.set_num_threads(n_threads)
    clear(force=True)


@lru_cache(maxsize=1)
def _find_blas_libraries(n_modules: int) -> Any:
    """Find the loaded BLAS libraries; searched again if ``n_modules``, the number of modules, has changed."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas").lib_controllers
