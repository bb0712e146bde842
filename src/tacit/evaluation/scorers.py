"""What is evaluated: anything that says how alike two texts are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError

Rows = Any
"""A dense array or a sparse CSR matrix, a row a text."""


class PairScorer(Protocol):
    """A thing that says how alike two texts are; the scale is its own."""

    @property
    def name(self) -> str:
        """What tables call it."""

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """The score of each text of ``a`` with the text of ``b`` at the same place."""


@runtime_checkable
class SpeaksLanguages(Protocol):
    """A scorer that can be told the languages of the two sides, in place of detecting them."""

    def speaking(self, a: str, b: str) -> PairScorer:
        """The same scorer, for first texts of language ``a`` and second texts of language ``b``."""


@runtime_checkable
class KnowsWords(Protocol):
    """A scorer that can tell which texts it knows nothing of; such texts score 0 and are counted."""

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has a word that is known and weighs something."""


class VectorScorer(ABC):
    """A scorer that gives each text a row in a space, where the inner product is the score."""

    name: str

    @abstractmethod
    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The rows of two collections of texts in one common space."""

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """The score of each text of ``a`` with the text of ``b`` at the same place."""
        if len(a) != len(b):
            raise InputError(f"{len(a)} texts against {len(b)}: pairs need equally many")
        rows_a, rows_b = self.vectors(a, b)
        if isinstance(rows_a, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", rows_a, rows_b))
        return np.asarray(rows_a.multiply(rows_b).sum(axis=1)).ravel()


def known_texts(scorer: Any, texts: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each text has a known word: as the scorer tells, or else whether it is not blank.

    >>> known_texts(object(), ["a cat", " "]).tolist()
    [True, False]
    """
    if isinstance(scorer, KnowsWords):
        return np.asarray(scorer.knows(texts), dtype=bool)
    return np.array([bool(text.strip()) for text in texts], dtype=bool)


def score_known(
    scorer: PairScorer, a: Sequence[str], b: Sequence[str], languages: tuple[str, str] | None = None
) -> tuple[NDArray[np.float64], int]:
    """The scores of pairs, 0 where a text has no known word, and the number of such texts.

    A scorer that can be told the languages of the two sides is told them, where they are known.
    """
    if languages is not None and isinstance(scorer, SpeaksLanguages):
        scorer = scorer.speaking(*languages)
    scores = np.asarray(scorer.score_pairs(a, b), dtype=np.float64)
    if scores.shape != (len(a),):
        raise InputError(f"{scorer.name} gave scores of shape {scores.shape} for {len(a)} pairs")
    known_a, known_b = known_texts(scorer, a), known_texts(scorer, b)
    unknown = np.count_nonzero(~known_a) + np.count_nonzero(~known_b)
    scores = np.where(known_a & known_b, scores, 0.0)
    if not np.isfinite(scores).all():
        at = int(np.argmin(np.isfinite(scores)))
        raise InputError(
            f"{scorer.name} gave {scores[at]} for pair {at + 1}: a score must be a finite number"
        )
    return scores, int(unknown)
