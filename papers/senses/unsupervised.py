"""The unsupervised scorers of SemEval-2010 task 14: V-measure and paired F, as the official tools have them.

Manandhar et al., "SemEval-2010 Task 14: Word Sense Induction & Disambiguation". Two things the paper does
not say are taken from the tools: the instances a system leaves unanswered form one more cluster, and a
cluster or class of one instance counts as one pair, of the instance with itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from papers.senses.keys import PARTS, Key, best_labels

Labels = Sequence[str]
UNANSWERED = "\0"


def paired_f(clusters: Labels, classes: Labels) -> float:
    """The F-score of pairs that share a cluster, against pairs that share a class; 0 where none agree.

    >>> round(paired_f(["a", "a", "a"], ["x", "x", "y"]), 3)
    0.4
    """
    found, gold = Counter(clusters), Counter(classes)
    joint = Counter(zip(clusters, classes, strict=True))
    common = sum(c * (c - 1) // 2 for c in joint.values())
    common += sum(found[k] == 1 and gold[s] == 1 for k, s in joint)
    if not common:
        return 0.0
    precision = common / sum(map(_pairs, found.values()))
    recall = common / sum(map(_pairs, gold.values()))
    return 2 * precision * recall / (precision + recall)


def _pairs(size: int) -> int:
    """How many pairs a group counts for: one, of the instance with itself, where it is alone."""
    return size * (size - 1) // 2 if size > 1 else 1


def unsupervised(system: Key, gold: Key) -> dict[str, dict[str, float]]:
    """V-measure, paired F and the mean number of clusters, of all targets, of nouns and of verbs.

    Words are weighed by their number of gold instances, and the number of clusters is not.

    >>> gold = {"mark.n": {"1": [("x", 1.0)], "2": [("y", 1.0)]}}
    >>> unsupervised({"mark.n": {"1": [("a", 1.0)]}}, gold)["nouns"]
    {'v_measure': 1.0, 'paired_f': 1.0, 'clusters': 2.0}
    """
    words = {target: _word(system.get(target, {}), answers) for target, answers in gold.items()}
    found = {}
    for part, ending in PARTS.items():
        chosen = [target for target in words if target.endswith(ending)]
        if chosen:
            found[part] = _average([words[t] for t in chosen], [len(gold[t]) for t in chosen])
    return found


def _word(
    answers: Mapping[str, list[tuple[str, float]]], gold: Mapping[str, list[tuple[str, float]]]
) -> tuple[float, float, int]:
    """The V-measure, paired F and number of clusters of one word."""
    from sklearn.metrics import v_measure_score

    given, right = best_labels(answers), best_labels(gold)
    clusters = [given.get(instance, UNANSWERED) for instance in right]
    classes = list(right.values())
    return float(v_measure_score(classes, clusters)), paired_f(clusters, classes), len(set(clusters))


def _average(words: Sequence[tuple[float, float, int]], sizes: Sequence[int]) -> dict[str, float]:
    total = sum(sizes)
    v, f = (sum(n * word[i] for n, word in zip(sizes, words, strict=True)) / total for i in (0, 1))
    return {"v_measure": v, "paired_f": f, "clusters": sum(word[2] for word in words) / len(words)}
