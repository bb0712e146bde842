"""Run blocks of work on threads, and limit BLAS to one; results do not depend on the number of threads.

A function runs over fixed blocks; the kernels release the interpreter lock and do not call BLAS. Results of
BLAS depend on its number of threads, so that it is limited to one thread where results must be reproducible.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

from tacit.checks import check_int

Block = TypeVar("Block")
Result = TypeVar("Result")


def effective_n_threads(n_threads: int | None) -> int:
    """Check a number of threads; None stands for every core that this process may run on.

    >>> effective_n_threads(3)
    3
    """
    if n_threads is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    return check_int("n_threads", n_threads, note="or None for all cores")


def split_range(n: int, size: int) -> list[tuple[int, int]]:
    """Split the range from 0 to n into blocks of ``size``.

    >>> split_range(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def run_blocks(function: Callable[[Block], Result], blocks: Iterable[Block], n_threads: int) -> list[Result]:
    """Call ``function`` on every block, and return the results in the order of the blocks.

    After an error or Ctrl-C no further block is started, and the error is raised once the running blocks end.

    >>> run_blocks(lambda b: b * b, [1, 2, 3], n_threads=2)
    [1, 4, 9]
    """
    blocks = list(blocks)
    if n_threads == 1 or len(blocks) < 2:
        return [function(block) for block in blocks]
    pool = ThreadPoolExecutor(min(n_threads, len(blocks)))
    try:
        futures = [pool.submit(function, block) for block in blocks]
        wait(futures, return_when=FIRST_EXCEPTION)
    finally:
        pool.shutdown(cancel_futures=True)
    # Blocks start in order, so that an error comes before the blocks that were cancelled because of it.
    return [future.result() for future in futures]


_lock = threading.Lock()
_n_users = 0
_saved_limits: list[tuple[Any, int]] = []  # each BLAS library and its number of threads before


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit all BLAS libraries of the process to one thread inside the context.

    Contexts may overlap in several threads: the first one sets the limit, and the last one restores it.

    >>> from threadpoolctl import threadpool_info
    >>> with one_blas_thread():
    ...     {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
    {1}
    """
    global _n_users
    with _lock:
        if _n_users == 0:
            libraries = _find_blas_libraries(len(sys.modules))
            _saved_limits[:] = [(library, library.get_num_threads()) for library in libraries]
            for library in libraries:
                _set_n_threads(library, 1)
        _n_users += 1
    try:
        yield
    finally:
        with _lock:
            _n_users -= 1
            if _n_users == 0:
                for library, n_threads in _saved_limits:
                    _set_n_threads(library, n_threads)


def _set_n_threads(library: Any, n_threads: int) -> None:
    """Set the number of threads of a library, also if another thread set it last.

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
