"""Ctrl-C, wherever it falls: the command stops, says so in a line, and exits with 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tacit

PATHS = os.pathsep.join([str(Path(tacit.__file__).parents[1]), str(Path(__file__).parents[1])])

STOPPED = """
import os, random, signal, sys, threading, time
from tacit.cli.error_handling import Interruptible

def stopped(work):
    "What Ctrl-C makes of some work."
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Interruptible():
            work()
    except BaseException as error:
        return type(error).__name__
    return "nothing"
"""

WITHIN_KERNELS = """
from helpers.notes import notes_index, notes_model
index = notes_index(notes_model())
index.n_threads = 1

def search():
    threading.Thread(target=soon).start()
    while True:
        index.search("my card was declined", 5, "search")

def soon():
    time.sleep(random.random() * 0.03)
    os.kill(os.getpid(), signal.SIGINT)

index.search("my card was declined", 5, "search")
found = []
for _ in range(80):
    found.append(stopped(search))
print({name: found.count(name) for name in set(found)})
"""

SWALLOWED = """
class Deaf:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def work():
    Deaf()
    while True:
        time.sleep(0.01)

print(stopped(work))
"""

CLEANING_UP = """
done = []

def work():
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        time.sleep(0.5)  # several times as long as until the signal is sent again
        done.append("cleaned up")

print(stopped(work), *done)
"""

DISGUISED = """
import click
from tacit.cli.main import run_command

@click.command()
@click.argument("word")
def command(word):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt as stop:
        raise {} from stop

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = ["tacit", "word"]
run_command(command, "tacit")
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": PATHS}
    return subprocess.run(
        [sys.executable, "-c", STOPPED + program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        (WITHIN_KERNELS, "{'KeyboardInterrupt': 80}\n"),
        (SWALLOWED, "KeyboardInterrupt\n"),
        (CLEANING_UP, "KeyboardInterrupt cleaned up\n"),
    ],
    ids=["within kernels", "swallowed", "cleaning up"],
)
def test_an_interrupt_always_arrives(program, printed):
    done = run(program)
    assert (done.stdout, done.stderr) == (printed, "")


@pytest.mark.parametrize(
    "disguise", ["SystemError('a result with an exception set')", "ImportError()", "click.Abort()"]
)
def test_whatever_becomes_of_it_the_command_was_stopped(disguise):
    done = run(DISGUISED.format(disguise))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "tacit: stopped\n")


def test_where_it_is_ignored_it_stays_ignored(monkeypatch):
    from tacit.cli.error_handling import Interruptible

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interruptible() as stop:
            signal.raise_signal(signal.SIGINT)
        assert stop.n_presses == 0
    finally:
        signal.signal(signal.SIGINT, before)


def test_default_handler_is_restored_after_a_command():
    from tacit.cli.error_handling import Interruptible

    with Interruptible():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
