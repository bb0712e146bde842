"""Compiled kernels and their cache: whatever is wrong with it, a call gives its answer."""

from __future__ import annotations

import importlib.util
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

import tacit
from helpers.faults import every_fault, no_space
from tacit import jit

KERNEL = """
from tacit.jit import jit

@jit
def double(x):
    return 2 * x
"""
SOURCE = Path(tacit.__file__).parent


@pytest.fixture
def kernel_file(tmp_path) -> Path:
    path = tmp_path / "kernels" / "doubling.py"
    path.parent.mkdir()
    path.write_text(KERNEL)
    return path


def fresh(path: Path):
    """The kernel as a new process would have it."""
    spec = importlib.util.spec_from_file_location("doubling", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.double


def files(path: Path, suffix: str) -> list[Path]:
    return sorted((path.parent / "__pycache__").glob(f"*{suffix}"))


def hits(kernel) -> int:
    return sum(kernel.stats.cache_hits.values())


def test_a_kernel_is_compiled_once(kernel_file):
    first, second = fresh(kernel_file), fresh(kernel_file)
    assert (first(2.0), hits(first)) == (4.0, 0)
    assert (second(2.0), hits(second)) == (4.0, 1)


DAMAGE = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "a byte flipped": lambda data: (
        data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]
    ),
    "noise": lambda data: bytes(range(256)),
    "another pickle": lambda data: b"\x80\x04N.",
}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_files_are_dropped_and_compiled_again(kernel_file, suffix, damage):
    fresh(kernel_file)(2.0)
    (path,) = files(kernel_file, suffix)
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    again = fresh(kernel_file)
    assert (again(2.0), hits(again)) == (4.0, 0)
    healed = fresh(kernel_file)
    assert (healed(2.0), hits(healed)) == (4.0, 1)


def test_a_kernel_of_an_earlier_version_is_compiled_again(kernel_file, monkeypatch):
    fresh(kernel_file)(2.0)
    monkeypatch.setattr(jit, "__version__", "999.0")
    later = fresh(kernel_file)
    assert (later(2.0), hits(later)) == (4.0, 0)


def test_full_disk_is_logged_once_for_all_folders(tmp_path, caplog):
    paths = [tmp_path / name / "kernels.py" for name in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_text(KERNEL)
    jit._warn_once.cache_clear()
    for path in paths:
        kernel = fresh(path)
        with patch("builtins.open", side_effect=no_space()), caplog.at_level(logging.WARNING):
            assert kernel(2.0) == 4.0
    assert [record.levelname for record in caplog.records] == ["WARNING"]


@pytest.mark.parametrize("operation", ["open", "write", "replace"])
def test_full_disk_is_logged_once_and_the_call_succeeds(kernel_file, operation, caplog):
    for fault in every_fault(operation):
        shutil.rmtree(kernel_file.parent / "__pycache__", ignore_errors=True)
        kernel, other = fresh(kernel_file), fresh(kernel_file)
        caplog.clear()
        jit._warn_once.cache_clear()
        with fault, caplog.at_level(logging.WARNING):
            assert kernel(2.0) == 4.0
            assert other(3) == 6
        assert len(caplog.records) <= 1
        assert "continuing without a cache" in caplog.text or not caplog.records
        if fault.number > 20:
            break
    assert fault.number > 1


ASK = """
import logging
logging.basicConfig(format="said: %(message)s")
import numpy as np
from tacit.text import counting_kernels
print(counting_kernels.count_distinct_tokens(np.array([0, 2]), np.array([1, 1], np.int32), 2))
"""


@pytest.fixture(scope="module")
def sealed_package(tmp_path_factory) -> Path:
    """A copy of the package beside whose files nothing can be written, whoever asks: even root."""
    root = tmp_path_factory.mktemp("sealed")
    shutil.copytree(SOURCE, root / "tacit", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [root / "tacit", *(path for path in (root / "tacit").rglob("*") if path.is_dir())]:
        (folder / "__pycache__").write_bytes(b"")
    return root


def asked(package: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {
        name: value for name, value in os.environ.items() if name not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    }
    own = {"PYTHONPATH": str(package), "HOME": "/dev/null", "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_OPT": "0"}
    return subprocess.run(
        [sys.executable, *command],
        env={**kept, **own, **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_kernels_are_cached_in_a_temporary_folder_as_fallback(sealed_package, tmp_path):
    for _ in range(2):
        done = asked(sealed_package, "-c", ASK, TMPDIR=str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert "array([1]" in done.stdout
        assert done.stderr.count("said: compiled kernels are cached in") == 1
        assert len(done.stderr.splitlines()) == 1
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    assert len(list(folder.rglob("*.nbc"))) == 1  # the second process compiled nothing


def test_kernels_compile_without_any_writable_folder(sealed_package, tmp_path):
    others = tmp_path / f"tacit-kernels-{os.getuid()}"
    others.mkdir()
    others.chmod(0o777)  # anybody may have put code there
    done = asked(sealed_package, "-c", ASK, TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "array([1]" in done.stdout
    assert "can be written by others" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(others.iterdir()) == []


def test_the_command_line_works_in_a_hardened_container(sealed_package, tmp_path):
    done = asked(
        sealed_package, "-c", "from tacit.cli.main import run; run()", "doctor", TMPDIR=str(tmp_path)
    )
    assert done.returncode == 0, done.stderr
    assert "self-test  sound" in done.stdout
    said = [line for line in done.stderr.splitlines() if line.startswith("tacit: ")]  # numba warns of OPT=0
    assert len(said) == 1
    assert "compiled kernels are cached in" in said[0]
