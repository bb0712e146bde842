"""What a system of SemEval-2010 task 14 has to beat: one sense for all instances, or senses by lot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from papers.experiments import Experiment
from papers.senses.keys import Key, read_key
from papers.senses.scorer import GOLD
from tacit.evaluation.tasks import find_files


@dataclass(frozen=True)
class DrawnSenses:
    """Gives every instance one of ``n_senses`` by lot; with one, all have the most frequent sense."""

    name: str
    n_senses: int
    seed: int = 0
    shares: bool = False

    def key(self, data: str | Path | None = None) -> Key:
        """Answer every test instance."""
        (gold,) = find_files("wsi10", [GOLD], data)
        random = Random(self.seed)  # noqa: S311
        return {
            target: {instance: [(f"s{random.randrange(self.n_senses)}", 1.0)] for instance in answers}
            for target, answers in read_key(gold).items()
        }


def drawn_senses(
    experiment: Experiment, texts: Any, data: str | Path | None, threads: int | None
) -> DrawnSenses:
    """The floor that an experiment describes."""
    return DrawnSenses("drawn-senses", seed=experiment.seed, **experiment.model.parameters)
