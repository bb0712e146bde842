"""Paraphrase or not, by a coin: the floor that papers print for MSR04."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from papers.chance import Scored, redrawn
from papers.experiments import Experiment
from tacit.evaluation import TASKS

TASK = "msr04"


def measure_coin(experiment: Experiment, data: str | Path | None) -> dict[str, float]:
    """The accuracy of a coin on the test pairs, and the ends of the 95 % interval of these drawn again.

    No threshold is learnt, as random scores learn one.
    """
    task, key = TASKS[TASK], f"{TASK}/test/accuracy"
    (gold,) = [pairs.gold for file, pairs in task.kind.load(task, data) if file.name == "test"]
    tossed = np.random.default_rng(experiment.seed).integers(2, size=len(gold)).astype(np.float64)
    scored = [(tossed, np.asarray(gold, np.float64))]
    low, high = np.quantile(redrawn(scored, _accuracy)["accuracy"], (0.025, 0.975))
    return {key: _accuracy(scored)["accuracy"], f"{key}_low": float(low), f"{key}_high": float(high)}


def _accuracy(sets: Scored) -> dict[str, float]:
    ((tossed, gold),) = sets
    return {"accuracy": float(np.mean(tossed == gold))}
