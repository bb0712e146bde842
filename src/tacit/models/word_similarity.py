"""How alike words are by their letters: the Dice coefficient of their pairs and triples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import jit, jit_dots

_LETTER_BITS = 21  # of a code point

_ONE, _TWO, _FOUR = np.uint64(1), np.uint64(2), np.uint64(4)

LetterNgrams = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""Where the grams of each term start, the grams, the terms' lengths; a mark of each term, in which each of
its grams has set one of 64 bits, and how many of them found theirs set already."""


def letter_ngrams(terms: list[str]) -> LetterNgrams:
    """The distinct pairs and triples of letters of each term, sorted.

    >>> starts, grams, lengths, *_ = letter_ngrams(["ab", "abc"])
    >>> starts.tolist(), lengths.tolist()
    ([0, 1, 4], [2, 3])
    """
    lengths = np.fromiter(map(len, terms), np.int64, len(terms))
    codes = np.frombuffer("".join(terms).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    starts = np.zeros(len(terms) + 1, np.int64)
    grams = np.empty(max(2 * len(codes), 1), np.int64)
    marks, spares = np.zeros(len(terms), np.uint64), np.zeros(len(terms), np.int64)
    filled = fill_ngrams(codes, lengths, starts, grams, marks, spares)
    return starts, grams[:filled], lengths, marks, spares


@jit
def fill_ngrams(codes, lengths, starts, grams, marks, spares):  # type: ignore[no-untyped-def]
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
        spares[term] = kept - begin - popcount(marks[term])
        first += lengths[term]
        starts[term + 1] = filled
    return filled


@jit
def fill_dice(v, us, least, least_letters, starts, grams, lengths, marks, spares, found):  # type: ignore[no-untyped-def]
    """found[i] = twice the grams that terms us[i] and v share over those they have, if above the least; or 0.

    Most terms share next to nothing, and their marks show it: a gram of both sets the same bit in both, so
    they share no more than the bits both have and the grams that met a bit already set.
    """
    for n in range(len(us)):
        u = us[n]
        found[n] = 0
        size = starts[u + 1] - starts[u] + starts[v + 1] - starts[v]
        most = popcount(marks[u] & marks[v]) + min(spares[u], spares[v])
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
def popcount(mark):  # type: ignore[no-untyped-def]
    """How many bits of 64 are set."""
    mark = mark - ((mark >> _ONE) & np.uint64(0x5555555555555555))
    mark = (mark & np.uint64(0x3333333333333333)) + ((mark >> _TWO) & np.uint64(0x3333333333333333))
    mark = (mark + (mark >> _FOUR)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((mark * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit_dots
def fill_dot_products(P, rows, row, found):  # type: ignore[no-untyped-def]
    """found[i] = the dot product of rows[i] of P and another row; 0 where one of them is -1."""
    for i in range(len(rows)):
        total = P.dtype.type(0)
        if rows[i] >= 0 and row >= 0:
            for k in range(P.shape[1]):
                total += P[rows[i], k] * P[row, k]
        found[i] = total


@jit
def match_greedily(worth, rows, columns, found):  # type: ignore[no-untyped-def]
    """Match words, a row or a column each, ``rows[i]`` and ``columns[j]`` times at most; returns how many.

    ``found[k]`` holds i, j and how often these two were matched. ``rows`` and ``columns`` are what is left of
    them afterwards.
    """
    best_column = np.full(len(rows), -1, np.int64)
    best_row = np.full(len(columns), -1, np.int64)
    filled = 0
    for start in range(len(rows)):
        while rows[start] > 0:
            i = start
            while True:
                if best_column[i] < 0 or columns[best_column[i]] == 0:
                    best_column[i] = best_in_row(worth, i, columns)
                j = best_column[i]
                if j < 0 or best_row[j] == i:
                    break
                if best_row[j] < 0 or rows[best_row[j]] == 0:
                    best_row[j] = best_in_column(worth, j, rows)
                if best_row[j] == i:
                    break
                i = best_row[j]
            if j < 0:  # only at the start: who comes from a column has one
                break
            times = min(rows[i], columns[j])
            rows[i] -= times
            columns[j] -= times
            found[filled, 0], found[filled, 1], found[filled, 2] = i, j, times
            filled += 1
    return filled


@jit
def best_in_row(worth, i, columns):  # type: ignore[no-untyped-def]
    """The free column with the greatest cell above 0; of equal ones the last; or -1.

    Of words always met together the last is the likelier partner: articles come before nouns.
    """
    best, greatest = -1, 0.0
    for j in range(len(columns)):
        if columns[j] > 0 and worth[i, j] > 0 and worth[i, j] >= greatest:
            best, greatest = j, worth[i, j]
    return best


@jit
def best_in_column(worth, j, rows):  # type: ignore[no-untyped-def]
    """The free row with the greatest cell above 0; of equal ones the last; or -1."""
    best, greatest = -1, 0.0
    for i in range(len(rows)):
        if rows[i] > 0 and worth[i, j] > 0 and worth[i, j] >= greatest:
            best, greatest = i, worth[i, j]
    return best
