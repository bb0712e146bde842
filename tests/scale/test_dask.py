"""Training on Dask gives the bits of training on disk, for any number of workers and after failures."""

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
pytestmark = pytest.mark.filterwarnings("ignore")  # workers are killed on purpose


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


def start_training(client, corpus, folder, **options):
    return training(cut(corpus, 10), folder, DaskEngine(client, 1), n_iter=2, **options)


def test_two_workers_give_the_bits_of_training_on_disk(client, corpus, on_disk, tmp_path):
    actual = start_training(client, corpus, tmp_path / "w").run()
    assert len(client.scheduler_info()["workers"]) == 2
    assert vectors(actual) == vectors(on_disk)
    assert actual.loss_ == on_disk.loss_
    assert actual.model_.provenance["engine"] == "dask"


def test_one_worker_gives_the_same_bits(client, corpus, on_disk, tmp_path):
    """All tasks run on one of the two workers."""

    class SingleWorkerClient:
        def __init__(self) -> None:
            self.worker = next(iter(client.scheduler_info()["workers"]))

        def __getattr__(self, name):
            return getattr(client, name)

        def submit(self, *args, **kwargs):
            return client.submit(*args, workers=[self.worker], **kwargs)

    assert vectors(start_training(SingleWorkerClient(), corpus, tmp_path / "w").run()) == vectors(on_disk)


def test_worker_killed_in_a_sweep_does_not_change_bits(client, corpus, on_disk, tmp_path):
    """One of two workers gets SIGKILL during the pass for the words of the first sweep."""
    killed = []

    class KillingEngine(DaskEngine):
        def run(self, function, items, shared, add, on_done):
            if function.__name__ == "word_products_pass" and not killed:
                pids = client.run(os.getpid)
                killed.extend(pids.values())
                # after tasks have been sent: the pass starts below
                threading.Timer(0.01, os.kill, (killed[0], signal.SIGKILL)).start()
            return super().run(function, items, shared, add, on_done)

    actual = training(cut(corpus, 10), tmp_path / "w", KillingEngine(client, 1), n_iter=2).run()
    assert vectors(actual) == vectors(on_disk)
    client.wait_for_workers(2)
    assert killed[0] not in client.run(os.getpid).values()


def test_input_error_of_a_worker_reaches_the_user(client, tmp_path):
    path = tmp_path / "texts.txt"
    path.write_bytes(b"a cat\n" * 50 + b"caf\xe9\n")
    run = training(partition_corpus([path]), tmp_path / "w", DaskEngine(client, 1))
    with pytest.raises(InputError, match=r"texts.txt, line 51, byte 4: 0xe9 is not UTF-8"):
        run.run()


def start(tool: str, folder: Path, *options: str) -> subprocess.Popen:
    """Start a scheduler or a worker, which exchange the address of the scheduler in a file."""
    file = str(folder / "scheduler.json")
    command = [sys.executable, "-m", f"distributed.cli.dask_{tool}", "--no-dashboard", *options]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*command, "--scheduler-file", file], **quiet)


def test_disk_resumes_after_the_scheduler_was_killed(corpus, on_disk, tmp_path, monkeypatch):
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
                start_training(client, corpus, tmp_path / "w", callback=kill_scheduler).run()
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    done = []
    again = training(cut(corpus, 10), tmp_path / "w", n_iter=2, callback=lambda n, loss: done.append(n)).run()
    assert done == [2]
    assert vectors(again) == vectors(on_disk)
