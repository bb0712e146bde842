"""Everything the service asks of a model of texts is in this file.

Each method takes a list of items and gives an answer for each, in their order: it runs on the batcher's
thread, with the items of several requests.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.errors import InputError
from tacit.models.comparison import compare_pairs, explain_pair
from tacit.models.measures import get_measure
from tacit.models.measures import measure_names as names
from tacit.models.text_model import as_text_model
from tacit.models.text_set import TextSet
from tacit.search.ranking import SEARCH_MEASURES

_COMPARING, _PAIRS = 2000, 150
"""What a pair costs, and how many pairs of characters cost as much as reading one character."""

Array = NDArray[Any]
Code = str | None
"""A language, or None: the model finds out."""
Pair = tuple[str, str, Code, Code]
"""Two texts and their languages."""
ScoredWords = list[tuple[str, float]]


def measure_names() -> dict[str, tuple[str, ...]]:
    """The measures that compare two texts, those that can say why, and those that order an index.

    >>> "blend" in measure_names()["explain"], "search" in measure_names()["search"]
    (True, True)
    """
    explain = tuple(name for name in names() if get_measure(name).is_explainable)
    return {"compare": tuple(names()), "explain": explain, "search": tuple(SEARCH_MEASURES)}


def costs_of(pairs: list[Pair]) -> list[int]:
    """What comparing each pair costs, in characters read."""
    return [_COMPARING + len(a) * len(b) // _PAIRS for a, b, _, _ in pairs]


def check_work(pairs: list[Pair], most: int) -> None:
    """Refuse pairs whose words are too many to hold against each other."""
    work = sum(len(a) * len(b) for a, b, _, _ in pairs)
    if work > most:
        raise InputError(
            f"these pairs make {work:,} pairs of characters, at most {most:,} at once: send fewer at a time"
        )


class BatchTextModel:
    """A model asked in lists; ``languages`` counts the words of each."""

    def __init__(self, model: Any) -> None:
        """Look up the languages, the pivot first."""
        self.model = as_text_model(model)
        self.languages: dict[str, int] = {
            code: len(language.vectorizer.words_) for code, language in self.model.languages.items()
        }

    def check_languages(self, *codes: Code) -> None:
        """Refuse languages that the model does not have."""
        for code in codes:
            if code is not None and code.lower() not in self.languages:
                raise InputError(f"language {code!r}: the model has {', '.join(self.languages)}")

    def encode(
        self, items: list[tuple[str, Code]], normalize: bool = False, dimensions: int | None = None
    ) -> list[tuple[Array, int]]:
        """The vector of each text and the number of its words, which are read once for both.

        ``dimensions`` asks for so many coordinates along the principal axes of the words.
        """
        texts = TextSet.from_texts(self.model, [text for text, _ in items], [code for _, code in items])
        vectors = self._turned(texts.vectors, dimensions)
        return list(zip(unit(vectors) if normalize else vectors, texts.lengths.tolist(), strict=True))

    def _turned(self, vectors: Array, dimensions: int | None) -> Array:
        """Coordinates along the axes; not by a BLAS product, which may round a row by what is beside it."""
        if dimensions is None:
            return vectors
        turned: Array = np.einsum("ij,jk->ik", vectors, self.axes[:, :dimensions], optimize=False)
        return turned

    @cached_property
    def axes(self) -> Array:
        """Principal axes of the word vectors, computed once."""
        return self.model.pivot.principal_axes()

    def compare(self, pairs: list[Pair], measure: str) -> list[tuple[float, float | None]]:
        """The score of each pair, and its percentile among random pairs."""
        a, b, left, right = (list(side) for side in zip(*pairs, strict=True))
        found = self.model.compare_pairs(a, b, measure, left, right)
        return [(each.score, each.percentile) for each in found]

    def explain(self, pairs: list[Pair], measure: str) -> list[dict[str, Any]]:
        """The word-by-word parts of each pair's score."""
        return [self._explanation(*pair, measure) for pair in pairs]

    def _explanation(self, a: str, b: str, left: Code, right: Code, measure: str) -> dict[str, Any]:
        texts, by = TextSet.from_texts(self.model, [a, b], [left, right]), get_measure(measure)
        [compared] = compare_pairs(texts, np.array([0]), np.array([1]), by)
        return {
            **explain_pair(texts, by).to_dict(),
            "percentile": compared.percentile,
            "measure": measure,
            "known_a": compared.known_a > 0,
            "known_b": compared.known_b > 0,
            "language_a": compared.language_a,
            "language_b": compared.language_b,
        }

    def unsaid(self, items: list[tuple[str, Code]], k: int) -> list[ScoredWords]:
        """The words each text is about but does not say."""
        return [self.model.unsaid(text, k, code) for text, code in items]

    def translate(self, items: list[tuple[str, Code, Code]], k: int) -> list[ScoredWords]:
        """The words of another language used like each word."""
        return [self.model.translations(word, language=code, k=k, to=to) for word, code, to in items]
