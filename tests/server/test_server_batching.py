"""Concurrent requests are processed in batches; an error of one does not affect the others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from helpers.notes import NOTES
from tacit import Index
from tacit.search.filters import Filter
from tacit.server.batching import Batcher
from tacit.server.http_errors import ApiError
from tacit.server.served_collection import Query, SearchOptions, ServedCollection


def with_batcher(work: Callable[[Batcher], Awaitable[Any]], **options: Any) -> Any:
    async def run() -> Any:
        batcher = Batcher(**options)
        try:
            return await asyncio.wait_for(work(batcher), 20)
        finally:
            await batcher.stop()

    return run_in_thread(run)


def run_in_thread(work: Callable[[], Awaitable[Any]]) -> Any:
    """Run to the end in a thread of its own: a browser's driver keeps a loop running in the main one."""

    async def run() -> Any:
        return await work()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(run())).result()


def test_each_request_gets_its_own_results():
    sizes: list[int] = []

    def double(items: list[int]) -> list[int]:
        sizes.append(len(items))
        return [2 * item for item in items]

    async def work(batcher: Batcher) -> None:
        requests = [list(range(n, n + n % 4 + 1)) for n in range(50)]
        submitted = (batcher.submit(double, items, costs=[256] * len(items)) for items in requests)
        answers = await asyncio.gather(*submitted)
        assert answers == [[2 * item for item in items] for items in requests]

    with_batcher(work, max_cost=32 * 256)
    assert max(sizes) <= 32
    assert len(sizes) < 50


def test_requests_with_different_keys_are_not_batched():
    def tag(items: list[str], name: str) -> list[str]:
        return [f"{name}:{item}" for item in items]

    async def work(batcher: Batcher) -> None:
        answers = await asyncio.gather(*(batcher.submit(tag, [str(n)], f"key {n % 3}") for n in range(9)))
        assert answers == [[f"key {n % 3}:{n}"] for n in range(9)]

    with_batcher(work)


def test_filters_with_equal_hashes_are_separate_keys(served_model):
    """1 == True in Python, and their hashes are equal; in JSON they are different values."""
    index = Index(served_model)
    index.add(NOTES[:3], columns=[{"flag": 1}, {"flag": True}, {"flag": "1"}])
    served = ServedCollection("notes", served_model, index)
    options = [SearchOptions(where=Filter.create({"flag": [value]})) for value in (1, True, "1", 1.0)]

    async def work(batcher: Batcher) -> Any:
        return await asyncio.gather(
            *(batcher.submit(served.search, [Query("my card")], each) for each in options)
        )

    answers = [[hit["id"] for hit in page["hits"]] for [page] in with_batcher(work)]
    assert answers == [["1"], ["2"], ["3"], ["1"]]


def test_an_error_of_one_request_does_not_fail_the_others():
    def picky(items: list[int]) -> list[int]:
        if 3 in items:
            raise ValueError("no threes")
        return items

    async def work(batcher: Batcher) -> None:
        answers = await asyncio.gather(
            *(batcher.submit(picky, [n]) for n in range(6)), return_exceptions=True
        )
        assert [answer for answer in answers if isinstance(answer, list)] == [[0], [1], [2], [4], [5]]
        assert str(answers[3]) == "no threes"

    with_batcher(work)


def test_full_queue_gives_503_and_cancelled_requests_are_dropped():
    go, seen = threading.Event(), []

    def slow(items: list[int]) -> list[int]:
        seen.extend(items)
        go.wait(10)
        return items

    async def work(batcher: Batcher) -> None:
        first = asyncio.create_task(batcher.submit(slow, [0]))
        await asyncio.sleep(0.05)
        waiting = [asyncio.create_task(batcher.submit(slow, [n])) for n in (1, 2)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError, match="2 requests are waiting"):
            await batcher.submit(slow, [3])
        waiting[0].cancel()
        go.set()
        assert await first == [0]
        assert await waiting[1] == [2]

    with_batcher(work, max_pending=2)
    assert seen == [0, 2]


def test_pending_requests_get_503_at_shutdown():
    go = threading.Event()

    def slow(items: list[int], key: int) -> list[int]:
        go.wait(10)
        return items

    async def run() -> None:
        batcher = Batcher()
        first, second = (asyncio.create_task(batcher.submit(slow, [n], n)) for n in (0, 1))
        await asyncio.sleep(0.05)
        stopping = asyncio.create_task(batcher.stop())
        await asyncio.sleep(0)
        go.set()
        await stopping
        with pytest.raises(ApiError, match="shutting down"):
            await second
        first.cancel()

    run_in_thread(run)


def test_no_items_give_no_results():
    async def work(batcher: Batcher) -> None:
        assert await batcher.submit(len, []) == []

    with_batcher(work)


def test_large_requests_are_split_and_take_turns_with_others():
    order: list[str] = []

    go = threading.Event()

    def one(items: list[str], *_: object) -> list[str]:
        order.append(items[0])
        go.wait(10)
        return items

    async def run(batcher: Batcher) -> None:
        large = asyncio.create_task(batcher.submit(one, [f"L{n}" for n in range(40)], costs=[10] * 40))
        await asyncio.sleep(0)
        small = [asyncio.create_task(batcher.submit(one, [f"s{n}"], n, costs=[10])) for n in range(3)]
        await asyncio.sleep(0)
        go.set()
        assert await large == [f"L{n}" for n in range(40)]
        assert await asyncio.gather(*small) == [[f"s{n}"] for n in range(3)]

    with_batcher(run, max_cost=100)
    assert order == ["L0", "s0", "L10", "s1", "L20", "s2", "L30"]


def test_cancelled_requests_are_not_processed_further():
    begun, go, seen = threading.Event(), threading.Event(), []

    def slow(items: list[int]) -> list[int]:
        seen.extend(items)
        begun.set()
        go.wait(10)
        return items

    async def work(batcher: Batcher) -> None:
        large = asyncio.create_task(batcher.submit(slow, list(range(1000)), costs=[1] * 1000))
        await asyncio.to_thread(begun.wait, 10)
        large.cancel()
        go.set()
        assert await batcher.submit(slow, [-1], costs=[1]) == [-1]

    with_batcher(work, max_cost=10)
    assert seen == [*range(10), -1]


def test_an_item_above_the_maximum_cost_is_a_batch_of_its_own():
    sizes: list[int] = []

    def note(items: list[int]) -> list[int]:
        sizes.append(len(items))
        return items

    async def work(batcher: Batcher) -> None:
        assert await batcher.submit(note, [1, 2, 3], costs=[500, 1, 1]) == [1, 2, 3]

    with_batcher(work, max_cost=10)
    assert sizes == [1, 2]
