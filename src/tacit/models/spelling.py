"""How alike words are by their letters: the Dice coefficient of their pairs and triples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import jit

_LETTER_BITS = 21  # of a code point

_ONE, _TWO, _FOUR = np.uint64(1), np.uint64(2), np.uint64(4)

Grams = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Where the grams of each term start, the grams, the terms' lengths; a mark of each term, in which each of
its grams has set one of 64 bits, and how many of them found theirs set already."""


def letter_grams(terms: list[str]) -> Grams:
    """The distinct pairs and triples of letters of each term, sorted.

    >>> starts, grams, lengths, *_ = letter_grams(["ab", "abc"])
    >>> starts.tolist(), lengths.tolist()
    ([0, 1, 4], [2, 3])
    """
    lengths = np.fromiter(map(len, terms), np.int64, len(terms))
    codes = np.frombuffer("".join(terms).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    starts = np.zeros(len(terms) + 1, np.int64)
    grams = np.empty(max(2 * len(codes), 1), np.int64)
    marks, spares = np.zeros(len(terms), np.uint64), np.zeros(len(terms), np.int64)
    filled = fill_grams(codes, lengths, starts, grams, marks, spares)
    return starts, grams[:filled], lengths, marks, spares


@jit
def fill_grams(codes, lengths, starts, grams, marks, spares):  # type: ignore[no-untyped-def]
    """Write the grams of each term, sorted and without repeats, and its mark; returns how many there are."""
    filled = first = 0
    for term in range(len(lengths)):
        begin = filled
        for size in (2, 3):
            for k in range(first, first + lengths[term] - size + 1):
                gram = np.int64(0)
                for letter in range(size):
                    gram = (gram << _LETTER_BITS) | (codes[k + letter] + 1)
                grams[filled] = gram
                filled += 1
        grams[begin:filled].sort()
        kept = begin
        for k in range(begin, filled):
            if k == begin or grams[k] != grams[kept - 1]:
                grams[kept] = grams[k]
                kept += 1
                bit = (np.uint64(grams[k]) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(58)
                marks[term] |= _ONE << bit
        filled = kept
        spares[term] = kept - begin - bits_of(marks[term])
        first += lengths[term]
        starts[term + 1] = filled
    return filled


@jit
def dice_of_one(v, us, least, least_letters, starts, grams, lengths, marks, spares, found):  # type: ignore[no-untyped-def]
    """found[i] = twice the grams that terms us[i] and v share over those they have, if above the least; or 0.

    Most terms share next to nothing, and their marks show it: a gram of both sets the same bit in both, so
    they share no more than the bits both have and the grams that met a bit already set.
    """
    for n in range(len(us)):
        u = us[n]
        found[n] = 0
        size = starts[u + 1] - starts[u] + starts[v + 1] - starts[v]
        most = bits_of(marks[u] & marks[v]) + min(spares[u], spares[v])
        if 2 * most < least * size or lengths[u] < least_letters or lengths[v] < least_letters:
            continue
        i, j, shared = starts[u], starts[v], 0
        while i < starts[u + 1] and j < starts[v + 1]:
            if grams[i] == grams[j]:
                shared += 1
                i += 1
                j += 1
            elif grams[i] < grams[j]:
                i += 1
            else:
                j += 1
        if size > 0 and 2 * shared / size > least:
            found[n] = 2 * shared / size


@jit
def bits_of(mark):  # type: ignore[no-untyped-def]
    """How many bits of 64 are set."""
    mark = mark - ((mark >> _ONE) & np.uint64(0x5555555555555555))
    mark = (mark & np.uint64(0x3333333333333333)) + ((mark >> _TWO) & np.uint64(0x3333333333333333))
    mark = (mark + (mark >> _FOUR)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((mark * np.uint64(0x0101010101010101)) >> np.uint64(56))
