"""Global model: senses are clusters of words with similar features."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise, starmap
from typing import Any, Self

import numpy as np

from tacit.checks import AUTO, check_choice
from tacit.factorize.mixture import posterior
from tacit.senses.base_model import (
    MAX_EXAMPLES,
    BaseSenseModel,
    FactorizedCorpus,
    Row,
    VocabularyTable,
    lists_to_rows,
    resolve_auto,
    rows_to_lists,
)
from tacit.senses.cluster_induction import WordClusters
from tacit.senses.disambiguation import Disambiguation, Evidence, WordSenses, rank_candidates, sort_evidence
from tacit.senses.features import Occurrence
from tacit.senses.topics import HALF_WEIGHT_DISTANCE
from tacit.storage.stored_model import ArrayReader
from tacit.types import Array

SELECTIONS = ("conservative", "liberal")
MAX_AUTO_CLUSTERS = 600
MAX_MEMBER_WORDS = 8
SMOOTHING = 1e-6
"""Added to every dimension of a profile, so that no divergence is infinite."""


@dataclass
class ClusterSenses(WordSenses):
    """The senses of one word, the dominant one first.

    ``profiles`` are distributions over the latent dimensions, ``members`` other words of each cluster.
    """

    profiles: Array
    weights: Array
    members: list[list[str]]
    examples: list[list[str]]

    def top_terms(self, sense: int) -> list[str]:
        """Return the terms that describe a sense."""
        return self.members[sense]

    def top_topics(self, sense: int, k: int = 2) -> list[int]:
        """Return the most salient latent dimensions of a sense."""
        return [int(topic) for topic in np.argsort(-self.profiles[sense], kind="stable")[:k]]


@dataclass(eq=False, repr=False)
class SenseModel(BaseSenseModel):
    """Induces word senses by interleaved factorization (Van de Cruys & Apidianaki, ACL 2011).

    Parameters
    ----------
    selection : {"liberal", "conservative"}
        "liberal" makes the next best cluster a sense while its cosine reaches ``threshold``; "conservative"
        stops when the best cluster for the rest of the word is already a sense.
    threshold : float
        The minimum cosine of a liberal sense.
    n_clusters : int or "auto"
        The number of word clusters; "auto" is one for every 8 words, at most 600.
    n_salient : int, optional
        The number of latent dimensions to remove for each sense; None for 3 (liberal) or 1 (conservative).
    max_senses : int, optional
        The maximum number of senses of a word; None for no limit.
    half_distance : float, optional
        The distance at which a context word weighs half; None for equal weights.
    frequency : float
        Subtracted from the divergence of a sense, times the log of its weight.
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
    >>> model = SenseModel(n_components=2, n_clusters=4, n_iter=20, max_df=1.0).fit(money + river)
    >>> model.disambiguate("bank", "they lent money at the bank").word
    'bank'
    """

    selection: str = "liberal"
    threshold: float = 0.12
    n_clusters: int | str = AUTO
    n_salient: int | None = None
    max_senses: int | None = 8
    half_distance: float | None = HALF_WEIGHT_DISTANCE
    frequency: float = 0.01

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Make a model with the paper's settings for nouns; its verbs have 3,000 words and 400 clusters.

        The paper removes the "salient dimension(s)" of each sense, here one.

        Parameters
        ----------
        **changes
            Parameters that differ.

        Returns
        -------
        SenseModel
            The unfitted model.

        Examples
        --------
        >>> SenseModel.paper(pos="noun").threshold
        0.2
        """
        params = {
            "threshold": 0.2,
            "n_salient": 1,
            "max_senses": None,
            "half_distance": None,
            "frequency": 0.0,
            "n_words": 5_000,
            "n_features": 80_000,
            "n_contexts": 2_000,
            "n_clusters": 600,
            "n_components": 50,
            "n_iter": 50,
            "max_df": 1.0,
            "min_count": 1,
        }
        return cls(**{**params, **changes})

    @property
    def resolved_n_salient(self) -> int:
        """The number of latent dimensions that are removed for each sense."""
        return self.n_salient or (3 if self.selection == "liberal" else 1)

    def _score_senses(self, occurrence: Occurrence, term: str) -> Disambiguation | None:
        """Rank the senses by the divergence of their profiles from the context; frequent ones get a bonus."""
        known, weights = self.topics_.weighted_context(
            occurrence.content_terms, occurrence.position, term, self.half_distance
        )
        if not known:
            return None
        senses: ClusterSenses = self.senses_[term]
        context = smooth_distribution(self.topics_.fold_in(known, weights))
        profiles = smooth_distribution(senses.profiles)
        bonus = self.frequency * senses.log_weights()
        divergences = (context * np.log(context / profiles)).sum(axis=1) - bonus
        # n context words drawn from a profile have the likelihood exp(-n divergence), up to a constant
        shares = posterior(-weights.sum() * divergences[None])[0]
        order = np.argsort(divergences, kind="stable")
        evidence = self._evidence(known, weights, profiles[order], bonus[order])
        return Disambiguation(term, rank_candidates(order, divergences, shares), known, evidence)

    def _evidence(self, known: list[str], weights: Array, profiles: Array, bonus: Array) -> list[Evidence]:
        """Return the contribution of each context word, and of frequency, to the lead of the best sense."""
        if len(profiles) < 2:
            return []
        ratio = np.log(profiles[0] / profiles[1])
        leads = weights / weights.sum() * (self.topics_.loadings_of(known) @ ratio)
        frequency = ("(frequency)", float(bonus[0] - bonus[1]))
        return sort_evidence([*zip(known, leads.tolist(), strict=True), frequency])

    def _induce_senses(self, corpus: FactorizedCorpus) -> dict[str, ClusterSenses]:
        """Return the clusters that are senses of each word, with weights and examples from occurrences."""
        counts, clusters = corpus.counts, corpus.clusters
        if clusters is None:
            n_clusters = resolve_auto(self.n_clusters, MAX_AUTO_CLUSTERS, counts)
            features = corpus.factors.features
            clusters = WordClusters.from_counts(counts.A, features, n_clusters, self.random_state)
        rows = {word: row for row, word in enumerate(counts.words)}
        members: dict[int, list[str]] = {}
        for row in np.argsort(-counts.counts, kind="stable"):  # most frequent words first
            members.setdefault(int(clusters.labels[row]), []).append(counts.words[row])
        threshold = self.threshold if self.selection == "liberal" else None
        self.senses_ = {}
        for word in dict.fromkeys(corpus.target_words):
            induced = clusters.induce_senses(rows[word], threshold, self.resolved_n_salient, self.max_senses)
            self.senses_[word] = ClusterSenses(
                np.array([sense.profile for sense in induced], np.float32),
                np.full(len(induced), 1 / len(induced)),
                [[w for w in members[sense.cluster] if w != word][:MAX_MEMBER_WORDS] for sense in induced],
                [[] for _ in induced],
            )
        for word in self.senses_:
            self._estimate_weights(word, corpus.occurrences.get(word, []))
        return self.senses_

    def _estimate_weights(self, word: str, occurrences: list[Occurrence]) -> None:
        """Set the weights of a word's senses, equal before, to their shares of the sampled occurrences.

        The occurrences with the highest probability become the examples.
        """
        senses: ClusterSenses = self.senses_[word]
        texts_by_sense: list[list[tuple[float, str]]] = [[] for _ in senses.weights]
        for occurrence in occurrences:
            answer = self._score_senses(occurrence, word)
            if answer is not None:
                texts_by_sense[answer.sense].append((answer.candidates[0].share, occurrence.text))
        counts = np.array([float(len(texts)) for texts in texts_by_sense])
        if counts.any():
            senses.weights = counts / counts.sum()
            best = [sorted(texts, reverse=True)[:MAX_EXAMPLES] for texts in texts_by_sense]
            senses.examples = [[text for _, text in texts] for texts in best]

    def _check(self, words: Collection[str] | None) -> None:
        """Check the parameters and the target words."""
        super()._check(words)
        check_choice("selection", self.selection, SELECTIONS)

    def _senses_to_arrays(self) -> tuple[dict[str, Array], list[Row]]:
        """Return the senses as arrays and vocabulary rows."""
        all_senses: list[ClusterSenses] = list(self.senses_.values())
        profiles = np.concatenate([senses.profiles for senses in all_senses])
        weights = np.concatenate([senses.weights for senses in all_senses], dtype=np.float32)
        rows = [("sense", word, str(len(senses.weights))) for word, senses in self.senses_.items()]
        rows += lists_to_rows("member", [names for senses in all_senses for names in senses.members])
        rows += lists_to_rows("example", [texts for senses in all_senses for texts in senses.examples])
        return {"profiles": profiles, "weights": weights}, rows

    def _senses_from_arrays(self, reader: ArrayReader, table: VocabularyTable) -> dict[str, ClusterSenses]:
        """Return the senses from the result of ``_senses_to_arrays``."""
        words = table["sense"]
        ends = np.cumsum([0, *(int(n) for _, n in words)]).tolist()
        profiles = reader.floats("profiles", np.float32, (ends[-1], self.topics_.n_components))
        weights = reader.floats("weights", np.float32, (ends[-1],))
        members, examples = (rows_to_lists(table[kind], ends[-1]) for kind in ("member", "example"))
        return {
            word: ClusterSenses(profiles[rows], weights[rows], members[rows], examples[rows])
            for (word, _), rows in zip(words, starmap(slice, pairwise(ends)), strict=True)
        }


def smooth_distribution(profiles: Array) -> Array:
    """Add a small constant to distributions and normalize them."""
    raised = profiles + SMOOTHING
    return raised / raised.sum(axis=-1, keepdims=True)
