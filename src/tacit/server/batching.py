"""Questions that arrive together are answered together, on one thread beside the event loop.

While a part is worked on, new questions wait; those of one kind then go as the next one. So a lone question
waits for nothing, and under load the parts grow by themselves. A question of many items is worked on in
parts of bounded cost, and new questions take turns with it: none waits for a whole large one. A question
that nobody waits for any more is dropped at its next part. The library spreads a part over the cores.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from tacit.server.http_errors import ApiError

Work = Callable[..., list[Any]]
"""Takes a list of items and options; gives an answer for each item, in their order."""

LARGEST = 256
"""Items of a part, at most, where nothing is said of their cost."""
COST = 1_000_000
"""The cost of a part, in characters read: some 20 ms."""


@dataclass(eq=False)
class Question:
    """Items to be worked on, the cost of each, and where their answers go."""

    kind: tuple[Hashable, ...]
    items: list[Any]
    costs: Sequence[int]
    answer: asyncio.Future[list[Any]]
    found: list[Any] = field(default_factory=list)

    def following(self, most: int) -> int:
        """How many of the next items may cost so much together; the first of a part always goes."""
        start, spent = len(self.found), 0
        for number in range(start, len(self.items)):
            spent += self.costs[number]
            if spent > most:
                return number - start
        return len(self.items) - start

    def spent_on(self, count: int) -> int:
        """The cost of the next so many items."""
        return sum(self.costs[len(self.found) : len(self.found) + count])


Part = list[tuple[Question, int]]
"""Questions of one kind, and how many of the next items of each."""


class Batcher:
    """A queue of questions and the thread that answers them.

    ``cost`` bounds a part, ``waiting`` the questions that may wait; ``watch`` is called with the number of
    items and of questions of each part.
    """

    def __init__(
        self, cost: int = COST, waiting: int = 512, watch: Callable[[int, int], None] | None = None
    ) -> None:
        self.cost, self.waiting, self.watch = cost, waiting, watch
        self._fresh: deque[Question] = deque()
        self._begun: deque[Question] = deque()
        self._turn = False  # of those begun
        self._arrived = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tacit-work")
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._fresh) + len(self._begun)

    def start(self) -> None:
        """Begin to answer."""
        self._task = asyncio.get_running_loop().create_task(self._answer_all())

    async def stop(self) -> None:
        """End after the part under way; whoever waits still is told."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for question in (*self._fresh, *self._begun):
            _give(question, ApiError(503, "the service is shutting down"))
        self._fresh.clear()
        self._begun.clear()
        await asyncio.to_thread(self._thread.shutdown)

    async def ask(
        self, work: Work, items: list[Any], *options: Hashable, costs: Sequence[int] | None = None
    ) -> list[Any]:
        """``work(items, *options)``, perhaps together with the items of others, perhaps in parts."""
        if not items:
            return []
        if len(self) >= self.waiting:
            raise ApiError(
                503, f"{self.waiting} requests are waiting already: try again soon", retry_after="1"
            )
        each = costs if costs is not None else [self.cost // LARGEST] * len(items)
        question = Question((work, *options), items, each, asyncio.get_running_loop().create_future())
        self._fresh.append(question)
        self._arrived.set()
        return await question.answer

    async def _answer_all(self) -> None:
        while True:
            await self._arrived.wait()
            part = self._next_part()
            if part:
                await self._answer(part)

    def _next_part(self) -> Part:
        """The items to work on next: new questions and those begun take turns; those given up are dropped."""
        self._fresh = _awaited(self._fresh)
        self._begun = _awaited(self._begun)
        queues = (self._begun, self._fresh) if self._turn else (self._fresh, self._begun)
        queue = next((queue for queue in queues if queue), None)
        if queue is None:
            self._arrived.clear()
            return []
        self._turn = queue is self._fresh and bool(self._begun)
        first = queue.popleft()
        count = max(first.following(self.cost), 1)
        part, left = [(first, count)], self.cost - first.spent_on(count)
        for question in [each for each in self._fresh if each.kind == first.kind]:
            count = question.following(left)
            if count == len(question.items):
                part.append((question, count))
                left -= question.spent_on(count)
                self._fresh.remove(question)
        return part

    async def _answer(self, part: Part) -> None:
        items = [item for question, count in part for item in question.items[len(question.found) :][:count]]
        if self.watch:
            self.watch(len(items), len(part))
        try:
            answers = await self._work(part[0][0].kind, items)
        except Exception as error:
            if len(part) == 1:
                _give(part[0][0], error)
                return
            for alone in part:  # one of them is at fault; the others shall not suffer from it
                await self._answer([alone])
            return
        start = 0
        for question, count in part:
            question.found += answers[start : start + count]
            start += count
            if len(question.found) == len(question.items):
                _give(question, question.found)
            else:
                self._begun.append(question)

    async def _work(self, kind: tuple[Hashable, ...], items: list[Any]) -> list[Any]:
        work, *options = kind
        loop = asyncio.get_running_loop()
        answers: list[Any] = await loop.run_in_executor(self._thread, work, items, *options)  # type: ignore[arg-type]
        if len(answers) != len(items):
            raise RuntimeError(f"{len(answers)} answers to {len(items)} items")
        return answers


def _awaited(questions: deque[Question]) -> deque[Question]:
    """Those whose answer somebody waits for."""
    return deque(question for question in questions if not question.answer.done())


def _give(question: Question, answer: list[Any] | Exception) -> None:
    """Hand over an answer or an error, unless nobody waits for it any more."""
    if question.answer.done():
        return
    if isinstance(answer, Exception):
        question.answer.set_exception(answer)
    else:
        question.answer.set_result(answer)
