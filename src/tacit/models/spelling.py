"""How alike words are by their letters: the Dice coefficient of their pairs and triples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import jit

_LETTER_BITS = 21  # of a code point


def letter_grams(terms: list[str]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
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
