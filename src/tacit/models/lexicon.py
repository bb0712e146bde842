"""Which words of a language stand for which words of the pivot, from a table of translations.

    S(u, e) = (1 - (1 - t(e|u)) (1 - t(u|e)))^.25

with both tables by IBM model 1 on the pairs the language was learnt from. Either direction is enough: a rare
word has few partners in one direction only. So this beats their product, and the larger one by a little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.factorize.row_solver import Rows

Array = NDArray[Any]
Table = tuple[Array, Array, Array]
"""The arrays of a CSR matrix."""

ITERATIONS = 5
LEAST = 0.01
LONGEST = 80
POWER = 0.25
"""EM iterations, the least chance that is kept, the most distinct words of a text that counts, and what a
chance is raised to (chosen on the STS Benchmark dev sets)."""


@dataclass(frozen=True)
class Lexicon:
    """The arrays of a CSR matrix, words of the language x words of the pivot."""

    indptr: Array
    indices: Array
    data: Array

    @classmethod
    def empty(cls, n_words: int) -> Lexicon:
        """No word stands for any other."""
        return cls(np.zeros(n_words + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))

    @classmethod
    def identity(cls, n_words: int) -> Lexicon:
        """Every word stands for itself: the pivot's own."""
        numbers = np.arange(n_words + 1)
        return cls(numbers.astype(np.int64), numbers[:-1].astype(np.int32), np.ones(n_words, np.float32))

    def extended(self, columns: Array, n: int | None = None) -> Lexicon:
        """With n more words: each stands for one word of the pivot, or, without columns, for none."""
        n = len(columns) if n is None else n
        ends = self.indptr[-1] + np.minimum(np.arange(1, n + 1), len(columns))
        return Lexicon(
            np.concatenate([self.indptr, ends]),
            np.concatenate([self.indices, columns.astype(np.int32)]),
            np.concatenate([self.data, np.ones(len(columns), np.float32)]),
        )


def stacked(lexicons: list[Lexicon]) -> Table:
    """The arrays of one CSR matrix, lexicon after lexicon."""
    ends = np.cumsum([0, *(len(table.indices) for table in lexicons)])
    starts = [table.indptr[:-1] + end for table, end in zip(lexicons, ends, strict=False)]
    return (
        np.concatenate([*starts, ends[-1:]]).astype(np.int64),
        np.concatenate([np.zeros(0, np.int32), *(table.indices for table in lexicons)]),
        np.concatenate([np.zeros(0, np.float32), *(table.data for table in lexicons)]),
    )


def learn_lexicon(words: Any, pivot: Any, n_threads: int = 1) -> Lexicon:
    """The lexicon of a language from the rows of its texts and of the pivot's texts at the same places."""
    from scipy.sparse import csr_array

    from tacit.factorize.translation import translation_table

    kept = [np.diff(rows.indptr) for rows in (words, pivot)]
    mask = (kept[0] <= LONGEST) & (kept[1] <= LONGEST) & (kept[0] > 0) & (kept[1] > 0)
    first, second = (_only(rows, mask) for rows in (words, pivot))
    shape = (first.shape[1], second.shape[1])
    there = _pruned(translation_table(first, second, ITERATIONS, n_threads), shape)
    back = _pruned(translation_table(second, first, ITERATIONS, n_threads), shape[::-1])
    either = csr_array(there + back.T.tocsr() - there * back.T.tocsr())
    either.sort_indices()
    return Lexicon(either.indptr.astype(np.int64), either.indices.astype(np.int32), either.data**POWER)


def _only(rows: Any, mask: NDArray[np.bool_]) -> Rows:
    """The rows of a mask."""
    lengths = np.diff(rows.indptr)
    kept = np.repeat(mask, lengths)
    indptr = np.concatenate([[0], np.cumsum(lengths[mask])]).astype(np.int64)
    return Rows(indptr, rows.indices[kept], rows.data[kept], (int(mask.sum()), rows.shape[1]))


def _pruned(table: tuple[Array, Array, Array], shape: tuple[int, int]) -> Any:
    """The chances from ``LEAST`` up, as a sparse matrix."""
    from scipy.sparse import csr_array

    indptr, indices, data = table
    kept = data >= LEAST
    ends = np.concatenate([[0], np.cumsum(kept)])[indptr]
    return csr_array((data[kept], indices[kept], ends), shape)
