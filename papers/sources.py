"""What models are trained on: which columns of which files, read as texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora import read_lines, read_pairs
from tacit.evaluation.tasks import find_files, read_columns, read_scored_pairs
from tacit.text.token_ids import tokenize_texts


@dataclass(frozen=True)
class Source:
    """A file of texts under the data folder.

    With ``columns`` a row of a table with a header is one text of these columns; without, a line is a text.
    ``pairs`` marks a file of score, text, text: both texts count, and one that stands in several pairs once.
    ``share`` of the rows are read, spread evenly over the file.
    """

    path: str
    columns: tuple[str, ...] = ()
    pairs: bool = False
    share: float = 1.0

    def describe(self) -> dict[str, Any]:
        """Return what is read as plain values; what a source of lines has no need of is left out."""
        described: dict[str, Any] = {"path": self.path}
        if self.columns:
            described["columns"] = list(self.columns)
        if self.pairs:
            described["pairs"] = True
        if self.share != 1:
            described["share"] = self.share
        return described

    def texts(self, file: Path) -> Iterator[str]:
        """Stream the texts of the file."""
        return evenly(self._all(file), self.share)

    def _all(self, file: Path) -> Iterator[str]:
        if self.pairs:
            scored = read_scored_pairs(file)
            return iter(dict.fromkeys([*scored.a, *scored.b]))
        if self.columns:
            return (" ".join(filter(None, cells)) for cells in read_columns(file, self.columns))
        return read_lines(file)


@dataclass(frozen=True)
class Corpus:
    """What models are trained on, and the tasks they are then measured by, with the files of these."""

    name: str
    title: str
    sources: tuple[Source, ...]
    tasks: tuple[str, ...]
    evaluation_files: tuple[str, ...] = ()

    def describe_input(self) -> dict[str, Any]:
        """Return what is read and measured as plain values, for the keys of recorded runs.

        The names are fixed: another name here is another key. Files of tasks and of parallel texts are not
        listed, as the digest of the data covers their paths.
        """
        return {"sources": [source.describe() for source in self.sources], "tasks": list(self.tasks)}

    def files(self, data: str | Path | None) -> dict[str, Path]:
        """Every file that training and measuring read, all of which are there, by its path."""
        paths = [*(source.path for source in self.sources), *self.evaluation_files]
        return dict(zip(paths, find_files(self.name, paths, data), strict=True))

    def texts(self, data: str | Path | None) -> list[str]:
        """The texts of all sources; those of a task of senses are read by its own systems."""
        if "wsi10" in self.tasks:
            return []
        files = self.files(data)
        return [text for source in self.sources for text in source.texts(files[source.path])]


@dataclass(frozen=True)
class ParallelTexts:
    """English texts, and by language pairs of an English text and its translation."""

    english: list[str]
    pairs: dict[str, list[tuple[str, str]]]


@dataclass(frozen=True)
class ParallelCorpus(Corpus):
    """English sources, and by language files of pairs; those of 3 to 80 tokens on both sides count."""

    parallel: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def describe_input(self) -> dict[str, Any]:
        """Return what is read and measured, with the languages of the pairs."""
        return {**super().describe_input(), "parallel": list(self.parallel)}

    def files(self, data: str | Path | None) -> dict[str, Path]:
        """Every file that training and measuring read, all of which are there, by its path."""
        paths = [path for files in self.parallel.values() for path in files]
        return super().files(data) | dict(zip(paths, find_files(self.name, paths, data), strict=True))

    def texts(self, data: str | Path | None) -> Any:
        """English alone, and pairs by language."""
        files = self.files(data)
        pairs = {
            code: [pair for path in paths for pair in middling(list(read_pairs(files[path])))]
            for code, paths in self.parallel.items()
        }
        return ParallelTexts(super().texts(data), pairs)


def middling(pairs: list[tuple[str, str]], least: int = 3, most: int = 80) -> list[tuple[str, str]]:
    """The pairs of which both texts have from ``least`` to ``most`` tokens.

    >>> middling([("one two three", "uno dos tres"), ("one", "uno")])
    [('one two three', 'uno dos tres')]
    """
    kept = np.ones(len(pairs), bool)
    for side in (0, 1):
        counts = tokenize_texts(pair[side] for pair in pairs).lengths
        kept &= (counts >= least) & (counts <= most)
    return [pair for pair, keep in zip(pairs, kept.tolist(), strict=True) if keep]


def evenly(texts: Iterator[str], share: float) -> Iterator[str]:
    """A share of the texts, as evenly spread as whole numbers allow.

    >>> list(evenly(iter("abcdef"), 0.5))
    ['b', 'd', 'f']
    """
    return (text for place, text in enumerate(texts) if int((place + 1) * share) > int(place * share))
