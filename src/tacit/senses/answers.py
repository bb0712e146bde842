"""What the models of senses answer: senses, candidates, and the words that decide between them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


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
    """Which sense a word has in a text: all candidates, the best first, and the context words known."""

    word: str
    candidates: list[Candidate]
    known: list[str]
    evidence: list[Evidence]

    @property
    def sense(self) -> int:
        """The number of the sense that fits best."""
        return self.candidates[0].sense

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"sense": self.sense, **asdict(self)}
