"""Threads that add, delete and search the same index: every answer is of one moment, and nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from helpers.notes import NOTES
from tacit import Index

SECONDS = 2.0


def text_of(name: str, turn: int) -> str:
    return f"{NOTES[turn % len(NOTES)]} {name} again {turn}"


class Load:
    """Threads that work until the time is over; what fails in one of them is raised at the end."""

    def __init__(self) -> None:
        self.end = time.monotonic() + SECONDS
        self.failed: list[BaseException] = []

    def run(self, *works: Callable[[int], None]) -> None:
        threads = [threading.Thread(target=self._repeat, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
            assert not thread.is_alive()
        if self.failed:
            raise self.failed[0]

    def _repeat(self, work: Callable[[int], None]) -> None:
        turn = 0
        try:
            while time.monotonic() < self.end and not self.failed:
                work(turn)
                turn += 1
        except BaseException as error:
            self.failed.append(error)


@pytest.mark.parametrize("measure", ["search", "blend", "latent"])
def test_readers_beside_writers_see_whole_moments_and_no_text_is_lost(model, measure):
    index = Index(model, n_threads=2)
    index.add(NOTES, ids=[f"first{n}" for n in range(len(NOTES))])
    added: dict[str, list[str]] = {"a": [], "b": []}
    deleted: list[str] = []

    def add(own: str) -> Callable[[int], None]:
        def work(turn: int) -> None:
            names = [f"{own}{turn}x{n}" for n in range(1 + turn % 3)]
            index.add([text_of(name, turn) for name in names], ids=names)
            added[own] += names
            assert index.now.row(names[0]) >= 0  # what add has returned from is there

        return work

    def replace(turn: int) -> None:
        index.add([text_of("same", turn)], ids=["same"])
        assert index.search(text_of("same", turn), 1, measure)
        index.delete(["same"])
        if added["a"][len(deleted) :]:
            deleted.append(added["a"][len(deleted)])
            index.delete(deleted[-1:])
            assert index.now.find(deleted[-1:]).tolist() == [-1]

    def search(turn: int) -> None:
        gone = list(deleted)
        gone = gone[:-1]  # the last one may be on its way out
        hits = index.search(NOTES[turn % len(NOTES)], 20, measure)
        names = [hit.id for hit in hits]
        assert len(set(names)) == len(names)
        assert not set(names) & set(gone)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        for hit in hits:
            assert hit.id.startswith("first") or f" {hit.id} again " in hit.text

    Load().run(add("a"), add("b"), replace, search, search)
    left = {*added["a"], *added["b"], *(f"first{n}" for n in range(len(NOTES)))} - set(deleted)
    now = index.now
    assert {name for name, alive in zip(now.ids, now.alive.tolist(), strict=True) if alive} == left
    assert len(index) == len(left)
    assert len(deleted) > 3
    for name in (added["b"][0], added["b"][-1]):
        assert f" {name} again " in index.texts[index.now.row(name)]
