"""Models of senses for the reproduction, trained on the text of SemEval-2010 task 14."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from papers.experiments import Experiment
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
from papers.senses.keys import Key, read_key
from papers.senses.scorer import GOLD
from papers.senses.system import SenseSystem
from tacit.evaluation.tasks import find_files
from tacit.senses.counting import Collector, Observations, observe
from tacit.senses.features import Occurrence, occurrence_of, stop_terms
from tacit.senses.inducer import SenseInducer
from tacit.senses.induction import Clusters
from tacit.senses.local_model import LocalSenseModel
from tacit.senses.model import SenseModel
from tacit.senses.topics import InterleavedNMF
from tacit.text.normalization import make_normalizer

MOST_OCCURRENCES = 2_000
SIZES = {"noun": (5_000, 600), "verb": (3_000, 400), None: (8_000, 1_000)}
"""Words and clusters by part of speech: the paper's, and their sums where there is no parser to tell."""


FACTORS: dict[str, Any] = {"n_components": 50, "n_iter": 50}
"""Of the factorization, the paper's."""


class Reading(NamedTuple):
    """What is read and counted: everything that systems must share to learn from the same factors.

    ``features`` come from a parse or from positions, of ``per_target`` instances of each target (None for
    all); terms in more than ``max_df`` of the texts, or seen fewer than ``min_count`` times, are left out.
    """

    features: str
    per_target: int | None = PER_TARGET
    max_df: float = 1.0
    min_count: int = 1

    @classmethod
    def of(cls, parameters: dict[str, Any]) -> Reading:
        """Take from a model's parameters what is about reading."""
        return cls(**{name: parameters.pop(name) for name in cls._fields if name in parameters})


class Learnt(NamedTuple):
    """What one pass over the training text gives for one part of speech, or for all words."""

    pos: str | None
    words: list[str]
    observed: Observations
    collected: Collector


def senses_system(
    experiment: Experiment, texts: Any, data: str | Path | None, threads: int | None
) -> SenseSystem:
    """The system an experiment describes: conservative, liberal or local, from a parse or from positions."""
    parameters = dict(experiment.model.parameters)
    reading = Reading.of(parameters)
    transductive = parameters.pop("transductive", False)
    models = []
    for learnt in observations(reading, data):
        model = _made(experiment.model.kind, learnt, experiment.seed, threads, parameters)
        factors = factorized(reading, data, learnt.pos, experiment.seed, threads)
        model.prepare(learnt.observed, factors, learnt.collected)
        if isinstance(model, SenseModel):
            clusters = clustered(reading, data, learnt.pos, experiment.seed, threads)
            model.induce_from(clusters, learnt.observed, _few(learnt.collected), learnt.words)
        elif isinstance(model, LocalSenseModel):
            model.induce_from(_samples(learnt, reading, data, transductive), learnt.words)
        models.append(model)
    return SenseSystem.of(experiment.model.kind, models)


def _few(collected: Collector, most: int = 100) -> Collector:
    """The same with as few samples of each word as the library keeps to weigh senses by."""
    light = copy(collected)
    light.samples = {word: found[:most] for word, found in collected.samples.items()}
    return light


def _made(
    kind: str, learnt: Learnt, seed: int, threads: int | None, parameters: dict[str, Any]
) -> SenseInducer:
    shared = {"pos": learnt.pos, "random_state": seed, "n_threads": threads, **parameters}
    model = LocalSenseModel(**shared) if kind == "local" else SenseModel(selection=kind, **shared)
    model.parsed_ = learnt.pos is not None
    return model


@lru_cache(maxsize=2)
def collectors(
    features: str, per_target: int | None, data: str | Path | None
) -> dict[str | None, tuple[list[str], Collector]]:
    """Read the training text once, parsed or plain, for all seeds and systems."""
    kinds = ["noun", "verb"] if features == "parse" else [None]
    targets = _targets(data)
    words = {pos: [w for w, kind in targets if pos is None or kind == pos] for pos in kinds}
    if features != "parse":
        words = {None: sorted(set(make_normalizer("en", "stem")(words[None])))}
    found = {pos: Collector(words[pos], pos, MOST_OCCURRENCES) for pos in kinds}
    for instance in _instances(features, data, test=False, most=per_target):
        for collector in found.values():
            collector.add(instance.passage)
    return {pos: (words[pos], collector) for pos, collector in found.items()}


@lru_cache(maxsize=2)
def observations(reading: Reading, data: str | Path | None) -> list[Learnt]:
    """What was counted, for each part of speech or for all words."""
    stop = stop_terms(_stop_words(), "en", "stem", parsed=reading.features == "parse")
    limits = (80_000, 2_000, stop, reading.max_df, reading.min_count)
    return [
        Learnt(pos, words, observe(collector, SIZES[pos][0], *limits), collector)
        for pos, (words, collector) in collectors(reading.features, reading.per_target, data).items()
    ]


def _stop_words() -> list[str]:
    """Scikit-learn's English list as it is, and what the tokeniser makes of frequent contractions."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return [*ENGLISH_STOP_WORDS, "don't", "doesn't", "didn't", "it's", "i'm"]


def _targets(data: str | Path | None) -> list[tuple[str, str]]:
    """The target words of the task, with their part of speech."""
    (gold,) = find_files("wsi10", [GOLD], data)
    key: Key = read_key(gold)
    return [(target[:-2], {"n": "noun", "v": "verb"}[target[-1]]) for target in sorted(key)]


def _instances(
    features: str, data: str | Path | None, test: bool, most: int | None = None
) -> Iterable[Instance]:
    if features == "parse":
        return parsed_instances(PARSED_TEST if test else PARSED_TRAIN, data)
    return plain_instances(PLAIN_TEST if test else PLAIN_TRAIN, data, most)


def _learnt(reading: Reading, data: str | Path | None, pos: str | None) -> Learnt:
    return next(learnt for learnt in observations(reading, data) if learnt.pos == pos)


@lru_cache(maxsize=32)
def factorized(
    reading: Reading, data: str | Path | None, pos: str | None, seed: int, threads: int | None
) -> InterleavedNMF:
    """The factors of one seed, shared by all systems."""
    seen = _learnt(reading, data, pos).observed
    return SenseModel(random_state=seed, n_threads=threads, **FACTORS).factorize(seen)


@lru_cache(maxsize=3)
def clustered(
    reading: Reading, data: str | Path | None, pos: str | None, seed: int, threads: int | None
) -> Clusters:
    """The clusters of one seed, shared by both global systems."""
    seen = _learnt(reading, data, pos).observed
    factors = factorized(reading, data, pos, seed, threads)
    return Clusters.of(seen.A, factors.features_, SIZES[pos][1], seed)


def _samples(
    learnt: Learnt, reading: Reading, data: str | Path | None, transductive: bool
) -> dict[str, list[Occurrence]]:
    """The contexts to learn from; transductive, those of the test set too, without their senses."""
    if not transductive:
        return learnt.collected.samples
    found = {word: list(items) for word, items in learnt.collected.samples.items()}
    term_of = make_normalizer("en", "stem")
    for instance in _instances(reading.features, data, test=True):
        word = instance.word if learnt.pos else term_of([instance.word])[0]
        if word in found and (learnt.pos is None or instance.target[-1] == learnt.pos[0]):
            instance.passage.terms[instance.place] = word
            found[word].append(occurrence_of(instance.passage, instance.place))
    return found
