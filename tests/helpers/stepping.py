"""A deterministic scheduler: an event loop with a clock that is set, and executors that run on demand."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ClassVar


class SteppingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only in ``advance``."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def settle(self) -> None:
        """Run until every task waits for a step or for time."""
        for _ in range(20):
            self.run_until_complete(asyncio.sleep(0))

    def run_until_complete(self, future: Any) -> Any:
        # the browser of other tests leaves a loop running in this thread
        running = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        try:
            return super().run_until_complete(future)
        finally:
            asyncio._set_running_loop(running)

    def advance(self, seconds: float) -> None:
        self.now += seconds
        self.settle()


class StepExecutor:
    """An executor that begins a function in one call of ``step``, and runs it in the next."""

    instances: ClassVar[list[StepExecutor]] = []

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.steps: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self.begun: tuple[Future[Any], Callable[[], Any]] | None = None
        self.instances.append(self)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.steps.append((future, lambda: function(*arguments)))
        return future

    @property
    def has_steps(self) -> bool:
        return bool(self.steps) or self.begun is not None

    def step(self) -> None:
        """Begin the next function that was not cancelled, or run the one that has begun."""
        while self.begun is None and self.steps:
            entry = self.steps.popleft()
            if entry[0].set_running_or_notify_cancel():
                self.begun = entry
                return
        if self.begun is not None:
            (future, work), self.begun = self.begun, None
            try:
                future.set_result(work())
            except Exception as error:
                future.set_exception(error)

    def shutdown(self, wait: bool = True) -> None:
        """Run what was submitted."""
        while self.has_steps:
            self.step()
