"""IBM model 1 (Brown et al. 1993): which word translates which, learnt from pairs of texts by EM.

    t(f|e) <- c(e, f) / sum_f c(e, f),    c(e, f) = t(f|e) sum_pairs 1 / d(pair, f),
    d(pair, f) = t(f|NULL) + sum_(e in pair) t(f|e)

The words of a text are a set. Since t(f|e) comes out of the sum over pairs, one pass a word e adds up the
reciprocals of d into a dense row, and no cell of the table is ever looked up. d is made for a block of pairs
at a time. Rows and blocks are fixed, so any number of threads gives the same bits.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import ranges, run
from tacit.factorize.row_solver import Rows
from tacit.jit import jit

Array = NDArray[Any]

_PAIRS = 1 << 16  # pairs a thread takes at a time
_OCCURRENCES = 1 << 18  # of words that a thread takes at a time


def translation_table(
    first: Rows, second: Rows, n_iter: int = 5, n_threads: int = 1
) -> tuple[Array, Array, Array]:
    """t(f|e) as the arrays of a CSR matrix, words e of the first texts x words f of the second.

    ``first`` and ``second`` have a row for each pair of texts; their weights do not matter. The first
    iteration starts from equal chances, where every word of a text of n words takes 1 / (n + 1).
    """
    by_word = _transposed(first)
    words = _cuts(by_word[0])
    width = second.shape[1]
    share = np.repeat(1 / (np.diff(first.indptr) + 1.0), np.diff(second.indptr))
    parts = run(lambda b: gather(*by_word, second.indptr, second.indices, share, width, *b), words, n_threads)
    counts = np.concatenate([part[0] for part in parts])
    indices = np.concatenate([part[1] for part in parts])
    data = np.concatenate([part[2] for part in parts])
    del parts
    indptr = np.concatenate([[0], np.cumsum(counts)])
    null: Array = np.bincount(second.indices, share, width).astype(np.float64)
    table = (indptr, indices, data)
    texts = (*by_word, second.indptr, second.indices)
    for iteration in range(n_iter):
        if iteration:
            run(
                lambda b, null=null: reciprocals(*texts, *table, null, width, share, *b),  # type: ignore[misc]
                ranges(first.shape[0], _PAIRS),
                n_threads,
            )
            run(lambda b: collect(*texts, share, *table, width, *b), words, n_threads)
            null *= np.bincount(second.indices, share, width)
        null /= max(null.sum(), np.finfo(float).tiny)
        run(lambda b: normalize(indptr, data, *b), words, n_threads)
    return indptr, indices, data


def _transposed(rows: Rows) -> tuple[Array, Array]:
    """For each word, the texts that have it, in order."""
    order = np.argsort(rows.indices, kind="stable")
    texts = np.repeat(np.arange(rows.shape[0], dtype=np.int32), np.diff(rows.indptr))[order]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows.indices, minlength=rows.shape[1]))])
    return indptr, texts


def _cuts(starts: Array) -> list[tuple[int, int]]:
    """Ranges of words with about equally many occurrences: the frequent ones come first and weigh most."""
    edges = np.flatnonzero(np.diff(starts[:-1] // _OCCURRENCES, prepend=-1)).tolist()
    return list(pairwise([*edges, len(starts) - 1]))


@jit
def gather(starts, texts, fp, fi, share, width, first, last):  # type: ignore[no-untyped-def]
    """The first counts of the words first..last: how many cells each has, their columns and values."""
    total = np.zeros(width)
    seen = np.zeros(width, np.int64)  # the last word that met this column, + 1
    touched = np.empty(width, np.int32)
    counts = np.zeros(last - first, np.int64)
    size = 1024
    columns, values = np.empty(size, np.int32), np.empty(size, np.float32)
    filled = 0
    for e in range(first, last):
        n = 0
        for k in range(starts[e], starts[e + 1]):
            for j in range(fp[texts[k]], fp[texts[k] + 1]):
                f = fi[j]
                if seen[f] != e + 1:
                    seen[f] = e + 1
                    total[f] = 0.0
                    touched[n] = f
                    n += 1
                total[f] += share[j]
        touched[:n].sort()
        if filled + n > size:
            size = max(2 * size, filled + n)
            more_columns, more_values = np.empty(size, np.int32), np.empty(size, np.float32)
            more_columns[:filled], more_values[:filled] = columns[:filled], values[:filled]
            columns, values = more_columns, more_values
        for k in range(n):
            columns[filled + k] = touched[k]
            values[filled + k] = total[touched[k]]
        filled += n
        counts[e - first] = n
    return counts, columns[:filled].copy(), values[:filled].copy()


@jit
def reciprocals(  # type: ignore[no-untyped-def]
    starts, texts, fp, fi, indptr, indices, data, null, width, share, first, last
):
    """share[j] = 1 / d for every word of the second texts of the pairs first..last."""
    chance = np.zeros(width)
    for j in range(fp[first], fp[last]):
        share[j] = null[fi[j]]
    for e in range(len(starts) - 1):
        begin = starts[e] + np.searchsorted(texts[starts[e] : starts[e + 1]], first)
        end = starts[e] + np.searchsorted(texts[starts[e] : starts[e + 1]], last)
        if begin == end:
            continue
        for k in range(indptr[e], indptr[e + 1]):
            chance[indices[k]] = data[k]
        for k in range(begin, end):
            for j in range(fp[texts[k]], fp[texts[k] + 1]):
                share[j] += chance[fi[j]]
    for j in range(fp[first], fp[last]):
        share[j] = 1 / share[j] if share[j] > 0 else 0.0


@jit
def collect(  # type: ignore[no-untyped-def]
    starts, texts, fp, fi, share, indptr, indices, data, width, first, last
):
    """The counts of the words first..last, in place of their chances."""
    total = np.zeros(width)
    for e in range(first, last):
        for k in range(starts[e], starts[e + 1]):
            for j in range(fp[texts[k]], fp[texts[k] + 1]):
                total[fi[j]] += share[j]
        for k in range(indptr[e], indptr[e + 1]):
            data[k] *= total[indices[k]]
            total[indices[k]] = 0.0


@jit
def normalize(indptr, data, first, last):  # type: ignore[no-untyped-def]
    """Make the counts of each word sum to one."""
    for e in range(first, last):
        total = 0.0
        for k in range(indptr[e], indptr[e + 1]):
            total += data[k]
        if total > 0:
            for k in range(indptr[e], indptr[e + 1]):
                data[k] /= total
