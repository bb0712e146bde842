"""What texts say of their words' vectors, summed word by word over a block of texts.

In whitened coordinates (see ``short``), with a text's vector y and a word's vector t, the word half needs two
sums over the texts j that have word i:

    gradient   sum_j (x_ij - c y_j . t_i) y_j          and the lengths  sum_j |y_j|^2
    product    sum_j (y_j . d_i) y_j                   for a direction d_i

Both leave the texts' vectors behind: what is kept is one row a word, whatever the number of texts.
"""

from __future__ import annotations

import numpy as np

from tacit.compute.tiles import jit, jit_dots


@jit
def transposed(indptr, indices, data, n_words):  # type: ignore[no-untyped-def]
    """The entries of a CSR matrix by column: the columns there are, where each begins, rows and values."""
    counts = np.zeros(n_words + 1, np.int64)
    for e in range(indptr[0], indptr[-1]):
        counts[indices[e] + 1] += 1
    distinct = 0
    for w in range(n_words):
        distinct += counts[w + 1] > 0
    words, starts = np.empty(distinct, np.int32), np.zeros(distinct + 1, np.int64)
    filled = total = 0
    for w in range(n_words):
        count = counts[w + 1]
        counts[w + 1] = total
        if count > 0:
            words[filled] = w
            filled += 1
            total += count
            starts[filled] = total
    rows, values = np.empty(total, np.int32), np.empty(total, data.dtype)
    for row in range(len(indptr) - 1):
        for e in range(indptr[row], indptr[row + 1]):
            place = counts[indices[e] + 1]
            counts[indices[e] + 1] += 1
            rows[place], values[place] = row, data[e]
    return words, starts, rows, values


@jit
def add_rows(total, words, rows):  # type: ignore[no-untyped-def]
    """total[words] += rows, without a copy."""
    for w in range(len(words)):
        target, row = total[words[w]], rows[w]
        for k in range(len(row)):
            target[k] += row[k]


@jit_dots
def dot(a, b):  # type: ignore[no-untyped-def]
    """a . b, both of a's length."""
    total = a.dtype.type(0)
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


@jit
def add_gradients(words, starts, texts, values, places, Y, T, c, out):  # type: ignore[no-untyped-def]
    """out[places[word]] += the gradient of each word, and in the last column the lengths."""
    K = Y.shape[1]
    for w in range(len(words)):
        t, row = T[words[w]], out[places[words[w]]]
        for e in range(starts[w], starts[w + 1]):
            y = Y[texts[e]]
            error = values[e] - c * dot(y, t)
            row[K] += dot(y, y)
            for k in range(K):
                row[k] += error * y[k]


@jit
def add_products(words, starts, texts, places, Y, D, out):  # type: ignore[no-untyped-def]
    """out[places[word]] += the product of each word with its direction in D."""
    K = Y.shape[1]
    for w in range(len(words)):
        d, row = D[words[w]], out[places[words[w]]]
        for e in range(starts[w], starts[w + 1]):
            y = Y[texts[e]]
            along = dot(y, d)
            for k in range(K):
                row[k] += along * y[k]
