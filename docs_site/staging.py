"""Copy the pages to a build folder, with the generated references, and adapt them for the site.

The pages in ``docs`` are written for GitHub as well. In the copy, links to files outside of ``docs`` lead to
their pages on the site, and formulae are MathML, which browsers show without a script.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from latex2mathml.converter import convert

from docs_site.command_pages import append_commands
from docs_site.http_pages import write_http_page
from docs_site.python_pages import write_python_pages

ROOT = Path(__file__).parents[1]

OUTER_PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "security.md",
}
"""Files at the root of the repository that are pages of the site."""


def stage_pages(out: Path) -> None:
    """Write all pages of the site.

    Parameters
    ----------
    out : Path
        The folder to write; its earlier content is removed.
    """
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(ROOT / "docs", out, ignore=shutil.ignore_patterns("*.json", "cache"))
    for source, page in OUTER_PAGES.items():
        if (ROOT / source).exists():
            (out / page).write_text(lead_inside((ROOT / source).read_text("utf-8")), "utf-8")
    append_commands(out / "command-line.md")
    write_http_page(out / "reference-http.md")
    write_python_pages(out)
    for path in out.glob("*.md"):
        path.write_text(adapt_page(path.read_text("utf-8")), "utf-8")


def lead_inside(text: str) -> str:
    """Change links from a page at the root, such as ``docs/search.md``, to links from a page in ``docs``."""
    return re.sub(r"\]\(docs/", "](", re.sub(r"\[(`?)docs/", r"[\1", text))


def adapt_page(text: str) -> str:
    """Adapt a page of GitHub's Markdown: its links out of ``docs``, its formulae, its doctests."""
    for source, page in OUTER_PAGES.items():
        text = text.replace(f"](../{source}", f"]({page}").replace(f"]({source}", f"]({page}")
    text = re.sub(r"\$\$(.+?)\$\$", _formula, text, flags=re.DOTALL)
    text = re.sub(r"^( *)```python\n(?= *>>>)", r"\1```pycon\n", text, flags=re.MULTILINE)
    return re.sub(r"\n\n```$", "\n```", text, flags=re.MULTILINE)  # the blank line that ends a doctest


def _formula(match: re.Match[str]) -> str:
    """Convert a formula to a block of MathML."""
    return f'<div class="formula">{convert(match[1].strip(), display="block")}</div>'
