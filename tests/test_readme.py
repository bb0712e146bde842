"""The README is short, its example runs, and links and names on the pages lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "tacit"
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
MESSAGES = ["I was charged twice for one order", "my card was charged two times", "where is my parcel"]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_readme_is_short():
    assert len(README.splitlines()) <= 120


def test_readme_example_runs_on_a_csv_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{number},{message}\n" for number, message in enumerate(MESSAGES * 5)]
    Path("tickets.csv").write_text("id,message\n" + "".join(rows), encoding="utf-8")
    example = re.search(r"```python\n(import tacit\n.+?)```", README, re.DOTALL)
    assert example is not None
    exec(compile(example[1], "README.md", "exec"), {})
    score, text = capsys.readouterr().out.splitlines()[0].split(maxsplit=1)
    assert float(score) > 0.5
    assert text == MESSAGES[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"https?:|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        linked = page.parent / path if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


def test_architecture_names_existing_functions():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\| .+ \| (`.+`) \| `([\w/.]+)` \|$", page, re.MULTILINE)
    steps += re.findall(r"(`\w+`) \(`([\w/.]+)`\)", page)
    assert len(steps) > 30
    for names, path in steps:
        source = (SOURCE / path).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"^\s*(?:async )?(?:def|class) {name}\b", source, re.MULTILINE), (
                f"{path}: {name}"
            )
