"""One pass over a corpus, and three sparse matrices of counts over its most frequent items.

Memory stays bounded: the distinct names, which are pruned of rare ones beyond a limit, a sample of the
occurrences of the words asked for, and a sample of passages. What grows with the corpus goes to disk.
"""

from __future__ import annotations

import random
import tempfile
import weakref
from array import array
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.senses.features import Found, Occurrence, contents, features, partner, targets

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[Any]

MOST_NAMES = 5_000_000
"""Distinct names of a kind held at once; beyond, those seen least are forgotten and counted anew."""

MOST_PASSAGES = 5_000
"""Passages kept for examples of words that were not asked for by name."""

_BUFFER = 1 << 20  # numbers held before they are written


class NumbersOnDisk:
    """A list of int32 that only grows; it lives in a temporary file that goes with it.

    >>> held = NumbersOnDisk()
    >>> held.extend([3, 1, 2])
    >>> held.numbers().tolist()
    [3, 1, 2]
    """

    def __init__(self) -> None:
        """Start empty."""
        self._buffer = array("i")
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self._file.close)  # a mapping of it lives on

    def extend(self, numbers: Iterable[int]) -> None:
        """Put numbers at the end."""
        self._buffer.extend(numbers)
        if len(self._buffer) >= _BUFFER:
            self._flush()

    def numbers(self) -> NDArray[np.int32]:
        """All of them, mapped from the file where there are any."""
        self._flush()
        size = self._file.tell()
        if not size:
            return np.zeros(0, np.int32)
        return np.memmap(self._file, np.int32, "r", shape=(size // 4,))

    def _flush(self) -> None:
        self._file.write(self._buffer.tobytes())
        self._file.flush()
        self._buffer = array("i")


class Names:
    """Numbers for names, with how often each was seen; rare names are forgotten beyond a limit.

    >>> names = Names()
    >>> names.number("cat"), names.number("dog"), names.number("cat"), names.counts
    (0, 1, 0, [2, 1])
    """

    def __init__(self, most: int = MOST_NAMES) -> None:
        """Start without names."""
        self.most = most
        self.index: dict[str, int] = {}
        self.counts: list[int] = []

    def number(self, name: str) -> int:
        """The number of a name, seen once more."""
        number = self.index.get(name)
        if number is None:
            number = self.index[name] = len(self.counts)
            self.counts.append(1)
            if len(self.index) > self.most:
                self._forget()
        else:
            self.counts[number] += 1
        return number

    def _forget(self) -> None:
        """Drop the names seen least until half the limit is free."""
        least = 1
        while len(self.index) > self.most // 2:
            self.index = {name: i for name, i in self.index.items() if self.counts[i] > least}
            least *= 2


class Collector:
    """Reads passages one at a time; :func:`observe` makes the matrices of what it noted."""

    def __init__(self, words: Collection[str], pos: str | None, most_occurrences: int, seed: int = 0) -> None:
        """``words`` are the terms whose occurrences are sampled, up to ``most_occurrences`` of each."""
        self.pos = pos
        self.most = most_occurrences
        self.words, self.features, self.contexts = Names(), Names(), Names()
        self.samples: dict[str, list[Occurrence]] = {word: [] for word in words}
        self.seen = dict.fromkeys(words, 0)
        self.passages: list[Passage] = []
        self.forms: Counter[tuple[str, str]] = Counter()
        self.n_passages = 0
        # passage by passage: its context words; its (word, feature) pairs; the sizes of both; its words
        self.context_numbers, self.pairs, self.sizes, self.targets = (NumbersOnDisk() for _ in range(4))
        self._random = random.Random(seed)  # noqa: S311

    def add(self, passage: Passage) -> None:
        """Note a passage."""
        self.n_passages += 1
        kept = contents(passage)
        around = [self.contexts.number(term) for term in kept if term]
        chosen = {place: self.words.number(kept[place]) for place in targets(passage, kept, self.pos)}
        found = [(place, name) for place, name in features(passage, kept) if place in chosen]
        pairs = [x for place, name in found for x in (chosen[place], self.features.number(name))]
        self.context_numbers.extend(around)
        self.pairs.extend(pairs)
        self.targets.extend(chosen.values())
        self.sizes.extend((len(around), len(pairs) // 2, len(chosen)))
        self.forms.update((form.lower(), term) for form, term in zip(passage.forms, kept, strict=True))
        if self.samples:
            self._sample(passage, kept, list(chosen), found)
        else:
            slot = self._slot(len(self.passages), self.n_passages, MOST_PASSAGES)
            if slot is not None:
                self.passages[slot : slot + 1] = [passage]

    def _sample(self, passage: Passage, kept: list[str], places: list[int], found: Found) -> None:
        """Keep an equal chance for every passage of a word to be in its sample; one occurrence a passage."""
        met = set()
        for place in places:
            word = kept[place]
            if word not in self.samples or word in met:
                continue
            met.add(word)
            self.seen[word] += 1
            slot = self._slot(len(self.samples[word]), self.seen[word], self.most)
            if slot is not None:
                self.samples[word][slot : slot + 1] = [Occurrence.of(passage, place, kept, found)]

    def _slot(self, size: int, seen: int, most: int) -> int | None:
        """Where the ``seen``-th item goes in a sample, if anywhere: all items have the same chance."""
        slot = size if size < most else self._random.randrange(seen)
        return slot if slot < most else None


@dataclass(frozen=True)
class Observations:
    """What a corpus says: items in the order of their rows and columns, and how often each word was seen.

    ``A`` is words x features, ``B`` words x context words, ``C`` context words x features.
    """

    words: list[str]
    features: list[str]
    contexts: list[str]
    counts: Array
    A: csr_array
    B: csr_array
    C: csr_array
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
    word_of, context_of = _places(collected.words, words), _places(collected.contexts, contexts)
    feature_of = _places(collected.features, features)
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
    return Observations(words, features, contexts, counts, A, B, C, stop, collected.n_passages)


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


def _places(names: Names, chosen: list[str]) -> Array:
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
