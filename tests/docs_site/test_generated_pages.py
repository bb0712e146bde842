"""The generated references name all that exists, and the staged pages suit the site."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import tacit
from docs_site.command_pages import append_commands
from docs_site.http_pages import write_http_page
from docs_site.python_pages import GROUPS
from tacit.cli.verbs import command_names
from tacit.server.app import create_app

ROOT = Path(__file__).parents[2]


def pages_of(nav: list) -> list[str]:
    """All pages of a navigation, at any depth."""
    entries = [value for entry in nav for value in entry.values()]
    return [page for value in entries for page in ([value] if isinstance(value, str) else pages_of(value))]


def test_every_command_and_option_is_described(tmp_path):
    (tmp_path / "page.md").write_text("# Commands\n", "utf-8")
    append_commands(tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text("utf-8")
    headings = re.findall(r"^## tacit (\S+)$", page, re.MULTILINE)
    assert sorted(headings) == sorted(command_names())
    assert "### tacit senses train" in page
    assert "| `--where TEXT` |" in page
    assert "| <code>--components AUTO&#124;NUMBER</code> |" in page
    assert "Examples:" not in page or "\b" not in page


def test_every_path_is_described_with_its_fields(tmp_path):
    write_http_page(tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text("utf-8")
    for path, methods in create_app().openapi()["paths"].items():
        for method in methods:
            assert f"\n## {method.upper()} {path}\n" in page
    section = page.split("## POST /search\n")[1].split("\n## ")[0]
    assert "| `query` | string | required |" in section
    assert "| `hits` | list of object | required |" in section


def test_every_public_name_is_on_one_page():
    names = [name for _, listed in GROUPS.values() for name in listed]
    assert sorted(names) == sorted(tacit.__all__)


def test_navigation_names_every_page():
    config = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))
    written = {path.name for path in (ROOT / "docs").glob("*.md")} | set(GROUPS)
    written |= {"reference-http.md", "contributing.md", "changes.md"}
    listed = pages_of(config["project"]["nav"])
    assert len(listed) == len(set(listed))
    assert written <= set(listed)


def test_page_is_adapted_to_the_site():
    pytest.importorskip("latex2mathml", reason="needs the dependency group docs")
    from docs_site.staging import adapt_page, lead_inside

    text = "[a](../CONTRIBUTING.md#papers)\n\n```python\n>>> 1 + 1\n2\n\n```\n\n$$x_i^2$$\n"
    adapted = adapt_page(text)
    assert "[a](contributing.md#papers)" in adapted
    assert "```pycon\n>>> 1 + 1\n2\n```\n" in adapted
    assert '<div class="formula"><math' in adapted
    assert lead_inside("[docs/a.md](docs/a.md#b)") == "[a.md](a.md#b)"
