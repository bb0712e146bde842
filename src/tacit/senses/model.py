"""The global model: senses are clusters of words that share features, told apart by latent dimensions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise, starmap
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice, check_float, check_int
from tacit.factorize.mixture import posterior
from tacit.factorize.settings import AUTO, is_auto
from tacit.senses.answers import Disambiguation, Evidence, candidates, strongest
from tacit.senses.counting import Collector, Observations
from tacit.senses.features import Occurrence, contents, occurrence_of, targets
from tacit.senses.inducer import LEAST, N_EXAMPLES, SenseInducer, by_words
from tacit.senses.induction import Clusters
from tacit.senses.topics import HALF, InterleavedNMF

MOST_CLUSTERS = 600

if TYPE_CHECKING:
    from tacit.senses.serialization import Row, Table
    from tacit.storage.stored_model import ArrayReader

Array = NDArray[Any]
SELECTIONS = ("conservative", "liberal")
N_SHOWN = 8
SMOOTHING = 1e-6
"""Added to every dimension of a profile, so that no divergence is infinite."""


@dataclass
class ClusterSenses:
    """The senses of one word, the dominant first: their latent profiles, weights, fellow words, examples."""

    profiles: Array
    weights: Array
    members: list[list[str]]
    examples: list[list[str]]

    def numbers(self) -> list[int]:
        """The senses there are, by number."""
        return list(range(len(self.weights)))

    def typical(self, sense: int) -> list[str]:
        """The terms that show a sense."""
        return self.members[sense]

    def dimensions(self, sense: int, k: int = 2) -> list[int]:
        """The latent dimensions that stand out in a sense."""
        return [int(place) for place in np.argsort(-self.profiles[sense], kind="stable")[:k]]


@dataclass(eq=False, repr=False)
class SenseModel(SenseInducer):
    """Induces the senses of words by interleaved factorization (Van de Cruys & Apidianaki, ACL 2011).

    Parameters
    ----------
    selection : "liberal" takes the next best cluster as a sense down to ``threshold``; "conservative" only
        one that fits what is left of the word better than its dominant sense.
    threshold : the smallest cosine of a liberal sense.
    n_clusters : of k-means over the words; ``auto``: one for eight words, 600 at most.
    n_salient : how many dimensions are switched off for each sense found; None for 3 where the selection is
        liberal and 1 where it is conservative.
    max_senses : no word gets more; None for no such limit.
    half_distance : a context word so many places away counts half as much as one beside the word; None for
        all words of the passage alike.
    frequency : how much a sense gains by being frequent: its divergence less so many times log of its weight.
    pos : "noun" or "verb" where the text is parsed; None for all words.
    language, normalize : how the words of plain texts are brought to one form.
    stop_words : "english", a list, or None; terms in more than ``max_df`` of the passages are left out too.
    n_words, n_features, n_contexts : how many of each are kept, the most frequent, seen ``min_count`` times.
    n_components, n_iter : of the factorization; ``auto``: a dimension for eight words, 50 at most.
    random_state, n_threads, callback : the seed; None for every core; called with what, how many, divergence.

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
    half_distance: float | None = HALF
    frequency: float = 0.01

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """The settings of Van de Cruys & Apidianaki, for nouns; their verbs have 3,000 words, 400 clusters.

        One dimension is switched off for each sense found: they write of the "salient dimension(s)".

        >>> SenseModel.paper(pos="noun").threshold
        0.2
        """
        own = {
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
        return cls(**{**own, **changes})

    @property
    def switched_off(self) -> int:
        """How many dimensions are switched off for each sense found."""
        return self.n_salient or (3 if self.selection == "liberal" else 1)

    def _decide(self, occurrence: Occurrence, term: str) -> Disambiguation | None:
        """The sense whose profile diverges least from the context's; a frequent one is favoured a little."""
        known, counts = self.topics_.around(occurrence.contents, occurrence.place, term, self.half_distance)
        if not known:
            return None
        context = smooth(self.topics_.fold(known, counts))
        profiles = smooth(self.senses_[term].profiles)
        gains = self.frequency * np.log(np.maximum(self.senses_[term].weights, LEAST))
        divergences = (context * np.log(context / profiles)).sum(axis=1) - gains
        # n context words drawn from a profile have the likelihood exp(-n divergence), but for a constant
        shares = posterior(-counts.sum() * divergences[None])[0]
        order = np.argsort(divergences, kind="stable")
        evidence = self._evidence(known, counts, profiles[order], gains[order])
        return Disambiguation(term, candidates(order, divergences, shares), known, evidence)

    def _evidence(self, known: list[str], counts: Array, profiles: Array, gains: Array) -> list[Evidence]:
        """What each context word, and how frequent the senses are, adds to the lead of the best."""
        if len(profiles) < 2:
            return []
        ratio = np.log(profiles[0] / profiles[1])
        weights = counts / counts.sum() * (self.topics_.loads_of(known) @ ratio)
        frequency = ("(frequency)", float(gains[0] - gains[1]))
        return strongest([*zip(known, weights.tolist(), strict=True), frequency])

    def _induce(
        self, observed: Observations, factors: InterleavedNMF, collected: Collector, asked: list[str] | None
    ) -> None:
        n_clusters = by_words(self.n_clusters, MOST_CLUSTERS, observed)
        clusters = Clusters.of(observed.A, factors.features_, n_clusters, self.random_state)
        self.induce_from(clusters, observed, collected, asked)

    def induce_from(
        self, clusters: Clusters, observed: Observations, collected: Collector, asked: list[str] | None
    ) -> None:
        """Find the senses of words in clusters already made, and which examples they have."""
        places = {word: row for row, word in enumerate(observed.words)}
        threshold = self.threshold if self.selection == "liberal" else None
        members = _members(clusters.labels, observed)
        senses: dict[str, ClusterSenses] = {}
        for word in observed.words if asked is None else dict.fromkeys(asked):
            found = clusters.induce(places[word], threshold, self.switched_off, self.max_senses)
            senses[word] = ClusterSenses(
                np.array([sense.profile for sense in found], np.float32),
                np.full(len(found), 1 / len(found)),
                [[name for name in members[sense.cluster] if name != word][:N_SHOWN] for sense in found],
                [[] for _ in found],
            )
        self.senses_ = senses
        self._weigh(collected.samples if asked is not None else _examples(collected, senses.keys()))

    def _weigh(self, samples: Mapping[str, list[Occurrence]]) -> None:
        """Let sampled occurrences say how frequent each sense is, and which contexts show it best.

        While they are being weighed, the senses of a word are all taken for equally frequent.
        """
        for word, senses in self.senses_.items():
            clearest: list[list[tuple[float, str]]] = [[] for _ in senses.weights]
            for item in samples.get(word, []):
                answer = self._decide(item, word)
                if answer is not None:
                    clearest[answer.sense].append((answer.candidates[0].share, item.text))
            counts = np.array([float(len(texts)) for texts in clearest])
            if counts.any():
                senses.weights = counts / counts.sum()
                senses.examples = [
                    [text for _, text in sorted(texts, reverse=True)[:N_EXAMPLES]] for texts in clearest
                ]

    def _check(self, words: Collection[str] | None) -> None:
        super()._check(words)
        check_choice("selection", self.selection, SELECTIONS)
        check_float("threshold", self.threshold, 0, 1)
        if not is_auto(self.n_clusters):
            check_int("n_clusters", self.n_clusters, 2, 1_000_000)
        if self.n_salient is not None:
            check_int("n_salient", self.n_salient, 1, 10_000)
        if self.max_senses is not None:
            check_int("max_senses", self.max_senses, 1, 1_000)
        if self.half_distance is not None:
            check_float("half_distance", self.half_distance, 0, 1e6, exclusive_min=True)
        check_float("frequency", self.frequency, 0, 1e6)

    def _pack(self) -> tuple[dict[str, Array], list[Row]]:
        from tacit.senses.serialization import listed

        found: list[ClusterSenses] = list(self.senses_.values())
        profiles = np.concatenate([senses.profiles for senses in found])
        weights = np.concatenate([senses.weights for senses in found], dtype=np.float32)
        rows = [("sense", word, str(len(senses.weights))) for word, senses in self.senses_.items()]
        rows += listed("member", [names for senses in found for names in senses.members])
        rows += listed("example", [texts for senses in found for texts in senses.examples])
        return {"profiles": profiles, "weights": weights}, rows

    def _unpack(self, reader: ArrayReader, table: Table) -> None:
        words = table.pairs("sense")
        ends = np.cumsum([0, *(int(n) for _, n in words)]).tolist()
        profiles = reader.floats("profiles", np.float32, (ends[-1], self.topics_.n_components))
        weights = reader.floats("weights", np.float32, (ends[-1],))
        members, examples = (table.lists(kind, ends[-1]) for kind in ("member", "example"))
        self.senses_ = {
            word: ClusterSenses(profiles[rows], weights[rows], members[rows], examples[rows])
            for (word, _), rows in zip(words, starmap(slice, pairwise(ends)), strict=True)
        }


def smooth(profiles: Array) -> Array:
    """Distributions in which nothing is impossible."""
    raised = profiles + SMOOTHING
    smoothed: Array = raised / raised.sum(axis=-1, keepdims=True)
    return smoothed


def _members(labels: Array, observed: Observations) -> dict[int, list[str]]:
    """The words of every cluster, the most frequent first."""
    found: dict[int, list[str]] = {}
    for row in np.argsort(-observed.counts, kind="stable"):
        found.setdefault(int(labels[row]), []).append(observed.words[row])
    return found


def _examples(collected: Collector, words: Collection[str], most: int = 20) -> dict[str, list[Occurrence]]:
    """Occurrences of words in the passages that were kept."""
    found: dict[str, list[Occurrence]] = {}
    for passage in collected.passages:
        kept = contents(passage)
        for place in targets(passage, kept, collected.pos):
            if kept[place] in words and len(found.setdefault(kept[place], [])) < most:
                found[kept[place]].append(occurrence_of(passage, place))
    return found
