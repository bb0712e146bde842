"""tacit train past memory: engines by choice and by themselves, patterns, lines of progress, stopped runs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time

import pytest

from helpers.cli_runs import COMMAND, ENVIRONMENT, PATIENCE, one_line_error, tacit
from helpers.scaled import write_corpus, write_many
from helpers.storage_models import content
from tacit.scale import engine_choice
from tacit.scale.checkpoints import WorkFolder
from tacit.workflows import RecordSource

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
    assert re.search(
        r"engine disk: training in memory would need about 25\d\.\d MB, and 300.0 MB are free", result.err
    )
    assert bits(tmp_path / "b") == bits(on_disk[0])
    assert " s in memory" in tacit("train", tmp_path / "a", corpus, *SMALL).out
    monkeypatch.setattr(engine_choice, "free_memory", lambda: 10**8)
    assert tacit("train", tmp_path / "c", corpus, "--json", *SMALL).json["engine"] == "disk"


def test_incompatible_options_are_errors(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.scale.dask_engine.CONNECT_TIMEOUT", "100ms")

    def error_of(*options: object) -> str:
        return one_line_error(tacit("train", tmp_path / "m", *options))

    assert "--engine disk cannot be combined with tuning" in error_of(corpus, "--engine", "disk", "--tune")
    assert "--engine dask cannot be combined with a background" in error_of(
        corpus, "--engine", "dask", "--background", "wordnet"
    )
    assert "--scheduler tcp://a:1 is only for the engine dask" in error_of(corpus, "--scheduler", "tcp://a:1")
    assert "--memory lots: give a size" in error_of(corpus, "--memory", "lots")
    with_limit = error_of(corpus, "--engine", "memory", "--memory", "1GB")
    assert "--memory 1GB limits the engines disk and dask: leave it out" in with_limit
    checkpoint = ("--checkpoint", tmp_path / "kept")
    only = f"--checkpoint {tmp_path / 'kept'} is only for the engines disk and dask"
    assert only in error_of(corpus, "--engine", "memory", *checkpoint)
    assert only in error_of("-", *checkpoint)
    assert "--scheduler foo://x is not an address: give one such as tcp://HOST:8786" in error_of(
        corpus, "--engine", "dask", "--scheduler", "foo://x"
    )
    assert "save it to a file first" in error_of("-", "--engine", "disk")
    assert "no such file" in error_of(tmp_path / "gone.txt", "--engine", "disk")
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in error_of(
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


def test_a_small_corpus_is_shared_evenly_by_threads(tmp_path):
    path = write_many(tmp_path / "many.txt", 60_000)
    sizes = [part.size for part in RecordSource((str(path),)).partitions()]
    assert len(sizes) == -(-path.stat().st_size // engine_choice.MIN_PARTITION_BYTES) > 2
    assert sum(sizes) == path.stat().st_size


def test_failed_run_is_removed_and_prepared_run_is_resumed(tmp_path):
    good, bad = write_corpus(tmp_path / "a.txt", n_texts=200), tmp_path / "b.txt"
    bad.write_bytes(b"caf\xe9\n")
    out, work = tmp_path / "model", tmp_path / "model.work"
    result = tacit("train", out, good, bad, "--engine", "disk", *SMALL)
    assert "0xe9 is not UTF-8" in one_line_error(result)
    assert not work.exists()
    result = tacit("train", out, good, "--engine", "disk", "--memory", "1kB", *SMALL)
    assert re.search(r"need \d+\.\d kB, and only 1.0 kB of memory may be used; give more", result.err)
    result = tacit("train", out, good, *SMALL)
    assert f"engine disk: {work} has a training that can be resumed" in result.err
    assert " s on disk" in result.out


def test_interrupted_run_reports_progress_and_resumes(corpus, on_disk, tmp_path, monkeypatch):
    keep = WorkFolder.save_sweep

    def keep_and_stop(self, words, losses, residuals):
        keep(self, words, losses, residuals)
        if len(losses) == 2:
            raise KeyboardInterrupt

    arguments = ("train", tmp_path / "m", corpus, "--engine", "disk", *SMALL)
    with monkeypatch.context() as patched:
        patched.setattr(WorkFolder, "save_sweep", keep_and_stop)
        result = tacit(*arguments)
    assert result.code == 130
    work = f"{tmp_path / 'm'}.work"
    assert f"stopped after 2 sweeps; the same command resumes the training ({work})" in result.err
    result = tacit(*arguments)
    assert "sweep 2 of" not in result.err
    assert bits(tmp_path / "m") == bits(on_disk[0])
