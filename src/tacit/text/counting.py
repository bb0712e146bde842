"""Token numbers in, counts per text out, as the arrays of a CSR matrix."""

from __future__ import annotations

import numpy as np

from tacit.jit import jit


@jit
def document_frequency(ids, counts, terms, n_terms):  # type: ignore[no-untyped-def]
    """In how many texts each term occurs, where ``terms[token]`` is a token's term."""
    frequency = np.zeros(n_terms, np.int64)
    last = np.full(n_terms, -1, np.int64)
    position = 0
    for text in range(len(counts)):
        for _ in range(counts[text]):
            term = terms[ids[position]]
            position += 1
            if last[term] != text:
                last[term] = text
                frequency[term] += 1
    return frequency


@jit
def sort_in_place(row):  # type: ignore[no-untyped-def]
    """Insertion for the few words of a short text, numpy's sort for more."""
    if len(row) > 64:
        row.sort()
        return
    for i in range(1, len(row)):
        value, k = row[i], i
        while k > 0 and row[k - 1] > value:
            row[k] = row[k - 1]
            k -= 1
        row[k] = value


@jit
def count_rows(ids, counts, columns, n_columns):  # type: ignore[no-untyped-def]
    """Occurrences per text and column, columns in order; tokens of column -1 are only counted as unknown."""
    indptr = np.zeros(len(counts) + 1, np.int64)
    indices, data = np.empty(len(ids), np.int32), np.empty(len(ids), np.float64)
    unknown = np.zeros(len(counts), np.int64)
    times, last = np.zeros(n_columns, np.int64), np.full(n_columns, -1, np.int64)
    position = filled = 0
    for text in range(len(counts)):
        start = filled
        for _ in range(counts[text]):
            column = columns[ids[position]]
            position += 1
            if column < 0:
                unknown[text] += 1
            elif last[column] == text:
                times[column] += 1
            else:
                last[column], times[column] = text, 1
                indices[filled] = column
                filled += 1
        row = indices[start:filled]
        sort_in_place(row)
        for k in range(len(row)):
            data[start + k] = times[row[k]]
        indptr[text + 1] = filled
    return indptr, indices[:filled].copy(), data[:filled].copy(), unknown


@jit
def distinct_tokens(starts, ids, n_tokens):  # type: ignore[no-untyped-def]
    """The distinct tokens of each text, in the order of the text, and how often each stands there.

    Not in the order of the ids: those depend on the texts beside it, and sums must not.
    """
    ends = np.zeros(len(starts), np.int64)
    found, times = np.empty(len(ids), np.int32), np.zeros(len(ids), np.int64)
    place, last = np.zeros(n_tokens, np.int64), np.full(n_tokens, -1, np.int64)
    filled = 0
    for text in range(len(starts) - 1):
        for k in range(starts[text], starts[text + 1]):
            token = ids[k]
            if last[token] != text:
                last[token], place[token] = text, filled
                found[filled] = token
                filled += 1
            times[place[token]] += 1
        ends[text + 1] = filled
    return ends, found[:filled].copy(), times[:filled].copy()


@jit
def row_norms(indptr, data):  # type: ignore[no-untyped-def]
    """The Euclidean length of each row of a CSR matrix."""
    found = np.zeros(len(indptr) - 1)
    for row in range(len(found)):
        total = 0.0
        for k in range(indptr[row], indptr[row + 1]):
            total += np.float64(data[k]) * np.float64(data[k])
        found[row] = np.sqrt(total)
    return found
