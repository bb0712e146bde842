"""Judgements of pairs: an append-only file of a folder, with one line for each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tacit.errors import InputError, ModelError
from tacit.storage.durable_files import create_folder, fsync_folder

JUDGEMENTS_FILE = "judgements.jsonl"
JUDGEMENT_COLUMNS = ("id_a", "id_b", "label")
MAX_LABEL = 1.0

Judgement = tuple[str, str, float | None]
"""The ids of two records and a label; None withdraws the label."""


def read_judgements(folder: str | Path) -> list[Judgement]:
    """Read the judgements of a folder, the last one of each pair; those that were withdrawn are left out."""
    path, labels = Path(folder, JUDGEMENTS_FILE), dict[tuple[str, str], float | None]()
    content = path.read_bytes() if path.exists() else b""
    for number, line in enumerate(content[: _complete_size(content)].splitlines(), 1):
        judgement = _parse_line(line)
        if judgement is None:
            raise ModelError(f"{path}, line {number} is damaged: remove this line")
        labels[judgement[:2]] = judgement[2]
    return [(*ids, label) for ids, label in labels.items() if label is not None]


def append_judgements(
    folder: str | Path, judgements: Iterable[Judgement], max_lines: int | None = None
) -> None:
    """Append judgements to the file of a folder and flush it to the disk.

    InputError if they contradict each other, or if the file would get more than ``max_lines`` lines; then
    none is written.
    """
    judgements = list(judgements)
    if not judgements:
        return
    check_contradictions(judgements)
    create_folder(Path(folder))
    with open(Path(folder, JUDGEMENTS_FILE), "a+b") as file:
        file.seek(0)
        content = file.read()
        n_lines = content.count(b"\n")
        if max_lines is not None and n_lines + len(judgements) > max_lines:
            problem = f"{n_lines:,} judgements are stored, withdrawn ones included, at most {max_lines:,}"
            raise InputError(
                f"{problem}: send further ones with the request of a job, which does not store them"
            )
        file.truncate(size := _complete_size(content))
        if size and not content[:size].endswith(b"\n"):
            file.write(b"\n")
        file.writelines(json.dumps(judgement).encode() + b"\n" for judgement in judgements)
        file.flush()
        os.fsync(file.fileno())
    if not content:
        fsync_folder(Path(folder))


def _complete_size(content: bytes) -> int:
    """Return the size without the last line if that was written in part, because the machine stopped."""
    start = content.rfind(b"\n") + 1
    return start if _parse_line(content[start:]) is None else len(content)


def _parse_line(line: bytes) -> Judgement | None:
    """Return the judgement of a line, None for anything else."""
    try:
        id_a, id_b, label = json.loads(line)
    except (ValueError, TypeError):
        return None
    return (id_a, id_b, label) if isinstance(id_a, str) and isinstance(id_b, str) else None


def check_contradictions(judgements: Iterable[Judgement]) -> None:
    """Raise InputError if a pair, given by ids or by texts, has two different labels."""
    labels: dict[tuple[str, str], float | None] = {}
    for a, b, label in judgements:
        first = labels.setdefault((a, b), label)
        if first != label and None not in (first, label):
            problem = f"{a[:60]!r} and {b[:60]!r} are judged both {first:g} and {label:g}"
            raise InputError(f"{problem}: keep one judgement")


def check_label(label: Any, highest: float = MAX_LABEL) -> float:
    """Return a label as a float; InputError if it is neither 0 nor 1, or for grades not from 0 to 5.

    >>> check_label("1"), check_label(False), check_label("3.5", highest=5)
    (1.0, 0.0, 3.5)
    """
    try:
        value = float(label)
    except (TypeError, ValueError):
        value = -1.0
    if highest > MAX_LABEL and not 0 <= value <= highest:
        raise InputError(f"label={label!r}: give a grade from 0 to {highest:g}", parameter="label")
    if highest == MAX_LABEL and value not in (0.0, 1.0):
        raise InputError(f"label={label!r}: give 1 for a match or 0 for none", parameter="label")
    return value
