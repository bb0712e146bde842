"""Every similarity measure has a test of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.models.measures import measure_names

TESTS = Path(__file__).parents[1] / "models"
SHARED_FILES = {
    "test_measures.py": ("alignment", "blend", "characters", "inner", "latent", "lexical", "ngram"),
    "test_matching.py": ("matching",),
}
"""Test files of the first measures. A measure ``x`` that is added later has ``test_measure_x.py``."""


@pytest.mark.parametrize("name", measure_names())
def test_measure_has_a_test_file(name):
    shared = [file for file, names in SHARED_FILES.items() if name in names]
    path = TESTS / (shared[0] if shared else f"test_measure_{name}.py")
    assert path.exists(), f"add {path.name}, which compares the measure with its formula in plain Python"
    assert f'"{name}"' in path.read_text(encoding="utf-8")
