"""Limit the time that the inspection of uploads takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tacit.server.http_errors import ApiError

MAX_RUNNING = 4  # inspections of all clients at the same time


@dataclass
class _Account:
    """The inspections of one client that run, and the seconds that they have taken together."""

    running: set[asyncio.Timeout] = field(default_factory=set)
    spent: float = 0.0
    updated: float = 0.0

    def settle(self, budget: float) -> float:
        """Add the time since the last call; return the moment when the budget will be spent."""
        now = asyncio.get_running_loop().time()
        self.spent += len(self.running) * (now - self.updated)
        self.updated = now
        return now + max(budget - self.spent, 0.0) / max(len(self.running), 1)


class InspectionBudget:
    """A number of seconds for each client, shared by its inspections that overlap in time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._slots = asyncio.Semaphore(MAX_RUNNING)
        self._accounts: dict[str, _Account] = {}

    @asynccontextmanager
    async def limit(self, client: str) -> AsyncIterator[None]:
        """Run an inspection within the block; raise a 422 error when the client's seconds are used up."""
        async with self._slots:
            account = self._accounts.setdefault(client, _Account())
            try:
                async with asyncio.timeout(None) as timeout:
                    self._change(account, timeout, is_start=True)
                    yield
            except TimeoutError:
                message = f"inspecting your files took more than {self.seconds:g} s"
                raise ApiError(422, f"{message}: send a smaller part, or one file at a time") from None
            finally:
                self._change(account, timeout, is_start=False)
                if not account.running:
                    self._accounts.pop(client, None)

    def _change(self, account: _Account, timeout: asyncio.Timeout, is_start: bool) -> None:
        """Start or end an inspection, and set the time limits of all that run."""
        account.settle(self.seconds)
        if is_start:
            account.running.add(timeout)
        else:
            account.running.discard(timeout)
        end = account.settle(self.seconds)
        for each in account.running:
            if not each.expired():
                each.reschedule(end)
