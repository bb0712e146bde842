"""Every kind of damage is a one-line ModelError that names the file."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.storage_models import content, saved, small
from tacit.errors import InputError, ModelError
from tacit.storage import StoredModel, content_formats, read_config, read_model, write_model
from tacit.storage import config as configs
from tacit.storage.durable_files import CONFIG_FILE, content_name


def fault(folder, verify=False):
    with pytest.raises(ModelError) as caught:
        read_model(folder, verify=verify)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def read_or_message(folder, verify=False):
    """Return the model, or the message of the error, which must be one line."""
    try:
        return read_model(folder, verify=verify)
    except ModelError as error:
        refusal = str(error)
    assert "\n" not in refusal
    return refusal


def rewrite(folder, change):
    """Change a config and write a valid checksum, as an attacker would."""
    config = read_config(folder)
    del config["checksum"]
    change(config)
    (folder / CONFIG_FILE).write_bytes(configs.encode_config(config))


def forge(folder, role, data, **lies):
    """Change a content file and rename it by its new digest."""
    digest = sha256(data).hexdigest()
    entry = {"name": content_name(role, digest), "size": len(data), "sha256": digest, **lies}
    (folder / entry["name"]).write_bytes(data)
    rewrite(folder, lambda config: config["files"].update({role: entry}))


def part(folder, name):
    return folder / CONFIG_FILE if name == "config" else content(folder, name)


PARTS = ["arrays", "vocabulary", "config"]


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("mask", [0x01, 0x20, 0x80])
def test_verify_finds_every_flipped_byte(tmp_path, name, mask):
    path = part(saved(tmp_path), name)
    whole = path.read_bytes()
    for place in range(len(whole)):
        flipped = bytearray(whole)
        flipped[place] ^= mask
        path.write_bytes(flipped)
        message = fault(tmp_path, verify=True)
        assert f"{path.name} is damaged" in message or (name == "config" and "has format" in message)
        if name == "config":
            assert fault(tmp_path) == message
    path.write_bytes(whole)
    read_model(tmp_path, verify=True)


@pytest.mark.parametrize("verify", [False, True])
@pytest.mark.parametrize("name", PARTS)
def test_every_truncation_and_appended_byte_is_found(tmp_path, name, verify):
    path = part(saved(tmp_path), name)
    whole = path.read_bytes()
    for wrong in (*(whole[:size] for size in range(len(whole))), whole + b"x"):
        path.write_bytes(wrong)
        message = fault(tmp_path, verify)
        assert f"{path.name} is damaged" in message
        assert name == "config" or f"{len(wrong)} bytes instead of {len(whole)}" in message


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A model folder and the contents of its files."""
    folder = saved(tmp_path_factory.mktemp("model"))
    return folder, {path.name: path.read_bytes() for path in folder.iterdir()}


def restore_files(whole):
    """Restore the files of the folder, which is much faster than writing a model again."""
    folder, files = whole
    for path in folder.iterdir():
        path.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("name", PARTS)
@given(junk=st.binary(min_size=1, max_size=400))
def test_junk_of_the_right_size_raises_model_error_or_is_read(whole, name, junk):
    folder = restore_files(whole)
    path = part(folder, name)
    size = path.stat().st_size
    path.write_bytes((junk * (size // len(junk) + 1))[:size])
    assert f"{path.name} is damaged" in fault(folder, verify=True)
    read_or_message(folder)


@pytest.mark.parametrize("name", PARTS)
def test_a_missing_file_is_named(tmp_path, name):
    path = part(saved(tmp_path), name)
    path.unlink()
    assert f"{path.name} is missing" in fault(tmp_path)


@pytest.mark.parametrize("name", PARTS)
def test_folder_or_pipe_raises_model_error(tmp_path, name):
    path = part(saved(tmp_path), name)
    path.unlink()
    os.mkfifo(path)  # a plain open would wait for ever
    assert f"{path.name} is damaged: not a regular file" in fault(tmp_path)
    path.unlink()
    path.mkdir()
    assert f"{path.name} is damaged: not a regular file" in fault(tmp_path)


def test_the_card_may_be_edited_or_removed(tmp_path):
    folder = saved(tmp_path)
    before = read_model(folder).vocabulary
    (folder / "README.md").write_text("mine", encoding="utf-8")
    assert read_model(folder).vocabulary == before
    (folder / "README.md").unlink()
    assert read_model(folder).vocabulary == before


def test_missing_model_is_named(tmp_path):
    assert fault(tmp_path / "none").startswith(f"no model at {tmp_path / 'none'}: ")
    assert fault(str(tmp_path / "none")).startswith("no model at ")
    assert "config.json is missing" in fault(tmp_path)
    (tmp_path / "file").touch()
    assert "is a file, not a model" in fault(tmp_path / "file")
    assert "cannot be the name" in fault("a\0b")


@pytest.mark.parametrize(
    ("number", "remedy"), [(7, "upgrade tacit"), (2, "train it again, or use the tacit that wrote it")]
)
def test_another_format_is_refused_with_the_remedy(tmp_path, number, remedy):
    (tmp_path / CONFIG_FILE).write_text(f'{{"format": {number}, "whatever": "it holds"}}', encoding="utf-8")
    assert fault(tmp_path) == f"{tmp_path} has format {number}, and this tacit reads 3: {remedy}"
    with pytest.raises(ModelError, match=remedy):
        read_config(tmp_path)


@pytest.mark.parametrize("number", ["0", "-1", "true", "1.0", '"1"', "null"])
def test_format_must_be_an_integer(tmp_path, number):
    (tmp_path / CONFIG_FILE).write_text(f'{{"format": {number}}}', encoding="utf-8")
    assert "config.json is damaged: its format is " in fault(tmp_path)


def test_a_huge_config_is_not_read(tmp_path):
    with open(tmp_path / CONFIG_FILE, "wb") as file:
        file.truncate(configs.MAX_CONFIG_BYTES + 1)
    assert "config.json is damaged: larger than" in fault(tmp_path)


@pytest.mark.parametrize("key", [*configs.FIELD_TYPES])
def test_a_config_without_a_key_is_refused(tmp_path, key):
    folder = saved(tmp_path)
    rewrite(folder, lambda config: config.update({key: 3}))
    assert f"config.json is damaged: '{key}' is missing or not a" in fault(folder)
    config = json.loads((folder / CONFIG_FILE).read_bytes())
    del config[key], config["checksum"]
    (folder / CONFIG_FILE).write_bytes(configs.encode_config(config))
    assert f"config.json is damaged: '{key}' is missing or not a" in fault(folder)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("tensors", {}, "safetensors is damaged: its types and shapes are not those in config.json"),
        ("vocabulary", {"rows": 4, "fields": 2}, "txt is damaged: its number of rows or fields"),
    ],
)
def test_wrong_config_with_valid_checksum_raises_model_error(tmp_path, key, value, message):
    folder = saved(tmp_path)
    rewrite(folder, lambda config: config.update({key: value}))
    assert message in fault(folder)


@pytest.mark.parametrize(
    "array", [{"dtype": "float64", "shape": [3, 2]}, {"dtype": "float32", "shape": [2, 3]}]
)
def test_config_and_header_agree_to_the_type_and_shape(tmp_path, array):
    folder = saved(tmp_path)
    rewrite(folder, lambda config: config["tensors"].update({"P": array}))
    assert "types and shapes are not those" in fault(folder)


@pytest.mark.parametrize("role", ["arrays", "vocabulary"])
@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        {},
        {"name": "../../etc/passwd"},
        {"name": "model-0000000000000000.safetensors"},
        {"size": None},
        {"size": 1.0},
        {"size": True},
        {"sha256": 3},
        {"sha256": "0" * 64},
        {"sha256": "x/../../secret", "name": "model-x/../../secret.safetensors"},
        {"sha256": "x/../../secret", "name": "vocabulary-x/../../secret.txt"},
    ],
)
def test_content_is_named_by_its_digest_and_by_nothing_else(tmp_path, role, entry):
    folder = saved(tmp_path)
    right = read_config(folder)["files"][role]
    wrong = {**right, **entry} if entry else entry
    rewrite(folder, lambda config: config["files"].update({role: wrong}))
    assert f"config.json is damaged: the entry of its {role} has no valid name, digest" in fault(folder)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"first0\t0\nfirst1\nfirst2\t2\n", "line 2 has 1 fields instead of 2"),
        (b"first0\t0", "its last line has no line end"),
        (b"a\xff\t0\n", "not UTF-8 at byte 1"),
    ],
)
def test_invalid_vocabulary_with_valid_checksum_is_an_error(tmp_path, data, message):
    folder = saved(tmp_path)
    forge(folder, "vocabulary", data)
    assert f".txt is damaged: {message}" in fault(folder)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_verify_finds_numbers_that_are_not_finite(tmp_path, monkeypatch, bad):
    stored = small()
    stored.arrays["idf"][1] = bad
    with monkeypatch.context() as patch:
        patch.setattr(content_formats, "all_finite", lambda array: True)
        write_model(tmp_path, stored, card="")
    assert ".safetensors is damaged: array 'idf' holds NaN or infinity" in fault(tmp_path, verify=True)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e400"])
def test_number_that_is_not_finite_is_invalid_json(number):
    assert configs.parse_json_object(f'{{"loss": [1.5, {number}]}}'.encode()) is None


def test_header_above_the_limit_is_neither_read_nor_written(tmp_path, monkeypatch):
    folder = saved(tmp_path)
    whole = content(folder, "arrays").read_bytes()
    size, padding = int.from_bytes(whole[:8], "little"), content_formats.MAX_HEADER_BYTES
    forge(
        folder,
        "arrays",
        (size + padding).to_bytes(8, "little") + whole[8 : 8 + size] + b" " * padding + whole[8 + size :],
    )
    assert f"header of {size + padding} bytes is longer than" in fault(folder)
    monkeypatch.setattr(content_formats, "MAX_HEADER_BYTES", 100)
    with pytest.raises(InputError, match="too many for a header of 100 bytes"):
        write_model(folder, small(), card="")


WILD = [None, True, 0, -1, 2**63, 10**30, 1e308, "", "x", "\0", "../..", [], [1], {}, {"a": 1}, [[]]]


def mutate(value, draw):
    """Return a JSON value with one of its parts replaced or removed."""
    if isinstance(value, dict | list) and value and draw(st.integers(0, 3)):
        copy = value.copy()
        key = draw(st.sampled_from(list(copy) if isinstance(copy, dict) else range(len(copy))))
        if draw(st.booleans()):
            copy[key] = mutate(copy[key], draw)
        else:
            del copy[key]
        return copy
    return draw(st.sampled_from(WILD))


@settings(max_examples=400)
@given(data=st.data())
def test_forged_folder_is_read_or_raises_one_line(whole, data):
    folder = restore_files(whole)
    if data.draw(st.booleans(), "content"):
        role = data.draw(st.sampled_from(["arrays", "vocabulary"]))
        raw = bytearray(content(folder, role).read_bytes())
        patch = data.draw(st.binary(max_size=12))
        place = data.draw(st.integers(0, len(raw)))
        raw[place : place + data.draw(st.sampled_from([0, len(patch)]))] = patch
        forge(folder, role, bytes(raw))
    if data.draw(st.booleans(), "config"):
        config = read_config(folder)
        del config["checksum"]
        changed = mutate(config, data.draw)
        changed = changed if isinstance(changed, dict) else {"format": 2, "parameters": changed}
        (folder / CONFIG_FILE).write_bytes(configs.encode_config(changed))
    size = sum(path.stat().st_size for path in folder.iterdir())
    for verify in (False, True):
        stored = read_or_message(folder, verify)
        if isinstance(stored, StoredModel):
            copies = [array.copy() for array in stored.arrays.values()]  # every byte can be read
            assert sum(array.nbytes for array in copies) <= size
            assert not verify or all(np.isfinite(array).all() for array in copies)


@given(
    st.binary()
    | st.text().map(str.encode)
    | st.recursive(st.none() | st.integers(), st.lists).map(lambda value: json.dumps(value).encode())
)
def test_only_bytes_with_a_checksum_are_a_config(raw):
    with pytest.raises(ModelError):
        configs.decode_config(raw, Path("m", CONFIG_FILE))
