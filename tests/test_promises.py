"""The page of promises: each names the test that holds it, and that test is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HELD = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs/promises.md").read_text(encoding="utf-8"))


def test_there_are_promises():
    assert len(HELD) > 20


@pytest.mark.parametrize(("path", "name"), HELD, ids=lambda part: part)
def test_the_test_that_holds_a_promise_is_there(path, name):
    assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")
