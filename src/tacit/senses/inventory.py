"""The senses of many words, side by side in a few arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.senses.answers import Disambiguation
from tacit.senses.collect import Occurrence
from tacit.senses.induction import FoundSense
from tacit.senses.matrices import Observations
from tacit.senses.space import Space

Array = NDArray[Any]
Span = tuple[int, int]
N_EXAMPLES = 25


@dataclass(frozen=True)
class WordSenses:
    """The senses of one word, each with its profile, weight, members and examples."""

    profiles: Array
    weights: Array
    members: list[list[str]]
    examples: list[list[str]]


@dataclass
class Inventory:
    """Words with the rows that are theirs, the dominant sense first."""

    spans: dict[str, Span]
    profiles: Array
    weights: Array
    members: list[list[str]]
    examples: list[list[str]]

    @classmethod
    def of(
        cls, found: Mapping[str, list[FoundSense]], labels: Array, observed: Observations, n_shown: int
    ) -> Inventory:
        """Line up the senses found; all weigh the same until occurrences are weighed."""
        spans, first = {}, 0
        for word, senses in found.items():
            spans[word] = first, first + len(senses)
            first += len(senses)
        flat = [sense for senses in found.values() for sense in senses]
        shares = [np.full(len(senses), 1 / len(senses)) for senses in found.values()]
        of_cluster = _members(labels, observed)
        members = [
            [name for name in of_cluster[sense.cluster] if name != word][:n_shown]
            for word, senses in found.items()
            for sense in senses
        ]
        profiles = np.array([sense.profile for sense in flat], np.float32)
        return cls(spans, profiles, np.concatenate(shares), members, [[] for _ in flat])

    def word(self, word: str) -> WordSenses:
        """The senses of one word."""
        rows = slice(*self.spans[word])
        return WordSenses(self.profiles[rows], self.weights[rows], self.members[rows], self.examples[rows])

    def weigh(
        self,
        samples: Mapping[str, list[Occurrence]],
        space: Space,
        decide: Callable[[Occurrence, str], Disambiguation],
    ) -> None:
        """Let sampled occurrences say how frequent each sense is, and which contexts show it best."""
        for word, (first, last) in self.spans.items():
            usable = [item for item in samples.get(word, []) if space.known(item.contents, word)]
            if not usable:
                continue
            counts = np.zeros(last - first)
            clearest: list[list[tuple[float, str]]] = [[] for _ in counts]
            for item in usable:
                best = decide(item, word).candidates[0]
                counts[best.sense] += 1
                clearest[best.sense].append((best.share, item.text))
            self.weights[first:last] = counts / counts.sum()
            for row, texts in zip(range(first, last), clearest, strict=True):
                self.examples[row] = [text for _, text in sorted(texts, reverse=True)[:N_EXAMPLES]]


def _members(labels: Array, observed: Observations) -> dict[int, list[str]]:
    """The words of every cluster, the most frequent first."""
    found: dict[int, list[str]] = {}
    for row in np.argsort(-observed.counts, kind="stable"):
        found.setdefault(int(labels[row]), []).append(observed.words[row])
    return found
