"""What each Unicode character is to a tokeniser, as a table that grows only as far as the text needs."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

OTHER, LETTER, DIGIT, APOSTROPHE, POINT, UNSPACED, JOINER, EMOJI, PLUS, SHARP = range(10)
SYMBOLS = (EMOJI, PLUS, SHARP)
"""Signs that may be words or end one."""

# Scripts written without spaces between words: Thai, Lao, Myanmar, Khmer, Han and Kana.
_UNSPACED_RANGES = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17DD),
    (0x3005, 0x3007),
    (0x3041, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x323AF),
)
# Invisible: the joiners inside words of Persian and Indic scripts and inside emoji, and the selectors of how
# the character before is drawn.
_JOINERS = (0x200C, 0x200D, *range(0xFE00, 0xFE10))
# Flags' letters, pictographs and symbols; the tones of skin among them only modify, and separate.
_EMOJI_RANGES = ((0x1F1E6, 0x1F1FF), (0x1F300, 0x1FAFF), (0x2600, 0x27BF))
_SIGNS = {"'": APOSTROPHE, ".": POINT, ",": POINT, "+": PLUS, "#": SHARP}
_STEPS = (0x80, 0x250, 0x3000, 0x10000, 0x110000)


def character_class(character: str) -> int:
    """The class of one character.

    >>> [character_class(c) for c in "a7'.語 _☕"]
    [1, 2, 3, 4, 5, 0, 0, 7]
    """
    code, category = ord(character), unicodedata.category(character)
    if category == "Nd":
        return DIGIT
    if code in _JOINERS:
        return JOINER
    if category[0] in "LMN":
        return UNSPACED if _within(code, _UNSPACED_RANGES) else LETTER
    if category in ("So", "Cn") and _within(code, _EMOJI_RANGES):  # Cn: newer than this Python
        return EMOJI
    return _SIGNS.get(character, OTHER)


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


@lru_cache(maxsize=len(_STEPS))
def _table(size: int) -> NDArray[np.uint8]:
    return np.fromiter((character_class(chr(code)) for code in range(size)), np.uint8, size)


def class_table(largest: int, symbols: bool = True) -> NDArray[np.uint8]:
    """A table of classes that covers the code points 0 to ``largest``; without symbols they separate words.

    >>> len(class_table(ord("z")))
    128
    """
    table = _table(next(size for size in _STEPS if size > largest))
    return table if symbols else np.where(np.isin(table, SYMBOLS), np.uint8(OTHER), table)
