"""Checks of the written site: links that lead nowhere, and files that a browser would load from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src")}
"""Attributes whose address a browser loads by itself."""

UNLOADED_LINKS = {"canonical", "prev", "next", "alternate", "edit"}
"""Relations of a ``link`` element that a browser does not load."""


class PageParser(HTMLParser):
    """Collects the ids, links and loaded addresses of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes of an element."""
        values = {name: value or "" for name, value in attrs}
        self.ids.update(value for value in (values.get("id"), values.get("name")) if value)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and values.get("rel") in UNLOADED_LINKS:
            return
        self.loaded.extend(value for name, value in values.items() if (tag, name) in LOADED)


def find_problems(site: Path) -> list[str]:
    """Check every page of a site.

    Parameters
    ----------
    site : Path
        The folder of the written site.

    Returns
    -------
    list of str
        One line for each problem; empty if all is well.
    """
    pages = {path: parse_page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    problems = []
    for path, page in pages.items():
        name = path.relative_to(site)
        problems += [f"{name}: loads {url}" for url in page.loaded if urlsplit(url).netloc]
        for url in page.links + page.loaded:
            problem = _broken(url, path, pages)
            if problem:
                problems.append(f"{name}: {problem}")
    return problems


def parse_page(path: Path) -> PageParser:
    """Parse one file of HTML."""
    parser = PageParser()
    parser.feed(path.read_text("utf-8"))
    return parser


def _broken(url: str, path: Path, pages: dict[Path, PageParser]) -> str | None:
    """Say what is wrong with a link, if it leads to a page of the site that does not exist."""
    parts = urlsplit(url)
    if parts.scheme or parts.netloc:
        return None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    target = target / "index.html" if target.is_dir() else target
    if not target.exists():
        return f"link to missing page {url}"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        return f"link to missing heading {url}"
    return None
