"""Whatever happens during a write, the old model or the new one is there, whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from storage_models import beside, same, saved, small

from tacit import storage
from tacit.errors import InputError, ModelError
from tacit.storage import check_target, read_model, replace
from tacit.storage.opened import OpenFolder
from tacit.storage.siblings import new_token, sibling

WAYS = ["exchange", "renames"]


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    if request.param == "renames":
        monkeypatch.setattr(replace, "exchange", lambda one, other: False)
    return request.param


def start(task: str, folder: Path, way: str) -> subprocess.Popen[str]:
    source = Path(storage.__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, Path(__file__).with_name("storage_busy.py"), task, folder, way],
        env={**os.environ, "PYTHONPATH": str(source), "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("way", WAYS)
def test_killed_at_any_line_a_write_leaves_a_whole_model_and_the_next_one_cleans_up(tmp_path, way):
    with start("kill", tmp_path / "model", way) as process:
        told = json.loads(process.communicate()[0])
    assert told["leftovers"] == []
    assert told["status"] == 0
    found = told["found"]
    switch = found.index("second")
    assert switch > 50  # the many lines before the new model takes the name
    assert set(found[:switch]) == {"first"}
    assert set(found[switch:]) == {"second"}
    # only the fallback has a moment in which the name is free, and the reader bridges it
    assert (told["missing"] > 0) == (way == "renames")


def test_an_interrupt_at_any_flush_leaves_a_model_and_no_temporary_folder(tmp_path, monkeypatch, way):
    folder = saved(tmp_path / "model", "first")
    real, found = os.fsync, []

    def interrupted(countdown):
        def fsync(descriptor):
            nonlocal countdown
            countdown -= 1
            if countdown < 0:
                raise KeyboardInterrupt
            real(descriptor)

        return fsync

    while True:
        monkeypatch.setattr(os, "fsync", interrupted(len(found)))
        try:
            saved(folder, "second")
            break
        except KeyboardInterrupt:
            found.append(read_model(folder).training["name"])
            assert beside(folder) == []
    # four files and their folder before the new model takes the name; the parent after
    assert found == ["first"] * 5 + ["second"]


def test_an_interrupt_between_the_two_renames_puts_the_old_model_back(tmp_path, monkeypatch):
    folder = saved(tmp_path / "model", "first")
    monkeypatch.setattr(replace, "exchange", lambda one, other: False)
    real = os.rename

    def rename(source, destination):
        if ".tmp-" in str(source):
            raise KeyboardInterrupt
        real(source, destination)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(KeyboardInterrupt):
        saved(folder, "second")
    assert folder.is_dir()
    assert same(read_model(folder), small("first"))
    assert beside(folder) == []


@pytest.mark.parametrize("fresh", [True, False])
def test_all_is_on_the_disk_before_the_name_changes_hands(tmp_path, monkeypatch, fresh):
    folder = tmp_path / "new" / "model" if fresh else saved(tmp_path / "new" / "model")
    events, fsync, place = [], os.fsync, replace.place
    monkeypatch.setattr(os, "fsync", lambda fd: (events.append(os.fstat(fd).st_ino), fsync(fd)))
    monkeypatch.setattr(
        "tacit.storage.write.place", lambda *a, **k: (events.append("placed"), place(*a, **k))
    )
    saved(folder, "second")
    placed = events.index("placed")
    files = [file.stat().st_ino for file in folder.iterdir()]
    assert set(events[: placed - 1]) == set(files)
    assert events[placed - 1] == folder.stat().st_ino
    parents = [folder.parent, tmp_path] if fresh else [folder.parent]
    assert events[placed + 1 :] == [parent.stat().st_ino for parent in parents]


@pytest.mark.parametrize("way", WAYS)
def test_a_reader_never_meets_a_broken_model_while_it_is_replaced(tmp_path, way):
    folder = saved(tmp_path / "model", "first")
    seen = set()
    with start("write", folder, way) as process:
        while process.poll() is None:
            read = read_model(folder)
            assert same(read, small(read.training["name"]))
            seen.add(read.training["name"])
        assert process.returncode == 0
    assert seen == {"first", "second"}
    assert beside(folder) == []


def test_a_read_begins_again_when_the_model_is_replaced_under_it(tmp_path, monkeypatch, way):
    folder = saved(tmp_path / "model", "first")
    real, opened = OpenFolder.open, []

    def open_late(self, name):
        opened.append(name)
        if opened == ["config.json", "model.safetensors"]:
            saved(folder, "second")
            opened.append("replaced")
        return real(self, name)

    monkeypatch.setattr(OpenFolder, "open", open_late)
    assert same(read_model(folder), small("second"))
    assert opened.count("replaced") == 1


def test_a_target_replaced_while_it_is_looked_at_is_looked_at_again(tmp_path, monkeypatch, way):
    folder = saved(tmp_path / "model", "first")
    real, looks = OpenFolder.names, []

    def names(self):
        looks.append(real(self))
        if len(looks) == 1:
            saved(folder, "second")  # and what was looked at is gone
        return looks[0]

    monkeypatch.setattr(OpenFolder, "names", names)
    check_target(folder)
    assert len(looks) > 1


def test_a_write_overtaken_between_its_two_renames_begins_again(tmp_path, monkeypatch):
    folder = saved(tmp_path / "model", "first")
    monkeypatch.setattr(replace, "exchange", lambda one, other: False)
    real, renames = os.rename, []

    def rename(source, destination):
        real(source, destination)
        renames.append(destination)
        if len(renames) == 1:
            saved(folder, "third")

    monkeypatch.setattr(os, "rename", rename)
    saved(folder, "second")
    assert same(read_model(folder), small("second"))
    assert beside(folder) == []


def test_many_writers_of_one_target_do_not_harm_each_other(tmp_path, monkeypatch, way):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # more of them at the same time
    folder = tmp_path / "model"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: saved(folder, "x" * (i % 9 + 1)), range(300)))
    read = read_model(folder)
    assert same(read, small(read.training["name"]))
    assert beside(folder) == []


def test_a_model_set_aside_is_read_only_while_its_successor_waits(tmp_path):
    folder, token = tmp_path / "model", new_token()
    saved(folder).rename(sibling(folder, "old", token))
    with pytest.raises(ModelError, match="no model at"):  # it was replaced, and its successor deleted
        read_model(folder)
    sibling(folder, "tmp", token).mkdir()
    assert same(read_model(folder), small("first"))


def test_a_system_that_cannot_exchange_takes_two_renames(tmp_path, monkeypatch):
    folder = saved(tmp_path / "model")
    monkeypatch.setattr(replace, "_RENAME_EXCHANGE", 1 << 30)  # an unknown flag: EINVAL, as on older systems
    assert not replace.exchange(folder, tmp_path)
    saved(folder, "second")
    assert same(read_model(folder), small("second"))
    assert beside(folder) == []


def test_a_foreign_folder_that_appears_meanwhile_is_left_alone(tmp_path, monkeypatch):
    folder = tmp_path / "model"
    monkeypatch.setattr(
        os, "fsync", lambda fd: (folder.mkdir(exist_ok=True), (folder / "thesis.tex").touch())
    )
    with pytest.raises(InputError, match="neither empty nor a tacit model"):
        saved(folder)
    assert os.listdir(folder) == ["thesis.tex"]
    assert beside(folder) == []
