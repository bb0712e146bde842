"""Help is quick and complete, and a wrong command is answered in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tacit as library
from helpers.cli_runs import COMMAND, command, one_line_error, tacit
from tacit.cli.verbs import command_names

VERBS = command_names()


def test_help_lists_every_verb_and_no_arguments_mean_help():
    result = tacit("--help")
    assert result.code == 0
    commands = result.out.partition("Commands:")[2].split("\n")
    assert [line.split()[0] for line in commands if line.strip()] == list(VERBS)
    assert tacit() == result


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from tacit.cli.main import app; app(['--help'], standalone_mode=False);"
        "print('heavy:', sorted({'numba', 'sklearn', 'numpy', 'scipy', 'rich'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.endswith("heavy: []\n")
    assert "doctor" in out


def test_help_takes_under_four_tenths_of_a_second():
    assert min(cpu_seconds("--help") for _ in range(3)) < 0.4


def cpu_seconds(*args: str) -> float:
    before = os.times()
    subprocess.run([*COMMAND, *args], capture_output=True, check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def test_version():
    assert tacit("--version").out == f"tacit {library.__version__}\n"


def test_the_installed_command_is_this_one():
    script = Path(sys.executable).with_name("tacit")
    result = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert result == f"tacit {library.__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_within_80_columns(verb):
    result = tacit(verb, "--help")
    assert result.code == 0
    assert result.out.startswith(f"Usage: tacit {verb} ")
    assert tacit(verb, "-h") == result
    assert max(map(len, result.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["trian"], "No such command 'trian'"),
        (["train"], "Missing argument 'OUT'"),
        (["train", "m", "notes.txt", "--sweps", "3"], "'--sweeps'?"),
        (["train", "m", "notes.txt", "--sweeps", "many"], "'many' is not a valid integer"),
        (["words", "m"], "Missing argument 'WORD'"),
        (["words", "m", "cat", "-k", "0"], "0 is not in the range"),
        (["embed", "m", "notes.txt"], "Missing option '-o'"),
        (["info", "m", "n"], "unexpected extra argument"),
        (["compare", "m", "-5 degrees", "cold"], "A text that begins with - goes after --"),
    ],
)
def test_wrong_command_names_the_help_in_one_line(args, message):
    error = one_line_error(tacit(*args), code=2)
    assert message in error
    assert "--help" in error


def test_a_wrong_command_ends_the_process_with_its_code():
    assert command("trian").code == 2
