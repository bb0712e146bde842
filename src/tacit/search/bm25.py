"""Inverted index and Okapi BM25 scores; sums run in alphabetical order of the terms.

The terms are those of the collection, also terms that the model does not know, so that part numbers and names
are found. Scores (Robertson et al., TREC-3, 1994) use the document frequencies of all segments. With a fixed
order of summation a score has the same bits however rows are split into segments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.compute.csr import transpose
from tacit.compute.nearest import heap_replace, readonly_view, top_k
from tacit.compute.threads import run_blocks, split_range
from tacit.compute.tiles import jit
from tacit.models.lexicon import CsrTuple
from tacit.models.text_set import TextSet
from tacit.search.string_array import StringArray
from tacit.storage.stored_model import ArrayReader
from tacit.text.counting_kernels import count_terms
from tacit.types import Array

K1, B = 1.2, 0.75
"""Parameters of BM25: saturation of the term frequency, and normalization by the length of the text."""

MAX_TERM_FREQ = 65_535
"""Larger term frequencies are stored as this value; the score hardly changes beyond 10."""


class Postings:
    """The inverted index of a segment.

    Term t of ``terms`` occurs in the texts ``rows[offsets[t] : offsets[t + 1]]``, as often as ``term_freqs``
    says. ``token_starts`` gives the length of each text.
    """

    def __init__(
        self, terms: StringArray, offsets: Array, rows: Array, term_freqs: Array, token_starts: Array
    ) -> None:
        """Store the arrays of an inverted index."""
        self.terms, self.offsets, self.rows = terms, offsets, rows
        self.term_freqs, self.token_starts = term_freqs, token_starts

    @classmethod
    def from_text_set(cls, texts: TextSet) -> Postings:
        """Index the terms of texts."""
        terms = list(texts.tokens.id_of_term)
        offsets, rows, term_freqs = build_postings(*count_terms_per_text(texts), len(terms))
        return cls(StringArray.from_strings(terms), offsets, rows, term_freqs, texts.token_starts)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array], token_starts: Array) -> Postings:
        """Read and check the arrays that `to_arrays` returned."""
        terms = StringArray.from_arrays(arrays, "terms", with_hashes=True)
        reader = ArrayReader(arrays, "postings.")
        rows = reader.indices("rows", np.int32, (None,), len(token_starts) - 1)
        term_freqs = reader.array("times", np.uint16, (len(rows),))
        offsets = reader.offsets("starts", len(terms), len(rows))
        return cls(terms, offsets, rows, term_freqs, token_starts)

    def to_arrays(self) -> dict[str, Array]:
        """Return the arrays by their names in a file."""
        return {
            **self.terms.to_arrays("terms", with_hashes=True),
            "postings.starts": self.offsets,
            "postings.rows": self.rows,
            "postings.times": self.term_freqs,
        }

    def doc_freqs(self, term_ids: Array) -> Array:
        """Return the number of texts with each term; 0 for term -1."""
        if not len(self.offsets) > 1:
            return np.zeros(len(term_ids), np.int64)
        terms = np.maximum(term_ids, 0)
        return np.where(term_ids >= 0, self.offsets[terms + 1] - self.offsets[terms], 0)

    def top_k(
        self, query_terms: QueryTerms, term_ids: Array, k: int, alive: Array, n_threads: int = 1
    ) -> tuple[Array, Array]:
        """Return scores and rows of the k best texts of each query; row -1 where no more share a term.

        ``term_ids`` are the ids of the query terms in this index, or -1.
        """
        n = len(query_terms.starts) - 1
        scores, rows = np.zeros((n, k), np.float32), np.full((n, k), -1, np.int64)
        index = (self.offsets, self.rows, self.term_freqs, self.token_starts, alive)
        arrays = [readonly_view(array) for array in index]
        terms, idf = term_ids[query_terms.term_ids], query_terms.idf[query_terms.term_ids]

        def score(queries: tuple[int, int]) -> None:
            first, last = queries
            starts, mean = query_terms.starts[first : last + 1], query_terms.mean_length
            score_postings(*arrays, starts, terms, idf, mean, scores[first:last], rows[first:last])

        run_blocks(score, split_range(n, max(-(-n // n_threads), 1)), n_threads)
        return top_k(scores, rows, k)


def count_terms_per_text(texts: TextSet) -> CsrTuple:
    """Count each term in each text: CSR arrays of starts, alphabetical term ids and counts."""
    identity = np.arange(max(texts.tokens.n_terms, 1), dtype=np.int32)
    term_ids, n_terms = texts.term_ids().astype(np.int32), len(identity)
    starts, columns, counts, _ = count_terms(term_ids, texts.lengths, identity, n_terms)
    return starts, columns, counts


@dataclass(frozen=True)
class QueryTerms:
    """The terms of queries as CSR arrays ``starts``, ``term_ids`` and ``counts``.

    ``terms`` are in alphabetical order, and ``term_ids`` are positions in them. ``df`` is the number of texts
    of the collection with each term, ``mean_length`` the mean number of tokens of all texts. ``segment_ids``
    are the ids of the terms in each segment, or -1.
    """

    terms: list[str]
    starts: Array
    term_ids: Array
    counts: Array
    df: Array
    idf: Array
    mean_length: float
    segment_ids: list[Array]

    @classmethod
    def from_queries(cls, queries: TextSet, segments: Sequence[Postings]) -> QueryTerms:
        """Look up the terms of queries in the inverted indexes of all segments."""
        terms = list(queries.tokens.id_of_term)
        encoded = StringArray.from_strings(terms)
        segment_ids = [postings.terms.find(encoded) for postings in segments]
        n_texts = max(sum(len(postings.token_starts) - 1 for postings in segments), 1)
        n_tokens = sum(int(postings.token_starts[-1]) for postings in segments)
        dfs = [postings.doc_freqs(ids) for postings, ids in zip(segments, segment_ids, strict=True)]
        df = sum(dfs, np.zeros(len(terms), np.int64))
        idf = np.log1p((n_texts - df + 0.5) / (df + 0.5)).astype(np.float32)
        mean_length = max(n_tokens / n_texts, 1e-9)
        return cls(terms, *count_terms_per_text(queries), df, idf, mean_length, segment_ids)

    def normalized_scores(self, texts: TextSet, queries: Array, rows: Array) -> Array:
        """Return the BM25 score of query ``queries[i]`` and text ``rows[i]`` over the query's own score."""
        id_of_term = texts.tokens.id_of_term
        columns = np.fromiter((id_of_term.get(term, -1) for term in self.terms), np.int64, len(self.terms))
        scores = np.zeros(len(queries), np.float32)
        arrays = (self.starts, self.term_ids, self.counts, self.df, self.idf, self.mean_length, columns)
        score_pairs_normalized(*count_terms_per_text(texts), *arrays, queries, rows, scores)
        return scores


@jit
def term_score(idf, count, length, mean_length):  # type: ignore[no-untyped-def]
    """Compute the BM25 score of one term that occurs ``count`` times in a text of ``length`` tokens."""
    return idf * count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean_length))


def build_postings(starts: Array, term_ids: Array, counts: Array, n_terms: int) -> tuple[Array, Array, Array]:
    """Return the offset of each term, and the texts of each term in order with the frequency in each."""
    offsets, rows, order = transpose(starts, term_ids, n_terms)
    return offsets, rows, np.minimum(counts, MAX_TERM_FREQ).astype(np.uint16)[order]


@jit
def score_pairs_normalized(  # type: ignore[no-untyped-def]
    starts, term_ids, counts, q_starts, q_terms, q_counts, df, idf, mean_length, columns, queries, rows,
    scores,
):  # fmt: skip
    """Compute the BM25 score of each pair, divided by the score of the query with itself.

    A term that no text has counts with its highest possible score. ``columns`` maps query terms to
    ``term_ids`` in the same order, or to -1.
    """
    for pair in range(len(queries)):
        query, row = queries[pair], rows[pair]
        first, last, j = q_starts[query], q_starts[query + 1], starts[row]
        query_length = length = total = best = 0.0
        for position in range(j, starts[row + 1]):  # .sum() would import scipy.linalg in every process
            length += counts[position]
        for i in range(first, last):
            if df[q_terms[i]] > 0:
                query_length += q_counts[i]
        for i in range(first, last):
            term = q_terms[i]
            if df[term] == 0:
                best += idf[term] * q_counts[i]
                continue
            best += term_score(idf[term], q_counts[i], query_length, mean_length)
            while j < starts[row + 1] and term_ids[j] < columns[term]:
                j += 1
            if j < starts[row + 1] and term_ids[j] == columns[term]:
                total += term_score(idf[term], counts[j], length, mean_length)
        scores[pair] = min(total / best, 1.0) if best > 0 else 0.0


@jit
def score_postings(  # type: ignore[no-untyped-def]
    offsets, text_of, term_freqs, token_starts, alive, starts, terms, idf, mean_length, scores, rows
):
    """Write the best texts of each query to ``scores`` and ``rows``: heaps with the worst text at the root.

    Each text is visited once per query, also if a damaged file lists it several times.
    """
    totals = np.zeros(len(alive), np.float32)
    touched, last_query = np.empty(len(alive), np.int64), np.full(len(alive), -1, np.int64)
    for query in range(len(scores)):
        n = 0
        for i in range(starts[query], starts[query + 1]):
            if terms[i] < 0:
                continue
            for position in range(offsets[terms[i]], offsets[terms[i] + 1]):
                text = text_of[position]
                if last_query[text] != query:
                    touched[n], last_query[text], totals[text] = text, query, 0
                    n += 1
                length = token_starts[text + 1] - token_starts[text]
                count = np.float32(term_freqs[position])
                totals[text] += term_score(idf[i], count, np.float32(length), mean_length)
        for i in range(n):
            text = touched[i]
            if alive[text] and (totals[text] > scores[query, 0] or (
                totals[text] == scores[query, 0] and rows[query, 0] > text
            )):  # fmt: skip
                heap_replace(scores[query], rows[query], totals[text], text)
