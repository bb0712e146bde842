"""Where the passes over partitions run: on threads here, or on the workers of a Dask cluster.

An engine does one thing: call a function on every partition and add up what it returns, in one fixed tree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from tacit.scale.sums import Tree

T = TypeVar("T")


class Engine(Protocol):
    """What runs passes; ``n_threads`` is for the work between them."""

    name: str
    n_threads: int

    def share(self, value: Any) -> Any:
        """What every call of a pass is given, sent once."""

    def run(
        self,
        work: Callable[..., T],
        items: Sequence[Any],
        shared: tuple[Any, ...],
        add: Callable[[T, T], T],
        tell: Callable[[Any], None],
    ) -> T:
        """The sum of ``work(item, *shared)`` over the items; ``tell(item)`` after each."""


class Threads:
    """The partitions one after the other, as many at a time as there are threads."""

    name = "disk"

    def __init__(self, n_threads: int) -> None:
        """Keep the number of threads."""
        self.n_threads = n_threads

    def share(self, value: Any) -> Any:
        """Nothing is sent."""
        return value

    def run(
        self,
        work: Callable[..., T],
        items: Sequence[Any],
        shared: tuple[Any, ...],
        add: Callable[[T, T], T],
        tell: Callable[[Any], None],
    ) -> T:
        """The sum over the items, in the order of the tree.

        >>> Threads(2).run(lambda item, factor: item * factor, [1, 2, 3], (10,), int.__add__, print)
        1
        2
        3
        60
        """
        tree = Tree(add)
        for item, found in zip(items, self._in_order(work, items, shared), strict=True):
            tree.push(found)
            del found  # before the next is waited for
            tell(item)
        return tree.total()

    def _in_order(self, work: Callable[..., T], items: Sequence[Any], shared: tuple[Any, ...]) -> Iterator[T]:
        """Results in the items' order, at most one more than threads ahead: none of these waits for a sum."""
        if self.n_threads == 1:
            yield from (work(item, *shared) for item in items)
            return
        pool = ThreadPoolExecutor(self.n_threads)
        waiting: deque[Future[T]] = deque()
        try:
            for item in items:
                if len(waiting) > self.n_threads:
                    yield waiting.popleft().result()
                waiting.append(pool.submit(work, item, *shared))
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
