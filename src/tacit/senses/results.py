"""Results of the sense models: senses, candidates and the evidence for a decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from tacit.types import Array


@dataclass(frozen=True)
class Sense:
    """A sense of a word.

    Parameters
    ----------
    number : int
        The index of the sense.
    weight : float
        The share of the word's occurrences.
    words : list of str
        Words that are used like the word in this sense, or near it.
    topics : list of list of str
        The top words of the most salient latent dimensions.
    examples : list of str
        Contexts of the word in this sense.
    """

    number: int
    weight: float
    words: list[str]
    topics: list[list[str]]
    examples: list[str]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Candidate:
    """A sense that a word may have in a text.

    Parameters
    ----------
    sense : int
        The index of the sense.
    divergence : float
        The divergence from the context; the smaller, the better the sense fits.
    share : float
        The probability of the sense among the candidates.
    """

    sense: int
    divergence: float
    share: float


@dataclass(frozen=True)
class Evidence:
    """How much a word of the text adds to the lead of the best sense over the next; the weights sum to it."""

    word: str
    weight: float


@dataclass(frozen=True)
class Disambiguation:
    """The sense that a word has in a text.

    Parameters
    ----------
    word : str
        The normalized word.
    candidates : list of Candidate
        All senses of the word, best first.
    known : list of str
        The context words that the model knows.
    evidence : list of Evidence
        The words that decide, with the largest absolute weight first.
    guessed : bool
        Whether no context word is known, so that the most frequent sense comes first.
    """

    word: str
    candidates: list[Candidate]
    known: list[str]
    evidence: list[Evidence]
    guessed: bool = False

    @property
    def sense(self) -> int:
        """The index of the best sense."""
        return self.candidates[0].sense

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return {"sense": self.sense, **asdict(self)}


def rank_candidates(order: Iterable[int], divergences: Array, shares: Array) -> list[Candidate]:
    """Make candidates of senses in this order."""
    return [Candidate(int(i), float(divergences[i]), float(shares[i])) for i in order]


def sort_evidence(weighted_words: Iterable[tuple[str, float]]) -> list[Evidence]:
    """Sort words by absolute weight, then alphabetically.

    >>> [item.word for item in sort_evidence([("a", 0.1), ("b", -0.3)])]
    ['b', 'a']
    """
    pairs = sorted(weighted_words, key=lambda pair: (-abs(pair[1]), pair[0]))
    return [Evidence(word, weight) for word, weight in pairs]


class WordSenses(Protocol):
    """The senses of one word; ``weights`` are their shares of its occurrences."""

    weights: Array
    examples: list[list[str]]

    def sense_ids(self) -> list[int]:
        """Return the ids of the senses."""

    def top_terms(self, sense: int) -> list[str]:
        """Return the terms that describe a sense."""

    def top_topics(self, sense: int) -> list[int]:
        """Return the most salient latent dimensions of a sense."""


def sort_by_weight(senses: WordSenses) -> list[int]:
    """Return the ids of the senses, most frequent first."""
    return sorted(senses.sense_ids(), key=lambda i: (-senses.weights[i], i))
