"""Models of senses as systems of the task: they answer every instance of a target word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tacit.errors import InputError
from tacit.evaluation.senses.data import (
    PARSED_TEST,
    PLAIN_TEST,
    Instance,
    parsed_instances,
    plain_instances,
)
from tacit.evaluation.senses.keys import PARTS, Answer, Key
from tacit.senses.features import occurrence_of
from tacit.senses.inducer import SenseInducer

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
