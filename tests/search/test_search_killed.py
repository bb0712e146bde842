"""A process that is killed while it writes an index leaves the earlier index intact."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tacit
from helpers.storage_models import strays
from tacit import Index, ModelError

PROGRAM = """
import os, signal, sys
import tacit

folder, model, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
real, left = os.replace, steps

def replace(part, path):
    global left
    if left == 0:  # half of a file, then the power goes
        os.truncate(part, os.path.getsize(part) // 2)
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    real(part, path)

os.replace = replace
index = tacit.load(folder) if model == "-" else tacit.Index(tacit.load(model))
index.add(["a new text about parcels"])
index.save(folder)
"""


def run_until_killed(folder: Path, model: Path | str, step: int) -> int:
    source = Path(tacit.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(model), str(step)],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        timeout=120,
    )
    return done.returncode


@pytest.mark.parametrize("built_anew", [True, False])
@pytest.mark.parametrize("step", [0, 1])  # the segment, the config; the model is there already
def test_killed_write_leaves_the_earlier_index_intact(index, model, tmp_path, built_anew, step):
    folder = tmp_path / "notes.index"
    index.save(folder)
    model.save(tmp_path / "model")
    assert run_until_killed(folder, tmp_path / "model" if built_anew else "-", step) == -signal.SIGKILL
    loaded = tacit.load(folder)
    assert len(loaded) == 15
    assert loaded.search("my card", k=5) == index.search("my card", k=5)
    loaded.add(["a new text about parcels"])
    loaded.save(folder)
    assert len(tacit.load(folder)) == 16
    assert strays(folder) == ["model"]  # what the killed one left is gone


def test_killed_first_build_leaves_no_index(model, tmp_path):
    model.save(tmp_path / "model")
    folder = tmp_path / "notes.index"
    assert run_until_killed(folder, tmp_path / "model", 1) == -signal.SIGKILL
    with pytest.raises(ModelError, match="incomplete model: config"):
        tacit.load(folder)
    Index(model).save(folder)
    assert len(tacit.load(folder)) == 0
