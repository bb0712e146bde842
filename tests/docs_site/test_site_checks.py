"""The checks of the written site find broken links and files from elsewhere."""

from __future__ import annotations

import pytest

from docs_site.checks import find_problems


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<a href="other.html">x</a>', "link to missing page other.html"),
        ('<a href="#no">x</a>', "link to missing heading #no"),
        ('<a href="two.html#no">x</a>', "link to missing heading two.html#no"),
        ('<script src="https://example.org/a.js"></script>', "loads https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "loads //example.org/a.css"),
        ('<img src="no.png">', "link to missing page no.png"),
        ('<a href="two.html#yes">x</a><a href="https://example.org">y</a>', None),
        ('<link rel="canonical" href="https://example.org/a">', None),
    ],
)
def test_problem_is_found(body, problem, tmp_path):
    (tmp_path / "one.html").write_text(body, "utf-8")
    (tmp_path / "two.html").write_text('<h2 id="yes">Yes</h2>', "utf-8")
    assert find_problems(tmp_path) == ([f"one.html: {problem}"] if problem else [])
