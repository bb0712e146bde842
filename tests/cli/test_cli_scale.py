"""tacit train past memory: engines by choice and by themselves, patterns, lines of progress, stopped runs."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from helpers.cli_runs import COMMAND, ENVIRONMENT, PATIENCE, one_line_error, tacit
from helpers.scaled import write_corpus
from helpers.storage_models import content
from tacit.scale import choosing

SMALL = ("--components", 8, "--sweeps", 3, "--threads", 1)


def bits(folder) -> bytes:
    return content(folder, "arrays").read_bytes()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "texts.txt", n_texts=500)


@pytest.fixture(scope="module")
def on_disk(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("models") / "disk"
    result = tacit("train", out, corpus, "--engine", "disk", "--json", *SMALL)
    assert result.code == 0, result.err
    return out, result


def test_a_training_on_disk_leaves_a_model_and_nothing_else(on_disk):
    out, result = on_disk
    assert result.json["engine"] == "disk"
    assert result.json["sweeps"] == 3
    assert result.json["prediction"]["hidden_words"] > 10
    assert [path.name for path in out.parent.iterdir()] == ["disk"]
    assert tacit("compare", out, "worda0 wordb1", "worda0").code == 0


def test_one_line_a_pass_with_speed_and_time_left(on_disk):
    _, result = on_disk
    lines = [line for line in result.err.splitlines() if "sweep" in line]
    assert len(lines) == 9
    assert "sweep 2 of 3, words 1 of 2: 100 %, " in lines[4]
    assert "texts/s" in lines[4]
    assert " left, " in lines[4]


def test_a_pattern_of_files_is_one_corpus(corpus, on_disk, tmp_path):
    lines = corpus.read_text(encoding="utf-8").splitlines(keepends=True)
    for number in range(4):
        part = lines[number * 125 : (number + 1) * 125]
        (tmp_path / f"part{number}.txt").write_text("".join(part), encoding="utf-8")
    for engine in ("memory", "disk"):
        result = tacit("train", tmp_path / engine, tmp_path / "part*.txt", "--engine", engine, *SMALL)
        assert result.code == 0, result.err
    assert bits(tmp_path / "disk") == bits(on_disk[0])
    result = tacit("train", tmp_path / "m", tmp_path / "none*.txt", *SMALL)
    assert "no file matches" in one_line_error(result)


def test_auto_says_when_memory_will_not_do(corpus, on_disk, tmp_path, monkeypatch):
    assert tacit("train", tmp_path / "a", corpus, "--json", *SMALL).json["engine"] == "memory"
    result = tacit("train", tmp_path / "b", corpus, "--memory", "300MB", "--json", *SMALL)
    assert "engine disk: in memory it would take about 0.3 GB, and 0.3 GB are free" in result.err
    assert bits(tmp_path / "b") == bits(on_disk[0])
    monkeypatch.setattr(choosing, "free_memory", lambda: 10**8)
    assert tacit("train", tmp_path / "c", corpus, "--json", *SMALL).json["engine"] == "disk"


def test_what_does_not_go_together_is_said(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.scale.dask_engine.PATIENCE", "100ms")

    def said(*options: object) -> str:
        return one_line_error(tacit("train", tmp_path / "m", *options))

    assert "--tune is for --engine memory" in said(corpus, "--engine", "disk", "--tune")
    assert "--background is for" in said(corpus, "--engine", "dask", "--background", "wordnet")
    assert "--scheduler is for --engine dask" in said(corpus, "--scheduler", "tcp://a:1")
    assert "--memory lots: give a size" in said(corpus, "--memory", "lots")
    assert "save it to a file first" in said("-", "--engine", "disk")
    assert "no such file" in said(tmp_path / "gone.txt", "--engine", "disk")
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in said(
        corpus, "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"
    )


def test_a_run_that_was_killed_is_taken_up_by_the_same_command(corpus, on_disk, tmp_path):
    """Killed without warning as soon as its first checkpoint is there."""
    out = tmp_path / "model"
    arguments = ["train", str(out), str(corpus), "--engine", "disk", *map(str, SMALL)]
    process = subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, env=ENVIRONMENT)
    checkpoint, end = tmp_path / "model.work" / "checkpoint" / "config.json", time.monotonic() + PATIENCE
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < end:
        os.sched_yield()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not out.exists()
    assert checkpoint.exists()
    result = tacit(*arguments)
    assert result.code == 0, result.err
    assert "reading texts" not in result.err
    assert "sweep 1 of" not in result.err
    assert bits(out) == bits(on_disk[0])
    assert not checkpoint.parent.exists()
