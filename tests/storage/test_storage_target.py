"""Folders to which a model can be written, and errors for the others."""

from __future__ import annotations

import os
import resource

import numpy as np
import pytest

from helpers.storage_models import same, saved, small, strays
from tacit.errors import InputError
from tacit.storage import StoredModel, check_target, read_model, write_model


def error_message(folder, action=check_target):
    with pytest.raises(InputError) as caught:
        action(folder)
    assert "\n" not in str(caught.value)
    assert "cannot write a model to" in str(caught.value)
    return str(caught.value)


def write(folder):
    write_model(folder, small("second"), card="")


def test_missing_folder_is_accepted_and_not_created(tmp_path):
    assert check_target(str(tmp_path / "a" / "b")) == tmp_path / "a" / "b"
    assert os.listdir(tmp_path) == []


def test_an_empty_folder_and_another_model_are_replaced(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("first", "second"):
        check_target(folder)
        saved(folder, name)
        assert same(read_model(folder), small(name))
    assert strays(folder) == []


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
def test_folder_with_other_files_raises_input_error(tmp_path, action, files):
    folder = tmp_path / "model"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert "neither empty nor a tacit model" in error_message(folder, action)
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == files
    assert os.listdir(tmp_path) == ["model"]


@pytest.mark.parametrize("name", ["notes.txt", ".DS_Store", "model.txt", "model-1.safetensors", "sub"])
def test_other_files_in_a_model_are_left_alone(tmp_path, name):
    folder = saved(tmp_path / "model")
    (folder / name).mkdir() if name == "sub" else (folder / name).write_text("mine", encoding="utf-8")
    check_target(folder)
    write(folder)
    assert same(read_model(folder), small("second"))
    assert strays(folder) == [name]


@pytest.mark.parametrize("name", [".DS_Store", ".lock", "model-0123456789abcdef.safetensors"])
def test_ignored_and_unfinished_files_are_accepted(tmp_path, name):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / name).touch()
    check_target(folder)
    write(folder)
    assert same(read_model(folder), small("second"))
    assert strays(folder) == [name] * (name == ".DS_Store")


def test_a_model_of_an_earlier_format_is_replaced(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text('{"format": 2, "tacit": "0.1.0"}', encoding="utf-8")
    digest = "0123456789abcdef"
    for name in (f"model-{digest}.safetensors", f"vocabulary-{digest}.txt", "README.md"):
        (folder / name).write_text("earlier", encoding="utf-8")
    check_target(folder)
    write(folder)
    assert same(read_model(folder), small("second"))
    assert strays(folder) == []


@pytest.mark.parametrize("action", [check_target, write])
def test_file_as_target_raises_input_error(tmp_path, action):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert "it is a file, or inside one; name a folder" in error_message(tmp_path / "file", action)
    assert "it is a file, or inside one" in error_message(tmp_path / "file" / "model", action)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("action", [check_target, write])
def test_invalid_folder_name_raises_input_error(tmp_path, action):
    assert "name too long" in error_message(tmp_path / ("x" * 256), action)
    with pytest.raises(InputError, match="cannot be the name of a folder"):
        action("a\0b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("action", [check_target, write])
def test_folder_without_permission_raises_input_error(tmp_path, action):
    tmp_path.chmod(0o500)
    assert "Permission denied" in error_message(tmp_path / "model", action)
    tmp_path.chmod(0o700)


def test_a_link_stays_a_link(tmp_path):
    real = saved(tmp_path / "disk" / "model")
    link = tmp_path / "link"
    link.symlink_to(real)
    write(link)
    assert link.is_symlink()
    assert same(read_model(link), small("second"))
    assert strays(real) == []


def test_a_full_disk_leaves_the_old_model(tmp_path):
    folder = saved(tmp_path / "model")
    large = StoredModel("WTMF", arrays={"P": np.zeros((1000, 100))})
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        message = error_message(folder, lambda target: write_model(target, large, card=""))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "File too large" in message
    assert same(read_model(folder), small("first"))
    assert strays(folder) == []
