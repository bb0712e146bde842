"""Run a function over fixed blocks on several threads; results do not depend on the number of threads.

The kernels release the interpreter lock, and BLAS is not called.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

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
    results: dict[int, Result] = {}
    queue: Iterator[tuple[int, Block]] = iter(enumerate(blocks))
    lock = threading.Lock()
    stop = threading.Event()

    def worker() -> None:
        while not stop.is_set():
            with lock:
                number, block = next(queue, (-1, None))
            if number < 0:
                return
            try:
                results[number] = function(block)  # type: ignore[arg-type]
            except BaseException:
                stop.set()
                raise

    n_workers = min(n_threads, len(blocks))
    with ThreadPoolExecutor(n_workers) as pool:
        futures = [pool.submit(worker) for _ in range(n_workers)]
        try:
            for future in futures:
                future.result()
        finally:
            stop.set()
    return [results[number] for number in range(len(blocks))]
