"""Run a function on every partition and add the results in a fixed tree.

The tree does not depend on the number of threads, workers and machines, so that sums have the same bits.
Engines are ``ThreadEngine`` here and ``DaskEngine`` in ``dask_engine``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from functools import reduce
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from tacit.scale.dask_engine import DaskEngine

T = TypeVar("T")

FAN_IN = 8  # neighbors that a node of the tree adds, one after the other


Engine: TypeAlias = "ThreadEngine | DaskEngine"


class ThreadEngine:
    """Runs passes on the threads of this process; ``n_threads`` is also for the work between passes."""

    name = "disk"

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads

    def broadcast(self, value: Any) -> Any:
        """Return the value itself, which all threads can read."""
        return value

    def run(
        self, function: Callable[..., T], items: Sequence[Any], shared: tuple[Any, ...],
        add: Callable[[T, T], T], on_done: Callable[[Any], None],
    ) -> T:  # fmt: skip
        """Return the sum of ``function(item, *shared)`` over the items, in the order of the tree.

        ``on_done(item)`` is called after each item.

        >>> ThreadEngine(2).run(lambda item, factor: item * factor, [1, 2, 3], (10,), int.__add__, print)
        1
        2
        3
        60
        """
        tree = SumTree(add)
        for item, result in zip(items, self._iterate_results(function, items, shared), strict=True):
            tree.push(result)
            del result  # free it before waiting for the next
            on_done(item)
        return tree.total()

    def _iterate_results(
        self, function: Callable[..., T], items: Sequence[Any], shared: tuple[Any, ...]
    ) -> Iterator[T]:
        """Yield results in the order of the items, with at most ``n_threads`` + 1 tasks in flight."""
        if self.n_threads == 1:
            yield from (function(item, *shared) for item in items)
            return
        pool = ThreadPoolExecutor(self.n_threads)
        waiting: deque[Future[T]] = deque()
        try:
            for item in items:
                if len(waiting) > self.n_threads:
                    yield waiting.popleft().result()
                waiting.append(pool.submit(function, item, *shared))
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class SumTree(Generic[T]):
    """Adds values that arrive in order; it holds one sum for each level of the tree.

    >>> tree = SumTree(lambda a, b: f"({a}{b})")
    >>> for value in "abcdefghij":
    ...     tree.push(value)
    >>> tree.total()
    '((((((((ab)c)d)e)f)g)h)(ij))'
    """

    def __init__(self, add: Callable[[T, T], T], fan_in: int = FAN_IN) -> None:
        self.add, self.fan_in = add, fan_in
        self.levels: list[list[Any]] = []  # for each level, the number of values added and their sum

    def push(self, value: T, level: int = 0) -> None:
        """Add the next value."""
        if level == len(self.levels):
            self.levels.append([0, None])
        node = self.levels[level]
        if node[0] == self.fan_in:
            full, node[:] = node[1], (0, None)
            self.push(full, level + 1)
        node[1] = value if node[0] == 0 else self.add(node[1], value)
        node[0] += 1

    def total(self) -> T:
        """Return the sum of all values; the tree cannot be used afterwards."""
        level = 0
        while level + 1 < len(self.levels):
            value, self.levels[level][:] = self.levels[level][1], (0, None)
            self.push(value, level + 1)
            level += 1
        return self.levels[level][1]


def add_group(add: Callable[[T, T], T], values: Sequence[T]) -> T:
    """Add the values of one node of the tree without changing them."""
    return reduce(add, values[1:], deepcopy(values[0]) if len(values) > 1 else values[0])


def add_fields(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    """Add two tuples field by field.

    >>> add_fields((["a"], 1), (["b"], 2))
    (['a', 'b'], 3)
    """
    return tuple(a + b for a, b in zip(left, right, strict=True))
