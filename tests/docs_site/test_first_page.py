"""From an empty folder, following the first page word for word gives the printed results."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from helpers.follow_page import assert_printed, follow

PAGE = Path(__file__).parents[2] / "docs" / "index.md"


def test_first_page_prints_what_it_shows(tmp_path):
    commands = follow(PAGE, Path(sys.executable).parent, tmp_path)
    assert [command.split()[1] for command in commands] == [
        *("-c", "search", "search", "dedupe", "themes", "report", "first.py")
    ]


def test_another_output_is_found(tmp_path):
    (tmp_path / "page.md").write_text("```console\n$ echo b\na\n```\n", "utf-8")
    with pytest.raises(AssertionError, match="not printed: a"):
        follow(tmp_path / "page.md", Path(sys.executable).parent, tmp_path)


def test_dots_stand_for_any_text():
    assert_printed("a ... c\n...\nd\n", "x\na b c\ny\nd\n", "command")
    with pytest.raises(AssertionError):
        assert_printed("d\na\n", "a\nd\n", "command")
