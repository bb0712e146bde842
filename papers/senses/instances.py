"""The texts of SemEval-2010 task 14: what senses are learnt from, and the instances to be told apart.

They are there twice: as text, and as a parser saw a part of the training text and all of the test text.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papers.senses.scorer import FOLDER
from tacit.corpora.lines import decode_lines, strip_line_end
from tacit.corpora.passages import Passage
from tacit.errors import MissingExtraError
from tacit.evaluation.tasks import find_files
from tacit.senses.passages import positional_passages

PARSED_TRAIN = tuple(f"{FOLDER}/parsed/train_{k:03}.parquet" for k in range(2, 14))
PARSED_TEST = tuple(f"{FOLDER}/parsed/test_{k:03}.parquet" for k in range(2))
PLAIN_TRAIN, PLAIN_TEST = f"{FOLDER}/train.tar.gz", f"{FOLDER}/test.tar.gz"
PER_TARGET = 1_600
"""As many instances of each target as the parsed text has, so that both are learnt from as much."""

_BATCH = 1_000
_MARK = "qqmarkqq"
_COLUMNS = ("target", "instance_id", "target_token", "lower", "lemma", "pos", "dep", "head")


@dataclass(frozen=True)
class Instance:
    """An occurrence of a target word, such as ``mark.n``: its name, its passage and its place there."""

    target: str
    name: str
    passage: Passage
    place: int

    @property
    def word(self) -> str:
        """The target without its part of speech."""
        return self.target[:-2]


def parsed_instances(paths: tuple[str, ...], data: str | Path | None = None) -> Iterator[Instance]:
    """Stream instances as the parser saw them."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtraError("reading Parquet", "frames") from None
    known: dict[str, str] = {}  # each string once, however often it occurs

    def lowered(words: list[str]) -> list[str]:
        return [known.get(word) or known.setdefault(word, word.lower()) for word in words]

    for file in find_files("wsi10", paths, data):
        for batch in parquet.ParquetFile(file).iter_batches(_BATCH, columns=list(_COLUMNS)):
            columns: list[list[Any]] = [batch.column(name).to_pylist() for name in _COLUMNS]
            for target, name, place, forms, lemmas, tags, relations, heads in zip(*columns, strict=True):
                passage = Passage(lowered(forms), lowered(lemmas), tags, relations, heads)
                yield Instance(target, name, passage, place)


def covered_targets(data: str | Path | None = None) -> frozenset[str]:
    """The target words that have training text."""
    (archive,) = find_files("wsi10", [PLAIN_TRAIN], data)
    with tarfile.open(archive) as tar:
        names = [Path(member.name).name for member in tar]
    return frozenset(name.removesuffix(".tsv") for name in names if name.endswith(".tsv"))


def plain_instances(path: str, data: str | Path | None = None, most: int | None = None) -> Iterator[Instance]:
    """Stream instances as text, tokenised and stemmed, at most so many of each target."""
    pairs: list[tuple[str, str]] = []

    def texts() -> Iterator[str]:
        for target, name, text in marked_texts(path, data, most):
            pairs.append((target, name))
            yield text.replace("<<", f" {_MARK} ").replace(">>", " ")

    for number, passage in enumerate(positional_passages(texts())):
        target, name = pairs[number]
        place = passage.forms.index(_MARK)
        del passage.forms[place], passage.terms[place]
        yield Instance(target, name, passage, place)


def marked_texts(
    path: str, data: str | Path | None = None, most: int | None = None
) -> Iterator[tuple[str, str, str]]:
    """Stream (target, instance, text) with the occurrence between << and >>."""
    (archive,) = find_files("wsi10", [path], data)
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.name.endswith(".tsv") else None
            if file is not None:
                target = Path(member.name).name.removesuffix(".tsv")
                yield from _rows(target, io.BytesIO(file.read()), member.name, most)


def _rows(target: str, file: io.BytesIO, name: str, most: int | None) -> Iterator[tuple[str, str, str]]:
    for number, line in decode_lines(file, name):
        instance, _, *parts = strip_line_end(line).split("\t")
        if number == 1:
            continue
        if most is not None and number > most + 1:
            break
        text = " ".join(parts)
        if "<<" in text:  # a few training texts have no occurrence
            yield target, instance, text
