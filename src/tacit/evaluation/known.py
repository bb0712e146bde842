"""Texts that a scorer knows nothing of: counted, and scored 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.evaluation.protocols import KnowsWords, PairScorer, Ranker


def known_texts(scorer: PairScorer | Ranker, texts: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each text has a known word: as the scorer tells, or else whether it is not blank."""
    if isinstance(scorer, KnowsWords):
        return np.asarray(scorer.knows(texts), dtype=bool)
    return np.array([bool(text.strip()) for text in texts], dtype=bool)


def score_known(scorer: PairScorer, a: Sequence[str], b: Sequence[str]) -> tuple[NDArray[np.float64], int]:
    """The scores of pairs, 0 where a text has no known word, and the number of such texts."""
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
