"""Word translation probabilities by IBM model 1 (Brown et al. 1993), from pairs of texts by EM.

    t(f|e) <- c(e, f) / sum_f c(e, f),    c(e, f) = t(f|e) sum_pairs 1 / d(pair, f),
    d(pair, f) = t(f|NULL) + sum_(e in pair) t(f|e)

The words of a text are a set. Since t(f|e) can be moved out of the sum over pairs, one pass for each word e
adds the inverses of d to a dense row, and no cell of the table is looked up. The denominators d are
computed for blocks of pairs. Rows and blocks are fixed, so that any number of threads gives the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.compute.csr import CSRArrays, split_by_nonzeros, transpose
from tacit.compute.threads import run_blocks, split_range
from tacit.jit import jit
from tacit.types import Array

_BLOCK_PAIRS = 1 << 16  # pairs of texts that a thread takes at a time
_BLOCK_OCCURRENCES = 1 << 18  # occurrences of words that a thread takes at a time


def fit_ibm_model1(
    first: CSRArrays, second: CSRArrays, n_iter: int = 5, n_threads: int = 1
) -> tuple[Array, Array, Array]:
    """Estimate t(f|e), words e of the first texts x words f of the second, as the arrays of a CSR matrix.

    ``first`` and ``second`` have a row for each pair of texts; their values are not used. The first iteration
    starts from equal probabilities: each word of a text of n words takes 1 / (n + 1).
    """
    by_word = transpose(first.indptr, first.indices, first.shape[1])[:2]
    words = split_by_nonzeros(by_word[0], _BLOCK_OCCURRENCES)
    width = second.shape[1]
    inverse_denominators = np.repeat(1 / (np.diff(first.indptr) + 1.0), np.diff(second.indptr))
    text_arrays = (*by_word, second.indptr, second.indices)

    def run(kernel: Any, blocks: list[tuple[int, int]], *arguments: Any) -> list[Any]:
        return run_blocks(lambda block: kernel(*arguments, *block), blocks, n_threads)

    parts = run(initial_counts, words, text_arrays, inverse_denominators, width)
    counts, indices, data = (np.concatenate(part) for part in zip(*parts, strict=True))
    del parts
    indptr = np.concatenate([[0], np.cumsum(counts)])
    table = (indptr, indices, data)
    null: Array = np.bincount(second.indices, inverse_denominators, width).astype(np.float64)
    for iteration in range(n_iter):
        if iteration:
            pairs = split_range(first.shape[0], _BLOCK_PAIRS)
            run(invert_denominators, pairs, text_arrays, table, null, width, inverse_denominators)
            run(update_counts, words, text_arrays, table, width, inverse_denominators)
            null *= np.bincount(second.indices, inverse_denominators, width)
        null /= max(null.sum(), np.finfo(float).tiny)
        run(normalize_probabilities, words, indptr, data)
    return indptr, indices, data


@jit
def initial_counts(text_arrays, inverse_denominators, width, first, last):  # type: ignore[no-untyped-def]
    """Compute the first counts of the words first..last: number of cells, columns and values."""
    starts, texts, second_indptr, second_indices = text_arrays
    total = np.zeros(width)
    last_word = np.zeros(width, np.int64)  # number of the last word that added to this column, plus 1
    touched = np.empty(width, np.int32)
    counts = np.zeros(last - first, np.int64)
    columns, values = np.empty(1024, np.int32), np.empty(1024, np.float32)
    n_filled = 0
    for e in range(first, last):
        n = 0
        for k in range(starts[e], starts[e + 1]):
            for j in range(second_indptr[texts[k]], second_indptr[texts[k] + 1]):
                f = second_indices[j]
                if last_word[f] != e + 1:
                    last_word[f] = e + 1
                    total[f] = 0.0
                    touched[n] = f
                    n += 1
                total[f] += inverse_denominators[j]
        touched[:n].sort()
        while n_filled + n > len(columns):
            columns = np.concatenate((columns, np.empty_like(columns)))
            values = np.concatenate((values, np.empty_like(values)))
        for k in range(n):
            columns[n_filled + k] = touched[k]
            values[n_filled + k] = total[touched[k]]
        n_filled += n
        counts[e - first] = n
    return counts, columns[:n_filled].copy(), values[:n_filled].copy()


@jit
def invert_denominators(  # type: ignore[no-untyped-def]
    text_arrays, table, null_probabilities, width, inverse_denominators, first, last
):
    """Compute 1 / d for every word of the second texts of the pairs first..last."""
    starts, texts, second_indptr, second_indices = text_arrays
    indptr, indices, data = table
    probability = np.zeros(width)
    for j in range(second_indptr[first], second_indptr[last]):
        inverse_denominators[j] = null_probabilities[second_indices[j]]
    for e in range(len(starts) - 1):
        begin = starts[e] + np.searchsorted(texts[starts[e] : starts[e + 1]], first)
        end = starts[e] + np.searchsorted(texts[starts[e] : starts[e + 1]], last)
        if begin == end:
            continue
        for k in range(indptr[e], indptr[e + 1]):
            probability[indices[k]] = data[k]
        for k in range(begin, end):
            for j in range(second_indptr[texts[k]], second_indptr[texts[k] + 1]):
                inverse_denominators[j] += probability[second_indices[j]]
    for j in range(second_indptr[first], second_indptr[last]):
        inverse_denominators[j] = 1 / inverse_denominators[j] if inverse_denominators[j] > 0 else 0.0


@jit
def update_counts(text_arrays, table, width, inverse_denominators, first, last):  # type: ignore[no-untyped-def]
    """Replace the probabilities of the words first..last by their expected counts."""
    starts, texts, second_indptr, second_indices = text_arrays
    indptr, indices, data = table
    total = np.zeros(width)
    for e in range(first, last):
        for k in range(starts[e], starts[e + 1]):
            for j in range(second_indptr[texts[k]], second_indptr[texts[k] + 1]):
                total[second_indices[j]] += inverse_denominators[j]
        for k in range(indptr[e], indptr[e + 1]):
            data[k] *= total[indices[k]]
            total[indices[k]] = 0.0


@jit
def normalize_probabilities(indptr, data, first, last):  # type: ignore[no-untyped-def]
    """Scale the counts of each word to sum to 1."""
    for e in range(first, last):
        total = 0.0
        for k in range(indptr[e], indptr[e + 1]):
            total += data[k]
        if total > 0:
            for k in range(indptr[e], indptr[e + 1]):
                data[k] /= total
