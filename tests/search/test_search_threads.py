"""Threads add, delete and search the same index: each result uses one snapshot, and no text is lost."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tacit
from helpers.moving import Moving
from helpers.notes import NOTES, notes_index
from helpers.waiting import PATIENCE, wait_until
from tacit import Index
from tacit.search.map import load_or_draw_map
from tacit.search.merging import compact
from tacit.search.results import Hits
from tacit.storage import lock_for_writing

SECONDS = 2.0


def text_of(name: str, turn: int) -> str:
    return f"{NOTES[turn % len(NOTES)]} {name} again {turn}"


class Load:
    """Run functions in threads until the time is over and enough is done; errors are raised at the end."""

    def __init__(self, enough: Callable[[], bool]) -> None:
        self.end, self.enough = time.monotonic() + SECONDS, enough
        self.failed: list[BaseException] = []

    def run(self, *works: Callable[[int], None]) -> None:
        threads = [threading.Thread(target=self._repeat, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=PATIENCE)
            assert not thread.is_alive()
        if self.failed:
            raise self.failed[0]

    def _repeat(self, work: Callable[[int], None]) -> None:
        turn = 0
        try:
            while (time.monotonic() < self.end or not self.enough()) and not self.failed:
                work(turn)
                turn += 1
        except BaseException as error:
            self.failed.append(error)


@pytest.mark.parametrize("measure", ["search", "blend", "latent"])
def test_concurrent_readers_and_writers_are_consistent(model, measure):
    index = Index(model, n_threads=2)
    index.add(NOTES, ids=[f"first{n}" for n in range(len(NOTES))])
    added: dict[str, list[str]] = {"a": [], "b": []}
    deleted: list[str] = []

    def add(thread_name: str) -> Callable[[int], None]:
        def work(turn: int) -> None:
            names = [f"{thread_name}{turn}x{n}" for n in range(1 + turn % 3)]
            index.add([text_of(name, turn) for name in names], ids=names)
            added[thread_name] += names
            assert index.snapshot.row_of_id(names[0]) >= 0  # what add has returned from is there

        return work

    def replace(turn: int) -> None:
        index.add([text_of("same", turn)], ids=["same"])
        assert index.search(text_of("same", turn), 1, measure)
        index.delete(["same"])
        if added["a"][len(deleted) :]:
            deleted.append(added["a"][len(deleted)])
            index.delete(deleted[-1:])
            assert index.snapshot.rows_of_ids(deleted[-1:]).tolist() == [-1]

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

    Load(lambda: len(deleted) > 3).run(add("a"), add("b"), replace, search, search)
    left = {*added["a"], *added["b"], *(f"first{n}" for n in range(len(NOTES)))} - set(deleted)
    snapshot = index.snapshot
    assert {name for name, alive in zip(snapshot.ids, snapshot.alive.tolist(), strict=True) if alive} == left
    assert len(index) == len(left)
    for name in (added["b"][0], added["b"][-1]):
        assert f" {name} again " in index.texts[index.snapshot.row_of_id(name)]


def plain(search_results: Any) -> Any:
    if isinstance(search_results, np.ndarray):
        return search_results.tolist()
    return (
        [plain(each) for each in search_results]
        if isinstance(search_results, list | tuple)
        else repr(search_results)
    )


def search_results(index: Index, measure: str) -> list[tuple[str, str, float]]:
    return scored_texts(index.search("my parcel", 4, measure))


def scored_texts(hits: Hits) -> list[tuple[str, str, float]]:
    """Hits without percentiles, which are those of the first snapshot that was asked for them."""
    return [(hit.id, hit.text, hit.score) for hit in hits]


QUESTIONS: dict[str, Callable[[Index], Any]] = {
    **{name: lambda i, name=name: search_results(i, name) for name in ("blend", "latent", "hybrid")},
    "similar": lambda index: scored_texts(index.similar("15", 3)),
    "nearest": lambda index: index.nearest(index.model.encode(["my parcel"]), 3),
    "percentile": lambda index: index.percentile([0.5], "search"),
    "duplicates": lambda index: index.duplicates(0.5),
    "groups": lambda index: index.duplicate_groups(0.5),
    "clusters": lambda index: index.clusters(2),
    "layout": lambda index: index.layout(),
    "map": lambda index: load_or_draw_map(index, None).points,
}


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_result_uses_a_single_snapshot(model, ask):
    first = notes_index(model).snapshot
    later = compact(first.with_deleted(range(8)), lambda each, dead: True)  # the rows are others now
    answers = [plain(ask(Moving(moment, moment))) for moment in (first, later)]
    for looks in (1, 2, 3):
        assert plain(ask(Moving(first, later, looks))) in answers
        assert plain(ask(Moving(later, first, looks))) in answers


def test_text_added_during_merging_is_not_lost(model):
    first = notes_index(model).snapshot
    more = Index(model)
    more.add(["a later parcel"], ids=["later"])
    segments, alive = (*first.segments, *more.snapshot.segments), np.ones(len(NOTES) + 1, np.bool_)
    index = Moving(first.with_deleted([2]), replace(first, segments=segments, alive=alive).with_deleted([2]))
    index.merge()
    assert len(index) == len(NOTES)
    assert index.search("a later parcel", 1)[0].id == "later"


def test_lock_holder_can_write_while_another_thread_saves(model, tmp_path, caplog):
    """One thread waits for the folder, the other for the index: neither may hold what the other needs."""
    index = notes_index(model)

    def change() -> None:
        with lock_for_writing(tmp_path):
            saver.start()
            wait_until(lambda: "waiting until it is done" in caplog.text)
            index.add(["a later parcel"], ids=["later"])
            index.save(tmp_path)

    saver = threading.Thread(target=lambda: index.save(tmp_path), daemon=True)
    changer = threading.Thread(target=change, daemon=True)
    with caplog.at_level(logging.WARNING, "tacit.storage"):
        changer.start()
        changer.join(PATIENCE)
        assert not changer.is_alive()
        saver.join(PATIENCE)
    assert not saver.is_alive()
    assert tacit.load(tmp_path).snapshot.row_of_id("later") == len(NOTES)
