"""Latent Dirichlet Allocation by Gibbs sampling, and the text similarity of Guo & Diab based on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from papers.baselines.gibbs import State
from papers.baselines.scorers import TfidfScorer
from tacit.compute import cosine
from tacit.errors import InputError
from tacit.text.normalization import make_normalizer
from tacit.text.vectorizer import TextVectorizer


class LDAScorer(TfidfScorer):
    """Cosine of text vectors that are tf-idf weighted means of P(z|w) over their words.

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
    random_state : the seed.

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
        n_averaged: int = 10,
    ) -> None:
        """Store the parameters; ``fit`` checks them."""
        super().__init__(vectorizer)
        self.n_averaged = n_averaged
        self.n_components = n_components
        self.alpha = alpha
        self.beta = beta
        self.n_iter = n_iter
        self.random_state = random_state

    def fit(self, texts: Iterable[str], chain: GibbsChain | None = None) -> Self:
        """Sample topics and estimate P(z|w); ``chain`` is continued and updated."""
        for name in ("n_components", "n_iter", "n_averaged"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"{name}={value!r}: give a whole number from 1")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < np.inf:
                raise InputError(f"{name}={getattr(self, name)!r}: give a number above 0; the paper has .05")
        texts = list(texts)
        self.learn_words(texts)
        chain = GibbsChain() if chain is None else chain
        if not chain.begun or chain.iterations > self.n_iter - self._last:
            chain.begin(
                *self._words(texts), len(self.vectorizer_.words_), self.n_components, self.random_state
            )
        self.word_vectors_ = self._sampled(chain)
        return self

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the means of P(z|w) of the words, weighted by tf-idf and normalized to length 1."""
        return cosine.normalize_rows(np.asarray(self.weights(texts) @ self.word_vectors_))

    def _words(self, texts: list[str]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the columns of the known words of all texts, and their number in each text."""
        fitted = self.vectorizer_
        tokenized = fitted.tokenize(texts)
        columns = fitted.words_.lookup_columns(
            tokenized.tokens, make_normalizer(fitted.language, fitted.normalize)
        )[tokenized.ids]
        text = np.repeat(np.arange(len(texts)), tokenized.lengths)
        return columns[columns >= 0], np.bincount(text[columns >= 0], minlength=len(texts))

    @property
    def _last(self) -> int:
        return min(self.n_averaged, self.n_iter)

    def _sampled(self, chain: GibbsChain) -> NDArray[np.float32]:
        """Run the sampler, and return the mean of P(z|w) over the last iterations."""
        chain.run(self.n_iter - self._last, self.alpha, self.beta)
        total = np.zeros((len(self.vectorizer_.words_), self.n_components))
        while chain.iterations < self.n_iter:
            chain.run(chain.iterations + 1, self.alpha, self.beta)
            total += word_topic_distribution(chain.state.word_topic_counts, self.beta)
        return np.asarray(total / self._last, dtype=np.float32)


class GibbsChain:
    """A sampler with the number of its iterations."""

    state: State

    def __init__(self) -> None:
        """Create a chain without a state; ``begin`` initializes it."""
        self.begun = False
        self.iterations = 0

    def begin(
        self, words: NDArray[Any], lengths: NDArray[Any], n_words: int, n_topics: int, seed: int
    ) -> None:
        """Draw the initial topics."""
        self._rng = np.random.default_rng(seed)
        self.state = State.from_texts(words, lengths, n_words, n_topics, self._rng)
        self.begun, self.iterations = True, 0

    def run(self, n_iter: int, alpha: float, beta: float) -> None:
        """Continue up to ``n_iter`` iterations in all."""
        while self.iterations < n_iter:
            self.state.sweep(alpha, beta, self._rng)
            self.iterations += 1


def word_topic_distribution(word_topic_counts: NDArray[Any], beta: float) -> NDArray[np.float64]:
    """Return P(z|w), one row per word, from P(w|z) P(z), where P(z) is the share of the tokens with topic z.

    >>> word_topic_distribution(np.array([[3, 0], [0, 1]]), beta=1.0).round(3)
    array([[0.878, 0.122],
           [0.474, 0.526]])
    """
    totals = word_topic_counts.sum(axis=0, dtype=np.float64)
    joint = (word_topic_counts + beta) / (totals + len(word_topic_counts) * beta) * totals
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))
