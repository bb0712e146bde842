"""The time to inspect uploads is shared by the files of a client."""

from __future__ import annotations

import asyncio

import pytest

from helpers.stepping import SteppingLoop
from tacit.server.http_errors import ApiError
from tacit.server.inspection_budget import MAX_RUNNING, InspectionBudget


@pytest.fixture
def loop():
    loop = SteppingLoop()
    yield loop
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.settle()
    loop.close()


def inspect(loop: SteppingLoop, budget: InspectionBudget, client: str, seconds: float) -> asyncio.Task[float]:
    """Start an inspection that takes some seconds; the task returns the moment of its end."""

    async def run() -> float:
        async with budget.limit(client):
            await asyncio.sleep(seconds)
        return loop.time()

    task = loop.create_task(run())
    loop.settle()
    return task


def pass_time(loop: SteppingLoop, seconds: int) -> None:
    for _ in range(10 * seconds):
        loop.advance(0.1)


def test_a_short_inspection_does_not_wait_for_slow_ones(loop):
    budget = InspectionBudget(30)
    slow = [inspect(loop, budget, "one", 100) for _ in range(2)]
    short = inspect(loop, budget, "one", 1)
    pass_time(loop, 2)
    assert short.result() == pytest.approx(1, abs=0.2)
    assert not any(task.done() for task in slow)


def test_inspections_that_overlap_share_the_seconds_of_their_client(loop):
    budget = InspectionBudget(30)
    slow = [inspect(loop, budget, "one", 100) for _ in range(2)]
    pass_time(loop, 14)
    other = inspect(loop, budget, "another", 20)
    assert not any(task.done() for task in slow)
    pass_time(loop, 2)
    for task in slow:
        with pytest.raises(ApiError, match="inspecting your files took more than 30 s") as error:
            task.result()
        assert error.value.status == 422
    pass_time(loop, 20)
    assert other.result() == pytest.approx(34, abs=0.2)
    again = inspect(loop, budget, "one", 25)  # when none is running, a client begins anew
    pass_time(loop, 26)
    assert again.result()


def test_a_limited_number_of_inspections_runs_at_a_time(loop):
    budget = InspectionBudget(1000)
    running = [inspect(loop, budget, f"client {n}", 10) for n in range(MAX_RUNNING)]
    last = inspect(loop, budget, "last", 10)
    pass_time(loop, 11)
    assert all(task.done() for task in running)
    assert not last.done()
    pass_time(loop, 10)
    assert last.done()


def test_a_cancelled_inspection_frees_its_place(loop):
    budget = InspectionBudget(30)
    first = [inspect(loop, budget, "one", 100) for _ in range(MAX_RUNNING)]
    waiting = inspect(loop, budget, "one", 1)
    first[0].cancel()
    pass_time(loop, 2)
    assert waiting.done()
    for task in first:
        task.cancel()
    loop.settle()
    assert budget._accounts == {}
