"""What the models of senses answer: senses, candidates, and the words that decide between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Sense:
    """A sense of a word.

    ``words`` are used like the word in this sense, or around it; ``topics`` are the top words of the latent
    dimensions that stand out; ``weight`` is the share of the word's occurrences; ``examples`` are contexts.
    """

    number: int
    weight: float
    words: list[str]
    topics: list[list[str]]
    examples: list[str]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Candidate:
    """A sense that a word may have in a text: the smaller the divergence, the better it fits.

    ``share`` is the divergence as a probability among the candidates.
    """

    sense: int
    divergence: float
    share: float


@dataclass(frozen=True)
class Evidence:
    """How much a word of the text speaks for the sense chosen, against the next best one; they sum up."""

    word: str
    weight: float


@dataclass(frozen=True)
class Disambiguation:
    """Which sense a word has in a text: all candidates, the best first, and the context words known.

    Where nothing of the context is known the answer is ``guessed``: the commonest sense comes first.
    """

    word: str
    candidates: list[Candidate]
    known: list[str]
    evidence: list[Evidence]
    guessed: bool = False

    @property
    def sense(self) -> int:
        """The number of the sense that fits best."""
        return self.candidates[0].sense

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"sense": self.sense, **asdict(self)}


def candidates(order: Iterable[int], divergences: Array, shares: Array) -> list[Candidate]:
    """The senses in a given order."""
    return [Candidate(int(i), float(divergences[i]), float(shares[i])) for i in order]


def strongest(found: Iterable[tuple[str, float]]) -> list[Evidence]:
    """Evidence by its weight, whichever way it points; the alphabet decides among equals.

    >>> [item.word for item in strongest([("a", 0.1), ("b", -0.3)])]
    ['b', 'a']
    """
    pairs = sorted(found, key=lambda pair: (-abs(pair[1]), pair[0]))
    return [Evidence(word, weight) for word, weight in pairs]
