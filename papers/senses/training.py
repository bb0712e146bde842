"""Train the systems of SemEval-2010 task 14, and resolve their settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from papers.senses.instances import (
    PARSED_TEST,
    PARSED_TRAIN,
    PER_TARGET,
    PLAIN_TEST,
    PLAIN_TRAIN,
    Instance,
    parsed_instances,
    plain_instances,
)
from papers.senses.scoring import GOLD, read_key
from papers.senses.system import SenseSystem
from papers.specs import Experiment
from tacit.evaluation.tasks import find_files
from tacit.factorize.nmf import InterleavedFactors, interleaved_nmf
from tacit.senses.base_model import BaseSenseModel, FactorizedCorpus
from tacit.senses.cluster_induction import WordClusters
from tacit.senses.cluster_model import SenseModel
from tacit.senses.cooccurrence import CooccurrenceCounts, CorpusCounter, build_count_matrices
from tacit.senses.features import Occurrence, build_stop_words, make_occurrence
from tacit.senses.local_model import LocalSenseModel
from tacit.text.normalization import make_normalizer

Occurrences = Mapping[str, list[Occurrence]]

MAX_OCCURRENCES = 2_000
MAX_WEIGHT_OCCURRENCES = 100
"""Occurrences by which ``SenseModel`` estimates the weights of senses, as the library does."""

SIZES = {"noun": (5_000, 600), "verb": (3_000, 400), None: (8_000, 1_000)}
"""Words and clusters by part of speech: the paper's, and their sums without a parse."""

FACTORS: dict[str, Any] = {"n_components": 50, "n_iter": 50}
"""The paper's settings of the factorization."""

_UNRESOLVED = ("random_state", "n_threads", "pos", "callback", "n_words", "n_clusters", "n_salient")
"""Parameters that do not change results, or are resolved by part of speech."""


class CorpusSettings(NamedTuple):
    """Settings for reading and counting the corpus; equal settings share counts and factors.

    ``features`` are those of a "parse" or of "positions"; ``per_target`` limits the instances per target.
    """

    features: str
    per_target: int | None = PER_TARGET
    max_df: float = 1.0
    min_count: int = 1

    @classmethod
    def pop_from(cls, parameters: dict[str, Any]) -> CorpusSettings:
        """Take the settings out of a model's parameters."""
        return cls(**{name: parameters.pop(name) for name in cls._fields if name in parameters})


class CountedCorpus(NamedTuple):
    """The counts of the training text for one part of speech, or for all words."""

    pos: str | None
    words: list[str]
    counts: CooccurrenceCounts
    occurrences: Occurrences


def train_senses_system(
    experiment: Experiment, texts: Any, data: str | Path | None, threads: int | None
) -> SenseSystem:
    """Train the system of an experiment: conservative, liberal or local."""
    params = dict(experiment.model.parameters)
    settings = CorpusSettings.pop_from(params)
    transductive = params.pop("transductive", False)
    kind, seed = experiment.model.kind, experiment.seed
    models: list[BaseSenseModel] = []
    for corpus in count_corpora(settings, data):
        shared = {"pos": corpus.pos, "random_state": seed, "n_threads": threads, **params}
        key = (settings, data, corpus.pos, seed, threads)
        factors = factorize(*key)
        if kind == "local":
            occurrences = (
                _add_test_occurrences(corpus, settings, data) if transductive else corpus.occurrences
            )
            local = LocalSenseModel(**shared)
            models.append(
                local.fit_counts(FactorizedCorpus(corpus.counts, factors, occurrences, corpus.words))
            )
        else:
            few = {word: items[:MAX_WEIGHT_OCCURRENCES] for word, items in corpus.occurrences.items()}
            model = SenseModel(selection=kind, **shared)
            counted = FactorizedCorpus(corpus.counts, factors, few, corpus.words, cluster(*key))
            models.append(model.fit_counts(counted))
    return SenseSystem.from_models(kind, models)


def resolve_senses(kind: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings of ``conservative``, ``liberal`` or ``local``, with defaults.

    >>> resolve_senses("liberal", {"features": "parse"})["noun_words"]
    5000
    """
    params = dict(parameters)
    settings = CorpusSettings.pop_from(params)._asdict()
    transductive = params.pop("transductive", False)
    model = LocalSenseModel(**params) if kind == "local" else SenseModel(selection=kind, **params)
    resolved = {name: value for name, value in model.get_params().items() if name not in _UNRESOLVED}
    sizes = {
        f"{pos or 'all'}_{unit}": size
        for pos, both in SIZES.items()
        for unit, size in zip(("words", "clusters"), both, strict=True)
    }
    if isinstance(model, SenseModel):
        sizes["n_salient"] = model.resolved_n_salient
    limits = {"most_occurrences": MAX_OCCURRENCES, "transductive": transductive}
    return {**resolved, **sizes, **FACTORS, **limits, **settings}


@lru_cache(maxsize=2)
def count_training_text(
    features: str, per_target: int | None, data: str | Path | None
) -> dict[str | None, tuple[list[str], CorpusCounter]]:
    """Read the training text once and count it, by part of speech if it is parsed."""
    kinds = ["noun", "verb"] if features == "parse" else [None]
    targets = _read_targets(data)
    words = {pos: [word for word, kind in targets if pos is None or kind == pos] for pos in kinds}
    if features != "parse":
        words = {None: sorted(set(make_normalizer("en", "stem")(words[None])))}
    counters = {pos: CorpusCounter(words[pos], pos, MAX_OCCURRENCES) for pos in kinds}
    for instance in _read_instances(features, data, test=False, max_per_target=per_target):
        for counter in counters.values():
            counter.add(instance.passage)
    return {pos: (words[pos], counter) for pos, counter in counters.items()}


@lru_cache(maxsize=2)
def count_corpora(settings: CorpusSettings, data: str | Path | None) -> list[CountedCorpus]:
    """Build the count matrices for each part of speech, or for all words."""
    stop = build_stop_words(_paper_stop_words(), "en", "stem", is_parsed=settings.features == "parse")
    limits = (80_000, 2_000, stop, settings.max_df, settings.min_count)
    return [
        CountedCorpus(pos, words, build_count_matrices(counter, SIZES[pos][0], *limits), counter.occurrences)
        for pos, (words, counter) in count_training_text(settings.features, settings.per_target, data).items()
    ]


def _paper_stop_words() -> list[str]:
    """Return scikit-learn's English list, with the tokens of frequent contractions."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return [*ENGLISH_STOP_WORDS, "don't", "doesn't", "didn't", "it's", "i'm"]


def _read_targets(data: str | Path | None) -> list[tuple[str, str]]:
    """Return the target words of the task, with their part of speech."""
    (gold,) = find_files("wsi10", [GOLD], data)
    return [(target[:-2], {"n": "noun", "v": "verb"}[target[-1]]) for target in sorted(read_key(gold))]


def _read_instances(
    features: str, data: str | Path | None, test: bool, max_per_target: int | None = None
) -> Iterable[Instance]:
    """Read training or test instances, parsed or plain."""
    if features == "parse":
        return parsed_instances(PARSED_TEST if test else PARSED_TRAIN, data)
    return plain_instances(PLAIN_TEST if test else PLAIN_TRAIN, data, max_per_target)


def _counts_of(settings: CorpusSettings, data: str | Path | None, pos: str | None) -> CooccurrenceCounts:
    """Return the counts for one part of speech."""
    return next(corpus.counts for corpus in count_corpora(settings, data) if corpus.pos == pos)


@lru_cache(maxsize=32)
def factorize(
    settings: CorpusSettings, data: str | Path | None, pos: str | None, seed: int, threads: int | None
) -> InterleavedFactors:
    """Factorize the counts with one seed, for all systems."""
    counts = _counts_of(settings, data, pos)
    return interleaved_nmf(counts.A, counts.B, counts.C, random_state=seed, n_threads=threads, **FACTORS)


@lru_cache(maxsize=3)
def cluster(
    settings: CorpusSettings, data: str | Path | None, pos: str | None, seed: int, threads: int | None
) -> WordClusters:
    """Cluster the words with one seed, for both global systems."""
    factors = factorize(settings, data, pos, seed, threads)
    return WordClusters.from_counts(_counts_of(settings, data, pos).A, factors.features, SIZES[pos][1], seed)


def _add_test_occurrences(
    corpus: CountedCorpus, settings: CorpusSettings, data: str | Path | None
) -> Occurrences:
    """Return the occurrences of the training text and of the test text, without their senses."""
    occurrences = {word: list(items) for word, items in corpus.occurrences.items()}
    normalize = make_normalizer("en", "stem")
    for instance in _read_instances(settings.features, data, test=True):
        word = instance.word if corpus.pos else normalize([instance.word])[0]
        if word in occurrences and (corpus.pos is None or instance.target[-1] == corpus.pos[0]):
            instance.passage.terms[instance.position] = word
            occurrences[word].append(make_occurrence(instance.passage, instance.position))
    return occurrences
