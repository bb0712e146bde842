"""How alike words are by their letters: the Dice coefficient of their pairs and triples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import jit

_LETTER_BITS = 21  # of a code point

Grams = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Where the grams of each term start, the grams, and the terms' lengths."""


def letter_grams(terms: list[str]) -> Grams:
    """The distinct pairs and triples of letters of each term, sorted: their starts, the grams, the lengths.

    >>> starts, grams, lengths = letter_grams(["ab", "abc"])
    >>> starts.tolist(), lengths.tolist()
    ([0, 1, 4], [2, 3])
    """
    lengths = np.fromiter(map(len, terms), np.int64, len(terms))
    codes = np.frombuffer("".join(terms).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    starts = np.zeros(len(terms) + 1, np.int64)
    grams = np.empty(max(2 * len(codes), 1), np.int64)
    filled = fill_grams(codes, lengths, starts, grams)
    return starts, grams[:filled], lengths


def taken_grams(grams: Grams, terms: NDArray[np.int64]) -> Grams:
    """The grams of some of the terms."""
    starts, runs, lengths = grams
    sizes = np.diff(starts)[terms]
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    places = np.repeat(starts[terms] - ends[:-1], sizes) + np.arange(ends[-1])
    return ends, runs[places], lengths[terms]


def joined_grams(first: Grams, second: Grams) -> Grams:
    """The grams of some terms, then of others."""
    starts = np.concatenate([first[0], first[0][-1] + second[0][1:]])
    return starts, np.concatenate([first[1], second[1]]), np.concatenate([first[2], second[2]])


@jit
def fill_grams(codes, lengths, starts, grams):  # type: ignore[no-untyped-def]
    """Write the grams of each term, sorted and without repeats; returns how many there are in all."""
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
        filled = kept
        first += lengths[term]
        starts[term + 1] = filled
    return filled


@jit
def dice(starts, grams, u, v):  # type: ignore[no-untyped-def]
    """Twice the grams two terms share over those they have."""
    i, j = starts[u], starts[v]
    size = starts[u + 1] - i + starts[v + 1] - j
    shared = 0
    while i < starts[u + 1] and j < starts[v + 1]:
        if grams[i] == grams[j]:
            shared += 1
            i += 1
            j += 1
        elif grams[i] < grams[j]:
            i += 1
        else:
            j += 1
    return 2 * shared / size if size else 0.0


@jit
def dice_of_many(starts, grams, asked, order, least, least_letters, lengths, found):  # type: ignore[no-untyped-def]
    """found[i, v] = the dice of term asked[i] with every term v, where it is above the least; else 0.

    ``order`` sorts all grams, so that the terms that share one stand together. What ``dice`` counts by going
    through two lists is counted here by going through those of each gram of a term: the same number.
    """
    owner = np.empty(len(grams), np.int64)
    for term in range(len(starts) - 1):
        owner[starts[term] : starts[term + 1]] = term
    ordered = grams[order]
    shared = np.zeros(len(starts) - 1, np.int64)
    touched = np.empty(len(starts) - 1, np.int64)
    for i in range(len(asked)):
        u = asked[i]
        if lengths[u] < least_letters:
            continue
        n = 0
        for k in range(starts[u], starts[u + 1]):
            place = np.searchsorted(ordered, grams[k])
            while place < len(ordered) and ordered[place] == grams[k]:
                v = owner[order[place]]
                if shared[v] == 0:
                    touched[n] = v
                    n += 1
                shared[v] += 1
                place += 1
        for j in range(n):
            v = touched[j]
            if lengths[v] >= least_letters:
                spelling = 2 * shared[v] / (starts[u + 1] - starts[u] + starts[v + 1] - starts[v])
                if spelling > least:
                    found[i, v] = spelling
            shared[v] = 0
