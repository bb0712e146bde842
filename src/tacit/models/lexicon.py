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
from tacit.jit import jit

Array = NDArray[Any]
CsrTuple = tuple[Array, Array, Array]
"""The arrays of a CSR matrix."""

N_EM_ITERATIONS = 5
MIN_PROBABILITY = 0.01
MAX_TEXT_WORDS = 80
PROBABILITY_POWER = 0.25
"""EM iterations, the least chance that is kept, the most distinct words of a text that counts, and what a
chance is raised to (chosen on the STS Benchmark dev sets)."""

MIN_PARAPHRASE = 0.35


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


def stack_lexicons(lexicons: list[Lexicon]) -> CsrTuple:
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
    mask = (kept[0] <= MAX_TEXT_WORDS) & (kept[1] <= MAX_TEXT_WORDS) & (kept[0] > 0) & (kept[1] > 0)
    first, second = (_select_rows(rows, mask) for rows in (words, pivot))
    shape = (first.shape[1], second.shape[1])
    to_pivot = _prune(translation_table(first, second, N_EM_ITERATIONS, n_threads), shape)
    from_pivot = _prune(translation_table(second, first, N_EM_ITERATIONS, n_threads), shape[::-1])
    either = csr_array(to_pivot + from_pivot.T.tocsr() - to_pivot * from_pivot.T.tocsr())
    either.sort_indices()
    return Lexicon(
        either.indptr.astype(np.int64), either.indices.astype(np.int32), either.data**PROBABILITY_POWER
    )


def _select_rows(rows: Any, mask: NDArray[np.bool_]) -> Rows:
    """The rows of a mask."""
    lengths = np.diff(rows.indptr)
    kept = np.repeat(mask, lengths)
    indptr = np.concatenate([[0], np.cumsum(lengths[mask])]).astype(np.int64)
    return Rows(indptr, rows.indices[kept], rows.data[kept], (int(mask.sum()), rows.shape[1]))


def _prune(table: tuple[Array, Array, Array], shape: tuple[int, int]) -> Any:
    """The chances from ``MIN_PROBABILITY`` up, as a sparse matrix."""
    from scipy.sparse import csr_array

    indptr, indices, data = table
    kept = data >= MIN_PROBABILITY
    ends = np.concatenate([[0], np.cumsum(kept)])[indptr]
    return csr_array((data[kept], indices[kept], ends), shape)


def build_translation_tables(lexicons: list[Lexicon], n_words: int) -> tuple[CsrTuple, CsrTuple]:
    """The words of the other languages with the pivot's words they stand for; and the other way round."""
    indptr, indices, data = stack_lexicons(lexicons)
    order = np.argsort(indices, kind="stable")
    words = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    from_pivot = np.concatenate([[0], np.cumsum(np.bincount(indices, minlength=n_words))])
    return (indptr, indices, data), (from_pivot, words[order], data[order])


def find_paraphrases(to_pivot: CsrTuple, from_pivot: CsrTuple, wanted: Array) -> CsrTuple:
    """Return t for each pair of the words ``wanted`` if at least ``MIN_PARAPHRASE``; other rows are empty."""
    marked = np.zeros(len(from_pivot[0]) - 1, np.bool_)
    marked[wanted] = True
    found: CsrTuple = collect_paraphrases(*to_pivot, *from_pivot, marked, MIN_PARAPHRASE)
    return found


@jit
def collect_paraphrases(indptr, indices, data, from_pivot, words, weights, wanted, least):  # type: ignore[no-untyped-def]
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
            for k in range(from_pivot[u], from_pivot[u + 1]):
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
