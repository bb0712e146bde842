"""How alike two texts are, how telling that is, and how much of them a model knows, in one answer."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tacit.errors import InputError
from tacit.models.measure import Array, Measure, score_pairs
from tacit.models.percentiles import percentiles_of
from tacit.models.text_set import TextSet


@dataclass(frozen=True)
class Comparison:
    """How alike two texts are.

    ``percentile`` says how many of a hundred random pairs of training texts score no higher, None where the
    model cannot tell; ``known_a`` and ``known_b`` how many of their words the model knows; ``language_a`` and
    ``language_b`` which languages they were read in.
    """

    score: float
    percentile: float | None
    known_a: int
    known_b: int
    language_a: str
    language_b: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        percentile = None if self.percentile is None else round(self.percentile, 1)
        return asdict(self) | {"score": round(self.score, 6), "percentile": percentile}


def compare_texts(texts: TextSet, left: Array, right: Array, measure: Measure) -> list[Comparison]:
    """The comparison of text ``left[i]`` with text ``right[i]``, for every i."""
    scores = score_pairs(measure, texts, left, right).tolist()
    codes = list(texts.model.languages)
    found = []
    for score, a, b in zip(scores, left.tolist(), right.tolist(), strict=True):
        spoken = codes[texts.spoken[a]], codes[texts.spoken[b]]
        try:
            percentile = float(percentiles_of(texts.model, score, measure.name, *spoken))
        except InputError:  # a measure made after the model was saved, or a single text learnt from
            percentile = None
        found.append(Comparison(score, percentile, int(texts.known[a]), int(texts.known[b]), *spoken))
    return found
