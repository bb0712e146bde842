"""What tacit train --tune does: settings tried on the user's texts, shown as a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import progress

if TYPE_CHECKING:
    from tacit.cli.training_sources import Sources
    from tacit.text.vectorizer import TextVectorizer
    from tacit.training.tuning import Trial
    from tacit.training.wtmf import WTMF


def seconds_of(budget: str) -> float:
    """A budget as people write it.

    >>> seconds_of("90s"), seconds_of("2m"), seconds_of("30")
    (90.0, 120.0, 30.0)
    """
    from tacit.errors import InputError

    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|h|)", budget.strip())
    if not found or not float(found[1]):
        raise InputError(f"--budget {budget}: give a time such as 60s, 5m or 1h")
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def tuned(
    sources: Sources,
    vectorizer: TextVectorizer,
    options: dict[str, Any],
    budget: float,
    judged: str | None,
    labels: str | None,
    quiet: bool,
) -> WTMF:
    """A trainer with the settings that were best on the texts."""
    from tacit.errors import InputError
    from tacit.evaluation.data import read_scored_pairs
    from tacit.training.wtmf import WTMF

    if judged and labels:
        raise InputError("--judged and --labels: choose by one of them")
    criterion: dict[str, Any] = {}
    if labels:
        texts, criterion["labels"] = sources.labelled(labels)
    else:
        texts = sources.keep()
    if judged:
        pairs = read_scored_pairs(judged)
        criterion["judged"] = list(zip(pairs.gold, pairs.a, pairs.b, strict=True))
    with progress("{task.completed} settings tried") as bar:
        task = bar.add_task("tuning", total=None)
        trainer = WTMF.tuned(
            texts,
            budget=budget,
            progress=lambda trial: bar.advance(task),
            vectorizer=vectorizer,
            **criterion,
            **options,
        )
    if not quiet:
        click.echo("\n".join(table(trainer.trials_)), err=True)
    return trainer


def table(trials: list[Trial]) -> list[str]:
    """What was tried, the best of each round first."""
    lines = ["tried, times what the data suggest:  texts  missing  regularization   score"]
    for trial in sorted(trials, key=lambda each: (each.n_texts, -each.score)):
        numbers = f"{trial.n_texts:>6,} {trial.missing:>8g} {trial.strength:>15g} {trial.score:>7.3f}"
        lines.append(f"{'':36}{numbers}")
    return lines
