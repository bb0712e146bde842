"""Where a model may be written, and what happens to things that are in the way."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

import numpy as np
import pytest
from storage_models import beside, same, saved, small

from tacit.errors import InputError
from tacit.storage import Stored, check_target, read_model, write_model
from tacit.storage.siblings import ABANDONED, new_token, sibling


def refusal(folder, action=check_target):
    with pytest.raises(InputError) as caught:
        action(folder)
    assert "\n" not in str(caught.value)
    assert "cannot write a model to" in str(caught.value)
    return str(caught.value)


def write(folder):
    write_model(folder, small("second"), card="")


@pytest.fixture
def dead_process():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_a_free_name_is_fine_and_nothing_is_made_yet(tmp_path):
    assert check_target(str(tmp_path / "a" / "b")) == tmp_path / "a" / "b"
    assert os.listdir(tmp_path) == []


def test_an_empty_folder_and_another_model_are_replaced(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("first", "second"):
        check_target(folder)
        saved(folder, name)
        assert same(read_model(folder), small(name))
    assert beside(folder) == []


@pytest.mark.parametrize("action", [check_target, write])
@pytest.mark.parametrize(
    "files",
    [
        {"thesis.tex": ""},
        {"config.json": "{}"},
        {"config.json": '{"format": 1}'},
        {"config.json": '{"format": "1", "tacit": "0.1"}'},
        {"config.json": "not json", "model.safetensors": ""},
    ],
)
def test_a_foreign_folder_is_left_alone(tmp_path, action, files):
    folder = tmp_path / "model"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert "neither empty nor a tacit model" in refusal(folder, action)
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == files
    assert beside(folder) == []


@pytest.mark.parametrize("action", [check_target, write])
def test_a_model_with_other_files_beside_it_is_left_alone(tmp_path, action):
    folder = saved(tmp_path / "model")
    (folder / "notes.txt").touch()
    assert "also holds 'notes.txt'" in refusal(folder, action)
    assert same(read_model(folder), small("first"))
    assert (folder / "notes.txt").exists()


def test_the_litter_of_file_managers_is_no_reason_to_refuse(tmp_path):
    folder = saved(tmp_path / "model")
    (folder / ".DS_Store").touch()
    write(folder)
    assert same(read_model(folder), small("second"))
    assert beside(folder) == []


@pytest.mark.parametrize("action", [check_target, write])
def test_a_file_is_no_place(tmp_path, action):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert "it is a file, or inside one; name a folder" in refusal(tmp_path / "file", action)
    assert "it is a file, or inside one" in refusal(tmp_path / "file" / "model", action)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("action", [check_target, write])
def test_a_name_the_disk_refuses(tmp_path, action):
    assert "name too long" in refusal(tmp_path / ("x" * 250), action)
    with pytest.raises(InputError, match="cannot be the name of a folder"):
        action("a\0b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("action", [check_target, write])
def test_a_place_without_permission(tmp_path, action):
    tmp_path.chmod(0o500)
    assert "Permission denied" in refusal(tmp_path / "model", action)
    tmp_path.chmod(0o700)


def test_a_link_stays_a_link(tmp_path):
    real = saved(tmp_path / "disk" / "model")
    link = tmp_path / "link"
    link.symlink_to(real)
    write(link)
    assert link.is_symlink()
    assert same(read_model(link), small("second"))
    assert beside(real) == []


def test_a_full_disk_leaves_the_old_model(tmp_path):
    folder = saved(tmp_path / "model")
    large = Stored("WTMF", arrays={"P": np.zeros((1000, 100))})
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        message = refusal(folder, lambda target: write_model(target, large, card=""))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "File too large" in message
    assert same(read_model(folder), small("first"))
    assert beside(folder) == []


def test_leftovers_of_dead_writes_go_and_those_of_living_ones_stay(tmp_path, dead_process):
    folder = tmp_path / "model"
    here, _, random = new_token().split("-")
    left = {
        "dead": sibling(folder, "tmp", f"{here}-{dead_process}-{random}"),
        "dead, set aside": sibling(folder, "old", f"{here}-{dead_process}-{random}"),
        "dead, of another machine": sibling(folder, "tmp", f"00000000-{dead_process}-{random}"),
        "abandoned": sibling(folder, "tmp", f"00000000-1-{random}"),
        "alive": sibling(folder, "tmp", f"{here}-{os.getppid()}-{random}"),
        "of another model": sibling(tmp_path / "models", "tmp", f"{here}-{dead_process}-{random}"),
        "no token": tmp_path / ".model.tmp-mine",
    }
    for path in left.values():
        path.mkdir()
        (path / "vocabulary.txt").touch()
    past = time.time() - ABANDONED - 60
    os.utime(left["abandoned"], (past, past))
    saved(folder)
    assert {name for name, path in left.items() if path.exists()} == {
        "dead, of another machine",
        "alive",
        "of another model",
        "no token",
    }


def test_a_leftover_is_never_cleared_of_foreign_files_nor_through_a_link(tmp_path, dead_process):
    folder, precious = tmp_path / "model", saved(tmp_path / "precious")
    here, _, random = new_token().split("-")
    full = sibling(folder, "tmp", f"{here}-{dead_process}-{random}")
    full.mkdir()
    (full / "thesis.tex").touch()
    sibling(folder, "old", f"{here}-{dead_process}-{random}").symlink_to(precious)
    saved(folder)
    assert (full / "thesis.tex").exists()
    assert same(read_model(precious), small("first"))
