"""Translation lexicons from IBM model 1, and paraphrases through shared translations.

A lexicon says which words e of the pivot a word u of another language stands for:

    S(u, e) = (1 - (1 - t(e|u)) (1 - t(u|e)))^.25

with both translation probabilities t by IBM model 1 on the parallel texts. One direction is enough: a rare
word has few partners in one direction only. This is better than the product of both, and slightly better
than their maximum.

Two words u, v of the pivot with the same translations are near-synonyms. Their paraphrase score is

    t(u, v) = max_f S(f, u) S(f, v)

over the words f of all other languages. It is computed for the words of the texts at hand only: all pairs of
a vocabulary would be millions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.compute.csr import CSRArrays, transpose
from tacit.jit import jit
from tacit.text.counting_kernels import sort_in_place
from tacit.types import Array

CsrTuple = tuple[Array, Array, Array]
"""The arrays of a CSR matrix (indptr, indices, data), as kernels take them."""

N_EM_ITERATIONS = 5
MIN_PROBABILITY = 0.01
MAX_TEXT_WORDS = 80  # longer texts are not used for learning, as their words are poorly aligned
PROBABILITY_POWER = 0.25  # tuned on the STS Benchmark development sets
MIN_PARAPHRASE = 0.35  # lower scores are frequent and uninformative


@dataclass(frozen=True)
class Lexicon:
    """S as the arrays of a CSR matrix, words of the language x words of the pivot."""

    indptr: Array
    indices: Array
    data: Array

    @classmethod
    def empty(cls, n_words: int) -> Lexicon:
        """Return a lexicon without any translation."""
        return cls(np.zeros(n_words + 1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))

    @classmethod
    def identity(cls, n_words: int) -> Lexicon:
        """Return the lexicon of the pivot, where each word stands for itself."""
        ids = np.arange(n_words + 1)
        return cls(ids.astype(np.int64), ids[:-1].astype(np.int32), np.ones(n_words, np.float32))

    def append(self, columns: Array, n: int | None = None) -> Lexicon:
        """Append n words: the first stand for these words of the pivot, the others for none."""
        n = len(columns) if n is None else n
        ends = self.indptr[-1] + np.minimum(np.arange(1, n + 1), len(columns))
        return Lexicon(
            np.concatenate([self.indptr, ends]),
            np.concatenate([self.indices, columns.astype(np.int32)]),
            np.concatenate([self.data, np.ones(len(columns), np.float32)]),
        )


def stack_lexicons(lexicons: list[Lexicon]) -> CsrTuple:
    """Stack lexicons, the words of one language after those of another."""
    ends = np.cumsum([0, *(len(lexicon.indices) for lexicon in lexicons)])
    starts = [lexicon.indptr[:-1] + end for lexicon, end in zip(lexicons, ends, strict=False)]
    return (
        np.concatenate([*starts, ends[-1:]]).astype(np.int64),
        np.concatenate([np.zeros(0, np.int32), *(lexicon.indices for lexicon in lexicons)]),
        np.concatenate([np.zeros(0, np.float32), *(lexicon.data for lexicon in lexicons)]),
    )


def learn_lexicon(words: Any, pivot: Any, n_threads: int = 1) -> Lexicon:
    """Learn the lexicon of a language from weighted rows of its texts and of their translations."""
    from scipy.sparse import csr_array

    from tacit.factorize.ibm_model1 import fit_ibm_model1

    lengths = [np.diff(rows.indptr) for rows in (words, pivot)]
    mask = np.all([(length > 0) & (length <= MAX_TEXT_WORDS) for length in lengths], axis=0)
    matrices = [csr_array((rows.data, rows.indices, rows.indptr), rows.shape) for rows in (words, pivot)]
    first, second = (CSRArrays.from_scipy(matrix[mask], np.float32) for matrix in matrices)
    shape = (first.shape[1], second.shape[1])
    to_pivot = _prune(fit_ibm_model1(first, second, N_EM_ITERATIONS, n_threads), shape)
    from_pivot = _prune(fit_ibm_model1(second, first, N_EM_ITERATIONS, n_threads), shape[::-1]).T.tocsr()
    either = to_pivot + from_pivot - to_pivot * from_pivot
    either.sort_indices()
    scores = either.data**PROBABILITY_POWER
    return Lexicon(either.indptr.astype(np.int64), either.indices.astype(np.int32), scores)


def _prune(table: CsrTuple, shape: tuple[int, int]) -> Any:
    """Drop probabilities below ``MIN_PROBABILITY``; returns a scipy matrix."""
    from scipy.sparse import csr_array

    indptr, indices, data = table
    matrix = csr_array((np.where(data >= MIN_PROBABILITY, data, 0), indices, indptr), shape)
    matrix.eliminate_zeros()
    return matrix


def build_translation_tables(lexicons: list[Lexicon], n_words: int) -> tuple[CsrTuple, CsrTuple]:
    """Stack the lexicons of the languages other than the pivot; returns S and its transpose."""
    indptr, indices, data = stack_lexicons(lexicons)
    starts, words, order = transpose(indptr, indices, n_words)
    return (indptr, indices, data), (starts, words, data[order])


def find_paraphrases(to_pivot: CsrTuple, from_pivot: CsrTuple, pivot_words: Array) -> CsrTuple:
    """Return t for each pair of these pivot words if at least ``MIN_PARAPHRASE``; other rows are empty."""
    n_words = len(from_pivot[0]) - 1
    if not len(to_pivot[1]):
        empty = Lexicon.empty(n_words)
        return empty.indptr, empty.indices, empty.data
    is_included = np.zeros(n_words, np.bool_)
    is_included[pivot_words] = True
    return collect_paraphrases(*to_pivot, *from_pivot, is_included, MIN_PARAPHRASE)


@jit
def collect_paraphrases(indptr, indices, data, starts, words, weights, is_included, min_score):  # type: ignore[no-untyped-def]
    """Compute the rows of t: all pivot words that share a translation with each word.

    ``indptr, indices, data`` is S; ``starts, words, weights`` is its transpose.
    """
    n = len(is_included)
    best = np.zeros(n, np.float32)
    touched = np.empty(n, np.int64)
    offsets = np.zeros(n + 1, np.int64)
    columns, values = np.empty(1024, np.int32), np.empty(1024, np.float32)
    n_filled = 0
    for u in range(n):
        n_touched = 0
        if is_included[u]:
            for k in range(starts[u], starts[u + 1]):
                f = words[k]
                for position in range(indptr[f], indptr[f + 1]):
                    v, t = indices[position], weights[k] * data[position]
                    if is_included[v] and t >= min_score and t > best[v]:
                        if best[v] == 0:
                            touched[n_touched] = v
                            n_touched += 1
                        best[v] = t
        while n_filled + n_touched > len(columns):
            columns = np.concatenate((columns, np.empty_like(columns)))
            values = np.concatenate((values, np.empty_like(values)))
        sort_in_place(touched[:n_touched])
        for v in touched[:n_touched]:
            columns[n_filled], values[n_filled] = v, best[v]
            best[v] = 0
            n_filled += 1
        offsets[u + 1] = n_filled
    return offsets, columns[:n_filled], values[:n_filled]
