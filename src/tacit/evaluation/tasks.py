"""Evaluation tasks as data, and the files they read."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.corpora import read_lines, read_table
from tacit.corpora.formats.delimited import read_tsv_rows
from tacit.corpora.sources import Source, display_name
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ColumnRequest, ReadOptions, read_source
from tacit.errors import InputError

Metrics = dict[str, float]
TaskMetrics = tuple[dict[str, Metrics], Metrics]
"""Metrics of each set, with the counts ``pairs`` and ``without_known_words``, and metrics over all sets."""


@dataclass(frozen=True)
class PublishedResult:
    """One row of a published table: ``values`` by metric, then by set or average."""

    model: str
    source: str
    values: Mapping[str, Mapping[str, float]]

    @property
    def name(self) -> str:
        """The model, and the table it was published in."""
        return f"{self.model} ({self.source})"


@dataclass(frozen=True)
class DataFile:
    """A file of a task: the name of its set, and its path under the data folder.

    Only the pairs whose line in ``exclusion_file`` ends in 0 count, if there is such a file. The second texts
    come from ``second_text_file``, line by line, if there is one. ``languages`` are the languages of the two
    texts, None if they are to be detected. ``read_options`` say how the table is read.
    """

    name: str
    path: str
    exclusion_file: str | None = None
    second_text_file: str | None = None
    languages: tuple[str, str] | None = None
    read_options: ReadOptions = DEFAULT_OPTIONS


@dataclass(frozen=True)
class TaskKind:
    """How tasks of one kind are measured.

    Parameters
    ----------
    required_methods : tuple of str
        A scorer must have at least one of these methods.
    metrics : tuple of str
        The metrics that tables show, in this order.
    load : callable
        Reads the data of a task from a data folder.
    measure : callable
        Computes the metrics from the loaded data, a scorer and a seed.
    make_scorers : callable
        Makes the rows of the table from a model and the name of a measure: the model, baselines and random
        scores. Empty for a task that is not run on models.
    total_set : str or None
        The set that contains all others, if sets overlap.
    """

    required_methods: tuple[str, ...]
    metrics: tuple[str, ...]
    load: Callable[[Task, str | Path | None], Any]
    measure: Callable[[Any, Any, int], TaskMetrics]
    make_scorers: Callable[[Any, str], list[Any]] = lambda model, measure: []
    total_set: str | None = None


@dataclass(frozen=True)
class Task:
    """A task: its files, their licence, how it is measured, and the results that papers print for it."""

    name: str
    title: str
    kind: TaskKind
    files: tuple[DataFile, ...]
    licence: str
    published: tuple[PublishedResult, ...] = ()

    @property
    def paths(self) -> list[str]:
        """The paths of all required files."""
        paths = ((file.path, file.exclusion_file, file.second_text_file) for file in self.files)
        return [path for group in paths for path in group if path]

    def locate_files(self, data: str | Path | None = None) -> Mapping[str, Path]:
        """Map the path of each required file to its full path; all of them must exist."""
        return dict(zip(self.paths, find_files(self.name, self.paths, data), strict=True))


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs of texts with human scores."""

    gold: NDArray[np.float64]
    a: list[str]
    b: list[str]

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.a)


def find_files(task: str, paths: Sequence[str], data: str | Path | None = None) -> list[Path]:
    """Return the full paths of a task's files, under ``data`` or else under ``$TACIT_DATA``.

    An absolute path is a file of the user: its reader reports if it is missing.

    >>> find_files("sts12", ["sts/sts12/test/OnWN.tsv"], "/nowhere")
    Traceback (most recent call last):
    tacit.errors.InputError: the data of 'sts12' is missing: /nowhere (given as data) has no
    sts/sts12/test/OnWN.tsv; set TACIT_DATA to the folder that has it, or name it with data=FOLDER
    """
    folder = data or os.environ.get("TACIT_DATA")
    origin = "given as data" if data else "from TACIT_DATA"
    for path in paths:
        if Path(path).is_absolute() or (folder and Path(folder, path).is_file()):
            continue
        missing, reason = "it", f"{folder} ({origin}) has no {path}"
        if not folder:
            missing, reason = path, "TACIT_DATA is not set and no folder is given"
        remedy = f"set TACIT_DATA to the folder that has {missing}, or name it with data=FOLDER"
        raise InputError(f"the data of {task!r} is missing: {reason}", parameter="data", remedy=remedy)
    return [Path(folder or "", path) for path in paths]


def read_scored_pairs(source: Source, read_options: ReadOptions = DEFAULT_OPTIONS) -> ScoredPairs:
    """Read a table of score, text, text, by default TSV; empty lines are skipped, empty texts are not.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.tsv")
    ...     _ = path.write_text("4.5\\ta cat\\ta kitten\\n0\\ta cat\\n", encoding="utf-8")
    ...     read_scored_pairs(path)
    Traceback (most recent call last):
    tacit.errors.InputError: ...mine.tsv, line 2 has 2 columns, not 3; put score, text, text in each row, ...
    """
    rows = [_parse_scored_pair(*row) for row in read_table(source, 3, "score, text, text", read_options)]
    if len(rows) < 2:
        raise InputError(f"{display_name(source)} has {len(rows)} pairs; a correlation needs at least 2")
    gold, a, b = zip(*rows, strict=True)
    return ScoredPairs(np.array(gold), list(a), list(b))


def drop_marked(pairs: ScoredPairs, index: Source) -> ScoredPairs:
    """Return the pairs whose line in ``index`` ends in 0 (``li65.index`` marks 30 of 65 pairs with 1)."""
    marks = [line.rpartition("\t")[2].strip() for line in read_lines(index)]
    if len(marks) != len(pairs):
        raise InputError(
            f"{display_name(index)} has {len(marks)} lines for {len(pairs)} pairs; give one line per pair"
        )
    rows = [row for row, mark in enumerate(marks) if mark == "0"]
    return ScoredPairs(pairs.gold[rows], [pairs.a[i] for i in rows], [pairs.b[i] for i in rows])


def combine_sides(first: ScoredPairs, second: ScoredPairs, name: str) -> ScoredPairs:
    """Join the first texts of one set with the second texts of another that has the same pairs."""
    if not np.array_equal(first.gold, second.gold):
        raise InputError(
            f"the two files of {name!r} do not have the same scores line by line; copy them again"
        )
    return ScoredPairs(first.gold, first.a, second.b)


def read_columns(source: Source, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Stream some columns, by name, of a tab-separated file with a header; empty lines are skipped."""
    rows = read_source(read_tsv_rows, source, ColumnRequest(names), ReadOptions(header=True))
    return (tuple(values) for _, values, _ in rows if values)


def _parse_scored_pair(where: str, cells: list[str]) -> tuple[float, str, str]:
    """Convert a row to a score and two texts."""
    try:
        score = float(cells[0])
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(
            f"{where}: the score {cells[0]!r:.40} is not a number",
            parameter="header",
            remedy="give header=True if the first row holds column names",
        )
    return score, cells[1], cells[2]
