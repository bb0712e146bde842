"""Smoke tests of an installation; `make wheel` runs them on the wheel, in a clean environment."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from importlib import metadata, resources
from importlib.util import find_spec
from pathlib import Path

import pytest

import tacit

MESSAGES = ["I was charged twice for one order", "my card was charged two times", "where is my parcel"]
ON_WHEEL = "TACIT_SMOKE_WHEEL" in os.environ


def run_tacit(folder: Path, *arguments: str, exit_code: int = 0) -> str:
    """Run the command line in a folder; return its output, or its errors if it is expected to fail."""
    command = [sys.executable, "-m", "tacit", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == exit_code, done.stderr
    return done.stderr if exit_code else done.stdout


@pytest.fixture
def tickets(tmp_path: Path) -> Path:
    with (tmp_path / "tickets.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("id", "message"), *enumerate(MESSAGES * 5)])
    return tmp_path


@pytest.mark.skipif(not ON_WHEEL, reason="the checkout is tested, not a wheel")
def test_the_wheel_is_tested_and_not_the_checkout():
    assert Path(tacit.__file__).is_relative_to(sys.prefix)


def test_version_of_the_package_and_of_the_command_line_agree(tmp_path):
    assert metadata.version("tacit") == tacit.__version__
    assert tacit.__version__ in run_tacit(tmp_path, "--version")


def test_doctor_finds_a_sound_installation(tmp_path):
    report = json.loads(run_tacit(tmp_path, "doctor", "--json"))
    assert report["self_test"]["sound"]
    assert None not in report["packages"].values()


def test_files_of_the_package_are_installed():
    package = resources.files("tacit")
    assert (package / "py.typed").is_file()
    assert (package / "__init__.pyi").is_file()
    assert (package / "server" / "page" / "index.html").is_file()


def test_train_search_and_compare_on_the_command_line(tickets):
    run_tacit(tickets, "train", "tickets.model", "tickets.csv", "--column", "message")
    found = json.loads(
        run_tacit(tickets, "search", "tickets.csv", "charged twice", "--column", "message", "--json")
    )
    assert MESSAGES[0] in json.dumps(found)
    assert float(run_tacit(tickets, "compare", "tickets.model", MESSAGES[0], MESSAGES[0])) == pytest.approx(1)


def test_a_model_is_saved_and_loaded_with_the_same_vectors(tmp_path):
    model = tacit.learn(MESSAGES).model
    model.save(tmp_path / "model")
    assert (tacit.load(tmp_path / "model").encode(MESSAGES) == model.encode(MESSAGES)).all()


@pytest.mark.skipif(find_spec("fastapi") is not None, reason="the extra is installed")
def test_an_extra_that_is_not_installed_is_named(tickets):
    assert "tacit[server]" in run_tacit(tickets, "serve", "--index", "tickets.csv", exit_code=1)


@pytest.mark.skipif(find_spec("pyarrow") is not None, reason="the extra is installed")
def test_a_parquet_file_without_the_extra_names_it(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1" * 4)
    assert "tacit[frames]" in run_tacit(tmp_path, "train", "model", "a.parquet", exit_code=1)
