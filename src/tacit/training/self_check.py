"""Estimate model quality without labels, by predicting hidden words.

A model is trained on most of the texts. In each of the others, one word is hidden, and the remaining words
give a vector q. All words are then ranked by

    log(df) + a z,    z = p . (q - mean q') over its standard deviation

where q' are the vectors of the training texts: by their frequency, and by how much more this text predicts
them than an average text. The baseline ranks by log(df) alone. Ranks are summarized by their geometric
mean, on which one very bad rank has little effect. Settings are compared by z alone: it predicts better
which neighbors a text finds, and worse how good a model is in comparison with the baseline.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.text.weighting import TfidfRows
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.training.wtmf import WTMF

MAX_SAMPLED_TEXTS = 20_000  # the check uses at most this many texts
HELD_OUT_SHARE = 0.2
MAX_HELD_OUT = 500
MIN_GOOD_GAIN = 1.25  # a smaller gain over the baseline counts as none
LATENT_WEIGHT = 0.3  # a: weight of the text in comparison with the frequency of a word
_MIN_WORDS = 3  # no word is hidden in shorter texts
_BLOCK_TEXTS = 64


@dataclass(frozen=True)
class SelfCheck:
    """Geometric mean of the ranks of hidden words among ``n_words``, by three rankings.

    ``rank_by_model`` combines frequency and text, ``rank_by_frequency`` is the baseline, ``rank_by_text``
    uses the text alone.
    """

    rank_by_model: float
    rank_by_frequency: float
    rank_by_text: float
    n_hidden: int
    n_words: int

    @property
    def gain(self) -> float:
        """Rank by frequency, divided by the rank by the model: above 1, the model is better."""
        return self.rank_by_frequency / self.rank_by_model

    def __str__(self) -> str:
        """Return one line for users."""
        if self.gain > MIN_GOOD_GAIN:
            result = f"{self.gain:.1f} times better than by frequency (good)"
        else:
            result = "hardly better than by frequency (poor)"
        return f"Self-check: hidden words are predicted {result}"


def run_self_check(trainer: WTMF, texts: list[str], seed: int = 0) -> SelfCheck | None:
    """Train a copy of a trainer on most of the texts and predict hidden words of the others.

    Returns None for too few texts.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(texts))[:MAX_SAMPLED_TEXTS]
    n_held_out = min(int(HELD_OUT_SHARE * len(order)), MAX_HELD_OUT)
    test_texts, train_texts = ([texts[i] for i in part] for part in (order[:n_held_out], order[n_held_out:]))
    if not test_texts or not any(text.strip() for text in train_texts):
        return None
    clone = type(trainer)(**{**trainer.get_params(deep=False), "callback": None})
    return check_on_texts(clone, train_texts, test_texts, rng)


def check_on_texts(
    trainer: WTMF, train_texts: list[str], test_texts: list[str], rng: np.random.Generator
) -> SelfCheck | None:
    """Fit a trainer on ``train_texts`` and rank one hidden word of each of ``test_texts``.

    Texts of fewer than three words are left out.
    """
    mean = np.asarray(trainer.fit_transform(train_texts)).mean(axis=0)
    language = trainer.model_.pivot
    remaining, hidden = hide_words(language.vectorizer.transform_rows(test_texts), rng)
    if not len(hidden):
        return None
    log_df = np.log(language.vectorizer.words_.df)
    ranks: list[list[Array]] = [[], [], []]
    vectors = language.encode(remaining)
    words = language.joint_word_vectors
    deviation = float(np.std((vectors[:_BLOCK_TEXTS] - mean) @ words.T)) or 1.0
    for start in range(0, len(hidden), _BLOCK_TEXTS):
        block = slice(start, start + _BLOCK_TEXTS)
        visible = remaining[block].nonzero()
        z = (vectors[block] - mean) @ words.T / deviation
        for ranking, scores in zip(ranks, (log_df + LATENT_WEIGHT * z, log_df + 0 * z, z), strict=True):
            ranking.append(rank_targets(scores, visible, hidden[block]))
    model, frequency, text = (float(np.exp(np.mean(np.log(np.concatenate(parts))))) for parts in ranks)
    return SelfCheck(model, frequency, text, len(hidden), len(log_df))


def hide_words(rows: TfidfRows, rng: np.random.Generator) -> tuple[Any, Array]:
    """Remove a random word from each row of three words or more; return these rows and the columns."""
    lengths = np.diff(rows.indptr)
    chosen = np.flatnonzero(lengths >= _MIN_WORDS)
    positions = rows.indptr[chosen] + rng.integers(0, lengths[chosen])
    data = rows.data.copy()
    data[positions] = 0
    remaining = replace(rows, data=data).to_scipy()[chosen]
    remaining.eliminate_zeros()
    remaining.sort_indices()
    return remaining, rows.indices[positions]


def rank_targets(scores: Array, visible: tuple[Array, Array], targets: Array) -> NDArray[np.float64]:
    """Rank the target column of each row among the columns that are not visible; ties share the mean rank.

    >>> rank_targets(np.array([[3.0, 2.0, 1.0]]), (np.array([0]), np.array([0])), np.array([2]))
    array([2.])
    """
    target_scores = scores[np.arange(len(targets)), targets]
    scores[visible] = -np.inf
    n_above = (scores > target_scores[:, None]).sum(axis=1)
    n_equal = (scores == target_scores[:, None]).sum(axis=1) - 1
    return np.asarray(1 + n_above + 0.5 * n_equal, np.float64)
