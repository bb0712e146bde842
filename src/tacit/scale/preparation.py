"""From texts to weighted rows on disk: vocabulary, weights, statistics, in a few passes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora.partitions import Partition
from tacit.factorize.spectral import power_iteration
from tacit.factorize.wmf_settings import MatrixStatistics
from tacit.scale.engines import Engine, add_fields
from tacit.scale.partition_files import PartitionRows, load_tokens, save_rows, tokens_path
from tacit.scale.pass_progress import PassProgress
from tacit.scale.passes import add_results, gram_product_pass
from tacit.scale.word_counts import (
    BYTES_PER_TERM,
    WordCounts,
    build_vocabulary,
    count_partition,
    merge_counts,
)
from tacit.text.vectorizer import TextVectorizer
from tacit.text.weighting import compute_idf, rms_norm, sum_squared_norms
from tacit.training.trainer import CorpusSummary, check_weights

logger = logging.getLogger(__name__)

VOCABULARY_MEMORY_DIVISOR = 4  # word counts may take this part of the given memory
MIN_TERMS = 100_000


@dataclass(kw_only=True)
class PreparedCorpus(CorpusSummary):
    """A corpus whose weighted rows are in files of the work folder."""

    files: list[PartitionRows]


def prepare(
    engine: Engine,
    partitions: Sequence[Partition],
    vectorizer: TextVectorizer,
    folder: Path,
    memory: int,
    progress: PassProgress,
) -> PreparedCorpus:
    """Read the texts once, fit the vectorizer, and write the rows of each partition to the work folder."""
    vectorizer.check_params()
    max_terms = max(MIN_TERMS, memory // VOCABULARY_MEMORY_DIVISOR // BYTES_PER_TERM)
    with progress.track_bytes(sum(part.size for part in partitions)) as advance:
        shared = engine.broadcast(vectorizer), str(folder), max_terms
        counts = engine.run(count_partition, partitions, shared, merge_counts, lambda p: advance(p.size))
    progress.texts_per_partition = counts.texts_per_partition
    _fit_vectorizer(vectorizer, counts)
    files, squared_norm = _write_rows(engine, partitions, vectorizer, folder, progress)
    for part in partitions:
        tokens_path(folder, part.number).unlink(missing_ok=True)
    n_nonzero = sum(file.n_nonzero for file in files)
    statistics = MatrixStatistics(counts.n_texts, len(vectorizer.words_), n_nonzero, sqrt(squared_norm))
    check_weights(statistics)
    order = np.argsort(counts.sample_keys, kind="stable")
    return PreparedCorpus(
        vectorizer=vectorizer,
        statistics=statistics,
        largest_singular_value=_largest_singular_value(engine, files, statistics.n_words, progress),
        content=[file.digest for file in files],
        sample=[counts.sample[i] for i in order],
        files=files,
    )


def _fit_vectorizer(vectorizer: TextVectorizer, counts: WordCounts) -> None:
    """Set the vocabulary of the vectorizer and the weights of the words."""
    if counts.max_undercount:
        logger.warning(
            "more than %s distinct words: document frequencies are too low by at most %s of %s texts, and "
            "words of about that frequency may be missing; give more memory to count exactly",
            f"{counts.max_terms:,}",
            f"{counts.max_undercount:,}",
            f"{counts.n_texts:,}",
        )
    min_df = vectorizer.resolve_min_df(counts.n_texts)
    words = build_vocabulary(counts, vectorizer, min_df)
    idf = compute_idf(words.df, counts.n_texts, vectorizer.idf)
    vectorizer.set_fitted_state(
        {"texts": counts.n_texts, "min_df": min_df, "typical_length": 1.0}, words, idf
    )
    _ = words.column_of  # created before threads use it


def _write_rows(
    engine: Engine,
    partitions: Sequence[Partition],
    vectorizer: TextVectorizer,
    folder: Path,
    progress: PassProgress,
) -> tuple[Any, ...]:
    """Write the rows of all partitions; return their files and the sum of their squared weights."""
    with progress.track_texts("weighing words") as advance:
        shared = engine.broadcast(vectorizer), str(folder)
        lengths = engine.run(row_lengths_pass, partitions, shared, add_fields, lambda p: advance(p.number))
    vectorizer.rms_norm_ = rms_norm(*lengths)
    with progress.track_texts("writing rows") as advance:
        shared = engine.broadcast(vectorizer), str(folder)
        return engine.run(write_rows_pass, partitions, shared, add_fields, lambda p: advance(p.number))


def row_lengths_pass(partition: Partition, vectorizer: TextVectorizer, folder: str) -> tuple[Any, ...]:
    """Sum the squared lengths of the rows of a partition, and count the rows that are not empty."""
    tokens = load_tokens(Path(folder), partition.number, partition.name)
    return sum_squared_norms(vectorizer.weight_rows(tokens, scaled=False))


def write_rows_pass(partition: Partition, vectorizer: TextVectorizer, folder: str) -> tuple[Any, ...]:
    """Write the rows of a partition; return a list with its file, and the sum of the squared weights."""
    tokens = load_tokens(Path(folder), partition.number, partition.name)
    rows = vectorizer.weight_rows(tokens)
    file = save_rows(Path(folder) / f"rows-{partition.number:06}.bin", partition.name, rows)
    return [file], float(np.square(rows.data, dtype=np.float64).sum())


def _largest_singular_value(
    engine: Engine, files: list[PartitionRows], n_words: int, progress: PassProgress
) -> float:
    """Estimate the largest singular value by the same power iteration as in memory."""

    def apply_gram(vector: Any) -> tuple[Any, float]:
        shared = (engine.broadcast(vector),)
        result = engine.run(gram_product_pass, files, shared, add_results, lambda _: None)
        return result.to_dense().rows, sqrt(result.totals["squared_norm"])

    with progress.track_texts("settings by the data"):
        return power_iteration(apply_gram, n_words)
