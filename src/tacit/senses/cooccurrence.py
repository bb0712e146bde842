"""Count words, features and context words in one pass, with bounded memory.

In memory are the distinct names (beyond a limit the rare ones are dropped), a sample of the occurrences of
the target words, and a sample of passages. Data that grow with the corpus are written to temporary files.
"""

from __future__ import annotations

import random
import tempfile
import weakref
from array import array
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tacit.checks import format_count
from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.senses.features import (
    Occurrence,
    TokenFeatures,
    content_terms,
    extract_features,
    feature_term,
    make_occurrence,
    target_positions,
)
from tacit.types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_VOCABULARY = 5_000_000
"""The number of distinct names of one kind in memory; beyond it the rarest are dropped and counted anew."""

MAX_EXAMPLE_PASSAGES = 5_000
"""The number of passages that are kept for examples if there are no target words."""

_BUFFER_BYTES = 1 << 22


class DiskIntArray:
    """An array of int32 in a temporary file, which can only grow.

    >>> numbers = DiskIntArray()
    >>> numbers.extend([3, 1, 2])
    >>> numbers.to_array().tolist()
    [3, 1, 2]
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=_BUFFER_BYTES)  # noqa: SIM115
        weakref.finalize(self, self._file.close)  # a memory map of the file stays valid

    def extend(self, numbers: Iterable[int]) -> None:
        """Append numbers."""
        self._file.write(array("i", numbers).tobytes())

    def to_array(self) -> NDArray[np.int32]:
        """Return all numbers, memory-mapped from the file."""
        self._file.flush()
        size = self._file.tell()
        if not size:
            return np.zeros(0, np.int32)
        return np.memmap(self._file, np.int32, "r", shape=(size // 4,))


class CountedVocabulary:
    """Maps names to ids and counts them; rare names are dropped beyond a limit.

    >>> names = CountedVocabulary()
    >>> names.add("cat"), names.add("dog"), names.add("cat"), names.counts
    (0, 1, 0, [2, 1])
    """

    def __init__(self, max_size: int = MAX_VOCABULARY) -> None:
        self.max_size = max_size
        self.index: dict[str, int] = {}
        self.counts: list[int] = []

    def add(self, name: str) -> int:
        """Count a name and return its id."""
        name_id = self.index.get(name)
        if name_id is None:
            name_id = self.index[name] = len(self.counts)
            self.counts.append(1)
            if len(self.index) > self.max_size:
                self._prune_rare()
        else:
            self.counts[name_id] += 1
        return name_id

    def count(self, name: str) -> int:
        """Return how often a name was counted; 0 if it is unknown."""
        return self.counts[self.index[name]] if name in self.index else 0

    def _prune_rare(self) -> None:
        """Drop the rarest names until half the limit is free."""
        threshold = 1
        while len(self.index) > self.max_size // 2:
            self.index = {name: i for name, i in self.index.items() if self.counts[i] > threshold}
            threshold *= 2


class CorpusCounter:
    """Counts passages one at a time; :func:`build_count_matrices` makes the matrices."""

    def __init__(self, target_words: Collection[str], pos: str | None, max_occurrences: int) -> None:
        """Sample up to ``max_occurrences`` of each target word."""
        self.pos = pos
        self.max_occurrences = max_occurrences
        self.words, self.features, self.contexts = (CountedVocabulary() for _ in range(3))
        self.occurrences: dict[str, list[Occurrence]] = {word: [] for word in target_words}
        self.n_seen = dict.fromkeys(target_words, 0)
        self.example_passages: list[Passage] = []
        self.form_counts: Counter[tuple[str, str]] = Counter()
        self.n_passages = 0
        self.is_parsed: bool | None = None
        # For each passage: its context words; its (word, feature) pairs; its words; the size of each list.
        self.context_ids, self.word_feature_ids = DiskIntArray(), DiskIntArray()
        self.word_ids, self.passage_sizes = DiskIntArray(), DiskIntArray()
        self._random = random.Random(0)  # noqa: S311

    def add(self, passage: Passage) -> None:
        """Count a passage."""
        self.n_passages += 1
        if self.is_parsed is None and len(passage):
            self.is_parsed = passage.is_parsed
        terms = content_terms(passage)
        context_ids = [self.contexts.add(term) for term in terms if term]
        positions = target_positions(passage, terms, self.pos)
        word_ids = {position: self.words.add(terms[position]) for position in positions}
        features = [item for item in extract_features(passage, terms) if item[0] in word_ids]
        pairs = [x for position, name in features for x in (word_ids[position], self.features.add(name))]
        self.context_ids.extend(context_ids)
        self.word_feature_ids.extend(pairs)
        self.word_ids.extend(word_ids.values())
        self.passage_sizes.extend((len(context_ids), len(pairs) // 2, len(word_ids)))
        self.form_counts.update((form.lower(), term) for form, term in zip(passage.forms, terms, strict=True))
        if self.occurrences:
            self._sample_occurrences(passage, terms, positions, features)
        else:
            index = self._reservoir_index(len(self.example_passages), self.n_passages, MAX_EXAMPLE_PASSAGES)
            if index is not None:
                self.example_passages[index : index + 1] = [passage]

    def collect_examples(self, words: Collection[str], max_per_word: int = 20) -> dict[str, list[Occurrence]]:
        """Return occurrences of words in the example passages."""
        occurrences: dict[str, list[Occurrence]] = {}
        for passage in self.example_passages:
            terms = content_terms(passage)
            for position in target_positions(passage, terms, self.pos):
                word = terms[position]
                if word in words and len(occurrences.setdefault(word, [])) < max_per_word:
                    occurrences[word].append(make_occurrence(passage, position))
        return occurrences

    def _sample_occurrences(
        self, passage: Passage, terms: list[str], positions: list[int], features: TokenFeatures
    ) -> None:
        """Sample the first occurrence of each target word in a passage."""
        first: dict[str, int] = {}
        for position in positions:
            first.setdefault(terms[position], position)
        for word, position in first.items():
            if word not in self.occurrences:
                continue
            self.n_seen[word] += 1
            sample = self.occurrences[word]
            index = self._reservoir_index(len(sample), self.n_seen[word], self.max_occurrences)
            if index is not None:
                sample[index : index + 1] = [Occurrence.from_passage(passage, position, terms, features)]

    def _reservoir_index(self, size: int, n_seen: int, max_size: int) -> int | None:
        """Return the index of the latest item in a reservoir sample; None if it is not sampled."""
        index = size if size < max_size else self._random.randrange(n_seen)
        return index if index < max_size else None


@dataclass(frozen=True)
class CooccurrenceCounts:
    """Count matrices with the items of their rows and columns.

    ``A`` is words x features, ``B`` words x context words, ``C`` context words x features; ``counts`` holds
    the number of occurrences of each word, ``form_counts`` that of each pair of a form and its term.
    """

    words: list[str]
    features: list[str]
    contexts: list[str]
    counts: Array
    A: csr_array
    B: csr_array
    C: csr_array
    stop_words: frozenset[str]
    form_counts: Counter[tuple[str, str]]
    n_passages: int
    is_parsed: bool


def build_count_matrices(
    counter: CorpusCounter, n_words: int, n_features: int, n_contexts: int,
    stop_words: Collection[str], max_df: float, min_count: int,
) -> CooccurrenceCounts:  # fmt: skip
    """Build the count matrices of the most frequent items, and of the target words.

    Stop words and terms in more than ``max_df`` of the passages are dropped from all three.
    """
    sizes = counter.passage_sizes.to_array().reshape(-1, 3)
    passages = np.arange(len(sizes))
    context_passages = np.repeat(passages, sizes[:, 0])
    stop = frozenset(stop_words) | _find_frequent_terms(counter, context_passages, max_df)
    words = _select_most_frequent(counter.words, n_words, stop, min_count, counter.occurrences.keys())
    contexts = _select_most_frequent(counter.contexts, n_contexts, stop, min_count)
    features = _select_most_frequent(counter.features, n_features, stop, min_count)
    for kind, names in (("word", words), ("feature", features), ("context word", contexts)):
        if not names:
            raise InputError(
                f"no {kind} occurs {min_count} times or more in "
                f"{format_count(counter.n_passages, 'passage')}: give more text, or lower min_count"
            )
    word_rows = _build_id_map(counter.words, words)
    context_columns = _build_id_map(counter.contexts, contexts)[counter.context_ids.to_array()]
    pairs = counter.word_feature_ids.to_array().reshape(-1, 2)
    pair_words, pair_features = word_rows[pairs[:, 0]], _build_id_map(counter.features, features)[pairs[:, 1]]
    n, n_passages = len(words), len(sizes)
    X = _count_pairs(context_passages, context_columns, (n_passages, len(contexts)))
    word_passages = np.repeat(passages, sizes[:, 2])
    W = _count_pairs(word_rows[counter.word_ids.to_array()], word_passages, (n, n_passages))
    A = _count_pairs(pair_words, pair_features, (n, len(features)))
    F = _count_pairs(np.repeat(passages, sizes[:, 1]), pair_features, (n_passages, len(features)))
    B = _remove_self_context((W @ X).tocsr(), words, contexts)
    C = (X.T.tocsr() @ F).tocsr()
    counts = np.array([counter.words.count(word) for word in words])
    return CooccurrenceCounts(
        words, features, contexts, counts, A, B, C, stop,
        counter.form_counts, counter.n_passages, bool(counter.is_parsed),
    )  # fmt: skip


def _find_frequent_terms(counter: CorpusCounter, context_passages: Array, max_df: float) -> frozenset[str]:
    """Return the terms that occur in more than ``max_df`` of the passages."""
    ids = counter.context_ids.to_array().astype(np.int64)
    n_ids = 1 + int(ids.max(initial=0))
    distinct = np.unique(context_passages * n_ids + ids)
    df = np.bincount(distinct % n_ids, minlength=len(counter.contexts.counts))
    is_frequent = df > max_df * counter.n_passages
    return frozenset(term for term, term_id in counter.contexts.index.items() if is_frequent[term_id])


def _select_most_frequent(
    vocabulary: CountedVocabulary, n: int, stop: Collection[str], min_count: int,
    required: Collection[str] = (),
) -> list[str]:  # fmt: skip
    """Return the n most frequent names, sorted alphabetically on ties, then missing required names."""
    counts = vocabulary.counts
    candidates = sorted(
        (-counts[name_id], name)
        for name, name_id in vocabulary.index.items()
        if counts[name_id] >= min_count and feature_term(name) not in stop
    )
    selected = [name for _, name in candidates[:n]]
    return list(dict.fromkeys([*selected, *sorted(vocabulary.index.keys() & required)]))


def _build_id_map(vocabulary: CountedVocabulary, selected: list[str]) -> Array:
    """Map the id of each name to its index among the selected names, -1 for the others."""
    indices = np.full(len(vocabulary.counts), -1, np.int32)
    indices[[vocabulary.index[name] for name in selected]] = np.arange(len(selected))
    return indices


def _count_pairs(rows: Array, columns: Array, shape: tuple[int, int]) -> csr_array:
    """Count how often each pair of row and column occurs; pairs with an index of -1 are dropped."""
    from scipy.sparse import coo_array

    is_valid = (rows >= 0) & (columns >= 0)
    ones = np.ones(int(is_valid.sum()), np.float32)
    return coo_array((ones, (rows[is_valid], columns[is_valid])), shape).tocsr()


def _remove_self_context(B: csr_array, words: list[str], contexts: list[str]) -> csr_array:
    """Remove the counts of words as their own context."""
    column_of = {term: column for column, term in enumerate(contexts)}
    self_columns = np.array([column_of.get(word, -1) for word in words])
    rows = np.repeat(np.arange(len(words)), np.diff(B.indptr))
    B.data[B.indices == self_columns[rows]] = 0
    B.eliminate_zeros()
    return B
