"""Words of two texts matched with each other, the best pairs first.

Taking the greatest of all cells again and again needs them sorted. It is enough to find a cell that is the
greatest of its row and of its column: no other can take either away from it, so it is taken sooner or later.
From a row to its best column and on to that column's best row, cells only grow, and soon the two agree.
"""

from __future__ import annotations

import numpy as np

from tacit.compute.tiles import jit


@jit
def pair_words(worth, rows, columns, found):  # type: ignore[no-untyped-def]
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
