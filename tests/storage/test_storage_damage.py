"""Every kind of damage is a one-line ModelError that names the file."""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from storage_models import saved, small

from tacit.errors import ModelError
from tacit.storage import config as configs
from tacit.storage import read_config, read_model, tensors, write_model
from tacit.storage.layout import CONFIG, TENSORS, WORDS


def fault(folder, expect=None):
    with pytest.raises(ModelError) as caught:
        read_model(folder, expect)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def rewrite(folder, change):
    """Change a config and seal it again, as someone with ill intent would."""
    config = read_config(folder)
    del config["checksum"]
    change(config)
    (folder / CONFIG).write_bytes(configs.render(config))


def forge(folder, name, data):
    (folder / name).write_bytes(data)
    entry = {"size": len(data), "sha256": sha256(data).hexdigest()}
    rewrite(folder, lambda config: config["files"].update({name: entry}))


@pytest.mark.parametrize("name", [TENSORS, WORDS, CONFIG])
@pytest.mark.parametrize("mask", [0x01, 0x20, 0x80])
def test_every_flipped_byte_is_found(tmp_path, name, mask):
    folder = saved(tmp_path)
    whole = (folder / name).read_bytes()
    for place in range(len(whole)):
        flipped = bytearray(whole)
        flipped[place] ^= mask
        (folder / name).write_bytes(flipped)
        message = fault(folder)
        assert f"{name} is damaged" in message or (name == CONFIG and "newer tacit" in message)
    (folder / name).write_bytes(whole)
    read_model(folder)


@pytest.mark.parametrize("name", [TENSORS, WORDS, CONFIG])
def test_every_truncation_is_found(tmp_path, name):
    folder = saved(tmp_path)
    whole = (folder / name).read_bytes()
    for size in range(len(whole)):
        (folder / name).write_bytes(whole[:size])
        message = fault(folder)
        assert f"{name} is damaged" in message
        assert name == CONFIG or f"{size} bytes instead of {len(whole)}" in message


@pytest.mark.parametrize("name", [TENSORS, WORDS, CONFIG])
def test_a_missing_file_is_named(tmp_path, name):
    folder = saved(tmp_path)
    (folder / name).unlink()
    assert f"{name} is missing" in fault(folder)


@pytest.mark.parametrize("name", [TENSORS, WORDS, CONFIG])
def test_a_folder_or_a_pipe_is_no_file(tmp_path, name):
    folder = saved(tmp_path)
    (folder / name).unlink()
    os.mkfifo(folder / name)  # a plain open would wait for ever
    assert f"{name} is damaged: not a regular file" in fault(folder)
    (folder / name).unlink()
    (folder / name).mkdir()
    assert f"{name} is damaged: not a regular file" in fault(folder)


def test_the_card_may_be_edited_or_removed(tmp_path):
    folder = saved(tmp_path)
    before = read_model(folder).vocabulary
    (folder / "README.md").write_text("mine", encoding="utf-8")
    assert read_model(folder).vocabulary == before
    (folder / "README.md").unlink()
    assert read_model(folder).vocabulary == before


def test_no_model_there(tmp_path):
    assert fault(tmp_path / "none").startswith(f"no model at {tmp_path / 'none'}: ")
    assert fault(str(tmp_path / "none")).startswith("no model at ")
    assert "config.json is missing" in fault(tmp_path)
    (tmp_path / "file").touch()
    assert "is a file, not a model" in fault(tmp_path / "file")
    assert "cannot be the name" in fault("a\0b")


def test_a_newer_format_asks_for_an_upgrade(tmp_path):
    (tmp_path / CONFIG).write_text('{"format": 7, "whatever": "it holds"}', encoding="utf-8")
    wanted = f"{tmp_path} was written by a newer tacit (format 7, this one reads up to 1): upgrade tacit"
    assert fault(tmp_path) == wanted
    with pytest.raises(ModelError, match="upgrade tacit"):
        read_config(tmp_path)


@pytest.mark.parametrize("number", ["0", "-1", "true", "1.0", '"1"', "null"])
def test_a_format_is_a_whole_number(tmp_path, number):
    (tmp_path / CONFIG).write_text(f'{{"format": {number}}}', encoding="utf-8")
    assert "config.json is damaged: its format is " in fault(tmp_path)


def test_the_class_is_checked(tmp_path):
    folder = saved(tmp_path)
    assert read_model(folder, expect="WTMF").kind == "WTMF"
    assert "holds a WTMF, not a PivotWMF" in fault(folder, expect="PivotWMF")


def test_a_huge_config_is_not_read(tmp_path):
    with open(tmp_path / CONFIG, "wb") as file:
        file.truncate(configs.LIMIT + 1)
    assert "config.json is damaged: larger than" in fault(tmp_path)


@pytest.mark.parametrize("key", [*configs.SHAPE])
def test_a_config_without_a_key_is_refused(tmp_path, key):
    folder = saved(tmp_path)
    rewrite(folder, lambda config: config.update({key: 3}))
    assert f"config.json is damaged: '{key}' is missing or not a" in fault(folder)
    config = json.loads((folder / CONFIG).read_bytes())
    del config[key], config["checksum"]
    (folder / CONFIG).write_bytes(configs.render(config))
    assert f"config.json is damaged: '{key}' is missing or not a" in fault(folder)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("files", {}, "config.json is damaged: it says nothing of model.safetensors"),
        ("files", {TENSORS: []}, "config.json is damaged: it says nothing of model.safetensors"),
        ("files", {TENSORS: {}}, "model.safetensors is damaged: it has .* instead of None"),
        ("tensors", {}, "model.safetensors is damaged: its types and shapes are not those in config.json"),
        ("vocabulary", {"rows": 4, "fields": 2}, "vocabulary.txt is damaged: its rows and fields"),
    ],
)
def test_a_sealed_config_that_lies_is_refused(tmp_path, key, value, message):
    folder = saved(tmp_path)
    rewrite(folder, lambda config: config.update({key: value}))
    assert re.search(message, fault(folder))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"first0\t0\nfirst1\nfirst2\t2\n", "line 2 has 1 fields, the first one 2"),
        (b"first0\t0", "its last line has no end"),
        (b"a\xff\t0\n", "not UTF-8 at byte 1"),
    ],
)
def test_a_malformed_vocabulary_is_refused_though_its_checksum_is_right(tmp_path, data, message):
    folder = saved(tmp_path)
    forge(folder, WORDS, data)
    assert f"vocabulary.txt is damaged: {message}" in fault(folder)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused_though_the_checksum_is_right(tmp_path, monkeypatch, bad):
    stored = small()
    stored.arrays["idf"][1] = bad
    with monkeypatch.context() as patch:
        patch.setattr(tensors, "all_finite", lambda array: True)
        write_model(tmp_path, stored, card="")
    assert "model.safetensors is damaged: array 'idf' holds NaN or infinity" in fault(tmp_path)


@given(
    st.binary()
    | st.text().map(str.encode)
    | st.recursive(st.none() | st.integers(), st.lists).map(lambda value: json.dumps(value).encode())
)
def test_no_bytes_but_a_sealed_config_are_a_config(raw):
    with pytest.raises(ModelError):
        configs.parse(raw, Path("m", CONFIG))
