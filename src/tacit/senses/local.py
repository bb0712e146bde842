"""The local model: the senses of a word are the components of a mixture over its own contexts."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.senses.answers import Candidate, Disambiguation, Evidence, Sense
from tacit.senses.base import Callback, SenseInducer
from tacit.senses.checks import number, whole
from tacit.senses.collect import Collector, Occurrence
from tacit.senses.interleaved import InterleavedNMF
from tacit.senses.localfeatures import Columns, Weights
from tacit.senses.matrices import Observations
from tacit.senses.wordmixture import WordMixture, choose_senses, fit_word, is_content

if TYPE_CHECKING:
    from tacit.storage import Stored

Array = NDArray[Any]


class LocalSenseModel(SenseInducer):
    """Induces the senses of chosen words, each from its own contexts, by a mixture per word.

    A context is its content words, near ones more, the terms beside the word, its grammatical features where
    the text is parsed, and the latent topics of the context, from the same interleaved factorization
    as :class:`SenseModel`.

    Parameters
    ----------
    n_senses : the number of senses a word has at most; None lets held-out contexts choose from 1 to 8.
    prior : the Dirichlet prior of the mixture, in counts a feature.
    topic_weight : how many counts the latent topics of a context are worth.
    max_contexts : learn from at most so many contexts of a word, a random sample.
    n_restarts : so many mixtures are fitted, and what they agree on is kept.

    The other parameters are those of :class:`SenseModel`.

    >>> money = ["the bank lent money to the firm", "money from the bank and interest on a loan"] * 20
    >>> river = ["the bank of the river is steep and green", "water on the green bank of a river"] * 20
    >>> model = LocalSenseModel(n_senses=2, n_components=2, n_iter=20, max_df=1.0)
    >>> model = model.fit(money + river, words=["bank"])
    >>> texts = ["lent money by a bank", "a green river bank"]
    >>> said = [model.disambiguate("bank", text).sense for text in texts]
    >>> said[0] != said[1]
    True
    """

    def __init__(
        self,
        n_senses: int | None = 8,
        prior: float = 0.3,
        topic_weight: float = 8.0,
        max_contexts: int = 2_000,
        n_restarts: int = 8,
        pos: str | None = None,
        language: str | None = "en",
        normalize: str = "stem",
        stop_words: Collection[str] | str | None = "english",
        n_words: int = 5_000,
        n_features: int = 80_000,
        n_contexts: int = 2_000,
        n_components: int = 50,
        n_iter: int = 50,
        min_count: int = 3,
        max_df: float = 0.4,
        random_state: int = 0,
        n_threads: int | None = None,
        callback: Callback | None = None,
    ) -> None:
        """Store the parameters; ``fit`` checks them."""
        self.n_senses = n_senses
        self.prior = prior
        self.topic_weight = topic_weight
        self.max_contexts = max_contexts
        self.n_restarts = n_restarts
        self.pos = pos
        self.language = language
        self.normalize = normalize
        self.stop_words = stop_words
        self.n_words = n_words
        self.n_features = n_features
        self.n_contexts = n_contexts
        self.n_components = n_components
        self.n_iter = n_iter
        self.min_count = min_count
        self.max_df = max_df
        self.random_state = random_state
        self.n_threads = n_threads
        self.callback = callback

    _RESULT = "mixtures_"
    mixtures_: dict[str, WordMixture]

    @property
    def words_(self) -> Collection[str]:
        """The terms whose senses are known."""
        return self.mixtures_.keys()

    @property
    def weights(self) -> Weights:
        """How much each part of a context counts."""
        return Weights(topics=self.topic_weight)

    def senses(self, word: str) -> list[Sense]:
        """The senses of a word, the most frequent first; a word with one sense has one."""
        mixture = self.mixtures_[self._known(word)]
        order = np.argsort(-mixture.shares, kind="stable").tolist()
        return [
            Sense(
                number=i,
                weight=float(mixture.shares[i]),
                words=[self.space_.surface(term) for term in mixture.typical(i)],
                topics=[self.space_.topic(k) for k in mixture.dimensions(i)],
                examples=mixture.examples[i],
            )
            for i in order
            if mixture.shares[i] > 0
        ]

    def decide(self, occurrence: Occurrence, term: str) -> Disambiguation:
        """Which sense an occurrence has: the component of the largest posterior.

        The divergence of a candidate is -log of its posterior's joint, less the smallest possible constant.
        """
        mixture = self.mixtures_[term]
        row = mixture.columns.row(occurrence, self.space_, self.weights)
        known = [name for name in row if is_content(name)]
        if all(name.startswith("#") for name in row):
            raise InputError(f"no context word of {occurrence.text!r:.60} is known: give more text around it")
        joint, shares = mixture.decide(row)
        order = np.argsort(-joint, kind="stable")
        candidates = [Candidate(int(i), float(joint.max() - joint[i]), float(shares[i])) for i in order]
        evidence = [Evidence(name, weight) for name, weight in mixture.evidence(row, order)]
        return Disambiguation(term, candidates, known, evidence)

    def _induce(
        self,
        observed: Observations,
        factors: InterleavedNMF,
        collected: Collector,
        asked: list[str] | None,
    ) -> None:
        self.induce_from(collected.samples, asked or [])

    def induce_from(self, samples: dict[str, list[Occurrence]], asked: list[str]) -> None:
        """Fit a mixture for each word, once the latent space is there."""
        found: dict[str, WordMixture] = {}
        for done, word in enumerate(dict.fromkeys(asked), 1):
            columns, X = Columns.learn(samples[word], self.space_, self.weights)
            options = (self.prior, self.n_restarts, self.random_state, usable_threads(self.n_threads))
            n_senses = self.n_senses or choose_senses(X, *options)
            found[word] = fit_word(samples[word], columns, X, n_senses, *options)
            if self.callback is not None:
                self.callback("words", done, float("nan"))
        self.mixtures_ = found

    @property
    def _n_samples(self) -> int:
        return self.max_contexts

    def _check(self, words: Collection[str] | None) -> None:
        super()._check(words)
        if not words:
            raise InputError("LocalSenseModel learns each word by itself: name the words, words=[...]")
        if self.n_senses is not None:
            whole("n_senses", self.n_senses, 1, 1_000)
        number("prior", self.prior, 0, 1e6)
        number("topic_weight", self.topic_weight, 0, 1e6)
        whole("max_contexts", self.max_contexts, 2, 10_000_000)
        whole("n_restarts", self.n_restarts, 1, 1_000)

    def to_stored(self) -> Stored:
        """The model as plain arrays, numbers and words."""
        from tacit.senses.stored import stored_local

        return stored_local(self)

    @classmethod
    def from_stored(cls, stored: Stored) -> LocalSenseModel:
        """Rebuild a model from what ``tacit.storage`` has read and checked."""
        from tacit.senses.stored import restore_local

        return restore_local(cls, stored)
