"""Paraphrase or not, by a coin: the floor that papers print for MSR04."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from papers.experiments import Experiment
from tacit.evaluation.catalogue import TASKS

TASK = "msr04"


def measure_coin(experiment: Experiment, data: str | Path | None) -> dict[str, float]:
    """The accuracy of a coin on the test pairs: no threshold is learnt, as random scores learn one."""
    task = TASKS[TASK]
    ((file, pairs),) = [(file, pairs) for file, pairs in task.kind.load(task, data) if file.name == "test"]
    labels = np.random.default_rng(experiment.seed).integers(2, size=len(pairs.gold))
    return {f"{TASK}/{file.name}/accuracy": float(np.mean(labels == np.asarray(pairs.gold)))}
