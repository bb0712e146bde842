"""From texts to rows: vocabulary, weights and settings by the data, as in memory, by a few passes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora.partitions import Partition
from tacit.factorize.parameters import strongest_of
from tacit.factorize.settings import Statistics
from tacit.scale.counting import (
    TERM_BYTES,
    Counts,
    add_counts,
    count_partition,
    read_tokens,
    tokens_path,
    vocabulary_of,
)
from tacit.scale.engines import Engine
from tacit.scale.passes import images
from tacit.scale.progress import Progress
from tacit.scale.rows import RowsFile, write_rows
from tacit.scale.sums import add_sums
from tacit.text.vectorizer import TextVectorizer
from tacit.text.weighting import compute_idf, rms_norm, sum_squared_norms
from tacit.training.trainer import CorpusSummary, check_weights

logger = logging.getLogger(__name__)

VOCABULARY_SHARE = 4
"""The part of the memory given that counting words may take: one in so many."""
LEAST_TERMS = 100_000


@dataclass
class Written:
    """The rows of partitions, and the sum of the squares of their weights."""

    files: list[RowsFile]
    squares: float


@dataclass(kw_only=True)
class PreparedCorpus(CorpusSummary):
    """A corpus whose weighted rows are in files of the work folder."""

    files: list[RowsFile]


def prepare(
    engine: Engine,
    partitions: Sequence[Partition],
    vectorizer: TextVectorizer,
    folder: Path,
    memory: int,
    progress: Progress,
) -> PreparedCorpus:
    """Read the texts once, and write each partition's rows to the work folder."""
    vectorizer.check_params()
    most = max(LEAST_TERMS, memory // VOCABULARY_SHARE // TERM_BYTES)
    with progress.reading(sum(part.size for part in partitions)) as tell:
        shared = engine.share(vectorizer), str(folder), most
        counts = engine.run(count_partition, partitions, shared, add_counts, lambda p: tell(p.size))
    progress.texts_of = dict(counts.parts)
    _learn(vectorizer, counts)
    written = _weigh(engine, partitions, vectorizer, folder, progress)
    for part in partitions:
        tokens_path(folder, part.number).unlink(missing_ok=True)
    found = Statistics(
        counts.n_texts,
        len(vectorizer.words_),
        sum(file.n_entries for file in written.files),
        sqrt(written.squares),
    )
    check_weights(found)
    order = np.argsort(counts.keys, kind="stable")
    return PreparedCorpus(
        vectorizer=vectorizer,
        statistics=found,
        largest_singular_value=_strongest(engine, written.files, found.n_words, progress),
        content=[file.digest for file in written.files],
        sample=[counts.sample[i] for i in order],
        files=written.files,
    )


def _learn(vectorizer: TextVectorizer, counts: Counts) -> None:
    """Give the vectorizer its words and their weights."""
    if counts.short:
        logger.warning(
            "there are more than %s distinct words: counts fall short by at most %s texts of %s, and words "
            "in about as few may be missing; give more memory to count exactly",
            f"{counts.most:,}",
            f"{counts.short:,}",
            f"{counts.n_texts:,}",
        )
    least = vectorizer.resolve_min_df(counts.n_texts)
    words = vocabulary_of(counts, vectorizer, least)
    idf = compute_idf(words.df, counts.n_texts, vectorizer.idf)
    learnt = {"texts": counts.n_texts, "min_df": least, "typical_length": 1.0}
    vectorizer.set_fitted_state(learnt, words, idf)
    _ = words.column_of  # made once, before threads ask for it


def _weigh(
    engine: Engine,
    partitions: Sequence[Partition],
    vectorizer: TextVectorizer,
    folder: Path,
    progress: Progress,
) -> Written:
    with progress.counted("weighing words") as tell:
        shared = engine.share(vectorizer), str(folder)
        squares, filled = engine.run(lengths_of, partitions, shared, add_lengths, lambda p: tell(p.number))
    vectorizer.rms_norm_ = rms_norm(squares, filled)
    with progress.counted("writing rows") as tell:
        shared = engine.share(vectorizer), str(folder)
        return engine.run(weigh_partition, partitions, shared, add_written, lambda p: tell(p.number))


def lengths_of(partition: Partition, vectorizer: TextVectorizer, folder: str) -> tuple[float, int]:
    """The squared lengths of a partition's rows, and how many have any."""
    seen = read_tokens(Path(folder), partition.number, partition.name)
    return sum_squared_norms(vectorizer.weight_rows(seen, scaled=False))


def add_lengths(left: tuple[float, int], right: tuple[float, int]) -> tuple[float, int]:
    """Both together."""
    return left[0] + right[0], left[1] + right[1]


def weigh_partition(partition: Partition, vectorizer: TextVectorizer, folder: str) -> Written:
    """Write the rows of a partition."""
    seen = read_tokens(Path(folder), partition.number, partition.name)
    rows = vectorizer.weight_rows(seen)
    path = Path(folder) / f"rows-{partition.number:06}.bin"
    arrays = rows.indptr, rows.indices, rows.data
    file = write_rows(path, partition.name, *arrays, rows.shape[1])
    return Written([file], float(np.square(rows.data, dtype=np.float64).sum()))


def add_written(left: Written, right: Written) -> Written:
    """Both together."""
    return Written(left.files + right.files, left.squares + right.squares)


def _strongest(engine: Engine, files: list[RowsFile], n_words: int, progress: Progress) -> float:
    """The largest singular value, by the same power iteration as in memory."""

    def look(vector: Any) -> tuple[Any, float]:
        found = engine.run(images, files, (engine.share(vector),), add_sums, lambda _: None)
        return found.whole().rows, sqrt(float(found.small[0]))

    with progress.counted("settings by the data"):
        return strongest_of(look, n_words)
