"""Training on Dask: the bits of a training on disk, however many workers there are and whoever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from helpers.scaled import MEMORY, cut, training, vectors, write_corpus
from tacit.corpora.partitions import partitions_of
from tacit.errors import InputError
from tacit.scale.dask_engine import ClusterError, DaskEngine, connected

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
    with connected(None, 2, 4 * MEMORY) as client:
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
        def run(self, work, items, shared, add, tell):
            if work.__name__ == "products" and not killed:
                pids = client.run(os.getpid)
                killed.extend(pids.values())
                # as soon as tasks have been sent: the pass begins below
                threading.Timer(0.01, os.kill, (killed[0], signal.SIGKILL)).start()
            return super().run(work, items, shared, add, tell)

    found = training(cut(corpus, 10), tmp_path / "w", Killing(client, 1), n_iter=2).run()
    assert vectors(found) == vectors(on_disk)
    client.wait_for_workers(2)
    assert killed[0] not in client.run(os.getpid).values()


def test_an_error_of_a_worker_is_the_users_to_read(client, tmp_path):
    path = tmp_path / "texts.txt"
    path.write_bytes(b"a cat\n" * 50 + b"caf\xe9\n")
    run = training(partitions_of([path]), tmp_path / "w", DaskEngine(client, 1))
    with pytest.raises(InputError, match=r"texts.txt, line 51, byte 4: 0xe9 is not UTF-8"):
        run.run()


def test_a_scheduler_that_is_gone_is_told_and_disk_takes_the_run_up(corpus, on_disk, tmp_path):
    """A cluster of its own, whose scheduler is killed after the first sweep."""
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard",
         "--scheduler-file", str(tmp_path / "scheduler.json")],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    worker = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard",
         "--no-nanny",
         "--scheduler-file", str(tmp_path / "scheduler.json"), "--local-directory", str(tmp_path)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        from dask import config
        from dask.distributed import Client

        with (
            config.set({"distributed.comm.timeouts.connect": "2s"}),
            Client(scheduler_file=str(tmp_path / "scheduler.json"), timeout="60s") as client,
        ):
            client.wait_for_workers(1, timeout=60)

            def kill_it(number, loss):
                if number == 1:
                    scheduler.kill()
                    scheduler.wait()

            with pytest.raises(ClusterError, match=r"the cluster at tcp://.* is gone .* last whole sweep"):
                trained(client, corpus, tmp_path / "w", callback=kill_it).run()
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    done = []
    again = training(cut(corpus, 10), tmp_path / "w", n_iter=2, callback=lambda n, loss: done.append(n)).run()
    assert done == [2]
    assert vectors(again) == vectors(on_disk)
