"""What is evaluated: anything that scores pairs of texts, or every text against every candidate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

BlockScores = Callable[[int, int], NDArray[Any]]
"""From ``(start, stop)`` to the scores of queries start..stop (rows) with every candidate (columns)."""


class PairScorer(Protocol):
    """A thing that says how alike two texts are; the scale is its own."""

    @property
    def name(self) -> str:
        """What tables call it."""

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """The score of each text of ``a`` with the text of ``b`` at the same place."""


class Ranker(Protocol):
    """A thing that scores many texts against many, a block of queries at a time.

    What it learns of the texts it does once, in ``many_to_many``; the function that comes back is called for
    one range of queries after another, from several threads, so that the whole matrix never exists.
    """

    @property
    def name(self) -> str:
        """What tables call it."""

    def many_to_many(self, queries: Sequence[str], candidates: Sequence[str]) -> BlockScores:
        """Prepare the texts; the result scores a range of queries with every candidate."""


@runtime_checkable
class SpeaksLanguages(Protocol):
    """A scorer that can be told the languages of the two sides, in place of detecting them."""

    def speaking(self, a: str, b: str) -> PairScorer:
        """The same scorer, for first texts of language ``a`` and second texts of language ``b``."""


def speaking(scorer: PairScorer, languages: tuple[str, str] | None) -> PairScorer:
    """The scorer told the languages, where they are known and it can be told."""
    if languages is not None and isinstance(scorer, SpeaksLanguages):
        return scorer.speaking(*languages)
    return scorer


@runtime_checkable
class KnowsWords(Protocol):
    """A scorer that can tell which texts it knows nothing of; such texts score 0 and are counted."""

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has a word that is known and weighs something."""
