"""Scorers of text pairs: trained models and baselines."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import normalize_sparse_rows
from tacit.errors import InputError
from tacit.models.measures import DEFAULT_MEASURE, get_measure
from tacit.models.text_model import TextModel, as_text_model
from tacit.models.text_set import TextSet
from tacit.text.normalization import strip_accents

TextMatrix = Any
"""A dense array or a sparse CSR matrix, one row per text."""

_WORD = re.compile(r"[^\W_]+")


class PairScorer(Protocol):
    """Scores how similar two texts are, on any scale.

    A scorer may have two more methods. ``with_languages(a, b)`` returns the same scorer for first texts in
    language ``a`` and second texts in language ``b``, so that the languages are not detected.
    ``has_known_words(texts)`` returns whether each text has a known word with a weight above 0; texts without
    one score 0 and are counted.
    """

    @property
    def name(self) -> str:
        """The name of the scorer in tables."""

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """Score each text of ``a`` with the text of ``b`` at the same index."""


class VectorScorer(ABC):
    """A scorer that represents each text by a vector; the score is the inner product."""

    name: str

    @abstractmethod
    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """Return the vectors of two collections of texts in one common space."""

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """Score each text of ``a`` with the text of ``b`` at the same index."""
        if len(a) != len(b):
            raise InputError(f"{len(a)} and {len(b)} texts: give the same number on both sides")
        rows_a, rows_b = self.vectors(a, b)
        if isinstance(rows_a, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", rows_a, rows_b))
        return np.asarray(rows_a.multiply(rows_b).sum(axis=1)).ravel()


@dataclass(eq=False)
class RandomScorer:
    """A number from 0 to 1 that depends only on the seed and the two texts.

    >>> scorer = RandomScorer(seed=1)
    >>> bool(scorer.score_pairs(["a", "b"], ["c", "d"])[1] == scorer.score_pairs(["b"], ["d"])[0])
    True
    """

    seed: int = 0
    name = "random"

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[np.float64]:
        """Return a random number for each pair."""
        return np.array([self._random_number(*pair) for pair in zip(a, b, strict=True)])

    def _random_number(self, a: str, b: str) -> float:
        text = f"{self.seed}\t{a}\t{b}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(text, digest_size=8).digest()) / 2**64


class OverlapScorer(VectorScorer):
    """The cosine of sets of tokens."""

    @abstractmethod
    def tokens(self, text: str) -> set[str]:
        """Return the distinct tokens of a text."""

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[TextMatrix, TextMatrix]:
        """Return the binary token vectors of both collections, normalized to length 1."""
        from sklearn.preprocessing import MultiLabelBinarizer

        sets = [self.tokens(text) for text in (*a, *b)]
        binary = MultiLabelBinarizer(sparse_output=True).fit_transform(sets)
        rows = normalize_sparse_rows(binary.astype(float))
        return rows[: len(a)], rows[len(a) :]

    def has_known_words(self, texts: Sequence[str]) -> NDArray[Any]:
        """Return whether each text has a token."""
        return np.array([bool(self.tokens(text)) for text in texts], dtype=bool)


@dataclass(eq=False)
class PrefixScorer(OverlapScorer):
    """Baseline across languages: overlap of the first letters of words, which names and cognates share.

    Accents are removed. A word is a sequence of letters and digits: an apostrophe or a decimal point ends it.

    >>> PrefixScorer().score_pairs(["the president spoke"], ["el presidente habló"]).round(2)
    array([0.33])
    """

    letters: int = 4
    name = "prefix"

    def tokens(self, text: str) -> set[str]:
        """Return the first letters of each word."""
        return {word[: self.letters] for word in _WORD.findall(strip_accents(text.lower()))}


@dataclass(eq=False)
class ModelScorer:
    """A trained model with one of its measures, and its name in tables.

    ``languages`` are those of the two sides; None to detect them.

    >>> from tacit import WTMF
    >>> texts = ["a cat sleeps on the mat", "the kitten sleeps", "a kitten is a young cat",
    ...          "stocks fell sharply", "the market fell", "stocks trade on the market"]
    >>> scorer = ModelScorer(WTMF().fit(texts), measure="latent")
    >>> scorer.score_pairs(["my cat", "my cat"], ["kittens", "markets"]).round(1)
    array([1., 0.])
    """

    model: Any
    name: str = "tacit"
    measure: str = DEFAULT_MEASURE
    languages: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        """Wrap a model that is not a ``TextModel``."""
        self.model = as_text_model(self.model)

    def with_languages(self, a: str, b: str) -> ModelScorer:
        """Return a scorer for these languages of the two sides; a model of one language ignores them."""
        return self if len(self.model.languages) == 1 else replace(self, languages=(a, b))

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[Any]:
        """Score each text of ``a`` with the text of ``b`` at the same index."""
        languages = self.languages or (None, None)
        return np.asarray(self.model.similarity_pairwise(a, b, self.measure, *languages))

    def has_known_words(self, texts: Sequence[str]) -> NDArray[Any]:
        """Return whether each text can be compared: it has a known word, or any word for spellings."""
        languages = dict.fromkeys(self.languages or (None,))
        sets = [TextSet.from_texts(self.model, texts, language) for language in languages]
        if get_measure(self.measure).needs_known_words:
            return np.asarray(np.any([text_set.n_known > 0 for text_set in sets], axis=0))
        return np.asarray(sets[0].lengths > 0)


def make_pair_scorers(model: TextModel, measure: str) -> list[Any]:
    """Make scorers of a model with ``measure``, latent and lexical measure, and of the baselines."""
    ours = [ModelScorer(model, name, name) for name in dict.fromkeys([measure, "latent", "lexical"])]
    prefix = [PrefixScorer()] if len(model.languages) > 1 else []
    return [*ours, *prefix, RandomScorer()]


def has_known_words(scorer: Any, texts: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each text has a known word; for a scorer without the method, whether it is not blank.

    >>> has_known_words(object(), ["a cat", " "]).tolist()
    [True, False]
    """
    if hasattr(scorer, "has_known_words"):
        return np.asarray(scorer.has_known_words(texts), dtype=bool)
    return np.array([bool(text.strip()) for text in texts], dtype=bool)


def score_known_pairs(
    scorer: PairScorer, a: Sequence[str], b: Sequence[str], languages: tuple[str, str] | None = None
) -> tuple[NDArray[np.float64], int]:
    """Return the scores of pairs, 0 where a text has no known word, and the number of such texts.

    ``languages`` of the two sides are passed on to a scorer that accepts them.
    """
    if languages is not None and hasattr(scorer, "with_languages"):
        scorer = scorer.with_languages(*languages)
    scores = np.asarray(scorer.score_pairs(a, b), dtype=np.float64)
    if scores.shape != (len(a),):
        raise InputError(f"{scorer.name} gave scores of shape {scores.shape} for {len(a)} pairs")
    known_a, known_b = has_known_words(scorer, a), has_known_words(scorer, b)
    unknown = np.count_nonzero(~known_a) + np.count_nonzero(~known_b)
    scores = np.where(known_a & known_b, scores, 0.0)
    if not np.isfinite(scores).all():
        row = int(np.argmin(np.isfinite(scores)))
        raise InputError(f"{scorer.name} gave {scores[row]} for pair {row + 1}: give finite scores")
    return scores, int(unknown)
