"""Judgements: lines that are appended, and survive a stop of the machine."""

from __future__ import annotations

import pytest

from tacit.errors import InputError, ModelError
from tacit.workflows.judgements import JUDGEMENTS_FILE, append_judgements, read_judgements


def test_the_last_judgement_of_a_pair_counts(tmp_path):
    append_judgements(tmp_path / "work", [("a", "1", 1.0), ("b", "2", 0.0), ("c", "3", 1.0)])
    append_judgements(tmp_path / "work", [("a", "1", 0.0)])
    append_judgements(tmp_path / "work", [("b", "2", None)])
    assert read_judgements(tmp_path / "work") == [("a", "1", 0.0), ("c", "3", 1.0)]
    assert len((tmp_path / "work" / JUDGEMENTS_FILE).read_text().splitlines()) == 5


def test_every_judgement_is_flushed_to_the_disk(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr("os.fsync", lambda descriptor: synced.append(descriptor))
    append_judgements(tmp_path, [("a", "1", 1.0)])
    n_first = len(synced)
    append_judgements(tmp_path, [("a", "2", 1.0)])
    assert n_first >= 1
    assert len(synced) > n_first


@pytest.mark.parametrize("size", range(1, 15))
def test_a_line_that_was_written_in_part_is_ignored_and_replaced(tmp_path, size):
    append_judgements(tmp_path, [("a", "1", 1.0)])
    path = tmp_path / JUDGEMENTS_FILE
    complete = path.read_bytes()
    path.write_bytes(complete + b'["b", "2", 0.0]\n'[:size])
    expected = [("a", "1", 1.0)]
    assert read_judgements(tmp_path) == expected
    append_judgements(tmp_path, [("c", "3", 0.0)])
    assert read_judgements(tmp_path) == [*expected, ("c", "3", 0.0)]
    assert path.read_bytes() == complete + b'["c", "3", 0.0]\n'


def test_a_last_line_without_its_end_is_kept(tmp_path):
    (tmp_path / JUDGEMENTS_FILE).write_text('["a", "1", 1.0]')
    append_judgements(tmp_path, [("b", "2", 0.0)])
    assert read_judgements(tmp_path) == [("a", "1", 1.0), ("b", "2", 0.0)]


def test_a_damaged_line_is_named(tmp_path):
    (tmp_path / JUDGEMENTS_FILE).write_text('["a", "1", 1.0]\n["b", "2"\n["c", "3", 0.0]\n')
    with pytest.raises(ModelError, match=f"{JUDGEMENTS_FILE}, line 2 is damaged: remove this line"):
        read_judgements(tmp_path)


def test_contradictions_are_not_written(tmp_path):
    with pytest.raises(InputError, match="'a' and '1' are judged both 1 and 0: keep one judgement"):
        append_judgements(tmp_path, [("a", "1", 1.0), ("a", "1", 0.0)])
    assert read_judgements(tmp_path) == []
