"""Which texts use which term: the inverted lists that find literal matches the vectors miss.

Terms here are all those of the collection, also the ones the model has never seen: a part number or a name is
found by its letters. A text is scored by Okapi BM25 (Robertson et al., TREC-3, 1994), with the frequencies of
all segments of a collection. Sums run in the alphabetical order of the terms, so that a score has the same
bits however the collection is cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.nearest import fixed
from tacit.compute.scan import replace_worst
from tacit.compute.threads import run
from tacit.compute.tiles import jit
from tacit.models.text_set import TextSet
from tacit.search.string_array import StringArray, StringIndex
from tacit.storage.stored_model import ArrayReader
from tacit.text.counting_kernels import count_terms

Array = NDArray[Any]

K1, B = 1.2, 0.75
MOST_TIMES = 65_535
"""How often a text is counted to use a term, at most: its score hardly changes from ten on."""


class Postings:
    """The terms of a segment: ``lists`` has where the texts of each term start in ``rows`` and ``times``.

    ``starts`` has where each text's tokens start, which tells its length.
    """

    def __init__(self, terms: StringIndex, lists: Array, rows: Array, times: Array, starts: Array) -> None:
        """Take the parts; ``of`` makes them."""
        self.terms, self.lists, self.rows, self.times, self.starts = terms, lists, rows, times, starts

    @classmethod
    def of(cls, texts: TextSet) -> Postings:
        """The terms of texts."""
        names = list(texts.tokens.id_of_term)
        counted = counted_terms(texts, len(names))
        lists, rows, times = invert(*counted[:3], len(names))
        return cls(StringIndex.build(StringArray.from_strings(names)), lists, rows, times, texts.token_starts)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array], starts: Array) -> Postings:
        """Read and check the arrays that ``arrays`` returned."""
        names, reader = StringArray.from_arrays(arrays, "terms"), ArrayReader(arrays, "postings.")
        rows = reader.indices("rows", np.int32, (None,), len(starts) - 1)
        times = reader.array("times", np.uint16, (len(rows),))
        lists = reader.offsets("starts", len(names), len(rows))
        return cls(StringIndex.from_arrays(arrays, "terms", names), lists, rows, times, starts)

    def to_arrays(self) -> dict[str, Array]:
        """The arrays, by name."""
        lists = {"postings.starts": self.lists, "postings.rows": self.rows, "postings.times": self.times}
        return {**self.terms.strings.to_arrays("terms"), **self.terms.to_arrays("terms"), **lists}

    def frequencies(self, terms: Array) -> Array:
        """In how many texts each term is, given by number; -1 is in none."""
        there = np.maximum(terms, 0)
        if not len(self.lists) > 1:
            return np.zeros(len(terms), np.int64)
        return np.where(terms >= 0, self.lists[there + 1] - self.lists[there], 0)

    def best(
        self, asked: Asked, terms: Array, k: int, alive: Array, n_threads: int = 1
    ) -> tuple[Array, Array]:
        """The k texts of each query by BM25, best first: scores and rows, -1 where no more share a term."""
        n = len(asked.starts) - 1
        scores, rows = np.zeros((n, k), np.float32), np.full((n, k), -1, np.int64)
        own = (fixed(self.lists), fixed(self.rows), fixed(self.times), fixed(self.starts), fixed(alive))

        def score(part: Array) -> None:
            if len(part):
                first, last = int(part[0]), int(part[-1]) + 1
                of_part = (asked.starts[first : last + 1], terms[asked.columns], asked.idf[asked.columns])
                score_lists(*own, *of_part, asked.mean, scores[first:last], rows[first:last])

        run(score, np.array_split(np.arange(n), max(min(n, n_threads), 1)), n_threads)
        return best_words(scores, rows, k)


def best_words(scores: Array, rows: Array, k: int) -> tuple[Array, Array]:
    """The k best of each line, by score and then by row; places without a row, of score 0, come last."""
    order = np.lexsort((rows, -scores), axis=1)[:, :k]
    return np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)


def counted_terms(texts: TextSet, n_terms: int) -> tuple[Array, Array, Array, Array]:
    """How often each text has each term, by the set's own numbers, which are alphabetical: CSR arrays."""
    identity = np.arange(max(n_terms, 1), dtype=np.int32)
    found: tuple[Array, Array, Array, Array] = count_terms(
        texts.term_ids().astype(np.int32), texts.lengths, identity, len(identity)
    )
    return found


@dataclass(frozen=True)
class Asked:
    """What queries ask for: their terms in alphabetical order as CSR arrays, and each term's idf.

    ``names`` are the terms, ``df`` in how many texts of the collection each one is, ``mean`` the mean number
    of words of a text there.
    """

    names: list[str]
    starts: Array
    columns: Array
    counts: Array
    df: Array
    idf: Array
    mean: float

    @classmethod
    def by(cls, queries: TextSet, segments: Sequence[Postings]) -> tuple[Asked, list[Array]]:
        """What queries ask of segments, and the numbers of their terms in each of these."""
        names = list(queries.tokens.id_of_term)
        starts, columns, counts, _ = counted_terms(queries, len(names))
        wanted = StringArray.from_strings(names)
        terms = [postings.terms.find(wanted) for postings in segments]
        n_texts = sum(len(postings.starts) - 1 for postings in segments)
        words = sum(int(postings.starts[-1]) for postings in segments)
        pairs = zip(segments, terms, strict=True)
        df = sum((each.frequencies(own) for each, own in pairs), np.zeros(len(names), np.int64))
        idf = np.log1p((max(n_texts, 1) - df + 0.5) / (df + 0.5)).astype(np.float32)
        mean = max(words / max(n_texts, 1), 1e-9)
        return cls(names, starts, columns, counts, df, idf, mean), terms

    def shares(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The BM25 of query ``left[i]`` with text ``right[i]`` of a set over the query's with itself."""
        numbers = texts.tokens.id_of_term
        of_texts = counted_terms(texts, len(numbers))[:3]
        own = np.fromiter((numbers.get(name, -1) for name in self.names), np.int64, len(self.names))
        found = np.zeros(len(left), np.float32)
        asked = (self.starts, self.columns, self.counts, self.df, self.idf, self.mean, own)
        share_pairs(*of_texts, *asked, left, right, found)
        return found


@jit
def worth(idf, count, length, mean):  # type: ignore[no-untyped-def]
    """A word's part of the BM25 score of a text that has it ``count`` times among ``length`` words."""
    return idf * count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))


@jit
def invert(starts, columns, counts, n_words):  # type: ignore[no-untyped-def]
    """The texts of each word in order, and how often each has it."""
    lists = np.zeros(n_words + 1, np.int64)
    for i in range(len(columns)):
        lists[columns[i] + 1] += 1
    for word in range(n_words):
        lists[word + 1] += lists[word]
    filled = lists[:-1].copy()
    rows, times = np.empty(len(columns), np.int32), np.empty(len(columns), np.uint16)
    for text in range(len(starts) - 1):
        for i in range(starts[text], starts[text + 1]):
            place = filled[columns[i]]
            filled[columns[i]] += 1
            rows[place] = text
            times[place] = min(counts[i], MOST_TIMES)
    return lists, rows, times


@jit
def share_pairs(  # type: ignore[no-untyped-def]
    starts, columns, counts, q_starts, q_columns, q_counts, df, idf, mean, own, left, right, shares
):
    """The BM25 of each pair over that of the query with itself; what no text has is worth as much as can be.

    ``own`` has the column of a query's word among those of the texts, in the same order, or -1.
    """
    for pair in range(len(left)):
        query, row = left[pair], right[pair]
        first, last, j = q_starts[query], q_starts[query + 1], starts[row]
        known, length = 0.0, counts[j : starts[row + 1]].sum()
        total = most = 0.0
        for i in range(first, last):
            if df[q_columns[i]] > 0:
                known += q_counts[i]
        for i in range(first, last):
            word = q_columns[i]
            if df[word] == 0:
                most += idf[word] * q_counts[i]
                continue
            most += worth(idf[word], q_counts[i], known, mean)
            while j < starts[row + 1] and columns[j] < own[word]:
                j += 1
            if j < starts[row + 1] and columns[j] == own[word]:
                total += worth(idf[word], counts[j], length, mean)
        shares[pair] = min(total / most, 1.0) if most > 0 else 0.0


@jit
def score_lists(  # type: ignore[no-untyped-def]
    lists, rows_of, times, lengths, alive, starts, terms, idf, mean, scores, rows
):
    """The best texts of each query into ``scores`` and ``rows``, heaps with the worst at the root.

    A text is touched once a query, whatever it scores: lists from a file may hold anything.
    """
    totals = np.zeros(len(alive), np.float32)
    touched, last = np.empty(len(alive), np.int64), np.full(len(alive), -1, np.int64)
    for query in range(len(scores)):
        n = 0
        for i in range(starts[query], starts[query + 1]):
            if terms[i] < 0:
                continue
            for place in range(lists[terms[i]], lists[terms[i] + 1]):
                text = rows_of[place]
                if last[text] != query:
                    touched[n], last[text], totals[text] = text, query, 0
                    n += 1
                length = lengths[text + 1] - lengths[text]
                totals[text] += worth(idf[i], np.float32(times[place]), np.float32(length), mean)
        for i in range(n):
            text = touched[i]
            if alive[text] and (totals[text] > scores[query, 0] or (
                totals[text] == scores[query, 0] and rows[query, 0] > text
            )):  # fmt: skip
                replace_worst(scores[query], rows[query], totals[text], text)
