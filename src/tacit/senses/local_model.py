"""The local model: the senses of a word are the components of a mixture over its own contexts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_float, check_int
from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.factorize.mixture import Mixture, agreed_mixture, choose_n_components, posterior
from tacit.senses.answers import Disambiguation, candidates, strongest
from tacit.senses.counting import Collector, Observations
from tacit.senses.features import Occurrence
from tacit.senses.inducer import N_EXAMPLES, SenseInducer
from tacit.senses.local_features import Columns, Weights
from tacit.senses.topics import InterleavedNMF

if TYPE_CHECKING:
    from tacit.senses.serialization import Row, Table
    from tacit.storage.stored_model import ArrayReader

Array = NDArray[Any]
MOST_SENSES = 8
"""Among so many the number of senses is chosen where none is given."""


@dataclass(frozen=True)
class MixtureSenses:
    """The components of a word's contexts with their shares of the contexts, and examples of each.

    ``background`` holds the logarithm of each column's share in all contexts.
    """

    columns: Columns
    mixture: Mixture
    weights: Array
    background: Array
    examples: list[list[str]]

    def numbers(self) -> list[int]:
        """The senses there are, by number; a component that no context belongs to is none."""
        return [int(i) for i in np.flatnonzero(self.weights > 0)]

    def typical(self, sense: int, k: int = 8) -> list[str]:
        """The content words that speak most for a sense, by the likelihood they add over all contexts."""
        gain = self._gain(sense)
        names = (self.columns.names[i] for i in np.argsort(-gain, kind="stable") if gain[i] > 0)
        return list(islice(filter(is_content, names), k))

    def dimensions(self, sense: int, k: int = 2) -> list[int]:
        """The latent dimensions that stand out in a sense."""
        gain = self._gain(sense)[-self.columns.n_topics :]
        return [int(place) for place in np.argsort(-gain, kind="stable")[:k]]

    def _gain(self, sense: int) -> Array:
        logs = self.mixture.log_columns[:, sense]
        gain: Array = np.exp(logs) * (logs - self.background)
        return gain

    def evidence(self, row: Mapping[str, float], order: Array) -> dict[str, float]:
        """What each feature adds to the best sense's lead over the next; topics are added up."""
        found: dict[str, float] = {}
        for name, value in row.items() if len(order) > 1 else ():
            lead = value * float(np.subtract(*self.mixture.log_columns[self.columns.index[name], order[:2]]))
            shown = "(topics)" if name.startswith("#") else name
            found[shown] = found.get(shown, 0.0) + lead
        return found


def is_content(name: str) -> bool:
    """Whether a column is a content word: no place, no relation, no topic."""
    return ":" not in name and not name.startswith("#")


@dataclass(eq=False, repr=False)
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
    beside_weight : how many counts a term up to three places away is worth for being there.
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

    n_senses: int | None = 8
    prior: float = 0.3
    topic_weight: float = 8.0
    beside_weight: float = 1.0
    max_contexts: int = 2_000
    n_restarts: int = 8

    @property
    def weights(self) -> Weights:
        """How much each part of a context counts."""
        return Weights(topics=self.topic_weight, beside=self.beside_weight)

    def _decide(self, occurrence: Occurrence, term: str) -> Disambiguation | None:
        """The component of the largest posterior; a divergence is its lag in log-probability."""
        senses: MixtureSenses = self.senses_[term]
        row = senses.columns.row(occurrence, self.topics_, self.weights)
        if all(name.startswith("#") for name in row):
            return None
        joint = senses.mixture.joint(senses.columns.matrix([row]))
        order = np.argsort(-joint[0], kind="stable")
        ranked = candidates(order, joint.max() - joint[0], posterior(joint)[0])
        known = [name for name in row if is_content(name)]
        return Disambiguation(term, ranked, known, strongest(senses.evidence(row, order).items()))

    def _induce(
        self, observed: Observations, factors: InterleavedNMF, collected: Collector, asked: list[str] | None
    ) -> None:
        self.induce_from(collected.samples, asked or [])

    def induce_from(self, samples: dict[str, list[Occurrence]], asked: list[str]) -> None:
        """Fit a mixture for each word, once the latent topics are there."""
        found: dict[str, MixtureSenses] = {}
        for done, word in enumerate(dict.fromkeys(asked), 1):
            found[word] = self._fit_word(samples[word])
            if self.callback is not None:
                self.callback("words", done, float("nan"))
        self.senses_ = found

    def _fit_word(self, occurrences: list[Occurrence]) -> MixtureSenses:
        """Fit the mixture of a word several times and let the fits agree on one."""
        columns, X = Columns.learn(occurrences, self.topics_, self.weights)
        options = (self.prior, self.n_restarts, self.random_state, usable_threads(self.n_threads))
        n_senses = self.n_senses or choose_n_components(X, MOST_SENSES, *options)
        mixture, shares = agreed_mixture(X, n_senses, *options)
        labels = shares.argmax(axis=1)
        examples: list[list[str]] = []
        for sense in range(n_senses):
            own = np.flatnonzero(labels == sense)
            clearest = own[np.argsort(-shares[own, sense], kind="stable")][:N_EXAMPLES]
            examples.append([occurrences[i].text for i in clearest])
        weights = np.bincount(labels, minlength=n_senses) / max(len(labels), 1)
        counts = np.asarray(X.sum(axis=0)).ravel() + 1e-9
        return MixtureSenses(columns, mixture, weights, np.log(counts / counts.sum()), examples)

    @property
    def _n_samples(self) -> int:
        return self.max_contexts

    def _check(self, words: Collection[str] | None) -> None:
        super()._check(words)
        if not words:
            raise InputError("LocalSenseModel learns each word by itself: name the words, words=[...]")
        if self.n_senses is not None:
            check_int("n_senses", self.n_senses, 1, 1_000)
        check_float("prior", self.prior, 0, 1e6, exclusive_min=True)
        check_float("topic_weight", self.topic_weight, 0, 1e6)
        check_float("beside_weight", self.beside_weight, 0, 1e6)
        check_int("max_contexts", self.max_contexts, 2, 10_000_000)
        check_int("n_restarts", self.n_restarts, 1, 1_000)

    def _pack(self) -> tuple[dict[str, Array], list[Row]]:
        from tacit.senses.serialization import listed

        arrays: dict[str, Array] = {}
        rows: list[Row] = []
        for place, (word, senses) in enumerate(self.senses_.items()):
            arrays[f"columns.{place}"] = senses.mixture.log_columns.astype(np.float32)
            arrays[f"weights.{place}"] = senses.mixture.log_weights
            arrays[f"shares.{place}"] = senses.weights
            arrays[f"background.{place}"] = senses.background.astype(np.float32)
            rows.append(("sense", word, str(place)))
            rows += [(f"column.{place}", name, "") for name in senses.columns.names]
            rows += listed(f"example.{place}", senses.examples)
        return arrays, rows

    def _unpack(self, reader: ArrayReader, table: Table) -> None:
        self.senses_ = {}
        for word, place in table.pairs("sense"):
            names = [name for name, _ in table.pairs(f"column.{place}")]
            log_weights = reader.floats(f"weights.{place}", np.float64, (None,))
            n_senses = len(log_weights)
            logs = reader.floats(f"columns.{place}", np.float32, (len(names), n_senses))
            weights = reader.floats(f"shares.{place}", np.float64, (n_senses,))
            background = reader.floats(f"background.{place}", np.float32, (len(names),))
            examples = table.lists(f"example.{place}", n_senses)
            columns, mixture = Columns(names, self.topics_.n_components), Mixture(logs, log_weights)
            self.senses_[word] = MixtureSenses(columns, mixture, weights, background, examples)
