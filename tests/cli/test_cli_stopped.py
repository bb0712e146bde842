"""Killed or interrupted at any moment, training leaves the earlier model whole."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from helpers.cli_runs import COMMAND, Terminal, tacit, tree
from helpers.storage_models import strays
from helpers.waiting import wait_until

ENDLESS = ("--sweeps", 1_000_000)
WAITING = "(?s)({}.*){{5}}"
"""Drawn this often, the process waits for input; just before it does, Python may miss a signal."""
QUESTION = ("my kitten sleeps", "the puppy barks", "--json")


@pytest.fixture
def earlier(tmp_path, model):
    """A folder with a model that is about to be replaced."""
    shutil.copytree(model, tmp_path / "m")
    return tmp_path


def is_as_before_and_can_be_replaced(folder, model, corpus) -> None:
    assert tree(model).items() <= tree(folder / "m").items()
    assert tacit("compare", folder / "m", *QUESTION) == tacit("compare", model, *QUESTION)
    assert (
        tacit("train", folder / "m", corpus, "--components", 8, "--regularization", 1, "--seed", 3).code == 0
    )
    assert strays(folder / "m") == []


@pytest.mark.parametrize("moment", ["reading", r"sweeps.*0/1,000,000", r"2/1,000,000 loss"])
def test_a_kill_at_a_stage_of_training(earlier, model, corpus, large_corpus, moment):
    with Terminal("train", earlier / "m", large_corpus, *ENDLESS) as terminal:
        terminal.until(moment)
        terminal.process.kill()
        assert terminal.end() == -signal.SIGKILL
    is_as_before_and_can_be_replaced(earlier, model, corpus)


@pytest.mark.parametrize("seconds", [0.1, 0.5, 1.5])
def test_a_kill_after_some_time(earlier, model, corpus, large_corpus, seconds):
    process = subprocess.Popen([*COMMAND, "train", earlier / "m", large_corpus, *map(str, ENDLESS)])
    time.sleep(seconds)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    is_as_before_and_can_be_replaced(earlier, model, corpus)


def test_a_kill_while_the_model_is_written(earlier, model, corpus):
    """On a disk that takes for ever to flush."""
    slow = "import os, time; os.fsync = lambda file: time.sleep(600); from tacit.cli.main import run; run()"
    args = ["train", earlier / "m", corpus, "--components", "4", "--regularization", "1"]
    process = subprocess.Popen([sys.executable, "-c", slow, *args])
    wait_until(lambda: strays(earlier / "m") or process.poll() is not None)
    assert process.poll() is None
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert strays(earlier / "m")
    is_as_before_and_can_be_replaced(earlier, model, corpus)


def test_an_interrupt_stops_within_a_sweep_and_says_so(earlier, model, corpus, large_corpus):
    with Terminal("train", earlier / "m", large_corpus, *ENDLESS) as terminal:
        terminal.until("2/1,000,000 loss")
        started = time.monotonic()
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
        assert time.monotonic() - started < 10
        *_, last = terminal.screen.splitlines()
    match = re.fullmatch(r"tacit: stopped after (\d+) of 1,000,000 sweeps; nothing was written", last)
    assert match, last
    assert int(match[1]) >= 2
    assert "Traceback" not in terminal.screen
    is_as_before_and_can_be_replaced(earlier, model, corpus)


def test_an_interrupt_while_waiting_for_input(earlier, model, corpus):
    with Terminal("train", earlier / "m", "-") as terminal:
        terminal.until(WAITING.format("reading"))
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
        assert "tacit: stopped during reading; nothing was written\n" in terminal.screen
        assert "Traceback" not in terminal.screen
    is_as_before_and_can_be_replaced(earlier, model, corpus)


def test_an_interrupt_while_embedding_leaves_the_earlier_file(tmp_path, model):
    (tmp_path / "v.npy").write_bytes(b"earlier")
    with Terminal("embed", model, "-", "-o", tmp_path / "v.npy") as terminal:
        terminal.process.stdin.write(b"a cat\n")
        terminal.process.stdin.flush()
        terminal.until(WAITING.format("embedding"))
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
        assert terminal.screen.splitlines()[-1] == "tacit: stopped"
    assert tree(tmp_path) == {"v.npy": b"earlier"}
