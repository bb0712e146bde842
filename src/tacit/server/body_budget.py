"""A memory budget shared by all request bodies, so that many slow clients cannot exhaust the memory.

A small body is always accepted. Larger ones share the budget, from their first byte until they are answered.
When the budget is used up, the body that has been arriving longest is evicted, because its client is the
slowest. If no body has been arriving for long, the new request gets an error.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.types import Message, Receive

UNCOUNTED_BYTES = 65_536  # of each body; the maximum number of connections bounds their sum
_SLOW_AFTER = 1.0  # seconds; an incomplete body that is older may be evicted


class BudgetExceededError(Exception):
    """No memory is left for a request body."""


class BodyBudget:
    """The number of bytes that all request bodies may use together.

    >>> budget = BodyBudget(1_000_000)
    >>> with budget.reserve() as reservation:
    ...     reservation.resize(100_000)
    ...     budget.used
    34464
    >>> budget.used
    0
    """

    def __init__(self, size: int) -> None:
        self.size, self.used = size, 0
        self.incomplete: dict[BodyReservation, None] = {}  # the oldest first

    @contextmanager
    def reserve(self) -> Iterator[BodyReservation]:
        """Reserve memory for one body until the context ends."""
        reservation = BodyReservation(self)
        self.incomplete[reservation] = None
        try:
            yield reservation
        finally:
            reservation.release()

    def evict_slow_bodies(self, n_needed: int, keep: BodyReservation) -> None:
        """Evict slow bodies other than ``keep`` until ``n_needed`` bytes are free, or raise an error."""
        latest = time.monotonic() - _SLOW_AFTER
        for reservation in list(self.incomplete):
            if self.used + n_needed <= self.size:
                return
            if reservation is not keep and reservation.n_bytes and reservation.started_at < latest:
                reservation.evict()
        if self.used + n_needed > self.size:
            raise BudgetExceededError("too many large requests are in progress: try again soon")


class BodyReservation:
    """The memory that is reserved for one request body."""

    def __init__(self, budget: BodyBudget) -> None:
        self.budget, self.n_bytes = budget, 0
        self.started_at = time.monotonic()
        self._receive_task: asyncio.Future[Message] | None = None
        self._is_evicted = False

    def resize(self, body_size: int) -> None:
        """Reserve the memory for a body that has grown to ``body_size`` bytes."""
        n_more = max(0, body_size - UNCOUNTED_BYTES) - self.n_bytes
        if n_more and self.budget.used + n_more > self.budget.size:
            self.budget.evict_slow_bodies(n_more, keep=self)
        self.n_bytes += n_more
        self.budget.used += n_more

    def mark_complete(self) -> None:
        """Protect the body from eviction, because all of it has arrived."""
        self.budget.incomplete.pop(self, None)

    def release(self) -> None:
        """Return the memory to the budget."""
        self.mark_complete()
        self.budget.used -= self.n_bytes
        self.n_bytes = 0

    def evict(self) -> None:
        """Release the memory; ``receive_unless_evicted`` raises an error."""
        self._is_evicted = True
        self.release()
        if self._receive_task is not None:
            self._receive_task.cancel()

    async def receive_unless_evicted(self, receive: Receive) -> Message:
        """Receive the next message of the body; raises ``BudgetExceededError`` if the body is evicted."""
        self._receive_task = asyncio.ensure_future(receive())
        try:
            return await self._receive_task
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._is_evicted and task is not None and not task.cancelling():
                message = "the request body arrived too slowly while memory was short: send it again"
                raise BudgetExceededError(message) from None
            raise
        finally:
            self._receive_task = None
