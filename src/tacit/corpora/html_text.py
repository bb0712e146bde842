"""Extract the visible text of HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

TAG_PATTERN = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]{0,10}(?:\s[^<>=]{1,40}=[^<>]{0,400})?\s?/?>")
"""What looks like a tag, for counting texts that have one."""

_HIDDEN_TAGS = ("script", "style")
_INLINE_TAGS = re.compile(
    r"a|abbr|b|bd[io]|cite|code|em|font|i|kbd|mark|q|s|small|span|strong|sub|sup|u|var|wbr"
)


def strip_html(text: str) -> str:
    """Give the text that a page would show, on one line.

    >>> strip_html("<p>How do I <b>re</b>set it?</p><p>Q&amp;A</p>")
    'How do I reset it? Q&A'
    >>> strip_html("if a < b, then stop")
    'if a < b, then stop'
    """
    if "<" not in text and "&" not in text:
        return text
    reader = _VisibleTextParser()
    reader.feed(text)
    reader.close()
    return " ".join("".join(reader.parts).split())


class _VisibleTextParser(HTMLParser):
    """Collects what is shown; a tag that starts a line or a cell leaves a space."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden = False

    def handle_starttag(self, tag: str, _: object) -> None:
        self.hidden = tag in _HIDDEN_TAGS
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        self.hidden = self.hidden and tag not in _HIDDEN_TAGS
        self._part(tag)

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)

    def _part(self, tag: str) -> None:
        if not _INLINE_TAGS.fullmatch(tag):
            self.parts.append(" ")
