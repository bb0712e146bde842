"""One writer at a time; a writer that died does not hold the lock."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from helpers.storage_models import same, saved, small, strays
from helpers.storage_writers import ROUNDS, start
from tacit.errors import InputError, ModelError
from tacit.storage import FolderLockedError, StoredModel, lock_for_writing, read_model, write_model


def increase(folder):
    with lock_for_writing(folder):
        number = read_model(folder).training["number"]
        write_model(folder, StoredModel("WTMF", training={"number": number + 1}), card="")


def test_concurrent_processes_lose_no_change(tmp_path):
    folder = tmp_path / "model"
    processes = [start("count", folder) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    for process in processes:
        process.stdout.close()
    assert read_model(folder).training["numbers"] == [*range(4 * ROUNDS)]
    assert strays(folder) == []


def test_concurrent_threads_lose_no_change(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # more of them at the same time
    folder = tmp_path / "model"
    write_model(folder, StoredModel("WTMF", training={"number": 0}), card="")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(increase, [folder] * 40))
    assert read_model(folder).training == {"number": 40}


def test_live_writer_is_waited_for_and_dead_one_is_not(tmp_path, caplog):
    folder = saved(tmp_path / "model", "first")
    with start("hold", folder) as holder:
        assert holder.stdout.readline() == "held\n"
        assert same(read_model(folder), small("first"))  # readers do not wait
        with caplog.at_level(logging.WARNING), ThreadPoolExecutor(1) as pool:
            write = pool.submit(saved, folder, "second")
            time.sleep(0.3)
            assert not write.done()
            assert (folder / "model-0123456789abcdef.safetensors").exists()  # a live write is not swept away
            os.kill(holder.pid, signal.SIGKILL)
            write.result(timeout=30)
    assert caplog.text.count(f"another process is writing {folder}: waiting until it is done") == 1
    assert same(read_model(folder), small("second"))
    assert strays(folder) == []


def test_lock_is_independent_of_process_numbers(tmp_path):
    """Another container has other process numbers, but the lock of the kernel is the same."""
    folder = saved(tmp_path / "model")
    (folder / ".lock").write_text("1", encoding="utf-8")  # whatever it holds, nobody has it locked
    saved(folder, "second")
    with open(folder / ".lock", "rb") as file:
        with lock_for_writing(folder), pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_waiting_for_the_lock_can_be_interrupted(tmp_path, monkeypatch):
    folder = saved(tmp_path / "model", "first")

    def interrupted(seconds):
        raise KeyboardInterrupt

    with open(folder / ".lock", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        monkeypatch.setattr(time, "sleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            saved(folder, "second")
    saved(folder, "third")
    assert same(read_model(folder), small("third"))


def test_lock_is_reentrant_in_one_thread_only(tmp_path):
    folder = tmp_path / "model"
    link = tmp_path / "link"
    link.symlink_to(folder)
    with lock_for_writing(folder), lock_for_writing(link), lock_for_writing(str(folder)):
        saved(link, "first")
        other = threading.Thread(target=saved, args=(folder, "second"))
        other.start()
        other.join(0.3)
        assert other.is_alive()
        assert same(read_model(folder), small("first"))
    other.join(30)
    assert same(read_model(folder), small("second"))


def test_error_releases_the_lock(tmp_path):
    folder = saved(tmp_path / "model")
    with pytest.raises(RuntimeError), lock_for_writing(folder):
        raise RuntimeError
    saved(folder, "second")


def test_failed_first_write_does_not_block_waiting_writers(tmp_path):
    folder = tmp_path / "deep" / "model"
    with ThreadPoolExecutor(4) as pool:
        with lock_for_writing(folder):  # and writes nothing
            waiting = [pool.submit(saved, folder, name) for name in ("x", "xx", "xxx", "xxxx")]
            time.sleep(0.2)
        for write in waiting:
            write.result(timeout=30)
    loaded = read_model(folder)
    assert same(loaded, small(loaded.training["name"]))
    assert strays(folder) == []
    with pytest.raises(RuntimeError), lock_for_writing(tmp_path / "other"):
        raise RuntimeError
    assert not (tmp_path / "other").exists()
    (tmp_path / "mine").mkdir()
    with pytest.raises(RuntimeError), lock_for_writing(tmp_path / "mine"):
        raise RuntimeError
    assert (tmp_path / "mine").exists()


def test_a_fork_of_the_writer_holds_no_lock(tmp_path):
    folder = saved(tmp_path / "model", "first")
    with lock_for_writing(folder):
        child = os.fork()
        if child == 0:
            time.sleep(20)
            os._exit(0)
    try:
        saved(folder, "second")
        assert os.waitpid(child, os.WNOHANG) == (0, 0)  # though the child lives
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert same(read_model(folder), small("second"))


def test_file_system_without_locks_warns_and_removes_nothing(tmp_path, monkeypatch, caplog):
    folder = saved(tmp_path / "model", "first")
    before = set(os.listdir(folder))

    def none(descriptor, operation):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", none)
    with caplog.at_level(logging.WARNING):
        saved(folder, "second")
    assert "does not support locks: run one writer at a time" in caplog.text
    assert same(read_model(folder), small("second"))
    assert before <= set(os.listdir(folder))


@pytest.mark.parametrize("make", ["link", "pipe"])
def test_lock_that_is_no_regular_file_raises_input_error(tmp_path, make):
    folder = saved(tmp_path / "model")
    (folder / ".lock").unlink()
    if make == "link":
        (folder / ".lock").symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(folder / ".lock")
    with pytest.raises(InputError, match="cannot write a model to"):
        saved(folder, "second")
    assert not (tmp_path / "elsewhere").exists()
    assert same(read_model(folder), small("first"))


def test_waiting_for_a_lock_ends_after_the_timeout(tmp_path):
    folder = saved(tmp_path / "model")
    with start("hold", folder) as holder:
        assert holder.stdout.readline() == "held\n"
        for timeout in (0, 0.1):
            with (
                pytest.raises(FolderLockedError, match="another process is writing"),
                lock_for_writing(folder, timeout=timeout),
            ):
                pass
        os.kill(holder.pid, signal.SIGKILL)
    with lock_for_writing(folder, timeout=0):
        pass


def test_a_missing_folder_is_not_created_on_demand(tmp_path):
    with pytest.raises(ModelError, match="no model at"), lock_for_writing(tmp_path / "a" / "b", create=False):
        pass
    assert list(tmp_path.iterdir()) == []


def replaced(folder, replace):
    """Write a folder that is replaced after it was locked."""
    with lock_for_writing(folder):
        replace()
        saved(folder, "late")


def test_a_folder_that_was_moved_is_not_written(tmp_path):
    folder = saved(tmp_path / "home" / "model", "first")
    with pytest.raises(InputError, match="cannot write a model"):
        replaced(folder, lambda: os.rename(tmp_path / "home", tmp_path / "trash"))
    assert not (tmp_path / "home").exists()


def test_another_folder_in_its_place_is_not_written(tmp_path):
    folder = saved(tmp_path / "model", "first")

    def replace():
        os.rename(folder, tmp_path / "trash")
        with ThreadPoolExecutor(1) as pool:
            pool.submit(saved, folder, "second").result()

    with pytest.raises(InputError, match="the folder was replaced"):
        replaced(folder, replace)
    assert same(read_model(folder), small("second"))
