"""Another machine, played by this one: kernels for a CPU without fused multiply-add, and another BLAS."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tacit
from helpers.notes import NOTES, notes_model

ASK = """
import sys
import numpy as np
import tacit

model = tacit.load(sys.argv[1])
texts = sys.argv[3].split("|")
np.save(sys.argv[2], model.encode(texts))
"""
BOUND = 1e-4


def test_another_cpu_moves_an_answer_by_less_than_a_ten_thousandth(tmp_path):
    model = notes_model()
    model.save(tmp_path / "model")
    other = {
        "NUMBA_CPU_NAME": "nehalem",
        "NUMBA_CPU_FEATURES": "+sse4.2",  # left out, they would be this machine's
        "OPENBLAS_CORETYPE": "Prescott",
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(Path(tacit.__file__).parents[1]),
    }
    if os.uname().machine != "x86_64":
        pytest.skip("the other machine is an x86-64")
    subprocess.run(
        [sys.executable, "-c", ASK, tmp_path / "model", tmp_path / "vectors.npy", "|".join(NOTES)],
        env={**os.environ, **other},
        check=True,
        timeout=300,
    )
    found, own = np.load(tmp_path / "vectors.npy"), model.encode(NOTES)
    assert not np.array_equal(found, own)  # it really is another one
    assert np.abs(found - own).max() < BOUND * np.abs(own).max()
