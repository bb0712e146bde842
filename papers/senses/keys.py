"""Keys: which sense, or which cluster, each occurrence of a target word has.

A line is ``target instance label[/weight] [label[/weight] ...]``, the best label first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from tacit.corpora.lines import numbered_lines
from tacit.corpora.sources import Source, display_name
from tacit.errors import InputError

Answer = list[tuple[str, float]]
Key = dict[str, dict[str, Answer]]
"""By target word and instance: its labels with their weights, the best first."""

PARTS = {"all": "", "nouns": ".n", "verbs": ".v"}
"""The parts that are reported, and how the names of their target words end."""


def parse_key(lines: Iterable[tuple[int, str]], name: str) -> Key:
    """Read the lines of a key; ``name`` is what messages call it.

    >>> parse_key([(1, "mark.n mark.n.1 C0/0.75 C1/.25"), (2, "mark.n mark.n.2 C1")], "mine.key")
    {'mark.n': {'mark.n.1': [('C0', 0.75), ('C1', 0.25)], 'mark.n.2': [('C1', 1.0)]}}
    >>> parse_key([(7, "mark.n mark.n.1")], "mine.key")
    Traceback (most recent call last):
    tacit.errors.InputError: mine.key, line 7: a line of a key is target, instance, label[/weight] ...
    """
    key: Key = {}
    for number, line in lines:
        cells = line.split()
        if not cells:
            continue
        where = f"{name}, line {number}"
        if len(cells) < 3:
            raise InputError(f"{where}: a line of a key is target, instance, label[/weight] ...")
        target, instance, *labels = cells
        key.setdefault(target, {})[instance] = [_labelled(label, where) for label in labels]
    return key


def _labelled(cell: str, where: str) -> tuple[str, float]:
    label, _, weight = cell.partition("/")
    try:
        value = float(weight) if weight else 1.0
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{where}: the weight {weight!r} is no number; write label/0.5")
    return label, value


def read_key(source: Source) -> Key:
    """Read a key from a file."""
    return parse_key(numbered_lines(source), display_name(source))


def write_key(key: Key, path: str | Path) -> None:
    """Write a key to a file, for any other scorer of the task.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_key({"mark.n": {"mark.n.1": [("C0", 1.0)]}}, Path(folder, "mine.key"))
    ...     read_key(Path(folder, "mine.key"))
    {'mark.n': {'mark.n.1': [('C0', 1.0)]}}
    """
    lines = [
        " ".join([target, instance, *(f"{label}/{weight:.6g}" for label, weight in labels)])
        for target, answers in key.items()
        for instance, labels in answers.items()
    ]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def best_labels(answers: Mapping[str, Answer]) -> dict[str, str]:
    """The first label of every instance: the only one that the unsupervised scorers read.

    >>> best_labels({"mark.n.1": [("C0", 0.75), ("C1", 0.25)]})
    {'mark.n.1': 'C0'}
    """
    return {instance: labels[0][0] for instance, labels in answers.items()}
