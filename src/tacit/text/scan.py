"""The tokeniser of ``tokens`` as a kernel: code points in, numbers of distinct tokens out.

Each distinct token is kept once, as code points in an arena, and found again through an open-addressing
hash table; so stemming and look-ups cost one step per distinct token, not one per occurrence.
"""

from __future__ import annotations

import numpy as np

from tacit.jit import jit, njit_cached
from tacit.text.characters import APOSTROPHE, DIGIT, EMOJI, JOINER, LETTER, PLUS, POINT, SHARP, UNSPACED

jit_inline = njit_cached(inline="always")

END_OF_TEXT = 0x1E  # the record separator stands between texts
HIGH, LOW = np.uint64(0xFFFFFFFF00000000), np.uint64(0xFFFFFFFF)


@jit_inline
def token_hash(codes, start, stop):  # type: ignore[no-untyped-def]
    """FNV-1a over code points, with a last stir so that the low bits are good."""
    h = np.uint64(14695981039346656037)
    for k in range(start, stop):
        h = (h ^ np.uint64(codes[k])) * np.uint64(1099511628211)
    return h ^ (h >> np.uint64(29))


@jit_inline
def intern(codes, start, stop, table, arena, ends, hashes, n):  # type: ignore[no-untyped-def]
    """The number of this token; n, the next number, if it is new, and then it is stored.

    A slot of the table holds the high half of the hash and the token's number + 1; 0 is empty.
    """
    h = token_hash(codes, start, stop)
    high, mask = h & HIGH, np.uint64(len(table) - 1)
    slot = h & mask
    length = stop - start
    while table[slot] != 0:
        if table[slot] & HIGH == high:
            token = np.int64(table[slot] & LOW) - 1
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


@jit
def grown(table, hashes, n):  # type: ignore[no-untyped-def]
    """A table of four times the size with the same n tokens."""
    larger = np.zeros(4 * len(table), np.uint64)
    mask = np.uint64(len(larger) - 1)
    for token in range(n):
        slot = hashes[token] & mask
        while larger[slot] != 0:
            slot = (slot + np.uint64(1)) & mask
        larger[slot] = (hashes[token] & HIGH) | np.uint64(token + 1)
    return larger


@jit_inline
def token_end(codes, classes, start):  # type: ignore[no-untyped-def]
    """Where the token that starts here ends."""
    n, stop = len(codes), start + 1
    while stop < n:
        here = classes[codes[stop]]
        if here == LETTER or here == DIGIT or here == JOINER:
            stop += 1
        elif (here == APOSTROPHE or here == POINT) and stop + 1 < n:
            joined = LETTER if here == APOSTROPHE else DIGIT
            if classes[codes[stop - 1]] != joined or classes[codes[stop + 1]] != joined:
                break
            stop += 2
        else:
            break
    if stop == start + 1 and stop < n:
        return signed_end(codes, classes, start)
    return stop


@jit
def signed_end(codes, classes, start):  # type: ignore[no-untyped-def]
    """Where a token of one character ends, a letter with the sign of a language behind it: c#, c++."""
    n, stop = len(codes), start + 1
    if classes[codes[start]] != LETTER:
        return stop
    if classes[codes[stop]] == SHARP:
        end = stop + 1
    elif stop + 1 < n and classes[codes[stop]] == PLUS and classes[codes[stop + 1]] == PLUS:
        end = stop + 2
    else:
        return stop
    if end < n:
        after = classes[codes[end]]
        if after == LETTER or after == DIGIT or after == JOINER or after == SHARP or after == PLUS:
            return stop
    return end


@jit
def scan(codes, classes, table, arena, ends, hashes, n, ids, counts):  # type: ignore[no-untyped-def]
    """Write the number of every token to ``ids`` and the tokens of each text to ``counts``.

    Returns how many distinct tokens there are now, how many ids were written, and the table, which may
    have grown. The other arrays must be large enough for len(codes) more tokens.
    """
    written = text = last = position = 0
    while position < len(codes):
        code = codes[position]
        here = classes[code]
        if here == LETTER or here == DIGIT:
            stop = token_end(codes, classes, position)
            following = stop
        elif here == EMOJI:
            stop = position + 1
            following = stop
        elif here == UNSPACED:
            alone = position == 0 or classes[codes[position - 1]] != UNSPACED
            stop = position + 1
            following = stop
            if stop < len(codes) and classes[codes[stop]] == UNSPACED:
                stop += 1
            elif not alone:
                position += 1
                continue
        else:
            if code == END_OF_TEXT:
                counts[text] = written - last
                last = written
                text += 1
            position += 1
            continue
        if 2 * n >= len(table):
            table = grown(table, hashes, n)
        token = intern(codes, position, stop, table, arena, ends, hashes, n)
        n = max(n, token + 1)
        ids[written] = token
        written += 1
        position = following
    counts[text] = written - last
    return n, written, table
