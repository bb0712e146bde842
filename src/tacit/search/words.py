"""Which texts use which word: the inverted lists that find literal matches the vectors miss.

Words here are all those of the collection, also the ones the model has never seen: a part number or a name is
found by its letters. A text is scored by Okapi BM25 (Robertson et al., TREC-3, 1994).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.scan import replace_worst
from tacit.compute.threads import run, usable_threads
from tacit.compute.tiles import jit
from tacit.errors import ModelError
from tacit.search.strings import Strings
from tacit.text.counting import count_rows
from tacit.text.interning import Tokenizer, intern_texts
from tacit.text.languages import Normalizer, normalizer
from tacit.text.vocabulary import Vocabulary, learn_vocabulary

Array = NDArray[Any]

K1, B = 1.2, 0.75


class Words:
    """The words of a collection: ``starts``, ``columns`` and ``counts`` are a CSR matrix of texts by words.

    >>> words = Words.empty("en", "stem").extended(["a red car", "cars and trains", "tea"])
    >>> words.best(["the car"], k=2, alive=np.ones(3, bool))[1].tolist()
    [[0, 1]]
    """

    def __init__(
        self, vocabulary: Vocabulary, starts: Array, columns: Array, counts: Array,
        tokenizer: Tokenizer | None, normalize: Normalizer,
    ) -> None:  # fmt: skip
        """Take the parts."""
        self.vocabulary = vocabulary
        self.starts, self.columns, self.counts = starts, columns, counts
        self.tokenizer, self.normalize = tokenizer, normalize

    @classmethod
    def empty(cls, language: str | None, normalize: str, tokenizer: Tokenizer | None = None) -> Words:
        """No texts yet."""
        none = Vocabulary([], [], np.zeros(0, np.int64))
        zeros = np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32)
        return cls(none, *zeros, tokenizer, normalizer(language, normalize))

    def extended(self, texts: Iterable[str]) -> Words:
        """The words of these texts and of more."""
        seen = intern_texts(texts, self.tokenizer)
        new = learn_vocabulary(seen, self.normalize, 1, known=self.vocabulary)
        vocabulary = self.vocabulary.extended(new)
        places = vocabulary.columns(seen.tokens, self.normalize)
        starts, columns, counts, _ = count_rows(seen.ids, seen.counts, places, max(len(vocabulary), 1))
        return Words(
            vocabulary,
            np.concatenate([self.starts, self.starts[-1] + starts[1:]]),
            np.concatenate([self.columns, columns]),
            np.concatenate([self.counts, counts.astype(np.float32)]),
            self.tokenizer,
            self.normalize,
        )

    def best(
        self, queries: Sequence[str], k: int, alive: Array, n_threads: int | None = None
    ) -> tuple[Array, Array]:
        """The k texts of each query by BM25, best first: scores and rows, -1 where no more share a word."""
        asked = intern_texts(queries, self.tokenizer)
        places = self.vocabulary.columns(asked.tokens, self.normalize)
        starts, columns, _, _ = count_rows(asked.ids, asked.counts, places, max(len(self.vocabulary), 1))
        n = len(queries)
        scores, rows = np.zeros((n, k), np.float32), np.full((n, k), -1, np.int64)
        lists, texts, weights = self._postings
        work = np.array_split(np.arange(n), max(min(n, usable_threads(n_threads)), 1))

        def score(part: Array) -> None:
            if len(part):
                first, last = int(part[0]), int(part[-1]) + 1
                score_lists(
                    lists, texts, weights, alive, starts[first : last + 1], columns,
                    scores[first:last], rows[first:last],
                )  # fmt: skip

        run(score, work, usable_threads(n_threads))
        order = np.lexsort((rows, -scores), axis=1)
        return np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)

    def shares(self, queries: Sequence[str], left: Array, rows: Array) -> Array:
        """The BM25 of query ``left[i]`` with text ``rows[i]`` over the query's with itself, from 0 to 1."""
        asked = intern_texts(queries, self.tokenizer)
        places = self.vocabulary.columns(asked.tokens, self.normalize)
        starts, columns, counts, unknown = count_rows(
            asked.ids, asked.counts, places, max(len(self.vocabulary), 1)
        )
        found = np.zeros(len(left), np.float32)
        share_pairs(
            self.starts, self.columns, self.counts, self._idf, self._mean, self._rarest * unknown,
            starts, columns, counts, left, rows, found,
        )  # fmt: skip
        return found

    @cached_property
    def _idf(self) -> Array:
        n_texts = max(len(self.starts) - 1, 1)
        df = np.bincount(self.columns, minlength=len(self.vocabulary))
        return np.log1p((n_texts - df + 0.5) / (df + 0.5)).astype(np.float32)

    @property
    def _rarest(self) -> float:
        """The idf of a word in no text."""
        return float(np.log1p(2 * max(len(self.starts) - 1, 1) + 1))

    @cached_property
    def _mean(self) -> float:
        """The mean number of words of a text."""
        return max(float(self.counts.sum(dtype=np.float64)) / max(len(self.starts) - 1, 1), 1e-9)

    @cached_property
    def _postings(self) -> tuple[Array, Array, Array]:
        """For each word where its texts start, the texts, and what the word is worth in each."""
        return invert(self.starts, self.columns, self.counts, self._idf, self._mean)  # type: ignore[no-any-return]

    def arrays(self) -> dict[str, Array]:
        """What is stored."""
        words = self.vocabulary
        return {
            **Strings.of(words.terms).arrays("terms"),
            **Strings.of(words.surfaces).arrays("surfaces"),
            "words.starts": self.starts,
            "words.columns": self.columns,
            "words.counts": self.counts,
        }

    def restored(self, arrays: Mapping[str, Array], n_texts: int) -> Words:
        """What was stored, with this one's tokeniser and stems, after a look at whether it fits together."""
        terms, surfaces = (list(Strings.from_arrays(arrays, name)) for name in ("terms", "surfaces"))
        starts, columns, counts = (arrays[f"words.{name}"] for name in ("starts", "columns", "counts"))
        n = len(terms)
        sound = (
            len(surfaces) == n
            and len(starts) == n_texts + 1
            and starts[0] == 0
            and starts[-1] == len(columns) == len(counts)
            and (n_texts == 0 or int(np.diff(starts).min()) >= 0)
            and (not len(columns) or (int(columns.min()) >= 0 and int(columns.max()) < n))
        )
        if not sound:
            raise ModelError("the words of the index do not fit its texts: build it again")
        vocabulary = Vocabulary(terms, surfaces, np.bincount(columns, minlength=n))
        return Words(vocabulary, starts, columns, counts, self.tokenizer, self.normalize)


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
