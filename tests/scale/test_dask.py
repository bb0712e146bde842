"""Training on Dask: the bits of a training on disk, however many workers there are and whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from helpers.scaled import MEMORY, cut, training, vectors, write_corpus
from helpers.waiting import wait_until
from tacit.corpora.partitions import partition_corpus
from tacit.errors import InputError
from tacit.scale import dask_engine
from tacit.scale.dask_engine import ClusterError, DaskEngine, connect

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of a cluster whose members are killed on purpose


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "texts.txt", n_texts=1500)


@pytest.fixture(scope="module")
def on_disk(corpus, tmp_path_factory):
    return training(cut(corpus, 10), tmp_path_factory.mktemp("work"), n_iter=2).run()


@pytest.fixture(scope="module")
def client():
    """Two worker processes of one thread each."""
    with connect(None, 2, 4 * MEMORY) as client:
        yield client


def trained(client, corpus, folder, **options):
    return training(cut(corpus, 10), folder, DaskEngine(client, 1), n_iter=2, **options)


def test_two_workers_end_with_the_bits_of_disk(client, corpus, on_disk, tmp_path):
    found = trained(client, corpus, tmp_path / "w").run()
    assert len(client.scheduler_info()["workers"]) == 2
    assert vectors(found) == vectors(on_disk)
    assert found.loss_ == on_disk.loss_
    assert found.model_.provenance["engine"] == "dask"


def test_one_worker_ends_with_the_same_bits(client, corpus, on_disk, tmp_path):
    """Of the two, one is given all the work."""

    class Alone:
        def __init__(self) -> None:
            self.worker = next(iter(client.scheduler_info()["workers"]))

        def __getattr__(self, name):
            return getattr(client, name)

        def submit(self, *args, **kwargs):
            return client.submit(*args, workers=[self.worker], **kwargs)

    assert vectors(trained(Alone(), corpus, tmp_path / "w").run()) == vectors(on_disk)


def test_a_worker_killed_in_a_sweep_changes_nothing(client, corpus, on_disk, tmp_path):
    """SIGKILL to one of two, while the pass after the first sweep is under way."""
    killed = []

    class Killing(DaskEngine):
        def run(self, function, items, shared, add, on_done):
            if function.__name__ == "word_products_pass" and not killed:
                pids = client.run(os.getpid)
                killed.extend(pids.values())
                # as soon as tasks have been sent: the pass begins below
                threading.Timer(0.01, os.kill, (killed[0], signal.SIGKILL)).start()
            return super().run(function, items, shared, add, on_done)

    found = training(cut(corpus, 10), tmp_path / "w", Killing(client, 1), n_iter=2).run()
    assert vectors(found) == vectors(on_disk)
    client.wait_for_workers(2)
    assert killed[0] not in client.run(os.getpid).values()


def test_an_error_of_a_worker_is_the_users_to_read(client, tmp_path):
    path = tmp_path / "texts.txt"
    path.write_bytes(b"a cat\n" * 50 + b"caf\xe9\n")
    run = training(partition_corpus([path]), tmp_path / "w", DaskEngine(client, 1))
    with pytest.raises(InputError, match=r"texts.txt, line 51, byte 4: 0xe9 is not UTF-8"):
        run.run()


def start(tool: str, folder: Path, *options: str) -> subprocess.Popen:
    """A member of a cluster whose scheduler's address is written to a file."""
    file = str(folder / "scheduler.json")
    command = [sys.executable, "-m", f"distributed.cli.dask_{tool}", "--no-dashboard", *options]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*command, "--scheduler-file", file], **quiet)


def test_disk_resumes_what_a_vanished_scheduler_left(corpus, on_disk, tmp_path, monkeypatch):
    """A separate cluster, whose scheduler is killed after the first sweep."""
    monkeypatch.setattr(dask_engine, "CONNECT_TIMEOUT", "5s")
    scheduler = start("scheduler", tmp_path, "--port", "0")
    options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
    worker = start("worker", tmp_path, *options)

    def kill_scheduler(number, loss):
        if number == 1:
            scheduler.kill()
            scheduler.wait()

    try:
        file = tmp_path / "scheduler.json"
        written = wait_until(lambda: file.exists() and file.read_text("utf-8").endswith("}") and file)
        address = json.loads(written.read_text("utf-8"))["address"]
        with connect(address, 1, MEMORY) as client:
            client.wait_for_workers(1, timeout=60)
            with pytest.raises(
                ClusterError, match=r"cluster at tcp://.* does not answer .* last complete sweep"
            ):
                trained(client, corpus, tmp_path / "w", callback=kill_scheduler).run()
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    done = []
    again = training(cut(corpus, 10), tmp_path / "w", n_iter=2, callback=lambda n, loss: done.append(n)).run()
    assert done == [2]
    assert vectors(again) == vectors(on_disk)
