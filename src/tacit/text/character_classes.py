"""Character classes of the tokenizer, as a table over code points."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

OTHER, LETTER, DIGIT, APOSTROPHE, NUMBER_MARK, UNSEGMENTED, JOINER, EMOJI, PLUS, HASH_SIGN = range(10)
SYMBOLS = (EMOJI, PLUS, HASH_SIGN)
"""Classes of symbols that can be a token or end one."""

# Scripts written without spaces between words: Thai, Lao, Myanmar, Khmer, Han and Kana.
_UNSEGMENTED_RANGES = (
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
# Invisible: the joiners in words of Persian and Indic scripts and in emoji, and the variation selectors.
_JOINERS = (0x200C, 0x200D, *range(0xFE00, 0xFE10))
# Regional indicators (flags), pictographs and symbols. Skin tone modifiers in these ranges are of another
# Unicode category, so that they separate tokens.
_EMOJI_RANGES = ((0x1F1E6, 0x1F1FF), (0x1F300, 0x1FAFF), (0x2600, 0x27BF))
_PUNCTUATION_CLASSES = {"'": APOSTROPHE, ".": NUMBER_MARK, ",": NUMBER_MARK, "+": PLUS, "#": HASH_SIGN}
_TABLE_SIZES = (0x80, 0x250, 0x3000, 0x10000, 0x110000)


def character_class(character: str) -> int:
    """Return the class of one character.

    >>> [character_class(c) for c in "a7'.語 _☕"]
    [1, 2, 3, 4, 5, 0, 0, 7]
    """
    code, category = ord(character), unicodedata.category(character)
    if category == "Nd":
        return DIGIT
    if code in _JOINERS:
        return JOINER
    if category[0] in "LMN":
        return UNSEGMENTED if _in_ranges(code, _UNSEGMENTED_RANGES) else LETTER
    if category in ("So", "Cn") and _in_ranges(code, _EMOJI_RANGES):  # Cn: newer than this Python
        return EMOJI
    return _PUNCTUATION_CLASSES.get(character, OTHER)


def _in_ranges(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


@lru_cache(maxsize=len(_TABLE_SIZES))
def _build_table(size: int) -> NDArray[np.uint8]:
    return np.fromiter((character_class(chr(code)) for code in range(size)), np.uint8, size)


def class_table(max_code_point: int, keep_symbols: bool = True) -> NDArray[np.uint8]:
    """Return the classes of the code points 0 to at least ``max_code_point``.

    Without ``keep_symbols``, symbols are of class OTHER and separate tokens.

    >>> len(class_table(ord("z")))
    128
    """
    table = _build_table(next(size for size in _TABLE_SIZES if size > max_code_point))
    return table if keep_symbols else np.where(np.isin(table, SYMBOLS), np.uint8(OTHER), table)
