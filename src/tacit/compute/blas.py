"""BLAS on one thread while somebody needs the same bits each time, and then as it was before."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

_lock = threading.Lock()
_inside = 0
_before: list[tuple[Any, int]] = []  # each BLAS, and how many threads it had


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """A context in which BLAS has one thread, and so the same bits each time.

    The number is the process's: the first of several callers at once sets it, and the last one sets it back.

    >>> from threadpoolctl import threadpool_info
    >>> with one_blas_thread():
    ...     {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
    {1}
    """
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _inside, _before
    with _lock:
        if _inside == 0:
            _before = [(pool, pool.get_num_threads()) for pool in _pools(len(sys.modules))]
            for pool, _ in _before:
                _set(pool, 1)
        _inside += 1


def _leave() -> None:
    global _inside
    with _lock:
        _inside -= 1
        if _inside == 0:
            for pool, number in _before:
                _set(pool, number)


def _set(pool: Any, number: int) -> None:
    """Set a number of threads, whichever thread set it last: from 3.8 on, others are not heard."""
    release = getattr(pool, "clear_controlling_thread", lambda force: None)
    release(force=True)
    pool.set_num_threads(number)
    release(force=True)


@lru_cache(maxsize=1)
def _pools(n_modules: int) -> Any:
    """The BLAS libraries there are; a module imported since may have brought another."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas").lib_controllers
