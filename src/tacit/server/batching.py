"""Questions that arrive together are answered together, on one thread beside the event loop.

While a batch is worked on, new questions wait; those of one kind then go as the next batch. So a lone
question waits for nothing, and under load the batches grow by themselves. The library spreads a batch over
the cores.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tacit.server.refusals import RefusedError

Work = Callable[..., list[Any]]
"""Takes a list of items and options; gives an answer for each item, in their order."""


@dataclass(eq=False)
class Question:
    """Items to be worked on, and where their answers go."""

    kind: tuple[Hashable, ...]
    items: list[Any]
    answer: asyncio.Future[list[Any]]


class Batcher:
    """A queue of questions and the thread that answers them.

    ``largest`` bounds the items of a batch of several questions, ``waiting`` the questions that may wait;
    ``watch`` is called with the number of items and of questions of each batch.
    """

    def __init__(
        self, largest: int = 256, waiting: int = 512, watch: Callable[[int, int], None] | None = None
    ) -> None:
        self.largest, self.waiting, self.watch = largest, waiting, watch
        self._queue: deque[Question] = deque()
        self._arrived = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tacit-work")
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._queue)

    def start(self) -> None:
        """Begin to answer."""
        self._task = asyncio.get_running_loop().create_task(self._answer_all())

    async def stop(self) -> None:
        """End after the batch under way; whoever waits still is told."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        while self._queue:
            _give(self._queue.popleft(), RefusedError(503, "the service is shutting down"))
        await asyncio.to_thread(self._thread.shutdown)

    async def ask(self, work: Work, items: list[Any], *options: Hashable) -> list[Any]:
        """``work(items, *options)``, perhaps together with the items of others."""
        if not items:
            return []
        if len(self._queue) >= self.waiting:
            raise RefusedError(
                503, f"{self.waiting} requests are waiting already: try again soon", retry_after="1"
            )
        question = Question((work, *options), items, asyncio.get_running_loop().create_future())
        self._queue.append(question)
        self._arrived.set()
        return await question.answer

    async def _answer_all(self) -> None:
        while True:
            await self._arrived.wait()
            batch = self._next_batch()
            if batch:
                await self._answer(batch)

    def _next_batch(self) -> list[Question]:
        """The question that has waited longest and others of its kind; those given up are dropped."""
        alive = [question for question in self._queue if not question.answer.done()]
        batch, left, size = alive[:1], [], len(alive[0].items) if alive else 0
        for question in alive[1:]:
            if question.kind == batch[0].kind and size + len(question.items) <= self.largest:
                batch.append(question)
                size += len(question.items)
            else:
                left.append(question)
        self._queue = deque(left)
        if not left:
            self._arrived.clear()
        return batch

    async def _answer(self, batch: list[Question]) -> None:
        items = [item for question in batch for item in question.items]
        if self.watch:
            self.watch(len(items), len(batch))
        try:
            answers = await self._work(batch[0].kind, items)
        except Exception as error:
            if len(batch) == 1:
                _give(batch[0], error)
                return
            for question in batch:  # one of them is at fault; the others shall not suffer from it
                await self._answer([question])
            return
        start = 0
        for question in batch:
            _give(question, answers[start : start + len(question.items)])
            start += len(question.items)

    async def _work(self, kind: tuple[Hashable, ...], items: list[Any]) -> list[Any]:
        work, *options = kind
        loop = asyncio.get_running_loop()
        answers: list[Any] = await loop.run_in_executor(self._thread, work, items, *options)  # type: ignore[arg-type]
        if len(answers) != len(items):
            raise RuntimeError(f"{len(answers)} answers to {len(items)} items")
        return answers


def _give(question: Question, answer: list[Any] | Exception) -> None:
    """Hand over an answer or an error, unless nobody waits for it any more."""
    if question.answer.done():
        return
    if isinstance(answer, Exception):
        question.answer.set_exception(answer)
    else:
        question.answer.set_result(answer)
