"""From what a pass noted to three sparse matrices of counts over the most frequent items."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.senses.collect import Collector, Names, Occurrence
from tacit.senses.extract import partner

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[Any]


@dataclass(frozen=True)
class Observations:
    """What a corpus says: items in the order of their rows and columns, counts, and sampled occurrences.

    ``A`` is words x features, ``B`` words x context words, ``C`` context words x features.
    """

    words: list[str]
    features: list[str]
    contexts: list[str]
    counts: Array
    A: csr_array
    B: csr_array
    C: csr_array
    samples: dict[str, list[Occurrence]]
    stop_words: frozenset[str]
    n_passages: int


def observe(
    collected: Collector,
    n_words: int,
    n_features: int,
    n_contexts: int,
    stop_words: Collection[str],
    max_df: float,
    min_count: int,
) -> Observations:
    """Choose the most frequent items, the words that were asked for among them, and count.

    ``stop_words`` and terms in more than ``max_df`` of the passages are neither words, features nor context.
    """
    if collected.n_passages == 0:
        raise InputError("there is no text to learn from: the corpus is empty")
    sizes = collected.sizes.numbers().reshape(-1, 3)
    passages = np.arange(len(sizes))
    in_context = np.repeat(passages, sizes[:, 0])
    stop = frozenset(stop_words) | _frequent(collected, in_context, max_df)
    words = _chosen(collected.words, n_words, stop, min_count, set(collected.samples))
    contexts = _chosen(collected.contexts, n_contexts, stop, min_count)
    features = _chosen(collected.features, n_features, stop, min_count)
    for kind, found in (("word", words), ("feature", features), ("context word", contexts)):
        if not found:
            raise InputError(
                f"none of the {collected.n_passages:,} passages has a {kind} seen {min_count} times or "
                f"more: give more text, or lower min_count"
            )
    word_of, context_of, feature_of = (
        _columns(names, chosen)
        for names, chosen in (
            (collected.words, words),
            (collected.contexts, contexts),
            (collected.features, features),
        )
    )
    pairs = collected.pairs.numbers().reshape(-1, 2)
    in_pairs = np.repeat(passages, sizes[:, 1])
    X = _counted(in_context, context_of[collected.context_numbers.numbers()], (len(sizes), len(contexts)))
    occurs = _counted(
        word_of[collected.targets.numbers()], np.repeat(passages, sizes[:, 2]), (len(words), len(sizes))
    )
    w, f = word_of[pairs[:, 0]], feature_of[pairs[:, 1]]
    A = _counted(w, f, (len(words), len(features)))
    F = _counted(in_pairs, f, (len(sizes), len(features)))
    B = _without_itself((occurs @ X).tocsr(), words, contexts)
    C = (X.T.tocsr() @ F).tocsr()
    counts = np.array([collected.words.counts[collected.words.index[word]] for word in words])
    return Observations(
        words, features, contexts, counts, A, B, C, collected.samples, stop, collected.n_passages
    )


def _frequent(collected: Collector, in_context: Array, max_df: float) -> frozenset[str]:
    """The terms in more than a share of the passages."""
    numbers = collected.context_numbers.numbers().astype(np.int64)
    distinct = np.unique(in_context * (1 + int(numbers.max(initial=0))) + numbers)
    df = np.bincount(distinct % (1 + int(numbers.max(initial=0))), minlength=len(collected.contexts.counts))
    often = df > max_df * collected.n_passages
    return frozenset(term for term, number in collected.contexts.index.items() if often[number])


def _chosen(
    names: Names, most: int, stop: Collection[str], min_count: int, wanted: Collection[str] = ()
) -> list[str]:
    """The most frequent names, the alphabet deciding among equals; those wanted come in any case."""
    counts = names.counts
    known = [
        (name, counts[number])
        for name, number in names.index.items()
        if counts[number] >= min_count and partner(name) not in stop
    ]
    known.sort(key=lambda item: (-item[1], item[0]))
    found = [name for name, _ in known[:most]]
    missing = [name for name in sorted(wanted) if name in names.index]
    return list(dict.fromkeys([*found, *missing]))


def _columns(names: Names, chosen: list[str]) -> Array:
    """The place of each number's name among those chosen, -1 for the others."""
    places = np.full(len(names.counts), -1, np.int32)
    places[[names.index[name] for name in chosen]] = np.arange(len(chosen))
    return places


def _counted(rows: Array, columns: Array, shape: tuple[int, int]) -> csr_array:
    """How often each pair occurs; a place of -1 counts for nothing."""
    from scipy.sparse import coo_array

    there = (rows >= 0) & (columns >= 0)
    ones = np.ones(int(there.sum()), np.float32)
    return coo_array((ones, (rows[there], columns[there])), shape).tocsr()


def _without_itself(B: csr_array, words: list[str], contexts: list[str]) -> csr_array:
    """A word is not its own context."""
    place = {term: column for column, term in enumerate(contexts)}
    own = np.array([place.get(word, -1) for word in words])
    rows = np.repeat(np.arange(len(words)), np.diff(B.indptr))
    B.data[B.indices == own[rows]] = 0
    B.eliminate_zeros()
    return B
