"""Models of senses as systems of SemEval-2010 task 14: they answer every instance, and are measured by it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from papers.senses.instances import (
    PARSED_TEST,
    PLAIN_TEST,
    PLAIN_TRAIN,
    Instance,
    covered_targets,
    parsed_instances,
    plain_instances,
)
from papers.senses.keys import PARTS, Answer, Key
from papers.senses.scorer import ARCHIVE, GOLD, Scorer
from tacit.errors import InputError
from tacit.evaluation import DataFile, Task, TaskKind
from tacit.evaluation.tasks import TaskMetrics
from tacit.senses.features import occurrence_of
from tacit.senses.inducer import SenseInducer

Loaded = tuple[dict[str, Scorer], str | Path | None]
"""The scorers, and the data folder that systems read the instances from."""

COVERED = "covered "
"""What the names of the sets begin with that hold only targets with training text."""

LEAST = 1e-4
"""Shares below this are left out of a key."""


@lru_cache(maxsize=2)
def _instances(parsed: bool, data: str | Path | None) -> list[Instance]:
    """The test instances, read once for many systems."""
    return list(parsed_instances(PARSED_TEST, data) if parsed else plain_instances(PLAIN_TEST, data))


@dataclass(frozen=True)
class SenseSystem:
    """A model for nouns and one for verbs, or one for both.

    With ``shares`` all candidates are in the key with their shares, the best first; else the best alone.
    """

    name: str
    models: Mapping[str, SenseInducer]
    shares: bool = False
    unknown: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, name: str, models: Iterable[SenseInducer]) -> SenseSystem:
        """Let each model answer for its part of speech, or for all."""
        by_part: dict[str, SenseInducer] = {}
        for model in models:
            for part in [PARTS[f"{model.pos}s"]] if model.pos else [PARTS["nouns"], PARTS["verbs"]]:
                by_part[part] = model
        return cls(name, by_part)

    def key(self, data: str | Path | None = None) -> Key:
        """Answer every test instance whose word a model knows."""
        parsed = {model.parsed_ for model in self.models.values()}
        if len(parsed) != 1:
            raise InputError("one model learnt from parsed text and the other did not: give two of a kind")
        found = _instances(parsed.pop(), data)
        key: Key = {}
        self.unknown.clear()
        for instance in found:
            answer = self.answer(instance)
            if answer:
                key.setdefault(instance.target, {})[instance.name] = answer
            else:
                self.unknown.append(instance.name)
        return key

    def answer(self, instance: Instance) -> Answer:
        """The labels of one instance, none where the model does not know the word."""
        model = self.models.get(instance.target[-2:])
        if model is None or model.term(instance.word) not in model.words_:
            return []
        term = model.term(instance.word)
        passage = instance.passage
        passage.terms[instance.place] = term  # the task says which word it is, however it is spelt
        found = model.decide(occurrence_of(passage, instance.place), term)
        if found.guessed or not self.shares:
            return [(f"s{found.sense}", 1.0)]
        return [(f"s{c.sense}", c.share) for c in found.candidates if c.share > LEAST]


@lru_cache(maxsize=1)
def _scorers(data: str | Path | None) -> dict[str, Scorer]:
    """The scorers of all targets and of those that have training text, read once for many systems."""
    scorer = Scorer.of(data)
    return {"": scorer, COVERED: scorer.of_targets(covered_targets(data))}


def _load(task: Task, data: str | Path | None) -> Loaded:
    return _scorers(data), data


def measure_system(loaded: Loaded, system: Any, seed: int) -> TaskMetrics:
    """All measures by part, of all targets and of those with training text.

    They are of the best sense alone, and recall also with all shares in the key.
    """
    scorers, data = loaded
    shared = replace(system, shares=True).key(data)
    best: Key = {
        target: {name: [(labels[0][0], 1.0)] for name, labels in answers.items()}
        for target, answers in shared.items()
    }
    found = {
        f"{which}{part}".removesuffix(" all"): numbers
        for which, scorer in scorers.items()
        for part, numbers in _measured(scorer, best, shared).items()
    }
    return found, {"supervised_recall": found["all"]["supervised_recall"]}


def _measured(scorer: Scorer, best: Key, shared: Key) -> dict[str, dict[str, float]]:
    """The measures of each part of the targets of a scorer."""
    found = scorer(best)
    for part, numbers in found.items():
        own = [target for target in scorer.gold if target.endswith(PARTS[part])]
        numbers["supervised_recall_shares"] = scorer.mean_recall(shared, "80_20", part)
        numbers["pairs"] = sum(len(scorer.gold[target]) for target in own)
        known = sum(len(best.get(target, {})) for target in own)
        numbers["without_known_words"] = numbers["pairs"] - known
    return found


TASK = Task(
    "wsi10",
    "SemEval-2010 task 14: word sense induction and disambiguation",
    TaskKind(
        ("key",),
        (
            "v_measure", "paired_f", "supervised_recall", "supervised_recall_shares",
            "supervised_recall_60", "clusters", "senses",
        ),
        _load,
        measure_system,
        total_set="all",
    ),
    (
        DataFile("gold", GOLD),
        DataFile("splits", ARCHIVE),
        DataFile("text", PLAIN_TEST),
        DataFile("training text", PLAIN_TRAIN),
        *(DataFile(f"parsed text {number}", path) for number, path in enumerate(PARSED_TEST)),
    ),
    "OntoNotes is LDC's: evaluation only, not distributed with tacit",
)  # fmt: skip
