"""How alike texts are by chance: the scores of random pairs of the training texts.

A bare cosine tells nobody whether two texts are alike. The model keeps, for each measure, the quantiles of
the scores of random pairs of its training texts (not the texts), and says how many of them a score exceeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.sentences.measures import MEASURES, score_pairs
from tacit.sentences.textset import TextSet

if TYPE_CHECKING:
    from tacit.sentences.wtmf import WTMF

SAMPLE = 2000
LONGEST = 2000
PAIRS = 5000
STEPS = 1000
"""Texts kept while training reads them, characters of each, random pairs of these, quantiles of scores."""


class Reservoir:
    """Pass texts on and keep a uniform random sample of them, touching few (Li 1994, algorithm L).

    >>> sample = Reservoir(3)
    >>> sum(1 for _ in sample.watch(map(str, range(1000)))), len(sample.texts)
    (1000, 3)
    """

    def __init__(self, size: int, seed: int = 0) -> None:
        """Start empty."""
        self.size = size
        self.texts: list[str] = []
        self._rng = np.random.default_rng(seed)

    def watch(self, texts: Iterable[str]) -> Iterator[str]:
        """The same texts; when they are all read, ``texts`` holds the sample."""
        keep, following = 1.0, self.size - 1
        for number, text in enumerate(texts):
            if number < self.size:
                self.texts.append(_beginning(text))
            elif number == following:
                self.texts[int(self._rng.integers(self.size))] = _beginning(text)
            if number == following or (number == self.size - 1):
                keep *= float(self._rng.random()) ** (1 / self.size)
                following = number + 1 + int(np.log(self._rng.random()) / np.log1p(-keep))
            yield text


def _beginning(text: Any) -> Any:
    """Enough of a text; what is no text is reported by those who read it next."""
    return text[:LONGEST] if isinstance(text, str) else text


def chance_quantiles(model: WTMF, sample: list[str]) -> NDArray[np.float32]:
    """A row for each measure: the quantiles of its scores on random pairs of the sample."""
    rng = np.random.default_rng(0)
    n = len(sample)
    left = rng.integers(n, size=PAIRS)
    right = (left + rng.integers(1, n, size=PAIRS)) % n
    texts = TextSet(model, sample)
    texts.vectors = model.fold(texts.rows)  # training texts without a known word are nobody's mistake
    points = np.linspace(0, 1, STEPS + 1)
    rows = [np.quantile(score_pairs(texts, left, right, measure), points) for measure in MEASURES]
    return np.array(rows, np.float32)


def percentile(quantiles: NDArray[Any], scores: Any, measure: str) -> NDArray[np.float64]:
    """How many of a hundred random pairs score no higher.

    >>> percentile(np.tile(np.linspace(0, 1, 1001), (7, 1)), [0.0, 0.5, 1.0], "latent").round(1)
    array([  0.1,  50. , 100. ])
    """
    return percentile_in(quantiles[list(MEASURES).index(measure)], scores)


def percentile_in(row: NDArray[Any], scores: Any) -> NDArray[np.float64]:
    """How many of a hundred quantiles, in order, are no higher than each score.

    >>> percentile_in(np.arange(4.0), [1.0, 9.0])
    array([ 50., 100.])
    """
    places = np.searchsorted(row, np.asarray(scores, row.dtype), side="right")
    return np.asarray(100.0 * places / len(row))
