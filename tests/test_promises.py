"""Every promise of docs/promises.md names an existing test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
NAMED_TESTS = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)


def test_promises_name_tests():
    assert len(NAMED_TESTS) > 20


@pytest.mark.parametrize(("path", "name"), NAMED_TESTS, ids=lambda part: part)
def test_named_test_exists(path, name):
    assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")
