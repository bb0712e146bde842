"""The files in deploy/ are valid and use only existing options of tacit serve."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tacit.cli.verbs.serve import serve

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
OPTIONS = {name for parameter in serve.params for name in parameter.opts}


def served_with(command: str) -> list[str]:
    return [part for part in shlex.split(command) if part.startswith("--")]


def test_the_dockerfile_passes_its_linter():
    linter = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if linter is None:
        pytest.skip("the dev group brings hadolint")
    done = subprocess.run([linter, DEPLOY / "Dockerfile"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_dockerfile_uses_existing_options_and_files():
    lines = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    command = [
        part for line in lines if re.match(r"ENTRYPOINT|CMD", line) for part in re.findall(r'"([^"]*)"', line)
    ]
    assert command[:2] == ["tacit", "serve"]
    flags = {part for part in command if part.startswith("--")}
    assert flags <= OPTIONS
    assert {"--token-file", "--home"} <= flags
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY") and "--from" not in line]
    assert [name for names in copied for name in names if not (DEPLOY.parent / name).exists()] == []


def test_the_systemd_unit_is_valid(tmp_path):
    text = (DEPLOY / "tacit.service").read_text("utf-8")
    [command] = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert set(served_with(command)) <= OPTIONS
    grace = int(re.search(r"--grace (\d+)", command)[1])
    assert int(re.search(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE)[1]) > grace + 2
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here to verify the unit")
    unit = tmp_path / "tacit.service"
    unit.write_text(text.replace("/opt/tacit/bin/tacit", sys.executable), "utf-8")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
