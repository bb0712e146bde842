"""Any order of requests, evictions, other writers and crashes, compared with a dictionary.

The registry is the real one, on real folders. Its threads and its clock are replaced by a scheduler that runs
one step at a time, in an order that hypothesis chooses, so that a failure is reduced and repeated.
"""

from __future__ import annotations

import asyncio
import errno
import os
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import tacit
from helpers.notes import NOTES, notes_model
from helpers.stepping import StepExecutor, SteppingLoop
from tacit import Index
from tacit.errors import TacitError
from tacit.server import collection_registry
from tacit.server.collection_registry import CollectionRegistry
from tacit.server.collection_store import CollectionStore, create_work_dir
from tacit.server.http_errors import ApiError
from tacit.storage import durable_files, lock_for_writing, read_checksum

NAMES = st.sampled_from(["a", "b"])
NUMBERS = st.integers(0, 7)
N_WALKS = int(os.environ.get("TACIT_MODEL_WALKS", "40"))
Texts = dict[str, str]
WEIGHTS = {
    "add": 5, "delete_text": 2, "open": 2, "reload": 1, "delete": 1, "cancel": 2, "create": 2,
    "run_step": 14, "run_step_on_full_disk": 1, "wait": 3, "crash": 1, "crash_in_a_step": 1,
    "begin_other_write": 2, "commit_other_write": 2, "end_other_write": 2,
}  # fmt: skip
"""How often each event is chosen: a request needs two steps."""


class Crash(BaseException):
    """The service is killed."""


@contextmanager
def failing_disk(error: BaseException):
    """Make every write fail before its file is in place."""

    def fail(temporary: Path, path: Path) -> None:
        raise error

    with patch.object(durable_files, "replace_with_retry", fail):
        yield


class ServiceMachine(RuleBasedStateMachine):
    """``texts`` has what each collection must contain; ``history`` what it contained since it was created."""

    original: Path

    def __init__(self) -> None:
        super().__init__()
        self.loop = SteppingLoop()
        self.folder = TemporaryDirectory()
        self.home = Path(self.folder.name)
        self.other_process = ThreadPoolExecutor(1)
        self.other: tuple[str, Any, Index] | None = None
        self.patches = [
            patch("tacit.server.collection_owner.ThreadPoolExecutor", StepExecutor),
            patch.object(collection_registry, "MAX_OPEN", 1),
            patch.object(collection_registry.ServedCollection, "warm_up", lambda self: None),
            patch("os.fsync", lambda descriptor: None),
        ]
        for each in self.patches:
            each.start()
        self.history: dict[str, list[Texts]] = {}
        self.oldest_visible: dict[str, int] = {}
        self.n_texts = 0
        self.loaded: dict[str, Texts] = {}
        self.start()
        for name in "ab":
            self.create(name)

    def teardown(self) -> None:
        self.end_other_write()
        self.stop()
        self.other_process.shutdown()
        self.loop.close()
        for each in self.patches:
            each.stop()
        self.folder.cleanup()

    def start(self) -> None:
        StepExecutor.instances.clear()
        self.store = CollectionStore(self.home).__enter__()
        self.registry = CollectionRegistry([], self.store)
        self.requests: list[tuple[asyncio.Task[Any], str, Any]] = []

    def stop(self) -> None:
        """End the service as SIGKILL does: no step runs any more, and nobody gets an answer."""
        for executor in StepExecutor.instances:
            executor.steps.clear()
            if executor.begun is not None:
                executor.begun[0].set_exception(RuntimeError("the service was killed"))
                executor.begun = None
            executor.submit = lambda *arguments: asyncio.Future(loop=self.loop)
        for task, _, _ in self.requests:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                self.loop.run_until_complete(task)
        self.store.__exit__()

    def texts(self, name: str) -> Texts | None:
        return self.history[name][-1] if name in self.history else None

    def request(self, work: Any, name: str, effect: Any = None) -> None:
        """Start a request; ``effect`` returns the new texts from the old ones if it succeeds."""
        self.requests.append((self.loop.create_task(work), name, effect))
        self.settle()

    def settle(self) -> None:
        """Apply the effect of every request that was answered with success."""
        self.loop.settle()
        for entry in [entry for entry in self.requests if entry[0].done()]:
            self.requests.remove(entry)
            task, name, effect = entry
            if task.cancelled():
                continue
            if (error := task.exception()) is not None:
                is_expected = isinstance(error, ApiError) and error.status in (404, 503, 507)
                assert is_expected or "the index has no text with the id" in str(error), error
            elif effect is not None:
                self.commit(name, effect(self.texts(name)))

    def commit(self, name: str, texts: Texts | None, is_visible: bool = True) -> None:
        if texts is None:
            del self.history[name], self.oldest_visible[name]
            return
        self.history[name].append(texts)
        if is_visible:
            self.oldest_visible[name] = len(self.history[name]) - 1

    def new_text(self) -> tuple[str, str]:
        self.n_texts += 1
        return f"n{self.n_texts}", f"text number {self.n_texts}"

    @rule(
        event=st.sampled_from([event for event, n in WEIGHTS.items() for _ in range(n)]),
        name=NAMES,
        number=NUMBERS,
    )
    def happen(self, event: str, name: str, number: int) -> None:
        """Let an event happen; one that is not possible now has no effect."""
        getattr(self, event)(name, number)

    # requests of clients

    def add(self, name: str, number: int = 0) -> None:
        text_id, text = self.new_text()
        change = self.registry.update(name, lambda index: index.add([text], [text_id]))
        self.request(change, name, lambda texts: texts | {text_id: text})

    def delete_text(self, name: str, number: int) -> None:
        text_ids = ["absent", *(self.texts(name) or {})]
        text_id = text_ids[-1 - number % len(text_ids)]
        change = self.registry.update(name, lambda index: index.delete([text_id]))
        self.request(change, name, lambda texts: {key: texts[key] for key in texts if key != text_id})

    def open(self, name: str, number: int = 0) -> None:
        """Search; the other collection is then unloaded."""
        self.request(self.registry.get(name), name)

    def reload(self, name: str, number: int = 0) -> None:
        self.request(self.registry.reload(name), name)

    def delete(self, name: str, number: int = 0) -> None:
        self.request(self.registry.delete(name), name, lambda texts: None)

    def cancel(self, name: str, number: int) -> None:
        if self.requests:
            self.requests[number % len(self.requests)][0].cancel()
            self.settle()

    def create(self, name: str, number: int = 0) -> None:
        """As a job publishes a collection."""
        if name not in self.history:
            folder = create_work_dir(self.store.work_dir)
            shutil.copytree(self.original, folder, dirs_exist_ok=True)
            self.store.publish(folder, name)
            self.history[name] = [{str(n): text for n, text in enumerate(NOTES, 1)}]
            self.oldest_visible[name] = 0

    # the scheduler

    def executors(self) -> list[StepExecutor]:
        return [executor for executor in StepExecutor.instances if executor.has_steps]

    def run_step(self, name: str, number: int) -> None:
        if executors := self.executors():
            executors[number % len(executors)].step()
            self.settle()

    def run_step_on_full_disk(self, name: str, number: int) -> None:
        with failing_disk(OSError(errno.ENOSPC, "No space left on device")):
            self.run_step(name, number)

    def wait(self, name: str, number: int) -> None:
        self.loop.now += (0.06, 0.06, 4.0, 11.0)[number % 4]
        self.settle()

    # crashes

    def crash(self, name: str = "", number: int = 0) -> None:
        self.stop()
        self.start()

    def crash_in_a_step(self, name: str, number: int) -> None:
        """Kill the service before the commit, or after it and before the answer."""
        begun = [executor.begun for executor in self.executors() if executor.begun is not None]
        if not begun:
            return
        work = begun[number % len(begun)][1]
        before = {name: read_checksum(self.home / name / "index") for name in self.history}
        try:
            if number % 2:
                work()
            else:
                with failing_disk(Crash()):
                    work()
        except (Crash, TacitError, ApiError):
            pass
        for name in list(self.history):
            if not (self.home / name).exists():
                self.commit(name, None)
            elif read_checksum(self.home / name / "index") != before[name]:
                self.commit(name, self.on_disk(name), is_visible=False)
        self.crash()

    # another process, such as tacit index --add

    def elsewhere(self, work: Any) -> Any:
        return self.other_process.submit(work).result()

    def begin_other_write(self, name: str, number: int) -> None:
        if self.other is not None:
            return
        folder = self.home / name / "index"
        lock = lock_for_writing(folder, timeout=0, create=False)
        try:
            self.elsewhere(lock.__enter__)
        except TacitError:
            return  # there is no such folder
        self.other = name, lock, tacit.load(folder)

    def commit_other_write(self, name: str, number: int) -> None:
        if self.other is None:
            return
        name, _, index = self.other
        text_id, text = self.new_text()
        index.add([text], [text_id])
        try:
            self.elsewhere(lambda: index.save(self.home / name / "index"))
        except TacitError:
            return  # the collection was deleted in the meantime
        self.commit(name, self.history[name][-1] | {text_id: text}, is_visible=False)

    def end_other_write(self, name: str = "", number: int = 0) -> None:
        if self.other is not None:
            self.elsewhere(partial(self.other[1].__exit__, None, None, None))
            self.other = None

    # what must always hold

    def on_disk(self, name: str) -> Texts:
        folder = self.home / name / "index"
        checksum = read_checksum(folder)
        assert checksum is not None
        if checksum not in self.loaded:
            self.loaded[checksum] = live_texts(tacit.load(folder))
        return self.loaded[checksum]

    @invariant()
    def disk_has_exactly_what_was_acknowledged(self) -> None:
        assert self.store.list_names(readable=False) == sorted(self.history)
        for name in self.history:
            assert self.on_disk(name) == self.texts(name)

    @invariant()
    def readers_see_a_committed_state_that_is_not_too_old(self) -> None:
        for name, owner in self.registry._stored.items():
            if owner.served is not None:
                assert name in self.history, "a deleted collection is served"
                seen = live_texts(owner.served.required_index)
                assert seen in self.history[name][self.oldest_visible[name] :]


def live_texts(index: Index) -> Texts:
    pairs = zip(index.ids, index.texts, index.snapshot.alive.tolist(), strict=True)
    return {text_id: text for text_id, text, is_alive in pairs if is_alive}


@pytest.fixture(scope="module", autouse=True)
def _original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("original")
    index = Index(notes_model(), n_threads=1)
    index.add(NOTES)
    index.save(folder / "index")
    ServiceMachine.original = folder


ServiceMachine.TestCase.settings = settings(
    max_examples=30,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
test_every_order_of_events_agrees_with_a_dictionary = ServiceMachine.TestCase


@pytest.mark.parametrize("seed", range(N_WALKS))
def test_a_random_walk_agrees_with_a_dictionary(seed):
    """Hypothesis likes to repeat an event; these walks mix them."""
    chance, machine, events = random.Random(seed), ServiceMachine(), []
    try:
        for _ in range(100):
            [event] = chance.choices([*WEIGHTS], [*WEIGHTS.values()])
            events.append((event, chance.choice("ab"), chance.randrange(8)))
            machine.happen(*events[-1])
            machine.disk_has_exactly_what_was_acknowledged()
            machine.readers_see_a_committed_state_that_is_not_too_old()
    except BaseException as error:
        raise AssertionError(f"after {events}") from error
    finally:
        machine.teardown()
