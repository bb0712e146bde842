"""How good a model is, told without labels: by the words that were hidden from texts it has not seen.

One word of each text of three or more is hidden, and the rest is given a vector q. Words are then ranked by

    log(df) + a z,    z = p . (q - mean q') over the deviation of all these

where q' are the vectors of the texts learnt from: by how often they are used, and by how much more this text
expects them than texts do. Plain frequency is log(df) alone. A model is told by the geometric mean of the
hidden words' ranks, which one very bad rank does not spoil. Settings are compared by z alone: it says more of
which neighbours a text finds, and less of how good a model is beside plain frequency.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.models.language import Language
from tacit.text.weighting import TfidfRows

if TYPE_CHECKING:
    from tacit.training.wtmf import WTMF

Array = NDArray[Any]

HELD_OUT = 0.2
MOST_HELD_OUT = 500
MOST_TEXTS = 20_000
"""The part of the texts that is held out, how many at most, and how many in all are looked at."""

LEAST_GAIN = 1.25
"""What is below this is hardly a gain."""

SHIFT = 0.3
"""a: how far a text moves a word beside its frequency."""

_LEAST_WORDS = 3
_BLOCK = 64  # texts ranked at once


@dataclass(frozen=True)
class HiddenWords:
    """The geometric mean of the ranks of ``n_hidden`` words among ``n_words``, in three ways.

    ``by_model`` is frequency moved by the text, ``by_text`` what the text says alone.
    """

    by_model: float
    by_frequency: float
    by_text: float
    n_hidden: int
    n_words: int

    @property
    def gain(self) -> float:
        """How many times better than plain frequency."""
        return self.by_frequency / self.by_model

    def __str__(self) -> str:
        """One line for people."""
        better = f"{self.gain:.1f} times better" if self.gain > LEAST_GAIN else "hardly better"
        return (
            f"a word hidden from its text ranks {self.by_model:,.0f} of {self.n_words:,} on average, "
            f"by plain frequency {self.by_frequency:,.0f}: {better}"
        )


def predict_hidden_words(trainer: WTMF, texts: list[str], seed: int = 0) -> HiddenWords | None:
    """Train a twin on most of the texts, and ask it for words hidden from the others; None for too few."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(texts))[:MOST_TEXTS]
    n_held = min(int(HELD_OUT * len(order)), MOST_HELD_OUT)
    held, kept = ([texts[i] for i in part] for part in (order[:n_held], order[n_held:]))
    twin = type(trainer)(**{**trainer.get_params(deep=False), "callback": None})
    if not held or not any(text.strip() for text in kept):
        return None
    mean = np.asarray(twin.fit_transform(kept)).mean(axis=0)
    language = twin.model_.pivot
    return ranked_hidden_words(language, mean, language.vectorizer.transform_rows(held), rng)


def ranked_hidden_words(
    language: Language, mean: Array, rows: TfidfRows, rng: np.random.Generator
) -> HiddenWords | None:
    """The ranks of one hidden word of each row of three or more."""
    left, hidden = hide_words(rows, rng)
    if not len(hidden):
        return None
    frequency = np.log(language.vectorizer.words_.df)
    found: list[list[Array]] = [[], [], []]
    vectors = language.fold_in(left)
    words = language.joint_word_vectors
    deviation = float(np.std((vectors[:_BLOCK] - mean) @ words.T)) or 1.0
    for start in range(0, len(hidden), _BLOCK):
        block = slice(start, start + _BLOCK)
        shown = left[block].nonzero()
        z = (vectors[block] - mean) @ words.T / deviation
        for ranked, scores in zip(found, (frequency + SHIFT * z, frequency + 0 * z, z), strict=True):
            ranked.append(ranks(scores, shown, hidden[block]))
    model, plain, text = (float(np.exp(np.mean(np.log(np.concatenate(each))))) for each in found)
    return HiddenWords(model, plain, text, len(hidden), len(frequency))


def hide_words(rows: TfidfRows, rng: np.random.Generator) -> tuple[Any, Array]:
    """The rows of three words or more without one of these, and the columns of those hidden."""
    from scipy.sparse import csr_array

    lengths = np.diff(rows.indptr)
    chosen = np.flatnonzero(lengths >= _LEAST_WORDS)
    places = rows.indptr[chosen] + rng.integers(0, lengths[chosen])
    data = rows.data.copy()
    data[places] = 0
    left = csr_array((data, rows.indices, rows.indptr), rows.shape)[chosen]
    left.eliminate_zeros()
    left.sort_indices()
    return left, rows.indices[places]


def ranks(scores: Array, shown: tuple[Array, Array], hidden: Array) -> NDArray[np.float64]:
    """The rank of each row's hidden column among those that are not shown; equal ones share theirs.

    >>> ranks(np.array([[3.0, 2.0, 1.0]]), (np.array([0]), np.array([0])), np.array([2]))
    array([2.])
    """
    own = scores[np.arange(len(hidden)), hidden]
    scores[shown] = -np.inf
    above = (scores > own[:, None]).sum(axis=1)
    equal = (scores == own[:, None]).sum(axis=1) - 1
    return np.asarray(1 + above + 0.5 * equal, np.float64)
