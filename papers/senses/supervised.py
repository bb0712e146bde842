"""The supervised scorer of SemEval-2010 task 14: clusters are mapped to senses on one part of the test set.

A cluster votes for the senses it has in the mapping part, each by its share; the sense with most votes is
the answer for an instance of the other part. Recall counts the right answers among all instances.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from papers.senses.keys import Answer, Key, best_labels


@dataclass(frozen=True)
class Split:
    """The gold keys of one draw: what clusters are mapped by, and what is then answered."""

    mapping: Key
    test: Key


def recall(system: Key, split: Split) -> float:
    """The share of the test instances of a split that get their gold sense.

    >>> key = lambda **labels: {"mark.n": {name: [(label, 1.0)] for name, label in labels.items()}}
    >>> recall(key(a="C0", b="C0", c="C1"), Split(key(a="x"), key(b="x", c="y")))
    0.5
    """
    said = answers(system, split)
    gold = [
        (target, instance, sense)
        for target, key in split.test.items()
        for instance, sense in best_labels(key).items()
    ]
    return sum(said[target][instance] == sense for target, instance, sense in gold) / len(gold)


def senses_used(system: Key, split: Split) -> float:
    """How many gold senses of a word the answers for the test instances use, on average over words.

    >>> key = lambda **labels: {"mark.n": {name: [(label, 1.0)] for name, label in labels.items()}}
    >>> senses_used(key(a="C0", b="C0", c="C1"), Split(key(a="x"), key(b="x", c="y")))
    1.0
    """
    said = answers(system, split)
    return sum(len(set(senses.values()) - {None}) for senses in said.values()) / len(said)


def answers(system: Key, split: Split) -> dict[str, dict[str, str | None]]:
    """The sense that each test instance gets, by target and instance; None where there is no answer."""
    found: dict[str, dict[str, str | None]] = {}
    for target, gold in split.test.items():
        given = system.get(target, {})
        table = mapping(given, split.mapping.get(target, {}))
        found[target] = {instance: answer(given.get(instance, []), table) for instance in gold}
    return found


def mapping(given: Mapping[str, Answer], gold: Mapping[str, Answer]) -> dict[str, dict[str, float]]:
    """The share of each sense in each cluster, by the labels' weights.

    >>> mapping({"1": [("C0", 1.0)], "2": [("C0", 3.0)]}, {"1": [("x", 1.0)], "2": [("y", 1.0)]})
    {'C0': {'x': 0.25, 'y': 0.75}}
    """
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for instance, sense in best_labels(gold).items():
        for cluster, weight in given.get(instance, []):
            counts[cluster][sense] += weight
    return {
        cluster: {sense: count / sum(senses.values()) for sense, count in senses.items()}
        for cluster, senses in counts.items()
        if sum(senses.values()) > 0
    }


def answer(labels: Answer, table: Mapping[str, Mapping[str, float]]) -> str | None:
    """The sense with most votes, the first in string order among equals; None where there are no votes.

    >>> answer([("C0", 1.0)], {"C0": {"y": 0.5, "x": 0.5}})
    'x'
    """
    votes: dict[str, float] = defaultdict(float)
    for cluster, weight in labels:
        for sense, share in table.get(cluster, {}).items():
            votes[sense] += weight * share
    best = max(votes.values(), default=0.0)
    return min(sense for sense, vote in votes.items() if vote == best) if best > 0 else None
