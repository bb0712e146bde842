"""Official scorers of SemEval-2010 task 14: answer keys, V-measure, paired F, supervised recall.

Manandhar et al., "SemEval-2010 Task 14: Word Sense Induction & Disambiguation". Two rules are in the official
tools only: the instances a system leaves unanswered form one more cluster, and a cluster or class of one
instance counts as one pair, of the instance with itself.
"""

from __future__ import annotations

import io
import math
import tarfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from tacit.corpora.lines import decode_lines, numbered_lines
from tacit.corpora.sources import Source, display_name
from tacit.errors import InputError
from tacit.evaluation.tasks import find_files

FOLDER = "senses/semeval2010"
GOLD = f"{FOLDER}/keys/all.key"
ARCHIVE = f"{FOLDER}/evaluation.tar.gz"
SPLIT_NAMES = ("80_20", "60_40")
N_SPLITS = 5
UNANSWERED = "\0"
POS_PARTS = {"all": "", "nouns": ".n", "verbs": ".v"}
"""The parts that are reported, and the ending of their target words."""

Answer = list[tuple[str, float]]
"""Labels of an instance with their weights, best first."""

AnswerKey = dict[str, dict[str, Answer]]
"""The answers by target word and instance."""

Labels = Sequence[str]


def parse_key(lines: Iterable[tuple[int, str]], name: str) -> AnswerKey:
    """Parse lines of ``target instance label[/weight] [label[/weight] ...]``; ``name`` is for messages.

    >>> parse_key([(1, "mark.n mark.n.1 C0/0.75 C1/.25"), (2, "mark.n mark.n.2 C1")], "mine.key")
    {'mark.n': {'mark.n.1': [('C0', 0.75), ('C1', 0.25)], 'mark.n.2': [('C1', 1.0)]}}
    >>> parse_key([(7, "mark.n mark.n.1")], "mine.key")
    Traceback (most recent call last):
    tacit.errors.InputError: mine.key, line 7: a line of a key is target, instance, label[/weight] ...
    """
    key: AnswerKey = {}
    for number, line in lines:
        cells = line.split()
        if not cells:
            continue
        where = f"{name}, line {number}"
        if len(cells) < 3:
            raise InputError(f"{where}: a line of a key is target, instance, label[/weight] ...")
        target, instance, *labels = cells
        key.setdefault(target, {})[instance] = [_parse_label(label, where) for label in labels]
    return key


def _parse_label(cell: str, where: str) -> tuple[str, float]:
    """Parse ``label[/weight]``."""
    label, _, weight = cell.partition("/")
    try:
        value = float(weight) if weight else 1.0
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{where}: the weight {weight!r} is no number; write label/0.5")
    return label, value


def read_key(source: Source) -> AnswerKey:
    """Read an answer key from a file."""
    return parse_key(numbered_lines(source), display_name(source))


def read_archived_keys(archive: Path, prefix: str) -> Iterator[tuple[str, AnswerKey]]:
    """Stream the answer keys of an archive whose names begin with ``prefix``."""
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.name.startswith(prefix) and member.isfile() else None
            if file is not None and not member.name.endswith("Map"):
                yield member.name, parse_key(decode_lines(io.BytesIO(file.read()), member.name), member.name)


def best_labels(answers: Mapping[str, Answer]) -> dict[str, str]:
    """Return the first label of every instance, the only one that the unsupervised scorers use.

    >>> best_labels({"mark.n.1": [("C0", 0.75), ("C1", 0.25)]})
    {'mark.n.1': 'C0'}
    """
    return {instance: labels[0][0] for instance, labels in answers.items()}


def paired_f(clusters: Labels, classes: Labels) -> float:
    """Return the F-score of pairs in the same cluster, against pairs in the same class; 0 if none agree.

    >>> round(paired_f(["a", "a", "a"], ["x", "x", "y"]), 3)
    0.4
    """
    cluster_sizes, class_sizes = Counter(clusters), Counter(classes)
    joint_sizes = Counter(zip(clusters, classes, strict=True))
    common = sum(n * (n - 1) // 2 for n in joint_sizes.values())
    common += sum(cluster_sizes[k] == 1 and class_sizes[s] == 1 for k, s in joint_sizes)
    if not common:
        return 0.0
    precision = common / sum(map(_count_pairs, cluster_sizes.values()))
    recall = common / sum(map(_count_pairs, class_sizes.values()))
    return 2 * precision * recall / (precision + recall)


def _count_pairs(size: int) -> int:
    """Return the number of pairs of a group; a single instance counts as one."""
    return size * (size - 1) // 2 if size > 1 else 1


def unsupervised_metrics(system: AnswerKey, gold: AnswerKey) -> dict[str, dict[str, float]]:
    """Return V-measure, paired F and the mean number of clusters, of all targets, nouns and verbs.

    V-measure and paired F are means over words, weighted by gold instances; the number of clusters is not.

    >>> gold = {"mark.n": {"1": [("x", 1.0)], "2": [("y", 1.0)]}}
    >>> unsupervised_metrics({"mark.n": {"1": [("a", 1.0)]}}, gold)["nouns"]
    {'v_measure': 1.0, 'paired_f': 1.0, 'clusters': 2.0}
    """
    words = {target: _word_metrics(system.get(target, {}), answers) for target, answers in gold.items()}
    metrics = {}
    for part, ending in POS_PARTS.items():
        targets = [target for target in words if target.endswith(ending)]
        if targets:
            metrics[part] = _average([words[t] for t in targets], [len(gold[t]) for t in targets])
    return metrics


def _word_metrics(answers: Mapping[str, Answer], gold: Mapping[str, Answer]) -> tuple[float, float, int]:
    """Return the V-measure, paired F and number of clusters of one word."""
    from sklearn.metrics import v_measure_score

    labels, gold_labels = best_labels(answers), best_labels(gold)
    clusters = [labels.get(instance, UNANSWERED) for instance in gold_labels]
    classes = list(gold_labels.values())
    return float(v_measure_score(classes, clusters)), paired_f(clusters, classes), len(set(clusters))


def _average(words: Sequence[tuple[float, float, int]], sizes: Sequence[int]) -> dict[str, float]:
    """Average the metrics of words."""
    total = sum(sizes)
    v, f = (sum(n * word[i] for n, word in zip(sizes, words, strict=True)) / total for i in (0, 1))
    return {"v_measure": v, "paired_f": f, "clusters": sum(word[2] for word in words) / len(words)}


@dataclass(frozen=True)
class Split:
    """The gold keys of one split: ``mapping`` is used to map clusters to senses, ``test`` to score."""

    mapping: AnswerKey
    test: AnswerKey


def supervised_recall(system: AnswerKey, split: Split) -> float:
    """Return the share of the test instances that get their gold sense.

    >>> key = lambda **labels: {"mark.n": {name: [(label, 1.0)] for name, label in labels.items()}}
    >>> supervised_recall(key(a="C0", b="C0", c="C1"), Split(key(a="x"), key(b="x", c="y")))
    0.5
    """
    senses = predict_senses(system, split)
    gold = [
        (target, instance, sense)
        for target, key in split.test.items()
        for instance, sense in best_labels(key).items()
    ]
    return sum(senses[target][instance] == sense for target, instance, sense in gold) / len(gold)


def count_used_senses(system: AnswerKey, split: Split) -> float:
    """Return the mean number of distinct gold senses that are predicted per word.

    >>> key = lambda **labels: {"mark.n": {name: [(label, 1.0)] for name, label in labels.items()}}
    >>> count_used_senses(key(a="C0", b="C0", c="C1"), Split(key(a="x"), key(b="x", c="y")))
    1.0
    """
    predicted = predict_senses(system, split)
    return sum(len(set(senses.values()) - {None}) for senses in predicted.values()) / len(predicted)


def predict_senses(system: AnswerKey, split: Split) -> dict[str, dict[str, str | None]]:
    """Return the sense of each test instance, by target and instance; None if the system has no answer."""
    predicted: dict[str, dict[str, str | None]] = {}
    for target, gold in split.test.items():
        answers = system.get(target, {})
        table = map_clusters_to_senses(answers, split.mapping.get(target, {}))
        predicted[target] = {instance: vote(answers.get(instance, []), table) for instance in gold}
    return predicted


def map_clusters_to_senses(
    answers: Mapping[str, Answer], gold: Mapping[str, Answer]
) -> dict[str, dict[str, float]]:
    """Return the share of each sense in each cluster, by the labels' weights.

    >>> map_clusters_to_senses({"1": [("C0", 1.0)], "2": [("C0", 3.0)]}, {"1": [("x", 1)], "2": [("y", 1)]})
    {'C0': {'x': 0.25, 'y': 0.75}}
    """
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for instance, sense in best_labels(gold).items():
        for cluster, weight in answers.get(instance, []):
            counts[cluster][sense] += weight
    return {
        cluster: {sense: count / sum(senses.values()) for sense, count in senses.items()}
        for cluster, senses in counts.items()
        if sum(senses.values()) > 0
    }


def vote(labels: Answer, table: Mapping[str, Mapping[str, float]]) -> str | None:
    """Return the sense with most votes, the first in string order on ties; None without votes.

    Each label votes for the senses of its cluster, by their shares.

    >>> vote([("C0", 1.0)], {"C0": {"y": 0.5, "x": 0.5}})
    'x'
    """
    votes: dict[str, float] = defaultdict(float)
    for cluster, weight in labels:
        for sense, share in table.get(cluster, {}).items():
            votes[sense] += weight * share
    best = max(votes.values(), default=0.0)
    return min(sense for sense, score in votes.items() if score == best) if best > 0 else None


@dataclass(frozen=True)
class TaskScorer:
    """All scorers of the task, with the gold key and the splits of supervised recall."""

    gold: AnswerKey
    splits: Mapping[tuple[str, str], list[Split]]

    @classmethod
    def load(cls, data: str | Path | None = None) -> TaskScorer:
        """Read the gold keys from the data folder."""
        gold, archive = find_files("wsi10", [GOLD, ARCHIVE], data)
        keys = dict(read_archived_keys(archive, "sup_eval/"))
        splits = {(name, part): _make_splits(keys, name, part) for name in SPLIT_NAMES for part in POS_PARTS}
        return cls(read_key(gold), splits)

    def score(self, system: AnswerKey) -> dict[str, dict[str, float]]:
        """Return the unsupervised metrics, senses used and both recalls, for all, nouns and verbs."""
        metrics = unsupervised_metrics(system, self.gold)
        for part, values in metrics.items():
            splits = self.splits["80_20", part]
            values["senses"] = fmean(count_used_senses(system, split) for split in splits)
            values["supervised_recall"] = self.mean_recall(system, "80_20", part)
            values["supervised_recall_60"] = self.mean_recall(system, "60_40", part)
        return metrics

    def select_targets(self, targets: Collection[str]) -> TaskScorer:
        """Return the scorers for some of the target words."""

        def select(key: AnswerKey) -> AnswerKey:
            return {target: answers for target, answers in key.items() if target in targets}

        splits = {
            name: [Split(select(split.mapping), select(split.test)) for split in splits]
            for name, splits in self.splits.items()
        }
        return TaskScorer(select(self.gold), splits)

    def recalls(self, system: AnswerKey, split_name: str, part: str) -> list[float]:
        """Return the recall of every split."""
        return [supervised_recall(system, split) for split in self.splits[split_name, part]]

    def mean_recall(self, system: AnswerKey, split_name: str, part: str) -> float:
        """Return the mean recall over the splits."""
        return fmean(self.recalls(system, split_name, part))


def _make_splits(keys: Mapping[str, AnswerKey], split_name: str, part: str) -> list[Split]:
    """Collect the splits of one kind and part from the archived keys."""
    infix = "" if part == "all" else f"{part}."
    names = [
        [f"sup_eval/{split_name}/{part}/{half}.{infix}{k}.key" for half in ("mapping", "test")]
        for k in range(1, N_SPLITS + 1)
    ]
    return [Split(keys[mapping], keys[test]) for mapping, test in names]
