"""Everything the service asks of a model of texts is in this file.

Each method takes a list of items and gives an answer for each, in their order: it runs on the batcher's
thread, with the items of several requests.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.crosslingual.texts import CrossTexts
from tacit.errors import InputError
from tacit.search.ranking import SEARCH
from tacit.sentences.explanation import EXPLAINED
from tacit.sentences.measures import MEASURES
from tacit.sentences.textset import TextSet

Array = NDArray[Any]
Code = str | None
"""A language, or None: the model finds out."""
Pair = tuple[str, str, Code, Code]
"""Two texts and their languages."""
ScoredWords = list[tuple[str, float]]

DEFAULT_MEASURE = "blend"


def measure_names() -> dict[str, tuple[str, ...]]:
    """The measures that compare two texts, those that can say why, and those that order an index.

    >>> measure_names()["explain"]
    ('latent', 'alignment', 'blend')
    """
    return {"compare": tuple(MEASURES), "explain": tuple(EXPLAINED), "search": (SEARCH, *MEASURES)}


class ServedTextModel:
    """A model of one language or of several, asked in lists; ``languages`` counts the words of each."""

    def __init__(self, model: Any) -> None:
        """Look up the languages, the pivot first."""
        self.model = model
        self._by_code: bool = hasattr(model, "languages_")
        self.languages: dict[str, int] = (
            {code: len(language.vectorizer.words_) for code, language in model.languages_.items()}
            if self._by_code
            else {model.vectorizer_.language or "und": len(model.vectorizer_.words_)}
        )

    def check_languages(self, *codes: Code) -> None:
        """Refuse languages that the model does not have."""
        for code in codes:
            if code is not None and code.lower() not in self.languages:
                raise InputError(f"language {code!r}: the model has {', '.join(self.languages)}")

    def encode(self, items: list[tuple[str, Code]]) -> list[tuple[Array, int]]:
        """The vector of each text and the number of its words, which are read once for both."""
        texts = self._prepared([text for text, _ in items], [code for _, code in items])
        return list(zip(texts.vectors, texts.seen.counts.tolist(), strict=True))

    def compare(self, pairs: list[Pair], measure: str) -> list[tuple[float, float]]:
        """The score of each pair, and its percentile among random pairs."""
        a, b, left, right = (list(side) for side in zip(*pairs, strict=True))
        left, right = self._settled(a, left), self._settled(b, right)
        spoken = self._spoken(language_a=left, language_b=right)
        scores = np.asarray(self.model.similarity_pairwise(a, b, measure=measure, **spoken), np.float64)
        percentiles = self._percentiles(scores, measure, left, right)
        return list(zip(scores.tolist(), percentiles.tolist(), strict=True))

    def explain(self, pairs: list[Pair], measure: str) -> list[dict[str, Any]]:
        """The word-by-word parts of each pair's score."""
        return [self._explanation(*pair, measure) for pair in pairs]

    def _explanation(self, a: str, b: str, left: Code, right: Code, measure: str) -> dict[str, Any]:
        codes = self._settled([a, b], [left, right])
        spoken = self._spoken(language_a=codes[0], language_b=codes[1])
        explained = self.model.explain(a, b, measure=measure, **spoken)
        known_a, known_b = self._prepared([a, b], codes).vectors.any(axis=1).tolist()
        percentile = self._percentiles(np.array([explained.score]), measure, codes[:1], codes[1:])
        return {
            **explained.to_dict(),
            "percentile": float(percentile[0]),
            "measure": measure,
            "known_a": known_a,
            "known_b": known_b,
            "language_a": codes[0],
            "language_b": codes[1],
        }

    def unsaid(self, items: list[tuple[str, Code]], k: int) -> list[ScoredWords]:
        """The words each text is about but does not say."""
        return [self.model.unsaid(text, k, **self._spoken(language=code)) for text, code in items]

    def translate(self, items: list[tuple[str, Code, Code]], k: int) -> list[ScoredWords]:
        """The words of another language used like each word."""
        return [self.model.translations(word, language=code, k=k, to=to) for word, code, to in items]

    def _prepared(self, texts: list[str], codes: list[Code]) -> Any:
        return CrossTexts(self.model, texts, codes) if self._by_code else TextSet(self.model, texts)

    def _settled(self, texts: list[str], given: list[Code]) -> list[Code]:
        """The languages of texts: as given, else as the model finds them."""
        if None not in given:
            return [code and code.lower() for code in given]
        found = self.model.detect(texts) if self._by_code else list(self.languages) * len(texts)
        return [(code or other).lower() for code, other in zip(given, found, strict=True)]

    def _percentiles(self, scores: Array, measure: str, left: list[Code], right: list[Code]) -> Array:
        """Among random pairs of the pivot and the pair's other language."""
        if not self._by_code:
            return np.asarray(self.model.percentile(scores, measure=measure))
        pivot = next(iter(self.languages))
        others = np.array([b if a == pivot else a for a, b in zip(left, right, strict=True)])
        found = np.zeros(len(scores))
        for code in np.unique(others).tolist():
            mine = others == code
            found[mine] = self.model.percentile(scores[mine], measure=measure, language=code)
        return found

    def _spoken(self, **languages: Any) -> dict[str, Any]:
        """The languages as arguments, for a model that takes them."""
        return languages if self._by_code else {}
