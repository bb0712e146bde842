"""Memory for the bodies of requests, bounded in sum: a crowd of slow clients cannot fill the machine.

A small body is always taken. Larger ones share a room, from their first byte until they are answered. When it
is full, the body that has been arriving longest makes way, for it is of the slowest client; where none has
been arriving for long, the newcomer is asked to try again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

UNCOUNTED_BYTES = 65_536
"""Bytes of each body that are not counted: as many connections as are allowed bound them."""
_SLOW = 1.0  # seconds after which an unfinished body is a slow one


class BudgetExceededError(Exception):
    """There is no memory for this body now."""


class BodyBudget:
    """So many bytes for all bodies together.

    >>> room = BodyBudget(1_000_000)
    >>> with room.hold() as held:
    ...     held.grow(100_000)
    ...     room.used
    34464
    >>> room.used
    0
    """

    def __init__(self, size: int) -> None:
        self.size, self.used = size, 0
        self.arriving: dict[BodyReservation, None] = {}

    @contextmanager
    def hold(self) -> Iterator[BodyReservation]:
        """Room for a body, until it is answered."""
        held = BodyReservation(self)
        self.arriving[held] = None
        try:
            yield held
        finally:
            self.arriving.pop(held, None)
            self.used -= held.counted
            held.counted = 0

    def make_way(self, needed: int, newcomer: BodyReservation) -> None:
        """Let slow bodies go until there is room."""
        now = time.monotonic()
        for held in list(self.arriving):
            if self.used + needed <= self.size:
                return
            if held is not newcomer and held.counted and now - held.since > _SLOW:
                held.evict()
        if self.used + needed > self.size:
            raise BudgetExceededError("the service holds as many large requests as it can: try again soon")


class BodyReservation:
    """The room of one body."""

    def __init__(self, room: BodyBudget) -> None:
        self.room, self.counted = room, 0
        self.since = time.monotonic()
        self._receiving: asyncio.Future[Any] | None = None
        self._evicted = False

    def grow(self, size: int) -> None:
        """Say how large the body is by now."""
        more = max(0, size - UNCOUNTED_BYTES) - self.counted
        if more and self.room.used + more > self.room.size:
            self.room.make_way(more, self)
        self.counted += more
        self.room.used += more

    def finished(self) -> None:
        """The body has arrived: it makes way no more."""
        self.room.arriving.pop(self, None)

    def evict(self) -> None:
        """Give the room back; whoever reads this body is told."""
        self._evicted = True
        self.room.arriving.pop(self, None)
        self.room.used -= self.counted
        self.counted = 0
        if self._receiving is not None:
            self._receiving.cancel()

    async def unless_evicted(self, message: Coroutine[Any, Any, T]) -> T:
        """Wait for more of the body, unless it has to make way meanwhile."""
        self._receiving = receiving = asyncio.create_task(message)
        try:
            return await receiving
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._evicted and task is not None and not task.cancelling():
                reason = "this body arrived too slowly, and its room was needed: send it again, faster"
                raise BudgetExceededError(reason) from None
            raise
        finally:
            self._receiving = None
