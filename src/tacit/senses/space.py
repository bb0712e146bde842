"""The latent space that words, features and context words share, and how a context is folded into it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

HALF = 5.0
"""How many places away a context word counts half as much as one beside the word."""


@dataclass(frozen=True)
class Space:
    """Items with how much of each every latent dimension explains: their ``loads`` sum to 1 in each row.

    ``forms`` leads from a form of the text to its term, where a parser had given the terms; ``shown`` leads
    from a stem to its most frequent form.
    """

    contexts: list[str]
    context_loads: Array
    stop_words: frozenset[str]
    forms: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)

    def surface(self, term: str) -> str:
        """A term as people write it."""
        return self.shown.get(term, term)

    @cached_property
    def index(self) -> dict[str, int]:
        """From a context word to its place."""
        return {term: place for place, term in enumerate(self.contexts)}

    def known(self, terms: Iterable[str], word: str) -> list[str]:
        """The context words among some terms; the word itself is not its own context."""
        return [term for term in terms if term != word and term in self.index]

    def around(self, contents: Sequence[str], place: int, word: str) -> tuple[list[str], Array]:
        """The context words of the word at a place, and how much each counts: the nearer, the more.

        >>> space = Space(["river", "steep"], np.eye(2), frozenset())
        >>> space.around(["river", "", "", "", "", "bank", "steep"], 5, "bank")
        (['river', 'steep'], array([0.5       , 0.83333333]))
        """
        found = [(at, term) for at, term in enumerate(contents) if term != word and term in self.index]
        distances = np.array([abs(at - place) for at, _ in found], np.float64)
        return [term for _, term in found], 1 / (1 + distances / HALF)

    def fold(self, known: list[str], counts: Array | None = None) -> Array:
        """Equation 6: context words as a distribution over the latent dimensions; alike, or by ``counts``."""
        if not known:
            return np.full(self.context_loads.shape[1], 1 / self.context_loads.shape[1])
        loads = self.context_loads[[self.index[term] for term in known]]
        folded: Array = np.average(loads.astype(np.float64), axis=0, weights=counts)
        return folded

    def topic(self, dimension: int, k: int = 8) -> list[str]:
        """The context words that a dimension explains most of, frequent ones first among equals."""
        # a word seen often says more than a rare one; the order of context words is by frequency
        scores = self.context_loads[:, dimension] / np.log(3 + np.arange(len(self.contexts)))
        return [self.surface(self.contexts[place]) for place in np.argsort(-scores, kind="stable")[:k]]


def loads(vectors: Array) -> Array:
    """Each item's vector over the dimensions, summing to 1; an item without any is spread evenly."""
    sums = vectors.sum(axis=1, keepdims=True, dtype=np.float64)
    even = 1 / vectors.shape[1]
    shares: Array = np.where(sums > 1e-12, vectors / np.maximum(sums, 1e-12), even)
    return shares.astype(np.float32)
