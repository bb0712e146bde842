"""Sense models as systems of SemEval-2010 task 14; random senses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from random import Random
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
from papers.senses.scoring import ARCHIVE, GOLD, POS_PARTS, Answer, AnswerKey, TaskScorer, read_key
from papers.specs import Experiment
from tacit.errors import InputError
from tacit.evaluation import DataFile, Task, TaskKind
from tacit.evaluation.tasks import TaskMetrics, find_files
from tacit.senses.base_model import BaseSenseModel
from tacit.senses.features import make_occurrence

Loaded = tuple[dict[str, TaskScorer], str | Path | None]
"""The scorers, and the data folder that systems read the instances from."""

COVERED = "covered "
"""Prefix of the sets that hold only targets with training text."""

MIN_SHARE = 1e-4
"""Smaller shares are left out of a key."""


@lru_cache(maxsize=2)
def _read_instances(is_parsed: bool, data: str | Path | None) -> list[Instance]:
    """Read the test instances."""
    return list(parsed_instances(PARSED_TEST, data) if is_parsed else plain_instances(PLAIN_TEST, data))


@dataclass(frozen=True)
class SenseSystem:
    """A model for nouns and one for verbs, or one for both.

    With ``shares`` the key has all candidates with their shares, else only the best sense.
    """

    name: str
    models: Mapping[str, BaseSenseModel]
    shares: bool = False
    unknown: list[str] = field(default_factory=list)

    @classmethod
    def from_models(cls, name: str, models: Iterable[BaseSenseModel]) -> SenseSystem:
        """Use each model for its part of speech, or for all."""
        by_part: dict[str, BaseSenseModel] = {}
        for model in models:
            parts = [f"{model.pos}s"] if model.pos else ["nouns", "verbs"]
            by_part |= {POS_PARTS[part]: model for part in parts}
        return cls(name, by_part)

    def key(self, data: str | Path | None = None) -> AnswerKey:
        """Answer every test instance whose word a model knows."""
        is_parsed = {model.is_parsed_ for model in self.models.values()}
        if len(is_parsed) != 1:
            raise InputError("one model was trained on parsed text and the other was not: give two of a kind")
        key: AnswerKey = {}
        self.unknown.clear()
        for instance in _read_instances(is_parsed.pop(), data):
            answer = self.answer(instance)
            if answer:
                key.setdefault(instance.target, {})[instance.name] = answer
            else:
                self.unknown.append(instance.name)
        return key

    def answer(self, instance: Instance) -> Answer:
        """Return the labels of one instance; none if the model does not know the word."""
        model = self.models.get(instance.target[-2:])
        if model is None or model.normalize_word(instance.word) not in model.words_:
            return []
        term = model.normalize_word(instance.word)
        passage = instance.passage
        passage.terms[instance.position] = term  # the task states the word, whatever its spelling
        result = model.disambiguate_occurrence(make_occurrence(passage, instance.position), term)
        if result.guessed or not self.shares:
            return [(f"s{result.sense}", 1.0)]
        return [(f"s{c.sense}", c.share) for c in result.candidates if c.share > MIN_SHARE]


@dataclass(frozen=True)
class RandomSenses:
    """Gives every instance one of ``n_senses`` at random; with one, all have the most frequent sense."""

    name: str
    n_senses: int
    seed: int = 0
    shares: bool = False

    def key(self, data: str | Path | None = None) -> AnswerKey:
        """Answer every test instance."""
        (gold,) = find_files("wsi10", [GOLD], data)
        random = Random(self.seed)  # noqa: S311
        return {
            target: {instance: [(f"s{random.randrange(self.n_senses)}", 1.0)] for instance in answers}
            for target, answers in read_key(gold).items()
        }


def random_senses(
    experiment: Experiment, texts: Any, data: str | Path | None, threads: int | None
) -> RandomSenses:
    """Make the random system of an experiment."""
    return RandomSenses("drawn-senses", seed=experiment.seed, **experiment.model.parameters)


@lru_cache(maxsize=1)
def _load_scorers(data: str | Path | None) -> dict[str, TaskScorer]:
    """Load the scorers of all targets, and of those with training text."""
    scorer = TaskScorer.load(data)
    return {"": scorer, COVERED: scorer.select_targets(covered_targets(data))}


def _load(task: Task, data: str | Path | None) -> Loaded:
    """Load what the task needs."""
    return _load_scorers(data), data


def measure_system(loaded: Loaded, system: Any, seed: int) -> TaskMetrics:
    """Return all metrics by part, of all targets and of those with training text.

    They are those of the best sense alone; ``supervised_recall_shares`` uses all shares.
    """
    scorers, data = loaded
    shared = replace(system, shares=True).key(data)
    best: AnswerKey = {
        target: {name: [(labels[0][0], 1.0)] for name, labels in answers.items()}
        for target, answers in shared.items()
    }
    metrics = {
        f"{prefix}{part}".removesuffix(" all"): values
        for prefix, scorer in scorers.items()
        for part, values in _measure_parts(scorer, best, shared).items()
    }
    return metrics, {"supervised_recall": metrics["all"]["supervised_recall"]}


def _measure_parts(scorer: TaskScorer, best: AnswerKey, shared: AnswerKey) -> dict[str, dict[str, float]]:
    """Return the metrics of each part of the targets of a scorer."""
    metrics = scorer.score(best)
    for part, values in metrics.items():
        targets = [target for target in scorer.gold if target.endswith(POS_PARTS[part])]
        values["supervised_recall_shares"] = scorer.mean_recall(shared, "80_20", part)
        values["pairs"] = sum(len(scorer.gold[target]) for target in targets)
        known = sum(len(best.get(target, {})) for target in targets)
        values["without_known_words"] = values["pairs"] - known
    return metrics


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
