"""Runs of words and of letters, counted per text as sparse rows, once for a set of texts; their cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import jit
from tacit.text.counting_kernels import count_distinct_tokens

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

Array = NDArray[Any]
SparseRows = tuple[Array, Array, Array, int]
"""Where the row of each text starts, the columns of its cells, what is in them; the number of columns."""


def word_ngrams(texts: TextSet, shortest: int, longest: int) -> SparseRows:
    """How often each text has each run of so many words (terms)."""
    ends, runs, n_runs = ngram_ids(texts.token_starts, texts.term_ids(), shortest, longest)
    return _counted(ends, runs, n_runs)


def char_ngrams(texts: TextSet, shortest: int, longest: int) -> SparseRows:
    """How often each text has each run of so many letters within a word, its ends marked by a space."""
    tokens = [f" {token} " for token in texts.tokens.strings]
    codes = np.frombuffer("".join(tokens).encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    ends, runs, n_runs = ngram_ids(starts, np.unique(codes, return_inverse=True)[1], shortest, longest)
    # every occurrence of a word brings its runs
    counts = np.diff(ends)[texts.token_ids]
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    places = np.repeat(ends[texts.token_ids] - before[:-1], counts) + np.arange(before[-1])
    return _counted(before[texts.token_starts], runs[places], n_runs)


def ngram_ids(starts: Array, items: Array, shortest: int, longest: int) -> tuple[Array, Array, int]:
    """The runs of texts given as whole numbers, one after another: where each text's end, their numbers.

    >>> ends, runs, n_runs = ngram_ids(np.array([0, 3]), np.array([0, 0, 0]), 1, 2)
    >>> ends.tolist(), runs.tolist(), n_runs
    ([0, 5], [0, 1, 0, 1, 0], 2)
    """
    n_items = int(items.max(initial=0)) + 1
    bits = int(len(items) * (longest - 1) * 2).bit_length()
    runs = np.empty(len(items) * (longest - shortest + 1), np.int32)
    ends, filled, n_runs = assign_ngram_ids(
        starts, items.astype(np.int64), n_items, bits, shortest, longest, runs
    )
    return ends, runs[:filled], n_runs


def _counted(starts: Array, runs: Array, n_runs: int) -> SparseRows:
    ends, columns, times = count_distinct_tokens(starts, runs, n_runs)
    return ends, columns, times.astype(np.float64), n_runs


@jit
def assign_ngram_ids(starts, items, n_items, bits, shortest, longest, runs):  # type: ignore[no-untyped-def]
    """Write the number of every run; a run of one item has its number, others are numbered as they come.

    A run is the run before its last item and that item, two numbers in one, which a table of 2^bits places
    knows: the first free place from where its hash points.
    """
    keys, numbers = np.full(1 << bits, -1, np.int64), np.empty(1 << bits, np.int64)
    ends = np.zeros(len(starts), np.int64)
    filled, n_runs = 0, n_items
    for text in range(len(starts) - 1):
        for first in range(starts[text], starts[text + 1]):
            run = items[first]
            for size in range(1, min(longest, starts[text + 1] - first) + 1):
                if size > 1:
                    key = run * n_items + items[first + size - 1]
                    place = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - bits))
                    while keys[place] >= 0 and keys[place] != key:
                        place = (place + 1) & ((1 << bits) - 1)
                    if keys[place] < 0:
                        keys[place], numbers[place] = key, n_runs
                        n_runs += 1
                    run = numbers[place]
                if size >= shortest:
                    runs[filled] = run
                    filled += 1
        ends[text + 1] = filled
    return ends, filled, n_runs


def row_cosines(rows: SparseRows, left: Array, right: Array) -> Array:
    """The cosine of row ``left[i]`` with row ``right[i]``; 0 where one of them is empty.

    >>> rows = np.array([0, 2, 3]), np.array([0, 1, 0], np.int32), np.array([3.0, 4.0, 2.0]), 2
    >>> row_cosines(rows, np.array([0, 0]), np.array([0, 1]))
    array([1. , 0.6])
    """
    starts, columns, values, n_columns = rows
    found, spread = np.zeros(len(left)), np.zeros(n_columns)
    fill_sparse_cosines(starts, columns, values, left.astype(np.int64), right.astype(np.int64), spread, found)
    return np.minimum(found, 1)


@jit
def fill_sparse_cosines(starts, columns, values, left, right, spread, found):  # type: ignore[no-untyped-def]
    """``spread`` is the row on the left over all columns, filled once for the rows it meets in turn."""
    own = 0.0
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        if pair == 0 or a != left[pair - 1]:
            if pair > 0:
                spread[columns[starts[left[pair - 1]] : starts[left[pair - 1] + 1]]] = 0
            own = 0.0
            for k in range(starts[a], starts[a + 1]):
                spread[columns[k]] = values[k]
                own += values[k] ** 2
        shared = other = 0.0
        for k in range(starts[b], starts[b + 1]):
            shared += values[k] * spread[columns[k]]
            other += values[k] ** 2
        if own > 0 and other > 0:
            found[pair] = shared / np.sqrt(own * other)
