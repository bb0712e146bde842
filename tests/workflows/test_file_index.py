"""Files opened as indexes, and the cache that keeps them."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from dataclasses import replace

import pytest

import tacit
from helpers.small_texts import ENGLISH
from tacit import InputError
from tacit.corpora import ReadOptions
from tacit.workflows import RecordOptions, cache, open_index, open_model
from tacit.workflows.cache import CACHE_VARIABLE, cache_root, load_or_build, remove_oldest_entries


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "notes.csv"
    rows = "".join(f"n{number},{text},web\n" for number, text in enumerate(ENGLISH))
    path.write_text(f"id,question,team\n{rows}", encoding="utf-8")
    return path


def test_the_second_call_loads_the_index_of_the_first(table, cache_folder, monkeypatch):
    first = open_index(table)
    monkeypatch.setattr("tacit.workflows.indexing.build_index", fail)
    second = open_index(table)
    assert list(second.ids) == list(first.ids) == [f"n{number}" for number in range(len(ENGLISH))]
    assert second.search("cat sleeps", 3).to_pandas().equals(first.search("cat sleeps", 3).to_pandas())
    assert second.search("cat sleeps", 1)[0].columns == {"team": "web"}


def fail(*args, **kwargs):
    raise AssertionError("an index is built again")


def entries(cache_folder):
    return sorted(cache_folder.glob("*/files/*"))


@pytest.mark.parametrize(
    "options",
    [
        RecordOptions("question"),
        RecordOptions("question", columns=()),
        RecordOptions("2", format=ReadOptions(header=True)),
        RecordOptions("question", format=ReadOptions(html=True)),
    ],
)
def test_other_options_are_another_entry(table, cache_folder, options):
    open_index(table)
    open_index(table, options)
    open_index(table, replace(options))
    assert len(entries(cache_folder)) == 2


def test_other_content_or_version_is_another_entry(table, cache_folder, monkeypatch):
    open_index(table)
    table.write_text(table.read_text(encoding="utf-8") + "x1,a new cat,web\n", encoding="utf-8")
    assert len(open_index(table)) == len(ENGLISH) + 1
    monkeypatch.setattr(tacit, "__version__", "9.9.9")
    open_index(table)
    assert len(entries(cache_folder)) == 3


def test_without_cache_nothing_is_stored(table, cache_folder):
    assert len(open_index(table, use_cache=False)) == len(ENGLISH)
    assert not cache_folder.exists()


def test_the_cache_is_private(table, cache_folder):
    open_index(table)
    for folder in (cache_folder, *entries(cache_folder)[0].parents[:2]):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_file_index_equals_a_built_index(table):
    built = tacit.build_index(table, text="question", id="id")
    for index in (open_index(table), open_index(table)):
        assert index.vectors.tobytes() == built.vectors.tobytes()
    assert open_model(table).compare("my cat", "a kitten") == built.model.compare("my cat", "a kitten")


@pytest.mark.parametrize("pattern", ["config.json", "model-*", "part-*", "vocabulary-*"])
def test_a_damaged_entry_is_built_again(table, cache_folder, pattern, caplog):
    expected = open_index(table).vectors.tobytes()
    for damaged in entries(cache_folder)[0].glob(pattern):
        os.truncate(damaged, damaged.stat().st_size // 2)
    assert open_index(table).vectors.tobytes() == expected
    assert "is damaged and is built again" in caplog.text
    caplog.clear()
    assert open_index(table).vectors.tobytes() == expected
    assert "damaged" not in caplog.text


def test_a_full_disk_costs_only_the_cache(table, monkeypatch, caplog):
    def write(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tacit.storage.durable_files.os.fsync", write)
    assert len(open_index(table)) == len(ENGLISH)
    assert "No space left on device" in caplog.text
    assert CACHE_VARIABLE in caplog.text


def test_a_cache_below_a_file_is_not_needed(table, monkeypatch, caplog):
    monkeypatch.setenv(CACHE_VARIABLE, str(table / "cache"))
    assert len(open_index(table)) == len(ENGLISH)
    assert "nothing is stored in the cache" in caplog.text


def test_two_processes_build_the_same_entry(table, cache_folder):
    code = f"import tacit.workflows as w; print(len(w.open_index({str(table)!r})))"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    outputs = [run.communicate(timeout=300) for run in runs]
    assert [out for out, _ in outputs] == [f"{len(ENGLISH)}\n"] * 2, outputs
    assert len(entries(cache_folder)) == 1
    assert len(tacit.load(entries(cache_folder)[0], verify=True)) == len(ENGLISH)


class Stored:
    """An entry with a file of some size."""

    def __init__(self, size):
        self.size = size

    def save(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "data").write_bytes(bytes(self.size))


def test_the_entries_used_longest_ago_are_removed(cache_folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_CACHE_BYTES", 1000)
    for number, name in enumerate("abc"):
        folder = cache.cache_entry("files", name)
        load_or_build(folder, "index", lambda: Stored(400))
        os.utime(folder, (number, number))
    os.utime(cache.cache_entry("files", "b"), (9, 9))
    load_or_build(cache.cache_entry("backgrounds", "d"), "model", lambda: Stored(400))
    assert [folder.name for folder in sorted(cache_folder.glob("*/*/*"))] == ["d", "b"]
    assert remove_oldest_entries(0) == 800
    assert not list(cache_folder.glob("*/*/*"))


def test_an_entry_larger_than_the_cache_is_not_kept(cache_folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_CACHE_BYTES", 100)
    assert load_or_build(cache.cache_entry("files", "a"), "index", lambda: Stored(400)).size == 400
    assert not entries(cache_folder)


def test_other_files_in_the_cache_folder_stay(cache_folder):
    (cache_folder / "mine").mkdir(parents=True)
    (cache_folder / "mine" / "letter.txt").write_text("dear", encoding="utf-8")
    remove_oldest_entries(0)
    assert (cache_folder / "mine" / "letter.txt").is_file()
    assert cache_root() == cache_folder


def test_a_folder_needs_no_columns(table, tmp_path):
    open_index(table).save(tmp_path / "index")
    assert len(open_index(tmp_path / "index")) == len(ENGLISH)
    with pytest.raises(InputError, match="column=question names a column of a file"):
        open_model(tmp_path / "index", RecordOptions("question"))


def test_the_chosen_columns_are_logged_each_time(table, caplog):
    caplog.set_level("INFO", "tacit.workflows")
    for _ in range(2):
        caplog.clear()
        open_index(table)
        assert "the texts are in the column 'question' and the ids are in the column 'id'" in caplog.text


def test_lines_need_no_columns(tmp_path, caplog):
    caplog.set_level("INFO", "tacit.workflows")
    (tmp_path / "notes.txt").write_text("\n".join(ENGLISH), encoding="utf-8")
    assert list(open_index(tmp_path / "notes.txt").texts) == ENGLISH
    assert "column" not in caplog.text
