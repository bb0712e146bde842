"""What a system of word senses reaches on SemEval-2010 task 14."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from tacit.evaluation.senses.answering import SenseSystem
from tacit.evaluation.senses.keys import PARTS, Key
from tacit.evaluation.senses.task import Scorer


@lru_cache(maxsize=1)
def _scorer(data: str | Path | None) -> Scorer:
    """The scorers, read once for many systems."""
    return Scorer.of(data)


def measure_system(system: SenseSystem, data: str | Path | None = None) -> dict[str, dict[str, float]]:
    """All measures by part: of the best sense alone, and recall also with all shares in the key."""
    scorer = _scorer(data)
    shared = replace(system, shares=True).key(data)
    best: Key = {
        target: {name: [(labels[0][0], 1.0)] for name, labels in answers.items()}
        for target, answers in shared.items()
    }
    found = scorer(best)
    for part, numbers in found.items():
        ending = PARTS[part]
        numbers["supervised_recall_shares"] = scorer.mean_recall(shared, "80_20", part)
        numbers["pairs"] = sum(len(gold) for target, gold in scorer.gold.items() if target.endswith(ending))
        numbers["without_known_words"] = numbers["pairs"] - sum(
            len(answers) for target, answers in best.items() if target.endswith(ending)
        )
    return found
