"""A task as data: what it is called, which files it reads, whose they are, how it is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.corpora.options import AS_FOUND, ReadOptions
from tacit.evaluation.data import find_files
from tacit.evaluation.published import Figure

Numbers = dict[str, float]
Measured = tuple[dict[str, Numbers], Numbers]
"""The numbers of each set, ``pairs`` and ``without_known_words`` among them, and those over all sets."""


@dataclass(frozen=True)
class DataFile:
    """A file of a task: the name its numbers go by, and its path under the data folder.

    With ``unmarked_in``, only the pairs count whose line in that file ends in 0. With ``second``, the second
    texts are those of that file, line by line. ``languages`` are those of the two texts, where they are told,
    and ``reading`` overrules what the file shows of its form.
    """

    name: str
    path: str
    unmarked_in: str | None = None
    second: str | None = None
    languages: tuple[str, str] | None = None
    reading: ReadOptions = AS_FOUND


@dataclass(frozen=True)
class Kind:
    """How tasks of one kind are measured.

    Parameters
    ----------
    needs : the methods of which a scorer must have one.
    metrics : the measures that tables show, the first one first.
    load : from a task and the data folder to what is measured.
    measure : from what was loaded, a scorer and a seed to numbers.
    scorers : from a model and the name of a measure to what stands in the table: the model, what it has to
        beat, and chance; none for a task that is not run on any model.
    whole : the set that holds all others, where sets overlap.
    """

    needs: tuple[str, ...]
    metrics: tuple[str, ...]
    load: Callable[[Task, str | Path | None], Any]
    measure: Callable[[Any, Any, int], Measured]
    scorers: Callable[[Any, str], list[Any]] = lambda model, measure: []
    whole: str | None = None


@dataclass(frozen=True)
class Task:
    """What is evaluated; ``figures`` are what papers print for it."""

    name: str
    title: str
    kind: Kind
    files: tuple[DataFile, ...]
    licence: str
    figures: tuple[Figure, ...] = ()

    @property
    def paths(self) -> list[str]:
        """Every file that has to be there."""
        return [path for file in self.files for path in (file.path, file.unmarked_in, file.second) if path]

    def found(self, data: str | Path | None = None) -> Mapping[str, Path]:
        """Every file, all of which are there, by its path."""
        return dict(zip(self.paths, find_files(self.name, self.paths, data), strict=True))
