"""A failed or interrupted write leaves the complete old model or the complete new one."""

from __future__ import annotations

import errno
import json
import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from helpers.faults import OPERATIONS, every_fault, no_space
from helpers.storage_models import content, same, saved, small, strays
from helpers.storage_writers import start
from helpers.waiting import PATIENCE
from tacit.errors import InputError
from tacit.storage import lock_for_writing, model_folder, read_model, write_model
from tacit.storage.durable_files import CONFIG_FILE, write_atomic, write_chunks


def test_write_killed_at_any_line_leaves_a_complete_model(tmp_path):
    with start("kill", tmp_path / "model") as process:
        told = json.loads(process.communicate()[0])
    assert told["strays"] == []
    assert told["status"] == 0
    found = told["found"]
    switch = found.index("second")
    assert switch > 50  # the many lines before the new config takes the name
    assert set(found[:switch]) == {"first"}
    assert set(found[switch:]) == {"second"}


def broken():
    return OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.parametrize("operation", [name for name in OPERATIONS if name != "mkdir"])
@pytest.mark.parametrize("error", [no_space, broken, KeyboardInterrupt])
def test_any_failing_call_leaves_the_old_or_the_new_model(tmp_path, operation, error):
    folder = saved(tmp_path / "model", "first")
    met, refused = 0, 0
    for fault in every_fault(operation, error):
        saved(folder, "first")
        allowed, said = {"second"}, ""
        try:
            with fault:
                saved(folder, "second")
        except (InputError, KeyboardInterrupt) as refusal:
            allowed, said, refused = {"first", "second"}, str(refusal), refused + 1
        met += fault.met
        assert "\n" not in said
        assert read_model(folder, verify=True).training["name"] in allowed
    assert met
    assert refused or operation in ("unlink", "read")  # an unswept file is no failure
    saved(folder, "third")
    assert strays(folder) == []


@pytest.mark.parametrize("operation", ["write", "fsync", "replace"])
def test_failure_before_the_commit_leaves_only_the_old_model(tmp_path, operation):
    folder = saved(tmp_path / "model", "first")
    names = sorted(os.listdir(folder))
    before_commit = {"write": 6, "fsync": 4, "replace": 3}[operation]  # a header, 3 arrays, words, the config
    for fault in every_fault(operation):
        if fault.number > before_commit:
            break
        with fault, pytest.raises(InputError, match="No space left on device; check space"):
            saved(folder, "second")
        assert same(read_model(folder, verify=True), small("first"))
        assert sorted(os.listdir(folder)) == names


@pytest.mark.parametrize("operation", OPERATIONS)
def test_failed_first_write_leaves_nothing_behind(tmp_path, operation):
    for number, fault in enumerate(every_fault(operation)):
        folder = tmp_path / str(number) / "model"
        with fault, suppress(InputError):
            saved(folder)
        if operation in ("write", "replace", "mkdir"):  # the others may keep the sweep from its work
            assert not folder.exists() or read_model(folder)
        saved(folder)
        assert same(read_model(folder, verify=True), small())


def test_card_that_cannot_be_written_is_only_logged(tmp_path, monkeypatch, caplog):
    folder = saved(tmp_path / "model", "first")
    real = os.replace

    def replace(source, destination):
        if str(destination).endswith("README.md"):
            raise no_space()
        real(source, destination)

    monkeypatch.setattr(os, "replace", replace)
    with caplog.at_level(logging.WARNING):
        saved(folder, "second")
    assert "README.md could not be written: No space left" in caplog.text
    assert same(read_model(folder), small("second"))
    assert strays(folder) == []


@pytest.mark.parametrize("fresh", [True, False])
def test_content_is_flushed_before_the_config_is_replaced(tmp_path, monkeypatch, fresh):
    folder = tmp_path / "new" / "model" if fresh else saved(tmp_path / "new" / "model")
    events, fsync, replace, unlink = [], os.fsync, os.replace, os.unlink

    def name(path):
        return "content" if "-" in os.path.basename(path) else os.path.basename(path)

    monkeypatch.setattr(os, "fsync", lambda fd: (events.append(os.fstat(fd).st_ino), fsync(fd)))
    monkeypatch.setattr(os, "replace", lambda a, b: (events.append(name(b)), replace(a, b)))
    monkeypatch.setattr(os, "unlink", lambda path: (events.append("gone"), unlink(path)))
    saved(folder, "second")
    inode = {path.name: path.stat().st_ino for path in folder.iterdir()}
    arrays, words = (inode[content(folder, role).name] for role in ("arrays", "vocabulary"))
    parents = [tmp_path.stat().st_ino, folder.parent.stat().st_ino] if fresh else []
    here = folder.stat().st_ino
    assert events == [
        *parents, arrays, "content", words, "content", here,
        inode[CONFIG_FILE], CONFIG_FILE, here,
        inode["README.md"], "README.md", here, *([] if fresh else ["gone", "gone"]),
    ]  # fmt: skip


def test_no_file_is_removed_before_the_config_is_flushed(tmp_path, monkeypatch):
    folder = saved(tmp_path / "model", "first")
    old = {path.name for path in folder.iterdir()}
    real, calls = os.fsync, []

    def fsync(descriptor):
        calls.append(descriptor)
        if len(calls) > 4:  # two files, the folder, the config
            raise broken()
        real(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(InputError, match="Input/output error"):
            saved(folder, "second")
    assert old <= {*os.listdir(folder)}  # a power cut may bring the old config back
    assert same(read_model(folder, verify=True), small("second"))
    saved(folder, "second")
    assert strays(folder) == []


def test_readers_never_see_an_incomplete_model(tmp_path):
    folder = saved(tmp_path / "model", "first")
    seen = set()
    with start("write", folder) as one, start("write", folder) as other:
        while one.poll() is None or other.poll() is None:
            loaded = read_model(folder, verify=True)
            assert same(loaded, small(loaded.training["name"]))
            seen.add(loaded.training["name"])
        assert one.returncode == other.returncode == 0
    assert seen == {"first", "second"}
    assert strays(folder) == []


def test_read_restarts_when_the_model_is_replaced(tmp_path, monkeypatch):
    folder = saved(tmp_path / "model", "first")
    real, opened = model_folder.open_regular_file, []

    def open_late(path):
        opened.append(path)
        if len(opened) == 1:
            saved(folder, "second")
        return real(path)

    monkeypatch.setattr(model_folder, "open_regular_file", open_late)
    assert same(read_model(folder), small("second"))
    assert len(opened) == 3  # what is gone, then both files of the new model


def test_read_restarts_when_the_model_is_replaced_and_restored(tmp_path, monkeypatch):
    folder = saved(tmp_path / "model", "first")
    real, opened = model_folder.open_regular_file, []

    def open_between(path):
        opened.append(path)
        if len(opened) > 1:
            return real(path)
        saved(folder, "second")
        try:
            return real(path)
        finally:  # the config has the same bytes again, and the system may give it the old one's number
            saved(folder, "first")

    monkeypatch.setattr(model_folder, "open_regular_file", open_between)
    assert same(read_model(folder), small("first"))
    assert len(opened) == 3


def test_mapped_arrays_stay_valid_when_the_model_is_replaced(tmp_path):
    folder = saved(tmp_path / "model", "first")
    loaded = read_model(folder)
    path = content(folder, "arrays")
    path.unlink()
    path.write_bytes(b"damaged")
    saved(folder, "first")
    assert same(read_model(folder, verify=True), small("first"))
    saved(folder, "second")
    assert same(loaded, small("first"))


def test_files_are_removed_only_when_the_lock_is_released(tmp_path):
    folder = saved(tmp_path / "model", "first")
    old = content(folder, "arrays")
    with lock_for_writing(folder):
        write_model(folder, small("second"), card="")
        assert old.exists()
    assert strays(folder) == []


@pytest.mark.parametrize(
    "write",
    [
        lambda path: write_chunks(path, b"first", b"second"),
        lambda path: write_atomic(path, lambda file: file.write(b"firstsecond")),
    ],
    ids=["write_chunks", "write_atomic"],
)
def test_all_bytes_are_in_the_file_when_it_is_flushed_to_the_disk(tmp_path, monkeypatch, write):
    sizes, fsync = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (sizes.append(os.fstat(file).st_size), fsync(file)))
    write(tmp_path / "content")
    assert sizes == [len("firstsecond")]


def test_two_threads_write_to_one_folder(tmp_path):
    """Each writes its own content, although both are within their writes at the same time."""
    meet = threading.Barrier(2, timeout=PATIENCE)

    def write_content(name: str) -> bytes:
        def write(file):
            meet.wait()
            file.write(name.encode())
            meet.wait()

        write_atomic(tmp_path / f"{name}.csv", write)
        return (tmp_path / f"{name}.csv").read_bytes()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(write_content, ["first", "second"])) == [b"first", b"second"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.csv", "second.csv"]
