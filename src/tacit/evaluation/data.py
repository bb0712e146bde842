"""Where evaluation data is found, and how pairs with scores are read from it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tacit.corpora import read_cells
from tacit.corpora.files import Source, chomp, numbered_lines, shown
from tacit.corpora.options import AS_FOUND, ReadOptions
from tacit.errors import InputError


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs of texts with people's scores."""

    gold: NDArray[np.float64]
    a: list[str]
    b: list[str]

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.a)


def find_files(task: str, paths: Iterable[str], data: str | Path | None = None) -> list[Path]:
    """The files of a task, all of which are there: under ``data``, or else under ``$TACIT_DATA``.

    >>> find_files("sts12", ["sts/sts12/test/OnWN.tsv"], "/nowhere")
    Traceback (most recent call last):
    tacit.errors.InputError: the data of 'sts12' is not there: /nowhere (given as data) has no
    sts/sts12/test/OnWN.tsv; set TACIT_DATA to the folder that has it, or name it with data=FOLDER
    """
    named = data or os.environ.get("TACIT_DATA")
    source = "given as data" if data else "from TACIT_DATA"
    found = []
    for path in paths:
        if named is None and not Path(path).is_absolute():
            raise InputError(
                f"the data of {task!r} is not there: TACIT_DATA is not set and no folder is given",
                parameter="data",
                remedy=f"set TACIT_DATA to the folder that has {path}, or name it with data=FOLDER",
            )
        full = Path(named or "") / path
        if not full.is_file():
            where = f"no such file: {full}" if named is None else f"{named} ({source}) has no {path}"
            raise InputError(
                f"the data of {task!r} is not there: {where}",
                parameter="data",
                remedy="set TACIT_DATA to the folder that has it, or name it with data=FOLDER",
            )
        found.append(full)
    return found


def read_scored_pairs(source: Source, reading: ReadOptions = AS_FOUND) -> ScoredPairs:
    """Read a table of score, text, text, by default TSV; an empty line is no pair, an empty text is kept.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.tsv")
    ...     _ = path.write_text("4.5\\ta cat\\ta kitten\\n0\\ta cat\\n", encoding="utf-8")
    ...     read_scored_pairs(path)
    Traceback (most recent call last):
    tacit.errors.InputError: ...mine.tsv, line 2 has 2 columns, not 3; put score, text, text in a row, ...
    """
    rows = [_scored_pair(*row) for row in read_cells(source, 3, "score, text, text", reading)]
    if len(rows) < 2:
        raise InputError(f"{shown(source)} has {len(rows)} pairs; two are the least that can be correlated")
    gold, a, b = zip(*rows, strict=True)
    return ScoredPairs(np.array(gold), list(a), list(b))


def unmarked(pairs: ScoredPairs, index: Source) -> ScoredPairs:
    """The pairs whose line in the ``index`` ends in 0 (``li65.index`` marks 30 of 65 pairs with 1)."""
    marks = [cells[-1].strip() for _, cells in _rows(index)]
    if len(marks) != len(pairs):
        raise InputError(
            f"{shown(index)} has {len(marks)} lines for {len(pairs)} pairs; it needs equally many"
        )
    kept = [place for place, mark in enumerate(marks) if mark == "0"]
    return ScoredPairs(pairs.gold[kept], [pairs.a[i] for i in kept], [pairs.b[i] for i in kept])


def crossed(one: ScoredPairs, other: ScoredPairs, name: str) -> ScoredPairs:
    """The first texts of one set with the second texts of another, which has the same pairs line by line."""
    if not np.array_equal(one.gold, other.gold):
        raise InputError(
            f"the two files of {name!r} do not have the same scores line by line; copy them again"
        )
    return ScoredPairs(one.gold, one.a, other.b)


def read_columns(source: Source, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Stream some columns of a tab-separated file with a header, by name."""
    rows = _rows(source)
    _, header = next(rows, (1, []))
    missing = [name for name in names if name not in header]
    if missing:
        raise InputError(f"{shown(source)} has no column {missing[0]!r}; its header has {', '.join(header)}")
    places = [header.index(name) for name in names]
    for number, cells in rows:
        if len(cells) != len(header):
            where = f"{shown(source)}, line {number}"
            raise InputError(f"{where} has {len(cells)} columns, and its header {len(header)}; mend it")
        yield tuple(cells[place] for place in places)


def _rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    lines = ((number, chomp(line)) for number, line in numbered_lines(source))
    return ((number, line.split("\t")) for number, line in lines if line.strip())


def _scored_pair(where: str, cells: list[str]) -> tuple[float, str, str]:
    try:
        score = float(cells[0])
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(
            f"{where}: the score {cells[0]!r:.40} is no number",
            parameter="header",
            remedy="give header=True if the first row is one",
        )
    return score, cells[1], cells[2]
