"""What a token is, in plain Python: the definition the fast scanner is held against.

A token is a run of letters, marks and digits, lower-cased. An apostrophe joins two letters (*don't*), a
point or comma joins two digits (*1,000.50*). A single letter may end in a sharp or two pluses (*c#*, *c++*).
Scripts written without spaces give overlapping pairs of characters. An emoji is a token of its own, whatever
its tone of skin. Everything else separates, the sign of a *#hashtag* too, so that it is found as a word.
"""

from __future__ import annotations

import re
import unicodedata

from tacit.text.characters import (
    APOSTROPHE,
    DIGIT,
    EMOJI,
    JOINER,
    LETTER,
    OTHER,
    PLUS,
    POINT,
    SHARP,
    SYMBOLS,
    UNSPACED,
    character_class,
)

_SIGNS = {OTHER: " ", LETTER: "a", DIGIT: "0", APOSTROPHE: "'", POINT: ".", UNSPACED: "u",
          JOINER: "j", EMOJI: "e", PLUS: "+", SHARP: "#"}  # fmt: skip
_TOKEN = re.compile(
    r"u+|e"
    r"|a(?:#|\+\+)(?![a0j#+])"
    r"|[a0][a0j]*(?:(?<=a)'(?=a)[a0j]+|(?<=0)\.(?=0)[a0j]+)*"
)


def fold(text: str) -> str:
    r"""Lower case, composed accents, one kind of apostrophe, no soft hyphens.

    >>> fold("Don\u2019t")
    "don't"
    """
    text = text.lower()
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).replace("\u2019", "'").replace("\u00ad", "")
    return text


def tokenize(text: str) -> list[str]:
    """The tokens of a text, in order.

    >>> tokenize("Don't pay 1,000.50 for B2B-Software!")
    ["don't", 'pay', '1,000.50', 'for', 'b2b', 'software']
    >>> tokenize("Coffee ☕ with #C++ and C# 👩‍💻")
    ['coffee', '☕', 'with', 'c++', 'and', 'c#', '👩', '💻']
    >>> tokenize("自然言語")
    ['自然', '然言', '言語']
    """
    return _cut(fold(text), _SIGNS)


def tokenize_letters(text: str) -> list[str]:
    """The tokens of a text that are letters and numbers alone: as the papers' corpora were read.

    >>> tokenize_letters("Coffee ☕ with C++")
    ['coffee', 'with', 'c']
    """
    return _cut(fold(text), _SIGNS | dict.fromkeys(SYMBOLS, " "))


def _cut(text: str, named: dict[int, str]) -> list[str]:
    signs = "".join(named[character_class(c)] for c in text)
    tokens = []
    for match in _TOKEN.finditer(signs):
        token = text[match.start() : match.end()]
        pairs = signs[match.start()] == "u" and len(token) > 1
        tokens.extend([token[i : i + 2] for i in range(len(token) - 1)] if pairs else [token])
    return tokens
