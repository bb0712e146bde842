"""The global model: senses are clusters of words that share features, told apart by latent dimensions."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.senses.answers import Candidate, Disambiguation, Evidence, Sense
from tacit.senses.base import Callback, SenseInducer
from tacit.senses.checks import number, whole
from tacit.senses.collect import Collector, Occurrence
from tacit.senses.extract import contents, targets
from tacit.senses.induction import Clusters
from tacit.senses.interleaved import InterleavedNMF
from tacit.senses.inventory import Inventory
from tacit.senses.kmeans import spherical_kmeans
from tacit.senses.matrices import Observations
from tacit.senses.mixture import posterior
from tacit.senses.reading import occurrence_of
from tacit.senses.space import loads

if TYPE_CHECKING:
    from tacit.storage import Stored

Array = NDArray[Any]
SELECTIONS = ("conservative", "liberal")
N_SHOWN = 8
SMOOTHING = 1e-6
"""Added to every dimension of a profile, so that no divergence is infinite."""
FREQUENCY = 0.01
"""How much a sense gains by being frequent: its divergence less so many times log of its weight."""
LEAST = 1e-3
"""The weight of a sense that no sampled occurrence has, so that it is not impossible."""


class SenseModel(SenseInducer):
    """Induces the senses of words by interleaved factorization (Van de Cruys & Apidianaki, ACL 2011).

    Parameters
    ----------
    selection : "liberal" takes the next best cluster as a sense down to ``threshold``; "conservative" only
        one that fits what is left of the word better than its dominant sense.
    threshold : the smallest cosine of a liberal sense.
    n_clusters : of k-means over the words.
    n_salient : how many dimensions are switched off for each sense found; None for 3 where the selection is
        liberal and 1 where it is conservative.
    max_senses : no word gets more.
    pos : "noun" or "verb" where the text is parsed; None for all words.
    language, normalize : how the words of plain texts are brought to one form.
    stop_words : "english", a list, or None; terms in more than ``max_df`` of the passages are left out too.
    n_words, n_features, n_contexts : how many of each are kept, the most frequent, seen ``min_count`` times.
    n_components, n_iter : of the factorization.
    random_state, n_threads, callback : the seed; None for every core; called with what, how many, divergence.

    >>> money = ["the bank lent money to the firm", "money from the bank and interest on a loan"] * 20
    >>> river = ["the bank of the river is steep and green", "water on the green bank of a river"] * 20
    >>> model = SenseModel(n_components=2, n_clusters=4, n_iter=20, max_df=1.0).fit(money + river)
    >>> model.disambiguate("bank", "they lent money at the bank").word
    'bank'
    """

    def __init__(
        self,
        selection: str = "liberal",
        threshold: float = 0.12,
        n_clusters: int = 600,
        n_salient: int | None = None,
        max_senses: int = 8,
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
        self.selection = selection
        self.threshold = threshold
        self.n_clusters = n_clusters
        self.n_salient = n_salient
        self.max_senses = max_senses
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

    _RESULT = "inventory_"
    inventory_: Inventory

    @property
    def words_(self) -> Collection[str]:
        """The terms whose senses are known."""
        return self.inventory_.spans.keys()

    def senses(self, word: str) -> list[Sense]:
        """The senses of a word, the most frequent first; a word with one sense has one."""
        term = self._known(word)
        found = self.inventory_.word(term)
        order = sorted(range(len(found.profiles)), key=lambda i: (-found.weights[i], i))
        return [
            Sense(
                number=i,
                weight=float(found.weights[i]),
                words=[self.space_.surface(name) for name in found.members[i]],
                topics=[self.space_.topic(k) for k in np.argsort(-found.profiles[i], kind="stable")[:2]],
                examples=found.examples[i],
            )
            for i in order
        ]

    def decide(self, occurrence: Occurrence, term: str) -> Disambiguation:
        """Which sense an occurrence has: the one whose profile diverges least from the context's.

        A frequent sense is favoured a little; while occurrences are being weighed, none is.
        """
        known, counts = self.space_.around(occurrence.contents, occurrence.place, term)
        if not known:
            raise InputError(f"no context word of {occurrence.text!r:.60} is known: give more text around it")
        context = smooth(self.space_.fold(known, counts))
        profiles = smooth(self.inventory_.word(term).profiles)
        gains = FREQUENCY * np.log(np.maximum(self.inventory_.word(term).weights, LEAST))
        divergences = (context * np.log(context / profiles)).sum(axis=1) - gains
        # n context words drawn from a profile have the likelihood exp(-n divergence), but for a constant
        shares = posterior(-counts.sum() * divergences[None])[0]
        order = np.argsort(divergences, kind="stable")
        candidates = [Candidate(int(i), float(divergences[i]), float(shares[i])) for i in order]
        return Disambiguation(term, candidates, known, self._evidence(known, counts, profiles, gains, order))

    def _evidence(
        self, known: list[str], counts: Array, profiles: Array, gains: Array, order: Array
    ) -> list[Evidence]:
        """What each context word, and how frequent the senses are, adds to the lead of the best."""
        if len(order) < 2:
            return []
        ratio = np.log(profiles[order[0]] / profiles[order[1]])
        loads = self.space_.context_loads[[self.space_.index[term] for term in known]]
        weights = counts / counts.sum() * (loads @ ratio)
        found = [
            *zip(weights.tolist(), known, strict=True),
            (float(gains[order[0]] - gains[order[1]]), "(frequency)"),
        ]
        pairs = sorted(found, key=lambda pair: (-abs(pair[0]), pair[1]))
        return [Evidence(word, weight) for weight, word in pairs]

    def _induce(
        self,
        observed: Observations,
        factors: InterleavedNMF,
        collected: Collector,
        asked: list[str] | None,
    ) -> None:
        labels = spherical_kmeans(observed.A, self.n_clusters, seed=self.random_state)
        clusters = Clusters(observed.A, labels, loads(factors.features_))
        self.induce_from(clusters, observed, collected, asked)

    def induce_from(
        self, clusters: Clusters, observed: Observations, collected: Collector, asked: list[str] | None
    ) -> None:
        """Find the senses of words in clusters already made, and which examples they have."""
        places = {word: row for row, word in enumerate(observed.words)}
        threshold = self.threshold if self.selection == "liberal" else None
        n_salient = self.n_salient or (1 if threshold is None else 3)
        wanted = observed.words if asked is None else list(dict.fromkeys(asked))
        found = {
            word: clusters.induce(places[word], threshold, n_salient, self.max_senses) for word in wanted
        }
        self.inventory_ = Inventory.of(found, clusters.labels, observed, N_SHOWN)
        samples = collected.samples if asked is not None else _examples(collected, set(wanted))
        self.inventory_.weigh(samples, self.space_, self.decide)

    def _check(self, words: Collection[str] | None) -> None:
        super()._check(words)
        if self.selection not in SELECTIONS:
            raise InputError(f"selection={self.selection!r}: use one of {', '.join(SELECTIONS)}")
        number("threshold", self.threshold, 0, 1)
        whole("n_clusters", self.n_clusters, 2, 1_000_000)
        if self.n_salient is not None:
            whole("n_salient", self.n_salient, 1, 10_000)
        whole("max_senses", self.max_senses, 1, 1_000)

    def to_stored(self) -> Stored:
        """The model as plain arrays, numbers and words."""
        from tacit.senses.stored import stored_global

        return stored_global(self)

    @classmethod
    def from_stored(cls, stored: Stored) -> SenseModel:
        """Rebuild a model from what ``tacit.storage`` has read and checked."""
        from tacit.senses.stored import restore_global

        return restore_global(cls, stored)


def smooth(profiles: Array) -> Array:
    """Distributions in which nothing is impossible."""
    raised = profiles + SMOOTHING
    smoothed: Array = raised / raised.sum(axis=-1, keepdims=True)
    return smoothed


def _examples(collected: Collector, words: set[str], most: int = 20) -> dict[str, list[Occurrence]]:
    """Occurrences of words in the passages that were kept."""
    found: dict[str, list[Occurrence]] = {}
    for passage in collected.passages:
        kept = contents(passage)
        for place in targets(passage, kept, collected.pos):
            if kept[place] in words and len(found.setdefault(kept[place], [])) < most:
                found[kept[place]].append(occurrence_of(passage, place))
    return found
