"""How alike two texts are: several measures behind one call, each over many pairs at once.

| name | what it compares |
|---|---|
| ``latent`` | the cosine of the latent vectors, the paper's measure |
| ``inner`` | their inner product |
| ``lexical`` | the cosine of the tf-idf weights of the words they share |
| ``ngram`` | the cosine of their runs of one to three words |
| ``characters`` | the cosine of the runs of three to five letters within their words |
| ``alignment`` | each word with its best partner, see ``alignment`` |
| ``blend`` | a third latent, two thirds alignment |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import pairwise
from tacit.compute.threads import ranges, run, usable_threads
from tacit.errors import InputError
from tacit.sentences.alignment import alignment
from tacit.sentences.runs import letter_runs, word_runs
from tacit.sentences.textset import TextSet

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[Any]
Measure = Callable[[TextSet, Array, Array], Array]

BLEND = {"latent": 1 / 3, "alignment": 2 / 3}
_PAIRS = 4096  # compared at once by a thread


def latent(texts: TextSet, left: Array, right: Array) -> Array:
    """The cosine of the latent vectors."""
    return pairwise(texts.vectors[left], texts.vectors[right])


def inner(texts: TextSet, left: Array, right: Array) -> Array:
    """The inner product of the latent vectors; the only measure that is not from -1 to 1."""
    products: Array = np.einsum("ij,ij->i", texts.vectors[left], texts.vectors[right])
    return products


def lexical(texts: TextSet, left: Array, right: Array) -> Array:
    """The cosine of the tf-idf weights."""
    from scipy.sparse import csr_array

    rows = texts.rows
    return _sparse_cosine(csr_array((rows.data, rows.indices, rows.indptr), rows.shape), left, right)


def ngram(texts: TextSet, left: Array, right: Array) -> Array:
    """The cosine of the runs of one to three words."""
    return _sparse_cosine(word_runs(texts, 1, 3), left, right)


def characters(texts: TextSet, left: Array, right: Array) -> Array:
    """The cosine of the runs of three to five letters."""
    return _sparse_cosine(letter_runs(texts, 3, 5), left, right)


def blend(texts: TextSet, left: Array, right: Array) -> Array:
    """One part latent, two parts alignment: what the vectors say, and what the words say to each other."""
    parts = [weight * MEASURES[part](texts, left, right) for part, weight in BLEND.items()]
    return np.sum(parts, axis=0)  # type: ignore[no-any-return]


def least_latent(threshold: float) -> float:
    """The least latent cosine of a pair whose blend reaches a threshold, for no alignment is above 1.

    >>> round(least_latent(0.95), 6)
    0.85
    """
    return (threshold - BLEND["alignment"]) / BLEND["latent"]


MEASURES: dict[str, Measure] = {
    "latent": latent,
    "inner": inner,
    "lexical": lexical,
    "ngram": ngram,
    "characters": characters,
    "alignment": alignment,
    "blend": blend,
}


def check_measure(measure: str) -> None:
    """Raise an error that lists the measures there are, if this is none."""
    if measure not in MEASURES:
        raise InputError(f"measure={measure!r}: use one of {', '.join(MEASURES)}")


def score_pairs(texts: TextSet, left: Array, right: Array, measure: str) -> Array:
    """The measure of text ``left[i]`` with text ``right[i]``, for every i, on the model's threads."""
    check_measure(measure)
    return in_blocks(MEASURES[measure], texts, left, right, usable_threads(texts.model.n_threads))


def in_blocks(
    compare: Callable[[Any, Array, Array], Array], texts: Any, left: Array, right: Array, n_threads: int
) -> Array:
    """What ``compare`` says of every pair of a set of texts, block by block, on some threads."""
    if not len(left):
        return np.zeros(0)
    compare(texts, left[:1], right[:1])  # what all pairs share is made once, before threads start
    parts = run(
        lambda block: compare(texts, left[block[0] : block[1]], right[block[0] : block[1]]),
        ranges(len(left), _PAIRS),
        n_threads,
    )
    return np.concatenate(parts).astype(np.float64)


def _sparse_cosine(X: csr_array, left: Array, right: Array) -> Array:
    a, b = X[left], X[right]
    shared = np.asarray(a.multiply(b).sum(axis=1)).ravel()
    lengths = np.sqrt(
        np.asarray(a.multiply(a).sum(axis=1)).ravel() * np.asarray(b.multiply(b).sum(axis=1)).ravel()
    )
    cosines: Array = np.divide(shared, lengths, out=np.zeros(len(shared)), where=lengths > 0)
    return np.clip(cosines, -1, 1)
