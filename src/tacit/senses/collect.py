"""One pass over a corpus: numbers for its words, features and context words, and samples of occurrences.

Memory stays bounded: the distinct names, which are pruned of rare ones beyond a limit, a sample of the
occurrences of the words asked for, and a sample of passages. What grows with the corpus goes to disk.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from tacit.corpora.passages import Passage
from tacit.senses.extract import contents, features, targets
from tacit.senses.spill import Spill

MOST_NAMES = 5_000_000
"""Distinct names of a kind held at once; beyond, those seen least are forgotten and counted anew."""

SHOWN = 25
"""Tokens to each side of an occurrence that are kept for showing."""

MOST_PASSAGES = 5_000
"""Passages kept for examples of words that were not asked for by name."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A word in its passage: the passage's terms, which of them count as context, and the word's features."""

    terms: tuple[str, ...]
    contents: tuple[str, ...]
    place: int
    features: tuple[str, ...]
    text: str

    @classmethod
    def of(cls, passage: Passage, place: int, kept: list[str], own: list[str]) -> Occurrence:
        """Take what is known of the token at a place."""
        forms = passage.forms[max(place - SHOWN, 0) : place + SHOWN + 1]
        return cls(tuple(passage.terms), tuple(kept), place, tuple(own), " ".join(forms))

    @property
    def word(self) -> str:
        """Its term."""
        return self.terms[self.place]


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
    """Reads passages one at a time; :mod:`tacit.senses.matrices` makes the matrices of what it noted."""

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
        self.n_tokens = 0
        # passage by passage: its context words; its (word, feature) pairs; the sizes of both; its words
        self.context_numbers, self.pairs, self.sizes, self.targets = Spill(), Spill(), Spill(), Spill()
        self._random = random.Random(seed)  # noqa: S311

    def add(self, passage: Passage) -> None:
        """Note a passage."""
        self.n_passages += 1
        self.n_tokens += len(passage)
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

    def _sample(
        self, passage: Passage, kept: list[str], places: list[int], found: list[tuple[int, str]]
    ) -> None:
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
                own = [name for at, name in found if at == place]
                self.samples[word][slot : slot + 1] = [Occurrence.of(passage, place, kept, own)]

    def _slot(self, size: int, seen: int, most: int) -> int | None:
        """Where the ``seen``-th item goes in a sample, if anywhere: all items have the same chance."""
        slot = size if size < most else self._random.randrange(seen)
        return slot if slot < most else None
