"""Run a function over fixed blocks of work on a few threads.

The blocks do not depend on the number of threads and each writes its own rows, so the result does not
either. The kernels release the interpreter lock; BLAS is not called.
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


def usable_threads(n_threads: int | None) -> int:
    """How many threads to use: the number given, or every core this process may run on.

    >>> usable_threads(3)
    3
    """
    if n_threads is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    return check_int("n_threads", n_threads, note="or None for all cores")


def ranges(n: int, size: int) -> list[tuple[int, int]]:
    """Cut 0..n into blocks of ``size``.

    >>> ranges(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def run(work: Callable[[Block], Result], blocks: Iterable[Block], n_threads: int) -> list[Result]:
    """Call ``work`` on every block, in order of arrival, and return the results in the blocks' order.

    An error or Ctrl-C lets the blocks under way finish, starts no other, and is raised here.

    >>> run(lambda b: b * b, [1, 2, 3], n_threads=2)
    [1, 4, 9]
    """
    blocks = list(blocks)
    if n_threads == 1 or len(blocks) < 2:
        return [work(block) for block in blocks]
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
                results[number] = work(block)  # type: ignore[arg-type]
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
