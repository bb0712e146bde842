"""How far names and cognates alone go: words that begin alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.evaluation.baselines.surface import binary_rows
from tacit.evaluation.baselines.vectors import Rows, VectorScorer
from tacit.text.languages import unaccented

_RUN = re.compile(r"[^\W_]+")


class PrefixScorer(VectorScorer):
    """The cosine of the sets of the first letters of the words, accents aside: the floor across languages.

    A word is a run of letters and digits: an apostrophe or a decimal point ends it.

    >>> PrefixScorer().score_pairs(["the president spoke"], ["el presidente habló"]).round(2)
    array([0.33])
    """

    def __init__(self, letters: int = 4) -> None:
        """Keep how many letters count."""
        self.name = "prefix"
        self.letters = letters

    def prefixes(self, text: str) -> set[str]:
        """The beginnings of the words of a text."""
        return {word[: self.letters] for word in _RUN.findall(unaccented(text.lower()))}

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The binary rows of both collections, at length 1."""
        return binary_rows([self.prefixes(text) for text in a], [self.prefixes(text) for text in b])

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has a word."""
        return np.array([bool(self.prefixes(text)) for text in texts], dtype=bool)
