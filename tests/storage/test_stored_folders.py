"""Folders that an earlier version wrote are read and give the same answers.

On the machine of the stored answers every bit is compared. Another CPU, or another numpy, numba, scipy or
scikit-learn, may round differently (see docs/promises.md): there a number may differ by ``BOUND`` of the
largest one of its answer, and everything else is still compared exactly.
"""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

import tacit
from stored_folders.questions import answers_of, machine
from stored_folders.write_folders import (
    ANSWERS,
    DONE,
    FOLDERS,
    NAMES,
    RESUME,
    SWEEPS,
    place_training,
    word_vectors,
)

BOUND = 1e-4
HINT = "; scores that are meant to change: PYTHONPATH=tests python -m stored_folders.write_folders scores"


def assert_same(name: str, actual: dict[str, Any]) -> None:
    """Compare answers with the stored ones, bit for bit on the machine that stored them."""
    stored = json.loads((ANSWERS / f"{name}.json").read_text(encoding="utf-8"))
    exactly = stored.pop("machine") == machine()
    assert actual.keys() == stored.keys() == {"vectors", "scores"}
    for sort in stored:
        assert actual[sort].keys() == stored[sort].keys()
        for key, value in stored[sort].items():
            same = (
                _text(actual[sort][key]) == _text(value) if exactly else _is_equal(actual[sort][key], value)
            )
            assert same, f"the {sort} of {name} have changed: {key}{HINT if sort == 'scores' else ''}"


def _text(answer: Any) -> str:
    return json.dumps(answer)  # unlike ==, it keeps 0.0 and -0.0 apart


def _is_equal(actual: Any, stored: Any) -> bool:
    ours, theirs = list(_leaves(actual)), list(_leaves(stored))
    largest = max((abs(leaf) for leaf in theirs if isinstance(leaf, float)), default=0.0)
    return len(ours) == len(theirs) and all(
        abs(a - b) <= BOUND * largest if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(ours, theirs, strict=True)
    )


def _leaves(answer: Any) -> Any:
    if isinstance(answer, dict | list):
        for item in answer.items() if isinstance(answer, dict) else answer:
            yield from _leaves(list(item) if isinstance(item, tuple) else item)
    else:
        yield answer


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_folder_answers_as_it_did(name, tmp_path):
    folder = shutil.copytree(FOLDERS / name, tmp_path / name)
    assert_same(name, answers_of(tacit.load(folder, verify=True), folder))


def test_every_kind_that_can_be_saved_is_stored():
    kinds = {json.loads((FOLDERS / name / "config.json").read_bytes())["class"] for name in NAMES}
    assert kinds == {name for name in tacit.__all__ if hasattr(getattr(tacit, name), "from_stored")}


def test_the_stored_index_has_segments_and_deletions():
    config = json.loads((FOLDERS / "index" / "config.json").read_bytes())
    index = tacit.load(FOLDERS / "index")
    assert len([part for part in config["parts"] if part.startswith("segment")]) == 3
    assert len(index) == len(index.ids) - 3


@pytest.mark.parametrize("name", RESUME)
def test_stopped_training_is_resumed(name, tmp_path, monkeypatch):
    place_training(name, tmp_path)
    monkeypatch.chdir(tmp_path)
    model, swept = RESUME[name]()
    assert swept == list(range(DONE + 1, SWEEPS + 1))
    assert_same(f"training-{name}", word_vectors(model))


def test_a_changed_bit_is_noticed():
    stored = json.loads((ANSWERS / "model.json").read_text(encoding="utf-8"))
    answers = {sort: stored[sort] for sort in ("vectors", "scores")}
    values = answers["vectors"]["texts"]["values"]
    values[0] *= 1 + 2 * BOUND if stored["machine"] != machine() else 1 + 2**-50
    with pytest.raises(AssertionError, match="the vectors of model have changed: texts"):
        assert_same("model", answers)
