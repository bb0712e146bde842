"""A text model whose methods take lists, so that requests can be processed in batches.

Each method takes a list of items and returns a result for each, in the same order. It runs on the batcher's
thread, with the items of several requests.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tacit.compute.cosine import normalize_rows
from tacit.errors import InputError
from tacit.models.comparison import compare_pairs, explain_pair
from tacit.models.measures import get_measure
from tacit.models.text_model import as_text_model
from tacit.models.text_set import TextSet
from tacit.types import Array

_PAIR_COST, _CHAR_PAIRS_PER_COST = 2000, 150  # a cost of 1 is the time to read one character

LanguageCode = str | None
"""None: the model detects the language."""
Pair = tuple[str, str, LanguageCode, LanguageCode]
"""Two texts and their languages."""
ScoredWords = list[tuple[str, float]]


def comparison_costs(pairs: list[Pair]) -> list[int]:
    """Return the cost of comparing each pair."""
    return [_PAIR_COST + len(a) * len(b) // _CHAR_PAIRS_PER_COST for a, b, _, _ in pairs]


def check_comparison_size(pairs: list[Pair], limit: int) -> None:
    """Raise an error if the texts of the pairs are too long to be compared in one request."""
    size = sum(len(a) * len(b) for a, b, _, _ in pairs)
    if size > limit:
        raise InputError(
            f"these pairs have {size:,} pairs of characters, at most {limit:,} per request: send fewer"
        )


class BatchTextModel:
    """A text model whose methods take lists; ``languages`` has the number of words of each language."""

    def __init__(self, model: Any) -> None:
        self.model = as_text_model(model)
        self.languages = {
            code: len(language.vectorizer.words_) for code, language in self.model.languages.items()
        }

    def check_languages(self, *codes: LanguageCode) -> None:
        """Raise an error for a language that the model does not have."""
        for code in codes:
            if code is not None and code.lower() not in self.languages:
                raise InputError(f"language {code!r}: the model has {', '.join(self.languages)}")

    def encode(
        self, items: list[tuple[str, LanguageCode]], normalize: bool = False, dimensions: int | None = None
    ) -> list[tuple[Array, int]]:
        """Return the vector and the number of words of each text.

        With ``dimensions``, vectors are coordinates on that many principal axes of the word vectors.
        """
        texts = TextSet.from_texts(self.model, [text for text, _ in items], [code for _, code in items])
        vectors = texts.vectors
        if dimensions is not None:  # not by BLAS, where the rounding of a row depends on the other rows
            vectors = np.einsum("ij,jk->ik", vectors, self.principal_axes[:, :dimensions], optimize=False)
        return list(
            zip(normalize_rows(vectors) if normalize else vectors, texts.lengths.tolist(), strict=True)
        )

    @cached_property
    def principal_axes(self) -> Array:
        """Principal axes of the word vectors."""
        return self.model.pivot.principal_axes()

    def compare(self, pairs: list[Pair], measure: str) -> list[tuple[float, float | None]]:
        """Return the score of each pair and its percentile among random pairs."""
        a, b, languages_a, languages_b = (list(column) for column in zip(*pairs, strict=True))
        comparisons = self.model.compare_pairs(a, b, measure, languages_a, languages_b)
        return [(comparison.score, comparison.percentile) for comparison in comparisons]

    def explain(self, pairs: list[Pair], measure: str) -> list[dict[str, Any]]:
        """Return the score of each pair with the contributions of its word pairs."""
        return [self._explain_pair(*pair, measure) for pair in pairs]

    def _explain_pair(
        self, a: str, b: str, language_a: LanguageCode, language_b: LanguageCode, name: str
    ) -> dict[str, Any]:
        texts, measure = TextSet.from_texts(self.model, [a, b], [language_a, language_b]), get_measure(name)
        [comparison] = compare_pairs(texts, np.array([0]), np.array([1]), measure)
        return {
            **explain_pair(texts, measure).to_dict(),
            "percentile": comparison.percentile,
            "measure": name,
            "known_a": comparison.known_a > 0,
            "known_b": comparison.known_b > 0,
            "language_a": comparison.language_a,
            "language_b": comparison.language_b,
        }

    def unsaid(self, items: list[tuple[str, LanguageCode]], k: int) -> list[ScoredWords]:
        """Return words that each text implies but does not use."""
        return [self.model.unsaid(text, k, code) for text, code in items]

    def translate(self, items: list[tuple[str, LanguageCode, LanguageCode]], k: int) -> list[ScoredWords]:
        """Return the words of another language that are used like each word."""
        return [self.model.translations(word, language=code, k=k, to=to) for word, code, to in items]
