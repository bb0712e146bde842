"""Latent Dirichlet Allocation by Gibbs sampling, through tomotopy (group ``papers``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.errors import InputError, TacitError
from tacit.evaluation.baselines import TfidfScorer
from tacit.text.interning import intern_texts
from tacit.text.languages import normalizer
from tacit.text.vectorizer import TextVectorizer


class LDAScorer(TfidfScorer):
    """The cosine of texts whose vector is the mean of P(z|w) over their words, weighed by tf-idf.

    As in Guo & Diab (ACL 2012): a text's own topic distribution serves short texts badly, so the words'
    distributions are averaged. P(z|w) is proportional to P(w|z) P(z), and is itself averaged over the last
    ten iterations. The priors stay as given: they are not learnt. The paper runs 5,000 iterations.

    A chain that was sampled for fewer iterations with the same choices is taken further: the bits are those
    of sampling at once.

    Parameters
    ----------
    n_components : the number of topics.
    vectorizer : by default ``TextVectorizer.paper()``.
    alpha, beta : the priors of topics in a text and of words in a topic.
    n_iter : iterations of Gibbs sampling.
    n_averaged : of how many iterations, the last ones, P(z|w) is the mean.
    random_state : the seed; the result is the same for the same ``n_threads`` only, so that is 1 by default.

    Attributes
    ----------
    word_vectors_ : P(z|w), words x n_components.
    """

    name = "lda"
    word_vectors_: NDArray[np.float32]

    def __init__(
        self,
        n_components: int = 100,
        vectorizer: TextVectorizer | None = None,
        alpha: float = 0.05,
        beta: float = 0.05,
        n_iter: int = 500,
        random_state: int = 0,
        n_threads: int = 1,
        n_averaged: int = 10,
    ) -> None:
        """Keep the choices; ``fit`` checks them."""
        super().__init__(vectorizer)
        self.n_averaged = n_averaged
        self.n_components = n_components
        self.alpha = alpha
        self.beta = beta
        self.n_iter = n_iter
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, texts: Iterable[str], chain: Chain | None = None) -> Self:
        """Sample topics, and learn P(z|w); ``chain`` is taken further, and is then where this one ends."""
        check_tomotopy()
        for name in ("n_components", "n_iter", "n_averaged"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"{name}={value!r}: give a whole number from 1")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < np.inf:
                raise InputError(f"{name}={getattr(self, name)!r}: give a number above 0; the paper has .05")
        texts = list(texts)
        self.learn_words(texts)
        chain = Chain() if chain is None else chain
        if chain.model is None or chain.iterations > self.n_iter - self._last:
            chain.model, chain.iterations = self._started(texts), 0
        self.word_vectors_ = self._sampled(chain)
        return self

    def _started(self, texts: list[str]) -> Any:
        tomotopy = import_module("tomotopy")
        model = tomotopy.LDAModel(
            k=self.n_components, alpha=self.alpha, eta=self.beta, seed=self.random_state
        )
        model.optim_interval = 0  # tomotopy would learn alpha
        for words in self._words(texts):
            if words:
                model.add_doc(words)
        return model

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The mean of the words' P(z|w) weighed by tf-idf, at length 1."""
        return cosine.unit(np.asarray(self.weights(texts) @ self.word_vectors_))

    def _words(self, texts: list[str]) -> Iterator[list[str]]:
        """The known words of each text, in order, as their columns' numbers."""
        fitted = self.vectorizer_
        seen = intern_texts(texts, fitted.tokenizer)
        columns = fitted.words_.columns(seen.tokens, normalizer(fitted.language, fitted.normalize))
        names = np.array([str(column) for column in range(len(fitted.words_))], dtype=object)
        for words in np.split(columns[seen.ids], np.cumsum(seen.counts)[:-1]):
            yield names[words[words >= 0]].tolist()

    @property
    def _last(self) -> int:
        return min(self.n_averaged, self.n_iter)

    def _sampled(self, chain: Chain) -> NDArray[np.float32]:
        """Run the sampler; the mean of P(z|w) after each of the last iterations."""
        model, first = chain.model, self.n_iter - self._last - chain.iterations
        if first:
            model.train(first, workers=self.n_threads)
        total = np.zeros((len(self.vectorizer_.words_), self.n_components))
        for _ in range(self._last):
            model.train(1, workers=self.n_threads)
            columns = np.array([int(word) for word in model.used_vocabs])
            total[columns] += topics_of_words(model)
        chain.iterations = self.n_iter
        sums = total.sum(axis=1, keepdims=True)
        mean = np.divide(total, sums, out=np.zeros_like(total), where=sums > 0)
        return np.asarray(mean, dtype=np.float32)


@dataclass
class Chain:
    """A sampler, and how many iterations it has run."""

    model: Any = None
    iterations: int = 0


def topics_of_words(model: Any) -> NDArray[np.float64]:
    """P(z|w), a row a word: P(w|z) P(z), where P(z) is the share of the words that topic z has."""
    of_topics = np.array([model.get_topic_word_dist(topic) for topic in range(model.k)], dtype=np.float64)
    joint = of_topics.T * np.asarray(model.get_count_by_topics(), dtype=np.float64)
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def check_tomotopy() -> None:
    """Say what to install where LDA's sampler is absent."""
    if find_spec("tomotopy") is None:
        raise TacitError("LDA needs tomotopy: pip install --group papers")
