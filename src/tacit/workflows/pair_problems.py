"""Lists of records with their candidate pairs, in memory or in a work folder."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora import Record
from tacit.decisions.candidate_pairs import CandidatePairs, find_pairs
from tacit.decisions.pair_features import FEATURES
from tacit.decisions.texts import PairTexts
from tacit.errors import InputError, ModelError
from tacit.models.text_set import TextSet
from tacit.storage import StoredModel, read_model, write_model
from tacit.storage.stored_model import ArrayReader, restoring
from tacit.types import Array
from tacit.workflows.file_index import open_records
from tacit.workflows.judgements import Judgement, read_judgements
from tacit.workflows.learning import learn
from tacit.workflows.progress import Progress, stage_callback
from tacit.workflows.training_settings import TrainingSettings

_CLASS = "PairProblem"


@dataclass(frozen=True)
class PairProblem:
    """One list of records, or two, with their candidate pairs.

    ``texts_of_rows`` has, for each list, the number of the distinct text of each record.
    """

    lists: list[list[Record]]
    texts_of_rows: list[Array]
    pairs: CandidatePairs

    def row_groups(self, side: int) -> dict[int, list[int]]:
        """Return the rows of each distinct text of a list."""
        groups: dict[int, list[int]] = {}
        for row, text in enumerate(self.texts_of_rows[side].tolist()):
            groups.setdefault(text, []).append(row)
        return groups

    def read_labels(self, folder: str | Path | None) -> tuple[dict[int, float], list[str]]:
        """Return the labels in a folder by pair, and a note if some are of other pairs."""
        labels, n_unknown = self.label_pairs(() if folder is None else read_judgements(folder))
        return labels, [f"{n_unknown} judged pairs are not among the candidates"] if n_unknown else []

    def label_pairs(self, judgements: Iterable[Judgement]) -> tuple[dict[int, float], int]:
        """Return the label of each judged candidate pair, and the number of judgements on other pairs."""
        text_of = [
            dict(zip((record.id for record in records), texts.tolist(), strict=True))
            for records, texts in zip(self.lists, self.texts_of_rows, strict=True)
        ]
        keys = (self.pairs.left * self.pairs.n_texts + self.pairs.right).tolist()
        pair_of = dict(zip(keys, range(len(keys)), strict=True))
        labels, n_unknown = {}, 0
        for id_a, id_b, label in judgements:
            a, b = text_of[0].get(id_a), text_of[-1].get(id_b)
            if a is None or b is None:
                pair = None
            else:
                a, b = (a, b) if len(self.lists) == 2 else (min(a, b), max(a, b))
                pair = pair_of.get(a * self.pairs.n_texts + b)
            if pair is None or label is None:
                n_unknown += 1
            else:
                labels[pair] = label
        return labels, n_unknown

    def save(self, folder: str | Path) -> None:
        """Write the records and the candidates; judgements in the folder stay."""
        pairs = self.pairs
        arrays = {
            name: getattr(pairs, name)
            for name in ("left", "right", "features", "word_cosines", "char_cosines")
        }
        arrays |= {f"texts_of_rows.{side}": texts for side, texts in enumerate(self.texts_of_rows)}
        rows: list[tuple[str, ...]] = [(json.dumps(tuple(record)),) for record in chain(*self.lists)]
        sizes = [len(records) for records in self.lists]
        parameters = {"n_texts": pairs.n_texts, "n_left": pairs.n_left, "sizes": sizes}
        card = (
            "# Pairs of texts\n\nWritten by `tacit link` or `tacit dedupe`; judge pairs with `tacit teach`.\n"
        )
        write_model(folder, StoredModel(_CLASS, parameters, arrays=arrays, vocabulary=rows), card)

    @classmethod
    def load(cls, folder: str | Path) -> PairProblem:
        """Read what `save` wrote; ModelError if the folder holds something else."""
        stored = read_model(folder)
        if stored.kind != _CLASS:
            raise ModelError(f"{folder} is not a work folder: create one with tacit link A B --work {folder}")
        with restoring("run tacit link or dedupe again"):
            n_texts, n_left = stored.parameters["n_texts"], stored.parameters["n_left"]
            arrays = ArrayReader(stored.arrays)
            left = arrays.indices("left", np.int64, (None,), n_texts)
            n = len(left)
            pairs = CandidatePairs(
                n_texts,
                n_left,
                left,
                arrays.indices("right", np.int64, (n,), n_texts),
                arrays.floats("features", np.float32, (n, len(FEATURES))),
                arrays.floats("word_cosines", np.float32, (n,)),
                arrays.floats("char_cosines", np.float32, (n,)),
            )
            records = (Record(*json.loads(row)) for (row,) in stored.vocabulary)
            lists = [list(islice(records, size)) for size in stored.parameters["sizes"]]
            texts = [
                arrays.indices(f"texts_of_rows.{side}", np.int64, (len(rows),), n_texts)
                for side, rows in enumerate(lists)
            ]
            return cls(lists, texts, pairs)


def open_problem(
    lists: Sequence[Any], texts: Sequence[Any] = (None, None), ids: Sequence[str | None] = (None, None),
    columns: Sequence[str] | None = None, work: str | Path | None = None, language: str | None = "auto",
    n_threads: int | None = None, progress: Progress | None = None, encoder: Any = None,
) -> PairProblem:  # fmt: skip
    """Find the candidate pairs of one list or two, and store them in a work folder, if any.

    If the lists are None, read them from the work folder. ``texts`` and ``ids`` are the columns of each list.
    """
    verbs = {1: "dedupe needs one list", 2: "link needs two lists"}
    needed, n_missing = verbs[len(lists)], sum(each is None for each in lists)
    if n_missing == len(lists) and work is not None:
        problem = PairProblem.load(work)
        if len(problem.lists) != len(lists):
            other = verbs[len(problem.lists)].partition(" ")[0]
            raise InputError(f"{work} is a work folder of {other}: {needed}")
        return problem
    if n_missing:
        raise InputError(f"{needed}, or the work folder of an earlier call")
    read = [read_list(*each, columns) for each in zip(lists, texts, ids, strict=False)]
    problem = build_problem(read, language, n_threads, progress, encoder)
    if work is not None:
        problem.save(work)
    return problem


def read_list(
    records: Any, text: str | Sequence[str] | None, id: str | None, columns: Sequence[str] | None
) -> list[Record]:
    """Read all records; those without an id are numbered from 1. InputError if an id occurs twice."""
    rows = [
        record if record.id is not None else record._replace(id=str(number))
        for number, record in enumerate(open_records(records, text, id, columns).records(), 1)
    ]
    n_by_id = Counter(record.id for record in rows)
    twice = next((name for name, n in n_by_id.items() if n > 1), None)
    if twice is not None:
        raise InputError(f"the id {twice!r} occurs twice: ids must be different within a list")
    if not rows:
        raise InputError("the list has no text: give at least one")
    return rows


def normalize_text(text: str) -> str:
    """Return a text in Unicode normal form C, lower case, with single spaces; equal results are exact copies.

    >>> normalize_text(" Cafe\\u0301  Noir") == normalize_text("caf\\u00e9 noir")
    True
    """
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def build_problem(
    lists: list[list[Record]], language: str | None, n_threads: int | None, progress: Progress | None,
    encoder: Any = None,
) -> PairProblem:  # fmt: skip
    """Train a model on the distinct texts of one or two lists, and find the candidate pairs."""
    texts: list[str] = []
    texts_of_rows = []
    for records in lists:
        number_of: dict[str, int] = {}
        numbers = []
        for record in records:
            key = normalize_text(record.text)
            if key not in number_of:
                number_of[key] = len(texts)
                texts.append(record.text)
            numbers.append(number_of[key])
        texts_of_rows.append(np.array(numbers, np.int64))
    model = train_model(texts, language, n_threads, progress, encoder)
    n_left = int(texts_of_rows[0].max()) + 1 if len(lists) == 2 else None
    pair_texts = PairTexts(TextSet.from_texts(model, texts))
    pairs = find_pairs(pair_texts, n_left, stage_callback(progress, "comparing"))
    return PairProblem(lists, texts_of_rows, pairs)


def train_model(
    texts: list[str], language: str | None, n_threads: int | None, progress: Progress | None,
    encoder: Any = None,
) -> Any:  # fmt: skip
    """Train a model on the distinct texts, sorted, so that the order of the lists does not matter."""
    options = {"settings": TrainingSettings(n_threads=n_threads), "encoder": encoder, "progress": progress}
    return learn(sorted(set(texts)), language=language, **options).model
