"""Which words of the pivot are translated alike, and so may stand for each other.

    t(u, v) = max_f S(f, u) S(f, v)

over the words f of all other languages, S as in ``lexicon``. It is made for the words at hand alone: all
pairs of a vocabulary would be millions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.jit import jit
from tacit.models.lexicon import Lexicon, Table, stacked

Array = NDArray[Any]

LEAST = 0.35
"""Faint ones are many and say nothing."""


def translations_of_pivot(lexicons: list[Lexicon], n_words: int) -> tuple[Table, Table]:
    """The words of the other languages with the pivot's words they stand for; and the other way round."""
    indptr, indices, data = stacked(lexicons)
    order = np.argsort(indices, kind="stable")
    words = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    back = np.concatenate([[0], np.cumsum(np.bincount(indices, minlength=n_words))])
    return (indptr, indices, data), (back, words[order], data[order])


def paraphrases(there: Table, back: Table, wanted: Array) -> Table:
    """t of every two of the words ``wanted``, from ``LEAST`` up; other words of the pivot have empty rows."""
    marked = np.zeros(len(back[0]) - 1, np.bool_)
    marked[wanted] = True
    found: Table = collect(*there, *back, marked, LEAST)
    return found


@jit
def collect(indptr, indices, data, back, words, weights, wanted, least):  # type: ignore[no-untyped-def]
    """The rows of t, word by word of the pivot: every word that it shares a translation with is looked at."""
    n = len(wanted)
    best = np.zeros(n, np.float32)
    touched = np.empty(n, np.int64)
    starts = np.zeros(n + 1, np.int64)
    columns, values = np.empty(1024, np.int32), np.empty(1024, np.float32)
    filled = 0
    for u in range(n):
        seen = 0
        if wanted[u]:
            for k in range(back[u], back[u + 1]):
                f = words[k]
                for place in range(indptr[f], indptr[f + 1]):
                    v, t = indices[place], weights[k] * data[place]
                    if wanted[v] and t >= least and t > best[v]:
                        if best[v] == 0:
                            touched[seen] = v
                            seen += 1
                        best[v] = t
        while filled + seen > len(columns):
            columns = np.concatenate((columns, np.empty_like(columns)))
            values = np.concatenate((values, np.empty_like(values)))
        for v in np.sort(touched[:seen]):
            columns[filled], values[filled] = v, best[v]
            best[v] = 0
            filled += 1
        starts[u + 1] = filled
    return starts, columns[:filled], values[:filled]
