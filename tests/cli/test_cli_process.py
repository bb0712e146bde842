"""The process of the command line ends early, and loses nothing by it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

RUN = "import atexit, sys; sys.argv[0] = 'tacit'; {before}; from tacit.__main__ import main; main()"


def run_main(before: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command after a statement, in a process of its own."""
    code = RUN.format(before=before)
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | variables)


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--version"], 0), (["info", "no-such-folder"], 1), (["no"], 2)]
)
def test_exit_functions_run_and_the_exit_code_stays(arguments, code):
    result = run_main("atexit.register(print, 'exit function')", *arguments)
    assert result.returncode == code
    assert result.stdout.endswith("exit function\n")


def test_the_interpreter_is_not_taken_apart():
    result = run_main("sys.keep = type('Keep', (), {'__del__': lambda self: print('freed')})()", "--version")
    assert result.stdout.startswith("tacit ")
    assert "freed" not in result.stdout


def test_a_process_with_other_threads_waits_for_them():
    thread = "import threading; threading.Timer(0.5, print, ['thread ended']).start()"
    assert run_main(thread, "--version").stdout.endswith("thread ended\n")


@pytest.mark.parametrize(("given", "used"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_blas_starts_one_thread_unless_the_user_sets_another_number(given, used, monkeypatch):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    show = "import os; atexit.register(lambda: print(os.environ['OPENBLAS_NUM_THREADS']))"
    assert run_main(show, "--version", **given).stdout.endswith(f"\n{used}\n")
