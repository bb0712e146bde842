"""Which texts use which term: the inverted lists that find literal matches the vectors miss.

Terms here are all those of the collection, also the ones the model has never seen: a part number or a name is
found by its letters. A text is scored by Okapi BM25 (Robertson et al., TREC-3, 1994).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.scan import replace_worst
from tacit.compute.threads import run
from tacit.compute.tiles import jit
from tacit.models.text_set import TextSet
from tacit.text.counting import count_rows

Array = NDArray[Any]

Asked = tuple[Array, Array, Array, Array]

K1, B = 1.2, 0.75


class Postings:
    """The terms of a collection: ``starts``, ``columns`` and ``counts`` are a CSR matrix of texts by terms.

    ``surfaces`` has the most frequent token of each term, ``numbers`` the column of a term.
    """

    def __init__(
        self, starts: Array, columns: Array, counts: Array, surfaces: list[str], numbers: dict[str, int]
    ) -> None:
        """Take the parts; ``of`` makes them."""
        self.starts, self.columns, self.counts = starts, columns, counts
        self.surfaces, self.numbers = surfaces, numbers

    @classmethod
    def of(cls, texts: TextSet) -> Postings:
        """The terms of texts."""
        terms = texts.terms()
        n_terms = int(terms.max(initial=-1)) + 1
        identity = np.arange(max(n_terms, 1), dtype=np.int32)
        starts, columns, counts, _ = count_rows(terms.astype(np.int32), texts.counts, identity, len(identity))
        numbers = dict(texts.tokens.numbers)
        surfaces = _surfaces(terms, texts.ids, texts.tokens.strings, n_terms)
        return cls(starts, columns, counts.astype(np.float32), surfaces, numbers)

    @property
    def n_texts(self) -> int:
        """How many texts there are."""
        return len(self.starts) - 1

    def asked(self, queries: TextSet) -> Asked:
        """What queries ask for: the columns of their terms in order, how often, and how many are not here."""
        own = (self.numbers.get(term, -1) for term in queries.tokens.numbers)
        place_of = np.fromiter(own, np.int32, len(queries.tokens.numbers))
        terms = queries.terms().astype(np.int32)
        found: Asked = count_rows(terms, queries.counts, place_of, max(len(self.surfaces), 1))
        return found

    def best(self, asked: Asked, k: int, alive: Array, n_threads: int = 1) -> tuple[Array, Array]:
        """The k texts of each query by BM25, best first: scores and rows, -1 where no more share a term."""
        starts, columns, _, _ = asked
        n = len(starts) - 1
        scores, rows = np.zeros((n, k), np.float32), np.full((n, k), -1, np.int64)
        lists, texts, weights = self._lists
        work = np.array_split(np.arange(n), max(min(n, n_threads), 1))

        def score(part: Array) -> None:
            if len(part):
                first, last = int(part[0]), int(part[-1]) + 1
                of_part = (starts[first : last + 1], columns, scores[first:last], rows[first:last])
                score_lists(lists, texts, weights, alive, *of_part)

        run(score, work, n_threads)
        order = np.lexsort((rows, -scores), axis=1)
        return np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)

    def shares(self, asked: Asked, left: Array, rows: Array) -> Array:
        """The BM25 of query ``left[i]`` with text ``rows[i]`` over the query's with itself, from 0 to 1."""
        starts, columns, counts, unknown = asked
        found = np.zeros(len(left), np.float32)
        own = (self.starts, self.columns, self.counts, self._idf, self._mean, self._rarest * unknown)
        share_pairs(*own, starts, columns, counts, left, rows, found)
        return found

    @cached_property
    def _idf(self) -> Array:
        n_texts = max(self.n_texts, 1)
        df = np.bincount(self.columns, minlength=len(self.surfaces))
        return np.log1p((n_texts - df + 0.5) / (df + 0.5)).astype(np.float32)

    @property
    def _rarest(self) -> float:
        """The idf of a term in no text."""
        return float(np.log1p(2 * max(self.n_texts, 1) + 1))

    @cached_property
    def _mean(self) -> float:
        """The mean number of words of a text."""
        return max(float(self.counts.sum(dtype=np.float64)) / max(self.n_texts, 1), 1e-9)

    @cached_property
    def _lists(self) -> tuple[Array, Array, Array]:
        """For each term where its texts start, the texts, and what the term is worth in each."""
        return invert(self.starts, self.columns, self.counts, self._idf, self._mean)  # type: ignore[no-any-return]


def _surfaces(terms: Array, ids: Array, tokens: list[str], n_terms: int) -> list[str]:
    """The most frequent token of each term, the first seen among equals."""
    pairs, first, times = np.unique(
        terms * np.int64(max(len(tokens), 1)) + ids, return_index=True, return_counts=True
    )
    order = np.lexsort((first, -times))
    owner = (pairs // max(len(tokens), 1))[order]
    found = [""] * n_terms
    for place in order[np.unique(owner, return_index=True)[1]].tolist():
        found[int(terms[first[place]])] = tokens[ids[first[place]]]
    return found


@jit
def worth(idf, count, length, mean):  # type: ignore[no-untyped-def]
    """A word's part of the BM25 score of a text that has it ``count`` times among ``length`` words."""
    return idf * count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))


@jit
def invert(starts, columns, counts, idf, mean):  # type: ignore[no-untyped-def]
    """The texts of each word in order, and the word's part of their BM25 scores."""
    n_texts, n_words = len(starts) - 1, len(idf)
    lists = np.zeros(n_words + 1, np.int64)
    for i in range(len(columns)):
        lists[columns[i] + 1] += 1
    for word in range(n_words):
        lists[word + 1] += lists[word]
    filled = lists[:-1].copy()
    texts, weights = np.empty(len(columns), np.int32), np.empty(len(columns), np.float32)
    for text in range(n_texts):
        length = counts[starts[text] : starts[text + 1]].sum()
        for i in range(starts[text], starts[text + 1]):
            place = filled[columns[i]]
            filled[columns[i]] += 1
            texts[place] = text
            weights[place] = worth(idf[columns[i]], counts[i], length, mean)
    return lists, texts, weights


@jit
def share_pairs(  # type: ignore[no-untyped-def]
    starts, columns, counts, idf, mean, beyond, q_starts, q_columns, q_counts, left, rows, shares
):
    """The BM25 of each pair over that of the query with itself; ``beyond`` is what its unknown words add."""
    for pair in range(len(left)):
        query, row = left[pair], rows[pair]
        i, j = q_starts[query], starts[row]
        own = q_counts[i : q_starts[query + 1]].sum()
        length = counts[j : starts[row + 1]].sum()
        total, most = 0.0, beyond[query]
        for word in range(i, q_starts[query + 1]):
            most += worth(idf[q_columns[word]], q_counts[word], own, mean)
            while j < starts[row + 1] and columns[j] < q_columns[word]:
                j += 1
            if j < starts[row + 1] and columns[j] == q_columns[word]:
                total += worth(idf[columns[j]], counts[j], length, mean)
        shares[pair] = min(total / most, 1.0) if most > 0 else 0.0


@jit
def score_lists(lists, texts, weights, alive, starts, columns, scores, rows):  # type: ignore[no-untyped-def]
    """The best texts of each query into ``scores`` and ``rows``, heaps with the worst at the root."""
    totals = np.zeros(len(alive), np.float32)
    touched = np.empty(len(alive), np.int64)
    for query in range(len(scores)):
        n = 0
        for i in range(starts[query], starts[query + 1]):
            for place in range(lists[columns[i]], lists[columns[i] + 1]):
                if totals[texts[place]] == 0:
                    touched[n] = texts[place]
                    n += 1
                totals[texts[place]] += weights[place]
        for i in range(n):
            text = touched[i]
            if alive[text] and (totals[text] > scores[query, 0] or (
                totals[text] == scores[query, 0] and rows[query, 0] > text
            )):  # fmt: skip
                replace_worst(scores[query], rows[query], totals[text], text)
            totals[text] = 0
