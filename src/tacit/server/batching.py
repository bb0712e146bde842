"""Run concurrent requests in batches on one worker thread.

Requests with the same key that arrive while a batch is running form the next batch: a single request is never
delayed, and batches grow under load. A request with many items is split into batches of bounded cost, which
take turns with newer requests. Requests whose client has disconnected are dropped before their next batch.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tacit.server.http_errors import ApiError

BatchFunction = Callable[..., list[Any]]
"""Takes a list of items and options; returns the result of each item, in the same order."""
MAX_BATCH_COST = 1_000_000  # characters, about 20 ms
DEFAULT_BATCH_ITEMS = 256  # per batch, for items without a cost


class WorkItem:
    """The items of one request in parts of bounded cost, the results so far, and a future for all results."""

    def __init__(self, key: tuple[Any, ...], items: list[Any], costs: Sequence[int], max_cost: int) -> None:
        self.key = key
        self.parts = deque(_split(items, costs, max_cost))
        self.results: list[Any] = []
        self.future: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()

    def resolve(self, result: list[Any] | Exception) -> None:
        """Set the result or the exception of the future, unless the request was cancelled."""
        if self.future.done():
            return
        if isinstance(result, Exception):
            self.future.set_exception(result)
        else:
            self.future.set_result(result)


Batch = list[tuple[WorkItem, list[Any]]]
"""Requests with the same key, and the items to process of each."""


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
        item = WorkItem((function, *options), items, costs, self.max_cost)
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
        part, batch_cost = first.parts.popleft()
        batch = [(first, part)]
        for item in [item for item in self._new if item.key == first.key]:
            part, cost = item.parts[0]
            if len(item.parts) == 1 and batch_cost + cost <= self.max_cost:
                item.parts.clear()
                self._new.remove(item)
                batch.append((item, part))
                batch_cost += cost
        return batch

    async def _run_batch(self, batch: Batch) -> None:
        """Process a batch and resolve the requests that are finished."""
        items = [value for _, part in batch for value in part]
        if self.on_batch:
            self.on_batch(len(items), len(batch))
        function, *options = batch[0][0].key
        loop = asyncio.get_running_loop()
        try:
            results: list[Any] = await loop.run_in_executor(self._thread, function, items, *options)
            if len(results) != len(items):
                raise RuntimeError(f"{len(results)} results for {len(items)} items")
        except Exception as error:
            if len(batch) == 1:
                batch[0][0].resolve(error)
                return
            for entry in batch:  # only the requests that cause the error shall fail
                await self._run_batch([entry])
            return
        start = 0
        for item, part in batch:
            item.results += results[start : start + len(part)]
            start += len(part)
            if item.parts:
                self._started.append(item)
            else:
                item.resolve(item.results)


def _split(items: list[Any], costs: Sequence[int], max_cost: int) -> Iterator[tuple[list[Any], int]]:
    """Split items into parts that cost at most ``max_cost`` each, or are one item; yield their costs too."""
    part: list[Any] = []
    part_cost = 0
    for item, cost in zip(items, costs, strict=True):
        if part and part_cost + cost > max_cost:
            yield part, part_cost
            part, part_cost = [], 0
        part.append(item)
        part_cost += cost
    yield part, part_cost


def _without_abandoned(items: deque[WorkItem]) -> deque[WorkItem]:
    """Return the requests that somebody still waits for."""
    return deque(item for item in items if not item.future.done())


def _call_each(items: list[tuple[Any, ...]], function: Callable[..., Any]) -> list[Any]:
    """Call a function with the arguments of each item."""
    return [function(*arguments) for arguments in items]
