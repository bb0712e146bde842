"""What a model has to beat: chance, the words as they stand, words that begin alike, tf-idf."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.checks import choice
from tacit.compute.cosine import unit_rows
from tacit.errors import InputError, NotFittedError
from tacit.evaluation.scorers import Rows, VectorScorer
from tacit.text.languages import unaccented
from tacit.text.vectorizer import TextVectorizer

_RUN = re.compile(r"[^\W_]+")


class RandomScorer:
    """A number from 0 to 1 for each pair, drawn by seed and the pair's texts, so that it never changes.

    >>> scorer = RandomScorer(seed=1)
    >>> bool(scorer.score_pairs(["a", "b"], ["c", "d"])[1] == scorer.score_pairs(["b"], ["d"])[0])
    True
    """

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        """Keep the seed."""
        self.seed = seed

    def score_pairs(self, a: Sequence[str], b: Sequence[str]) -> NDArray[np.float64]:
        """A random number for each pair."""
        return np.array([self._number(*pair) for pair in zip(a, b, strict=True)])

    def _number(self, a: str, b: str) -> float:
        text = f"{self.seed}\t{a}\t{b}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(text, digest_size=8).digest()) / 2**64


class OverlapScorer(VectorScorer):
    """The cosine of sets of tokens."""

    @abstractmethod
    def tokens(self, text: str) -> set[str]:
        """The tokens of a text, each once."""

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The binary rows of both collections, at length 1."""
        from sklearn.preprocessing import MultiLabelBinarizer

        sets = [self.tokens(text) for text in (*a, *b)]
        rows = unit_rows(MultiLabelBinarizer(sparse_output=True).fit_transform(sets).astype(float))
        return rows[: len(a)], rows[len(a) :]

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has a token."""
        return np.array([bool(self.tokens(text)) for text in texts], dtype=bool)


class SurfaceScorer(OverlapScorer):
    """The official baseline of STS 2012: tokens stand between white space, case and punctuation kept.

    >>> SurfaceScorer().score_pairs(["A cat sat ."], ["a cat slept ."])
    array([0.5])
    """

    name = "surface"

    def tokens(self, text: str) -> set[str]:
        """What stands between white space."""
        return set(text.split())


class PrefixScorer(OverlapScorer):
    """The floor across languages: the first letters of the words, accents aside, as names and cognates share.

    A word is a run of letters and digits: an apostrophe or a decimal point ends it.

    >>> PrefixScorer().score_pairs(["the president spoke"], ["el presidente habló"]).round(2)
    array([0.33])
    """

    name = "prefix"

    def __init__(self, letters: int = 4) -> None:
        """Keep how many letters count."""
        self.letters = letters

    def tokens(self, text: str) -> set[str]:
        """The beginnings of the words."""
        return {word[: self.letters] for word in _RUN.findall(unaccented(text.lower()))}


class TfidfScorer(VectorScorer):
    """The cosine of tf-idf vectors, whose weights are learnt from texts: the IR model of the papers.

    >>> scorer = TfidfScorer(TextVectorizer(min_df=1)).fit(["a cat sat", "a dog sat", "a cat ran"])
    >>> scorer.score_pairs(["cats"], ["the cat"])
    array([1.], dtype=float32)
    """

    name = "ir"
    vectorizer_: TextVectorizer

    def __init__(self, vectorizer: TextVectorizer | None = None) -> None:
        """Keep the vectorizer; by default ``TextVectorizer.paper()``."""
        self.vectorizer = vectorizer

    def fit(self, texts: Iterable[str]) -> Self:
        """Learn how much words weigh."""
        self.learn_words(texts)
        return self

    def learn_words(self, texts: Iterable[str]) -> Rows:
        """Fit a vectorizer of the same parameters, and give the texts' sparse rows."""
        self.vectorizer_ = TextVectorizer(**(self.vectorizer or TextVectorizer.paper()).get_params())
        return self.vectorizer_.fit_transform(texts)

    def weights(self, texts: Sequence[str]) -> Rows:
        """The tf-idf row of each text."""
        if not hasattr(self, "vectorizer_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit(texts) first")
        return self.vectorizer_.transform(texts)

    def encode(self, texts: Sequence[str]) -> Rows:
        """The row of each text, of length 1; zero where no word is known."""
        return unit_rows(self.weights(texts))

    def vectors(self, a: Sequence[str], b: Sequence[str]) -> tuple[Rows, Rows]:
        """The rows of two collections of texts."""
        return self.encode(a), self.encode(b)

    def knows(self, texts: Sequence[str]) -> NDArray[Any]:
        """Whether each text has a known word that weighs something."""
        return np.diff(self.vectorizer_.rows(texts).indptr) > 0


BASELINES: dict[str, Callable[..., Any]] = {
    scorer.name: scorer for scorer in (RandomScorer, SurfaceScorer, PrefixScorer, TfidfScorer)
}
"""By name: what makes the scorer; one with ``fit`` learns from texts."""


def baseline(name: str, texts: Iterable[str] | None = None, **parameters: Any) -> Any:
    """A baseline by name, trained on ``texts`` where it needs training.

    >>> baseline("surface").score_pairs(["a cat"], ["a cat"]).round(4)
    array([1.])
    >>> baseline("ir")
    Traceback (most recent call last):
    tacit.errors.InputError: the baseline 'ir' learns from texts: give some
    """
    scorer = BASELINES[choice("baseline", name, BASELINES)](**parameters)
    if not hasattr(scorer, "fit"):
        return scorer
    if texts is None:
        raise InputError(f"the baseline {name!r} learns from texts: give some")
    return scorer.fit(texts)
