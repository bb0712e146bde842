"""Definitions as queries (OntoNotes) and as candidates (WordNet), and which of them are aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tacit.errors import InputError
from tacit.evaluation.data import read_columns
from tacit.evaluation.tasks import DataFile, Task

DEV = 1000

FILES = (
    DataFile("ontonotes", "corpora/ontonotes_cdr.tsv.gz"),
    DataFile("wordnet", "corpora/wordnet.tsv.gz"),
)
LICENCE = "OntoNotes is LDC's: evaluation only, not distributed with tacit; WordNet has its own free licence"


@dataclass(frozen=True)
class Retrieval:
    """Queries, candidates, and for each query the places of its aligned candidates."""

    queries: list[str]
    candidates: list[str]
    aligned: list[list[int]]

    def take(self, places: Sequence[int] | NDArray[np.integer]) -> Retrieval:
        """Some of the queries, with all candidates.

        >>> Retrieval(["a", "b"], ["x", "y"], [[0], [1]]).take([1])
        Retrieval(queries=['b'], candidates=['x', 'y'], aligned=[[1]])
        """
        return Retrieval(
            [self.queries[i] for i in places], self.candidates, [self.aligned[i] for i in places]
        )


def load_retrieval(task: Task, data: str | Path | None = None) -> Retrieval:
    """Read the OntoNotes definitions, WordNet's, and how they are aligned."""
    ontonotes, wordnet = task.found(data).values()
    synsets, candidates = zip(*read_columns(wordnet, ("synset", "definition")), strict=True)
    places = {synset: place for place, synset in enumerate(synsets)}
    queries, aligned = [], []
    for sense, definition, names in read_columns(ontonotes, ("on_sense", "definition", "wn_synsets")):
        unknown = [name for name in names.split(",") if name not in places]
        if unknown:
            raise InputError(
                f"{ontonotes}: {sense} is aligned with {unknown[0]!r}, which {wordnet} does not have"
            )
        queries.append(definition)
        aligned.append([places[name] for name in names.split(",")])
    return Retrieval(queries, list(candidates), aligned)


def split(n: int, seed: int = 0, dev: int = DEV) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places of the development queries (at most half), drawn by seed, and of the others, in order.

    >>> dev, test = split(5, dev=2)
    >>> len(dev), len(test), sorted([*dev.tolist(), *test.tolist()])
    (2, 3, [0, 1, 2, 3, 4])
    """
    order = np.random.default_rng(seed).permutation(n)
    dev = min(dev, n // 2)
    return np.sort(order[:dev]), np.sort(order[dev:])
