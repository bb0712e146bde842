"""Extraction of the visible text of HTML."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.corpora.html_text import TAG_PATTERN, strip_html


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("plain text,  as it is", "plain text,  as it is"),
        ("<p>one</p><p>two</p>", "one two"),
        ("a<br/>b<hr>c", "a b c"),
        ("re<b>set</b> <a href='x>y'>it</a>", "reset it"),
        ("caf&eacute; &lt;b&gt; &#39;q&#39; A&amp;B", "café <b> 'q' A&B"),
        ("<style>p {color: red}</style>seen<script>if (a<b) alert()</script>", "seen"),
        ("seen <!-- hidden --> too", "seen too"),
        ("3 < 4 and 5 > 4", "3 < 4 and 5 > 4"),
        ("<br>", ""),
    ],
)
def test_visible_text_of_html(markup, text):
    assert strip_html(markup) == text


@given(st.text())
def test_escaped_text_is_restored(text):
    assert strip_html(html.escape(text)).split() == text.replace("\r\n", "\n").split()


@given(st.text(st.sampled_from("<>/&;ab \n!-'\"")))
def test_any_text_can_be_stripped(text):
    strip_html(text)


@pytest.mark.parametrize(
    ("text", "has_tag"),
    [("<p>", True), ("a </a> b", True), ("<br/>", True), ("<a href='x'>", True), ("a < b > c", False),
     ("<3 you", False), ("if a<b and c>d", False), ("<user@example.com>", False)],
)  # fmt: skip
def test_tag_pattern(text, has_tag):
    assert bool(TAG_PATTERN.search(text)) is has_tag
