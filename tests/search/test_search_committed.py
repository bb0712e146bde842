"""An index keeps the texts that others saved to its folder; automatic ids are always free."""

from __future__ import annotations

import errno
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit
from tacit import Index
from tacit.errors import InputError, ModelError
from tacit.storage import model_folder
from tacit.workflows import build_index, update_index


@pytest.fixture
def folder(index, tmp_path):
    index._copy().save(tmp_path / "i")
    return tmp_path / "i"


def test_saving_does_not_replace_what_another_saved(folder):
    mine = tacit.load(folder)
    mine.add(["my own text"], ["mine"])
    update_index(folder, ["a text of another"])
    with pytest.raises(InputError, match=r"another index was saved to .* load it again"):
        mine.save(folder)
    assert tacit.load(folder).texts[-1] == "a text of another"
    mine.save(folder.parent / "elsewhere")
    again = tacit.load(folder)
    again.add(["my own text"])
    again.save(folder)
    assert list(tacit.load(folder).texts[-2:]) == ["a text of another", "my own text"]


def test_an_index_that_was_saved_before_is_compared_too(model, notes, tmp_path):
    mine = Index(model)
    mine.add(notes)
    mine.save(tmp_path)
    mine.save(tmp_path)
    update_index(tmp_path, delete=["1"])
    with pytest.raises(InputError, match="another index was saved"):
        mine.save(tmp_path)
    assert len(tacit.load(tmp_path)) == len(notes) - 1


def test_building_does_not_replace_what_another_saved_meanwhile(model, notes, index, tmp_path):
    model.save(tmp_path / "model")

    def records():
        index._copy().save(tmp_path / "i")  # as another process may do while the records are read
        yield from notes[:3]

    with pytest.raises(InputError, match="another index was saved"):
        build_index(records(), tmp_path / "model", into=tmp_path / "i")
    assert list(tacit.load(tmp_path / "i").texts) == notes


def test_an_update_creates_no_folder(folder, tmp_path):
    with pytest.raises(ModelError, match="no model at"):
        update_index(tmp_path / "absent", ["a text"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["i"]


def test_an_update_is_seen_when_it_is_saved(folder):
    index = tacit.load(folder)
    n_before = len(index)

    def change(draft):
        draft.add(["another text"], ["new"])
        return len(index), len(draft)

    assert index.update(folder, change) == (n_before, n_before + 1)
    assert len(index) == len(tacit.load(folder)) == n_before + 1
    index.update(folder, lambda draft: draft.delete(["new"]))
    assert len(index) == len(tacit.load(folder)) == n_before


def test_an_update_that_cannot_be_saved_has_no_effect(folder, monkeypatch):
    index = tacit.load(folder)

    def refuse(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(InputError, match="No space left"):
            index.update(folder, lambda draft: draft.add(["a zebra"], ["z"]))
    assert index.snapshot.rows_of_ids(["z"]).tolist() == [-1]
    assert index.update(folder, lambda draft: draft.add(["a zebra"], ["z"])) == ["z"]
    assert tacit.load(folder).ids[-1] == index.ids[-1] == "z"


def test_an_update_that_was_committed_has_its_effect(folder, monkeypatch):
    index = tacit.load(folder)
    write = model_folder.write_chunks

    def fail_after_commit(path, *chunks):
        write(path, *chunks)
        if path.name == "config.json":
            raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(model_folder, "write_chunks", fail_after_commit)
        assert index.update(folder, lambda draft: draft.add(["a zebra"], ["z"])) == ["z"]
    assert tacit.load(folder).ids[-1] == index.ids[-1] == "z"
    index.update(folder, lambda draft: draft.delete(["z"]))
    assert "z" not in tacit.load(folder).ids


def test_automatic_ids_skip_those_in_use(model):
    index = Index(model)
    index.add(["one", "two"], ["2", "3"])
    assert index.add(["three", "four"]) == ["4", "5"]
    assert index.add(["five", "six", "seven"], [None, "7", None]) == ["6", "7", "8"]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.none() | st.integers(1, 12), min_size=1, max_size=5), max_size=5))
def test_a_text_without_an_id_can_always_be_added(model, batches):
    index, ids = Index(model), set()
    for batch in batches:
        given_ids = [str(name) for name in batch if name is not None]
        if len(set(given_ids)) < len(given_ids) or ids & set(given_ids):
            continue
        added = index.add(["a text"] * len(batch), batch)
        assert [name for name, wanted in zip(added, batch, strict=True) if wanted is not None] == given_ids
        assert len(set(added)) == len(added)
        assert not ids & set(added)
        ids |= set(added)
