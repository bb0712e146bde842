"""Extract the visible text of HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

TAG_PATTERN = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]{0,10}(?:\s[^<>=]{1,40}=[^<>]{0,400})?\s?/?>")
"""Something that looks like a tag; used to count texts with HTML."""

_HIDDEN_TAGS = ("script", "style")
_INLINE_TAGS = re.compile(
    r"a|abbr|b|bd[io]|cite|code|em|font|i|kbd|mark|q|s|small|span|strong|sub|sup|u|var|wbr"
)


def strip_html(text: str) -> str:
    """Return the visible text of HTML on one line; character references become characters.

    >>> strip_html("<p>How do I <b>re</b>set it?</p><p>Q&amp;A</p>")
    'How do I reset it? Q&A'
    >>> strip_html("if a < b, then stop")
    'if a < b, then stop'
    """
    if "<" not in text and "&" not in text:
        return text
    parser = _VisibleTextParser()
    parser.feed(text)
    parser.close()
    return " ".join("".join(parser.parts).split())


class _VisibleTextParser(HTMLParser):
    """Collects visible text; tags of blocks and cells are replaced by a space."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.is_hidden = False

    def handle_starttag(self, tag: str, _: object) -> None:
        self.is_hidden = tag in _HIDDEN_TAGS
        self._separate(tag)

    def handle_endtag(self, tag: str) -> None:
        self.is_hidden = self.is_hidden and tag not in _HIDDEN_TAGS
        self._separate(tag)

    def handle_data(self, data: str) -> None:
        if not self.is_hidden:
            self.parts.append(data)

    def _separate(self, tag: str) -> None:
        """Add a space for a tag that is not inline."""
        if not _INLINE_TAGS.fullmatch(tag):
            self.parts.append(" ")
