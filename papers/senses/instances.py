"""Read the texts of SemEval-2010 task 14: training texts, and instances to disambiguate.

The data folder has them as text and, all of the test text and a part of the training text, parsed.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papers.senses.scoring import FOLDER
from tacit.corpora.lines import decode_lines, strip_line_end
from tacit.corpora.passages import Passage, tokenize_passages
from tacit.errors import MissingExtraError
from tacit.evaluation.tasks import find_files

PARSED_TRAIN = tuple(f"{FOLDER}/parsed/train_{k:03}.parquet" for k in range(2, 14))
PARSED_TEST = tuple(f"{FOLDER}/parsed/test_{k:03}.parquet" for k in range(2))
PLAIN_TRAIN, PLAIN_TEST = f"{FOLDER}/train.tar.gz", f"{FOLDER}/test.tar.gz"
PER_TARGET = 1_600
"""The number of instances per target in the parsed text; plain text is limited to the same."""

_BATCH_SIZE = 1_000
_MARKER = "qqmarkqq"
_COLUMNS = ("target", "instance_id", "target_token", "lower", "lemma", "pos", "dep", "head")


@dataclass(frozen=True)
class Instance:
    """An occurrence of a target word such as ``mark.n``: its name, passage and position."""

    target: str
    name: str
    passage: Passage
    position: int

    @property
    def word(self) -> str:
        """The target without its part of speech."""
        return self.target[:-2]


def parsed_instances(paths: tuple[str, ...], data: str | Path | None = None) -> Iterator[Instance]:
    """Stream parsed instances."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtraError("reading Parquet", "frames") from None
    lower_case: dict[str, str] = {}  # one string object per word saves memory

    def lowered(words: list[str]) -> list[str]:
        return [lower_case.get(word) or lower_case.setdefault(word, word.lower()) for word in words]

    for file in find_files("wsi10", paths, data):
        for batch in parquet.ParquetFile(file).iter_batches(_BATCH_SIZE, columns=list(_COLUMNS)):
            columns: list[list[Any]] = [batch.column(name).to_pylist() for name in _COLUMNS]
            for target, name, position, forms, lemmas, tags, relations, heads in zip(*columns, strict=True):
                passage = Passage(lowered(forms), lowered(lemmas), tags, relations, heads)
                yield Instance(target, name, passage, position)


def covered_targets(data: str | Path | None = None) -> frozenset[str]:
    """Return the target words that have training text."""
    (archive,) = find_files("wsi10", [PLAIN_TRAIN], data)
    with tarfile.open(archive) as tar:
        names = [Path(member.name).name for member in tar]
    return frozenset(name.removesuffix(".tsv") for name in names if name.endswith(".tsv"))


def plain_instances(
    path: str, data: str | Path | None = None, max_per_target: int | None = None
) -> Iterator[Instance]:
    """Stream tokenized and stemmed instances, at most ``max_per_target`` of each target."""
    names: list[tuple[str, str]] = []

    def texts() -> Iterator[str]:
        for target, name, text in marked_texts(path, data, max_per_target):
            names.append((target, name))
            yield text.replace("<<", f" {_MARKER} ").replace(">>", " ")

    for number, passage in enumerate(tokenize_passages(texts())):
        target, name = names[number]
        position = passage.forms.index(_MARKER)
        del passage.forms[position], passage.terms[position]
        yield Instance(target, name, passage, position)


def marked_texts(
    path: str, data: str | Path | None = None, max_per_target: int | None = None
) -> Iterator[tuple[str, str, str]]:
    """Stream (target, instance, text) with the occurrence between << and >>."""
    (archive,) = find_files("wsi10", [path], data)
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.name.endswith(".tsv") else None
            if file is not None:
                target = Path(member.name).name.removesuffix(".tsv")
                yield from _read_rows(target, io.BytesIO(file.read()), member.name, max_per_target)


def _read_rows(
    target: str, file: io.BytesIO, name: str, max_rows: int | None
) -> Iterator[tuple[str, str, str]]:
    """Stream the rows of one target; the first line is a header."""
    for number, line in decode_lines(file, name):
        instance, _, *parts = strip_line_end(line).split("\t")
        if number == 1:
            continue
        if max_rows is not None and number > max_rows + 1:
            break
        text = " ".join(parts)
        if "<<" in text:  # a few training texts have no occurrence
            yield target, instance, text
