"""Character classes, and the word tokenizer as a numba kernel that maps code points to token ids.

Each distinct token is stored once, as code points in an arena, and found through an open-addressing hash
table, so that stemming and look-ups cost one step per distinct token, not one per occurrence.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tacit.jit import jit, jit_inline

TEXT_SEPARATOR = 0x1E  # the ASCII record separator between texts
_HASH_BITS, _ID_BITS = np.uint64(0xFFFFFFFF00000000), np.uint64(0xFFFFFFFF)

OTHER, LETTER, DIGIT, APOSTROPHE, NUMBER_MARK, UNSEGMENTED, JOINER, EMOJI, PLUS, HASH_SIGN = range(10)
SYMBOLS: tuple[int, ...] = (EMOJI, PLUS, HASH_SIGN)
"""Classes of symbols that can be a token or end one."""

# Scripts written without spaces between words: Thai, Lao, Myanmar, Khmer, Han and Kana.
_IN_UNSEGMENTED_SCRIPT = re.compile(
    r"[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17DD\u3005-\u3007\u3041-\u30FF\u3400-\u4DBF\u4E00-\u9FFF"
    r"\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U000323AF]"
)
# Invisible: the joiners in words of Persian and Indic scripts and in emoji, and the variation selectors.
_IS_JOINER = re.compile(r"[\u200C\u200D\uFE00-\uFE0F]")
# Regional indicators (flags), pictographs and symbols. Skin tone modifiers in these ranges are of another
# Unicode category, so that they separate tokens.
_IS_EMOJI = re.compile(r"[\U0001F1E6-\U0001F1FF\U0001F300-\U0001FAFF\u2600-\u27BF]")
_PUNCTUATION_CLASSES = {"'": APOSTROPHE, ".": NUMBER_MARK, ",": NUMBER_MARK, "+": PLUS, "#": HASH_SIGN}
_TABLE_SIZES = (0x80, 0x250, 0x3000, 0x10000, 0x110000)


def character_class(character: str) -> int:
    """Return the class of one character.

    >>> [character_class(c) for c in "a7'.語 _☕"]
    [1, 2, 3, 4, 5, 0, 0, 7]
    """
    category = unicodedata.category(character)
    if category == "Nd":
        return DIGIT
    if _IS_JOINER.match(character):
        return JOINER
    if category[0] in "LMN":
        return UNSEGMENTED if _IN_UNSEGMENTED_SCRIPT.match(character) else LETTER
    if category in ("So", "Cn") and _IS_EMOJI.match(character):  # Cn: newer than this Python
        return EMOJI
    return _PUNCTUATION_CLASSES.get(character, OTHER)


@lru_cache(maxsize=len(_TABLE_SIZES))
def _build_table(size: int) -> NDArray[np.uint8]:
    return np.fromiter((character_class(chr(code)) for code in range(size)), np.uint8, size)


def class_table(
    max_code_point: int, keep_symbols: bool = True, letters: slice | None = None
) -> NDArray[np.uint8]:
    """Return the classes of the code points 0 to at least ``max_code_point``.

    Without ``keep_symbols``, symbols are of class OTHER and separate tokens. The code points of ``letters``
    are of class LETTER.

    >>> len(class_table(ord("z")))
    128
    """
    table = _build_table(next(size for size in _TABLE_SIZES if size > max_code_point))
    if not keep_symbols:
        table = np.where(np.isin(table, SYMBOLS), np.uint8(OTHER), table)
    if letters is not None:
        table = table.copy()
        table[letters] = LETTER
    return table


@jit_inline
def hash_token(codes, start, stop):  # type: ignore[no-untyped-def]
    """Return the FNV-1a hash of code points, mixed so that the low bits are well distributed."""
    h = np.uint64(14695981039346656037)
    for k in range(start, stop):
        h = (h ^ np.uint64(codes[k])) * np.uint64(1099511628211)
    return h ^ (h >> np.uint64(29))


@jit_inline
def intern_token(codes, start, stop, table, arena, ends, hashes, n):  # type: ignore[no-untyped-def]
    """Return the id of a token; a new token is stored and gets the next id, ``n``.

    A slot of the table holds the high half of the hash and the token's id + 1; 0 is empty.
    """
    h = hash_token(codes, start, stop)
    high, mask = h & _HASH_BITS, np.uint64(len(table) - 1)
    slot = h & mask
    length = stop - start
    while table[slot] != 0:
        if table[slot] & _HASH_BITS == high:
            token = np.int64(table[slot] & _ID_BITS) - 1
            first = ends[token]
            if ends[token + 1] - first == length:
                k = 0
                while k < length and arena[first + k] == codes[start + k]:
                    k += 1
                if k == length:
                    return token
        slot = (slot + np.uint64(1)) & mask
    first = ends[n]
    for k in range(length):
        arena[first + k] = codes[start + k]
    ends[n + 1] = first + length
    hashes[n] = h
    table[slot] = high | np.uint64(n + 1)
    return np.int64(n)


@jit_inline
def grow_table(table, hashes, n):  # type: ignore[no-untyped-def]
    """Return a table of four times the size with the same n tokens."""
    larger = np.zeros(4 * len(table), np.uint64)
    mask = np.uint64(len(larger) - 1)
    for token in range(n):
        slot = hashes[token] & mask
        while larger[slot] != 0:
            slot = (slot + np.uint64(1)) & mask
        larger[slot] = (hashes[token] & _HASH_BITS) | np.uint64(token + 1)
    return larger


@jit_inline
def find_token_end(codes, classes, start):  # type: ignore[no-untyped-def]
    """Return the end of the token that starts at ``start`` with a letter or digit."""
    n, stop = len(codes), start + 1
    while stop < n:
        cls = classes[codes[stop]]
        if cls == LETTER or cls == DIGIT or cls == JOINER:
            stop += 1
        elif (cls == APOSTROPHE or cls == NUMBER_MARK) and stop + 1 < n:
            joined = LETTER if cls == APOSTROPHE else DIGIT
            if classes[codes[stop - 1]] != joined or classes[codes[stop + 1]] != joined:
                break
            stop += 2
        else:
            break
    if stop == start + 1 and stop < n:
        return find_symbol_suffix_end(codes, classes, start)
    return stop


@jit_inline
def find_symbol_suffix_end(codes, classes, start):  # type: ignore[no-untyped-def]
    """Return the end of a token of one character, with the suffix of a language name: c#, c++."""
    n, stop = len(codes), start + 1
    if classes[codes[start]] != LETTER:
        return stop
    if classes[codes[stop]] == HASH_SIGN:
        end = stop + 1
    elif stop + 1 < n and classes[codes[stop]] == PLUS and classes[codes[stop + 1]] == PLUS:
        end = stop + 2
    else:
        return stop
    if end < n:
        cls = classes[codes[end]]
        if cls == LETTER or cls == DIGIT or cls == JOINER or cls == HASH_SIGN or cls == PLUS:
            return stop
    return end


@jit
def scan_tokens(codes, classes, table, arena, ends, hashes, n, ids, lengths):  # type: ignore[no-untyped-def]
    """Write the id of every token to ``ids`` and the number of tokens of each text to ``lengths``.

    Returns the number of distinct tokens, the number of ids written, and the table, which may have grown.
    The other arrays must have space for len(codes) more tokens.
    """
    written = text = text_start = position = 0
    while position < len(codes):
        code = codes[position]
        cls = classes[code]
        next_position = stop = position + 1
        if cls == LETTER or cls == DIGIT:
            next_position = stop = find_token_end(codes, classes, position)
        elif cls == UNSEGMENTED:
            if stop < len(codes) and classes[codes[stop]] == UNSEGMENTED:
                stop += 1
            elif position > 0 and classes[codes[position - 1]] == UNSEGMENTED:
                position = next_position  # the last character of the previous pair
                continue
        elif cls != EMOJI:
            if code == TEXT_SEPARATOR:
                lengths[text] = written - text_start
                text_start = written
                text += 1
            position = next_position
            continue
        if 2 * n >= len(table):
            table = grow_table(table, hashes, n)
        token = intern_token(codes, position, stop, table, arena, ends, hashes, n)
        n = max(n, token + 1)
        ids[written] = token
        written += 1
        position = next_position
    lengths[text] = written - text_start
    return n, written, table
