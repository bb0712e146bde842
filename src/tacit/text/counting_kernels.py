"""Numba kernels that count tokens per text and return CSR arrays."""

from __future__ import annotations

import numpy as np

from tacit.jit import jit, jit_inline


@jit
def document_frequency(ids, lengths, term_of, n_terms):  # type: ignore[no-untyped-def]
    """Return the number of texts that contain each term; ``term_of[token]`` is the term of a token."""
    frequency = np.zeros(n_terms, np.int64)
    last_text = np.full(n_terms, -1, np.int64)
    position = 0
    for text in range(len(lengths)):
        for _ in range(lengths[text]):
            term = term_of[ids[position]]
            position += 1
            if last_text[term] != text:
                last_text[term] = text
                frequency[term] += 1
    return frequency


@jit_inline
def sort_in_place(row):  # type: ignore[no-untyped-def]
    """Sort integers by Shell's method, which is insertion sort for a short row.

    Compiling ``row.sort()`` takes ten times as long.
    """
    gap = 1
    while 9 * gap < len(row):
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(row)):
            value, k = row[i], i
            while k >= gap and row[k - gap] > value:
                row[k] = row[k - gap]
                k -= gap
            row[k] = value
        gap //= 3


@jit
def count_terms(ids, lengths, columns, n_columns):  # type: ignore[no-untyped-def]
    """Return the counts per text and column as sorted CSR arrays, and the number of unknown tokens per text.

    ``columns[token]`` is the column of a token; -1 for an unknown one.
    """
    indptr = np.zeros(len(lengths) + 1, np.int64)
    indices, data = np.empty(len(ids), np.int32), np.empty(len(ids), np.float64)
    unknown = np.zeros(len(lengths), np.int64)
    counts, last_text = np.zeros(n_columns, np.int64), np.full(n_columns, -1, np.int64)
    position = filled = 0
    for text in range(len(lengths)):
        start = filled
        for _ in range(lengths[text]):
            column = columns[ids[position]]
            position += 1
            if column < 0:
                unknown[text] += 1
            elif last_text[column] == text:
                counts[column] += 1
            else:
                last_text[column], counts[column] = text, 1
                indices[filled] = column
                filled += 1
        row = indices[start:filled]
        sort_in_place(row)
        for k in range(len(row)):
            data[start + k] = counts[row[k]]
        indptr[text + 1] = filled
    return indptr, indices[:filled].copy(), data[:filled].copy(), unknown


@jit
def count_distinct_tokens(starts, ids, n_tokens):  # type: ignore[no-untyped-def]
    """Return the distinct tokens of each text in order of first occurrence, as CSR arrays with their counts.

    They are not sorted by id: ids depend on the other texts, and the order of sums must not.
    """
    ends = np.zeros(len(starts), np.int64)
    distinct, counts = np.empty(len(ids), np.int32), np.zeros(len(ids), np.int64)
    slot, last_text = np.zeros(n_tokens, np.int64), np.full(n_tokens, -1, np.int64)
    filled = 0
    for text in range(len(starts) - 1):
        for k in range(starts[text], starts[text + 1]):
            token = ids[k]
            if last_text[token] != text:
                last_text[token], slot[token] = text, filled
                distinct[filled] = token
                filled += 1
            counts[slot[token]] += 1
        ends[text + 1] = filled
    return ends, distinct[:filled].copy(), counts[:filled].copy()


@jit
def row_norms(indptr, data):  # type: ignore[no-untyped-def]
    """Return the Euclidean norm of each row of a CSR matrix."""
    norms = np.zeros(len(indptr) - 1)
    for row in range(len(norms)):
        total = 0.0
        for k in range(indptr[row], indptr[row + 1]):
            total += np.float64(data[k]) * np.float64(data[k])
        norms[row] = np.sqrt(total)
    return norms
