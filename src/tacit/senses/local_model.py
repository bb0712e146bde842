"""Local model: senses are components of a mixture over the contexts of one word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from tacit.compute.threads import effective_n_threads
from tacit.errors import InputError
from tacit.factorize.mixture import Mixture, choose_n_components, fit_consensus_mixture, posterior
from tacit.senses.base_model import (
    MAX_EXAMPLES,
    BaseSenseModel,
    FactorizedCorpus,
    Row,
    VocabularyTable,
    lists_to_rows,
    rows_to_lists,
)
from tacit.senses.disambiguation import Disambiguation, WordSenses, rank_candidates, sort_evidence
from tacit.senses.features import Occurrence
from tacit.senses.topics import LatentTopics
from tacit.storage.stored_model import ArrayReader
from tacit.types import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_AUTO_SENSES = 8
WINDOW_OFFSETS = (-3, -2, -1, 1, 2, 3)
DISTANCE_DECAY = 0.1
"""A content word weighs exp(-0.1 x its distance)."""
GRAMMAR_WEIGHT = 0.5
"""The weight of a dependency feature."""


def describe_occurrence(
    occurrence: Occurrence, topics: LatentTopics, topic_weight: float, neighbor_weight: float
) -> dict[str, float]:
    """Return the features of an occurrence with their weights; topics only if a context word is known.

    >>> item = Occurrence(("a", "river", "bank"), ("a", "river", "bank"), 2, (), "a river bank")
    >>> topics = LatentTopics(["river"], np.array([[0.25, 0.75]]), frozenset("a"))
    >>> features = describe_occurrence(item, topics, topic_weight=8, neighbor_weight=1)
    >>> {name: round(value, 2) for name, value in features.items()}
    {'river': 0.9, '-2:a': 1, '-1:river': 1, '#0': 2.0, '#1': 6.0}
    """
    features: dict[str, float] = {}
    position, word = occurrence.position, occurrence.word
    for other, term in enumerate(occurrence.content_terms):
        if term and term != word and term not in topics.stop_words:
            features[term] = features.get(term, 0.0) + exp(-DISTANCE_DECAY * abs(other - position))
    for offset in WINDOW_OFFSETS:
        other = position + offset
        if 0 <= other < len(occurrence.terms):
            features[f"{offset:+d}:{occurrence.terms[other]}"] = neighbor_weight
    for name in occurrence.features:
        if name[0] not in "+-":
            features[name] = GRAMMAR_WEIGHT
    known = topics.known_context_words(occurrence.content_terms, word)
    if known and topic_weight:
        weights = (topic_weight * topics.fold_in(known)).tolist()
        features.update((f"#{k}", weight) for k, weight in enumerate(weights))
    return features


@dataclass(frozen=True)
class FeatureColumns:
    """The features that occur in more than one context of a word, then the latent dimensions."""

    names: list[str]
    n_topics: int

    @cached_property
    def index(self) -> dict[str, int]:
        """The column of each feature."""
        return {name: column for column, name in enumerate(self.names)}

    @classmethod
    def fit(cls, rows: Sequence[Mapping[str, float]], n_topics: int) -> FeatureColumns:
        """Select the columns for described occurrences."""
        counts = Counter(name for features in rows for name in features if not name.startswith("#"))
        names = sorted(name for name, count in counts.items() if count > 1)
        return cls([*names, *(f"#{k}" for k in range(n_topics))], n_topics)

    def select(self, features: Mapping[str, float]) -> dict[str, float]:
        """Drop the features that have no column."""
        return {name: value for name, value in features.items() if name in self.index}

    def to_csr(self, rows: Sequence[Mapping[str, float]]) -> csr_array:
        """Convert rows of selected features to a sparse matrix."""
        from scipy.sparse import csr_array

        indptr = np.cumsum([0, *map(len, rows)])
        indices = np.array([self.index[name] for row in rows for name in row], np.int32)
        data = np.array([value for row in rows for value in row.values()], np.float64)
        return csr_array((data, indices, indptr), shape=(len(rows), len(self.names)))


@dataclass(frozen=True)
class MixtureSenses(WordSenses):
    """The components of a word's contexts.

    ``weights`` are their shares of the contexts, ``log_background`` is the log of each column's share.
    """

    columns: FeatureColumns
    mixture: Mixture
    weights: Array
    log_background: Array
    examples: list[list[str]]

    def sense_ids(self) -> list[int]:
        """Return the ids of the components that have contexts, most frequent first."""
        return [i for i in super().sense_ids() if self.weights[i] > 0]

    def top_terms(self, sense: int, k: int = 8) -> list[str]:
        """Return the content words that add most to the likelihood of a sense."""
        gain = self._likelihood_gain(sense)
        names = (self.columns.names[i] for i in np.argsort(-gain, kind="stable") if gain[i] > 0)
        return list(islice(filter(is_content_feature, names), k))

    def top_topics(self, sense: int, k: int = 2) -> list[int]:
        """Return the most salient latent dimensions of a sense."""
        gain = self._likelihood_gain(sense)[-self.columns.n_topics :]
        return [int(topic) for topic in np.argsort(-gain, kind="stable")[:k]]

    def _likelihood_gain(self, sense: int) -> Array:
        """Return what each column adds to the log-likelihood of a sense over the background."""
        logs = self.mixture.log_prob[:, sense]
        return np.exp(logs) * (logs - self.log_background)

    def evidence(self, row: Mapping[str, float], order: Array) -> dict[str, float]:
        """Return what each feature adds to the lead of the best sense; topics are summed."""
        leads: dict[str, float] = {}
        for name, value in row.items() if len(order) > 1 else ():
            lead = value * float(np.subtract(*self.mixture.log_prob[self.columns.index[name], order[:2]]))
            label = "(topics)" if name.startswith("#") else name
            leads[label] = leads.get(label, 0.0) + lead
        return leads


def is_content_feature(name: str) -> bool:
    """Return whether a column is a content word, not an offset, relation or topic."""
    return ":" not in name and not name.startswith("#")


@dataclass(eq=False, repr=False)
class LocalSenseModel(BaseSenseModel):
    """Induces the senses of selected words, each by a mixture over its own contexts.

    The features of a context are its content words, weighted by distance, the terms up to three positions
    away, dependency features of parsed text, and the latent topics of :class:`SenseModel`.

    Parameters
    ----------
    n_senses : int, optional
        The maximum number of senses of a word; None chooses 1 to 8 by likelihood of held-out contexts.
    prior : float
        The Dirichlet prior of the mixture, in counts per feature.
    topic_weight : float
        The weight of the latent topics of a context, in counts.
    beside_weight : float
        The weight of a term up to three positions away, in counts.
    max_contexts : int
        The maximum number of contexts of a word, a random sample.
    n_restarts : int
        The number of mixtures that are fitted and combined by agreement.
    pos : {"noun", "verb"}, optional
        The part of speech of the words; needs parsed text. None for all words.
    language : str, optional
        The language of plain text, for stemming; None for no stemming.
    normalize : str
        How words of plain text are normalized: "stem", "lemma" or "none".
    stop_words : {"english"} or collection of str, optional
        Words that are ignored.
    n_words : int
        The number of words, the most frequent ones.
    n_features : int
        The number of features, the most frequent ones.
    n_contexts : int
        The number of context words, the most frequent ones.
    n_components : int or "auto"
        The number of latent dimensions; "auto" is one for every 8 words, at most 50.
    n_iter : int
        The number of iterations of the factorization.
    min_count : int
        Items with fewer occurrences are ignored.
    max_df : float
        Terms in more than this share of the passages are ignored.
    random_state : int
        The seed.
    n_threads : int, optional
        The number of threads; None for one per core.
    callback : callable, optional
        Called with the unit of progress, the number of finished units, and the divergence.

    Examples
    --------
    >>> money = ["the bank lent money to the firm", "money from the bank and interest on a loan"] * 20
    >>> river = ["the bank of the river is steep and green", "water on the green bank of a river"] * 20
    >>> model = LocalSenseModel(n_senses=2, n_components=2, n_iter=20, max_df=1.0)
    >>> model = model.fit(money + river, words=["bank"])
    >>> texts = ["lent money by a bank", "a green river bank"]
    >>> senses = [model.disambiguate("bank", text).sense for text in texts]
    >>> senses[0] != senses[1]
    True
    """

    n_senses: int | None = 8
    prior: float = 0.3
    topic_weight: float = 8.0
    beside_weight: float = 1.0
    max_contexts: int = 2_000
    n_restarts: int = 8

    def _describe(self, occurrence: Occurrence) -> dict[str, float]:
        """Return the features of an occurrence with their weights."""
        return describe_occurrence(occurrence, self.topics_, self.topic_weight, self.beside_weight)

    def _score_senses(self, occurrence: Occurrence, term: str) -> Disambiguation | None:
        """Rank the components by posterior; the divergence is the difference in log-probability."""
        senses: MixtureSenses = self.senses_[term]
        row = senses.columns.select(self._describe(occurrence))
        if all(name.startswith("#") for name in row):
            return None
        joint = senses.mixture.joint_log_prob(senses.columns.to_csr([row]))
        order = np.argsort(-joint[0], kind="stable")
        ranked = rank_candidates(order, joint.max() - joint[0], posterior(joint)[0])
        known = [name for name in row if is_content_feature(name)]
        return Disambiguation(term, ranked, known, sort_evidence(senses.evidence(row, order).items()))

    def _induce_senses(self, corpus: FactorizedCorpus) -> dict[str, MixtureSenses]:
        """Fit a mixture for each word."""
        senses: dict[str, MixtureSenses] = {}
        for done, word in enumerate(dict.fromkeys(corpus.target_words), 1):
            senses[word] = self._fit_mixture(corpus.occurrences[word])
            if self.callback is not None:
                self.callback("words", done, float("nan"))
        return senses

    def _fit_mixture(self, occurrences: list[Occurrence]) -> MixtureSenses:
        """Fit several mixtures to the occurrences of a word and combine them by agreement."""
        described = [self._describe(occurrence) for occurrence in occurrences]
        columns = FeatureColumns.fit(described, self.topics_.n_components)
        X = columns.to_csr([columns.select(features) for features in described])
        options = (self.prior, self.n_restarts, self.random_state, effective_n_threads(self.n_threads))
        n_senses = self.n_senses or choose_n_components(X, MAX_AUTO_SENSES, *options)
        mixture, shares = fit_consensus_mixture(X, n_senses, *options)
        labels = shares.argmax(axis=1)
        examples: list[list[str]] = []
        for sense in range(n_senses):
            rows = np.flatnonzero(labels == sense)
            best = rows[np.argsort(-shares[rows, sense], kind="stable")][:MAX_EXAMPLES]
            examples.append([occurrences[i].text for i in best])
        weights = np.bincount(labels, minlength=n_senses) / max(len(labels), 1)
        counts = np.asarray(X.sum(axis=0)).ravel() + 1e-9
        return MixtureSenses(columns, mixture, weights, np.log(counts / counts.sum()), examples)

    def _check(self, words: Collection[str] | None) -> None:
        """Check the parameters and the target words."""
        super()._check(words)
        if not words:
            raise InputError("LocalSenseModel learns each word by itself: name the words, words=[...]")

    def _senses_to_arrays(self) -> tuple[dict[str, Array], list[Row]]:
        """Return the senses as arrays and vocabulary rows."""
        arrays: dict[str, Array] = {}
        rows: list[Row] = []
        for i, (word, senses) in enumerate(self.senses_.items()):
            arrays[f"columns.{i}"] = senses.mixture.log_prob.astype(np.float32)
            arrays[f"weights.{i}"] = senses.mixture.log_weights
            arrays[f"shares.{i}"] = senses.weights
            arrays[f"background.{i}"] = senses.log_background.astype(np.float32)
            rows.append(("sense", word, str(i)))
            rows += [(f"column.{i}", name, "") for name in senses.columns.names]
            rows += lists_to_rows(f"example.{i}", senses.examples)
        return arrays, rows

    def _senses_from_arrays(self, reader: ArrayReader, table: VocabularyTable) -> dict[str, MixtureSenses]:
        """Return the senses from the result of ``_senses_to_arrays``."""
        senses: dict[str, MixtureSenses] = {}
        for word, i in table["sense"]:
            names = [name for name, _ in table[f"column.{i}"]]
            log_weights = reader.floats(f"weights.{i}", np.float64, (None,))
            n_senses = len(log_weights)
            log_columns = reader.floats(f"columns.{i}", np.float32, (len(names), n_senses))
            weights = reader.floats(f"shares.{i}", np.float64, (n_senses,))
            log_background = reader.floats(f"background.{i}", np.float32, (len(names),))
            examples = rows_to_lists(table[f"example.{i}"], n_senses)
            columns = FeatureColumns(names, self.topics_.n_components)
            mixture = Mixture(log_columns, log_weights)
            senses[word] = MixtureSenses(columns, mixture, weights, log_background, examples)
        return senses
