"""Run concurrent requests in batches on one worker thread.

Requests with the same key that arrive while a batch is running form the next batch: a single request is never
delayed, and batches grow under load. A request with many items is split into batches of bounded cost, which
take turns with newer requests. Requests whose client has disconnected are dropped before their next batch.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import Any

from tacit.server.http_errors import ApiError

BatchFunction = Callable[..., list[Any]]
"""Takes a list of items and options; returns the result of each item, in the same order."""
MAX_BATCH_COST = 1_000_000  # characters, about 20 ms
DEFAULT_BATCH_ITEMS = 256  # per batch, for items without a cost


class WorkItem:
    """The items of one request, the results so far, and the future that gets all results."""

    def __init__(self, key: tuple[Hashable, ...], items: list[Any], costs: Sequence[int]) -> None:
        self.key, self.items = key, items
        self.results: list[Any] = []
        self.future: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
        self._cumulative_costs = list(accumulate(costs, initial=0))

    def n_items_within(self, max_cost: int) -> int:
        """Return how many of the next items cost at most ``max_cost`` together."""
        start = len(self.results)
        return bisect_right(self._cumulative_costs, self._cumulative_costs[start] + max_cost) - 1 - start

    def cost_of_next(self, n_items: int) -> int:
        """Return the cost of the next items."""
        start = len(self.results)
        return self._cumulative_costs[start + n_items] - self._cumulative_costs[start]

    def next_items(self, n_items: int) -> list[Any]:
        """Return the next items."""
        return self.items[len(self.results) :][:n_items]

    def resolve(self, result: list[Any] | Exception) -> None:
        """Set the result or the exception of the future, unless the request was cancelled."""
        if self.future.done():
            return
        if isinstance(result, Exception):
            self.future.set_exception(result)
        else:
            self.future.set_result(result)


Batch = list[tuple[WorkItem, int]]
"""Requests with the same key, and the number of items to process of each."""


class Batcher:
    """A queue of requests and the thread that processes them.

    ``max_cost`` bounds a batch, ``max_pending`` the number of waiting requests. ``on_batch`` is called with
    the number of items and of requests of each batch.
    """

    def __init__(
        self,
        max_cost: int = MAX_BATCH_COST,
        max_pending: int = 512,
        on_batch: Callable[[int, int], None] | None = None,
    ) -> None:
        self.max_cost, self.max_pending, self.on_batch = max_cost, max_pending, on_batch
        self._new: deque[WorkItem] = deque()
        self._started: deque[WorkItem] = deque()
        self._resume_next = False  # whether a started request has the next turn
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tacit-work")
        self._run: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._new) + len(self._started)

    async def stop(self) -> None:
        """Stop after the current batch. Pending requests get a 503 response."""
        if self._run is not None:
            self._run.cancel()
            await asyncio.wait({self._run})
        for item in (*self._new, *self._started):
            item.resolve(ApiError(503, "the service is shutting down"))
        self._new.clear()
        self._started.clear()
        await asyncio.to_thread(self._thread.shutdown)

    async def submit(
        self,
        function: BatchFunction,
        items: list[Any],
        *options: Hashable,
        costs: Sequence[int] | None = None,
    ) -> list[Any]:
        """Return ``function(items, *options)``, computed in batches shared with other requests."""
        if not items:
            return []
        if len(self) >= self.max_pending:
            message = f"{self.max_pending} requests are waiting: try again soon"
            raise ApiError(503, message, retry_after="1")
        if costs is None:
            costs = [self.max_cost // DEFAULT_BATCH_ITEMS] * len(items)
        item = WorkItem((function, *options), items, costs)
        self._new.append(item)
        if self._run is None or self._run.done():
            self._run = asyncio.get_running_loop().create_task(self._run_batches())
        return await item.future

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return ``function(*arguments)``, computed on the worker thread."""
        [result] = await self.submit(_call_each, [arguments], function)
        return result

    async def _run_batches(self) -> None:
        """Run batches until no request waits."""
        while batch := self._next_batch():
            await self._run_batch(batch)

    def _next_batch(self) -> Batch:
        """Take the next items from the queues; new and started requests take turns."""
        self._new = _without_abandoned(self._new)
        self._started = _without_abandoned(self._started)
        queues = (self._started, self._new) if self._resume_next else (self._new, self._started)
        queue = next((queue for queue in queues if queue), None)
        if queue is None:
            return []
        self._resume_next = queue is self._new and bool(self._started)
        first = queue.popleft()
        n_items = max(first.n_items_within(self.max_cost), 1)
        batch, remaining_cost = [(first, n_items)], self.max_cost - first.cost_of_next(n_items)
        for item in [item for item in self._new if item.key == first.key]:
            n_items = item.n_items_within(remaining_cost)
            if n_items == len(item.items):
                batch.append((item, n_items))
                remaining_cost -= item.cost_of_next(n_items)
                self._new.remove(item)
        return batch

    async def _run_batch(self, batch: Batch) -> None:
        """Process a batch and resolve the requests that are finished."""
        items = [value for item, n_items in batch for value in item.next_items(n_items)]
        if self.on_batch:
            self.on_batch(len(items), len(batch))
        try:
            results = await self._call(batch[0][0].key, items)
        except Exception as error:
            if len(batch) == 1:
                batch[0][0].resolve(error)
                return
            for part in batch:  # only the requests that cause the error shall fail
                await self._run_batch([part])
            return
        start = 0
        for item, n_items in batch:
            item.results += results[start : start + n_items]
            start += n_items
            if len(item.results) == len(item.items):
                item.resolve(item.results)
            else:
                self._started.append(item)

    async def _call(self, key: tuple[Hashable, ...], items: list[Any]) -> list[Any]:
        """Call the function of a key on the worker thread."""
        function, *options = key
        loop = asyncio.get_running_loop()
        results: list[Any] = await loop.run_in_executor(self._thread, function, items, *options)  # type: ignore[arg-type]
        if len(results) != len(items):
            raise RuntimeError(f"{len(results)} results for {len(items)} items")
        return results


def _without_abandoned(items: deque[WorkItem]) -> deque[WorkItem]:
    """Return the requests that somebody still waits for."""
    return deque(item for item in items if not item.future.done())


def _call_each(items: list[tuple[Any, ...]], function: Callable[..., Any]) -> list[Any]:
    """Call a function with the arguments of each item."""
    return [function(*arguments) for arguments in items]
