"""From texts to weighted rows on disk: vocabulary, weights, statistics, in a few passes.

The first pass counts the words of each partition and merges the counts. Counts are exact while the distinct
words fit in the given memory. Beyond that, the table keeps the most frequent words and subtracts the first
count that does not fit from all of them, like the mergeable summaries of Agarwal et al. (PODS 2012): a
count is then too low by at most the sum of what was subtracted, which is logged.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora.inspection import ReservoirSample
from tacit.corpora.partitions import Partition
from tacit.factorize.spectral import power_iteration
from tacit.factorize.wmf_settings import MatrixStatistics
from tacit.scale.engines import Engine, add_fields
from tacit.scale.partition_files import PartitionRows, load_tokens, save_rows, save_tokens, tokens_path
from tacit.scale.pass_progress import PassProgress
from tacit.scale.passes import add_results, gram_product_pass
from tacit.text import vocabulary
from tacit.text.counting_kernels import document_frequency
from tacit.text.vectorizer import TextVectorizer
from tacit.text.weighting import compute_idf, rms_norm, sum_squared_norms
from tacit.training.trainer import CorpusSummary, check_weights
from tacit.types import Array

logger = logging.getLogger(__name__)

VOCABULARY_MEMORY_DIVISOR = 4  # word counts may take this part of the given memory
MIN_TERMS = 100_000
SAMPLE_TEXTS = 20_000  # size of the random sample of texts
BYTES_PER_TERM = 320  # memory of a distinct word with its forms while it is counted


@dataclass(kw_only=True)
class PreparedCorpus(CorpusSummary):
    """A corpus whose weighted rows are in files of the work folder."""

    files: list[PartitionRows]


def prepare(
    engine: Engine, partitions: Sequence[Partition], vectorizer: TextVectorizer, folder: Path, memory: int,
    progress: PassProgress,
) -> PreparedCorpus:  # fmt: skip
    """Read the texts once, fit the vectorizer, and write the rows of each partition to the work folder."""
    vectorizer.check_params()
    max_terms = max(MIN_TERMS, memory // VOCABULARY_MEMORY_DIVISOR // BYTES_PER_TERM)
    n_bytes = sum(part.size for part in partitions)
    with progress.track("reading texts", n_bytes, counts_texts=False) as advance:
        shared = engine.broadcast(vectorizer), str(folder), max_terms
        counts = engine.run(count_partition, partitions, shared, merge_counts, lambda p: advance(p.size))
    _fit_vectorizer(vectorizer, counts)

    def run_pass(name: str, function: Callable[..., tuple[Any, ...]]) -> tuple[Any, ...]:
        n_texts = counts.texts_per_partition
        with progress.track(name, counts.n_texts) as advance:
            shared = engine.broadcast(vectorizer), str(folder)
            return engine.run(function, partitions, shared, add_fields, lambda p: advance(n_texts[p.number]))

    vectorizer.rms_norm_ = rms_norm(*run_pass("weighing words", row_lengths_pass))
    files, squared_norm = run_pass("writing rows", write_rows_pass)
    for part in partitions:
        tokens_path(folder, part.number).unlink(missing_ok=True)
    n_nonzero = sum(file.n_nonzero for file in files)
    statistics = MatrixStatistics(counts.n_texts, len(vectorizer.words_), n_nonzero, sqrt(squared_norm))
    check_weights(statistics)
    order = np.argsort(counts.sample_keys, kind="stable")
    return PreparedCorpus(
        vectorizer=vectorizer,
        statistics=statistics,
        largest_singular_value=_largest_singular_value(engine, files, statistics, progress),
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
            *(f"{n:,}" for n in (counts.max_terms, counts.max_undercount, counts.n_texts)),
        )
    min_df = vectorizer.resolve_min_df(counts.n_texts)
    words = build_vocabulary(counts, vectorizer, min_df)
    idf = compute_idf(words.df, counts.n_texts, vectorizer.idf)
    state = {"texts": counts.n_texts, "min_df": min_df, "typical_length": 1.0}
    vectorizer.set_fitted_state(state, words, idf)
    _ = words.column_of  # created before threads use it


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
    engine: Engine, files: list[PartitionRows], statistics: MatrixStatistics, progress: PassProgress
) -> float:
    """Estimate the largest singular value by the same power iteration as in memory."""

    def apply_gram(vector: Any) -> tuple[Any, float]:
        shared = (engine.broadcast(vector),)
        result = engine.run(gram_product_pass, files, shared, add_results, lambda _: None)
        return result.to_dense().rows, sqrt(result.totals["squared_norm"])

    with progress.track("choosing settings", statistics.n_texts):
        return power_iteration(apply_gram, statistics.n_words)


@dataclass
class WordCounts:
    """Document frequency of each term, number of occurrences of each token, and a sample of the texts.

    ``sample_keys`` are the smallest of the keys of all texts, which are uniform between 0 and 1, so that the
    samples of two collections can be merged. Frequencies are too low by at most ``max_undercount``.
    """

    n_texts: int
    df: Counter[str]
    token_counts: Counter[str]
    sample: list[str]
    sample_keys: Array
    max_terms: int
    max_undercount: int = 0
    texts_per_partition: dict[int, int] = field(default_factory=dict)


def count_partition(
    partition: Partition, vectorizer: TextVectorizer, folder: str, max_terms: int
) -> WordCounts:
    """Count the words of a partition, and save its tokens in the work folder for the next passes."""
    sample = ReservoirSample(SAMPLE_TEXTS, seed=partition.number)
    tokenized = vectorizer.tokenize(sample.pass_through(partition.texts()))
    save_tokens(Path(folder), partition.number, tokenized)
    names, term_of = vocabulary.map_tokens_to_terms(tokenized.tokens, vectorizer.make_normalizer())
    df = document_frequency(tokenized.ids, tokenized.lengths, term_of, len(names))
    token_counts = np.bincount(tokenized.ids, minlength=len(tokenized.tokens))
    n_texts = len(tokenized.lengths)
    counts = WordCounts(
        n_texts,
        Counter(dict(zip(names, df.tolist(), strict=True))),
        Counter(dict(zip(tokenized.tokens, token_counts.tolist(), strict=True))),
        sample.texts,
        draw_smallest_keys(n_texts, len(sample.texts), partition.number),
        max_terms,
        texts_per_partition={partition.number: n_texts},
    )
    return prune_counts(counts)


def draw_smallest_keys(n: int, k: int, seed: int) -> Array:
    """Draw the k smallest of n uniform numbers, in random order, without drawing all of them."""
    rng = np.random.default_rng([seed, 1])
    spacings = np.cumsum(rng.standard_exponential(k))
    total = spacings[-1:] + rng.standard_gamma(n + 1 - k)
    return rng.permutation(spacings / total)


def merge_counts(left: WordCounts, right: WordCounts) -> WordCounts:
    """Merge the counts of two collections; the counters of the first are changed."""
    left.df.update(right.df)
    left.token_counts.update(right.token_counts)
    keys = np.concatenate([left.sample_keys, right.sample_keys])
    texts = left.sample + right.sample
    smallest = np.argsort(keys, kind="stable")[:SAMPLE_TEXTS]
    merged = replace(
        left,
        n_texts=left.n_texts + right.n_texts,
        sample=[texts[i] for i in smallest],
        sample_keys=keys[smallest],
        max_undercount=left.max_undercount + right.max_undercount,
        texts_per_partition=left.texts_per_partition | right.texts_per_partition,
    )
    return prune_counts(merged)


def prune_counts(counts: WordCounts) -> WordCounts:
    """Reduce the terms to the most frequent ``max_terms``.

    >>> df = Counter({"a": 5, "b": 3, "c": 2})
    >>> pruned = prune_counts(WordCounts(9, df, df, [], np.zeros(0), max_terms=1))
    >>> pruned.df, pruned.max_undercount
    (Counter({'a': 2}), 3)
    """
    if len(counts.df) <= counts.max_terms:
        return counts
    values = np.fromiter(counts.df.values(), np.int64, len(counts.df))
    position = len(values) - counts.max_terms - 1
    cut = int(np.partition(values, position)[position])
    df = Counter({term: count - cut for term, count in counts.df.items() if count > cut})
    max_tokens = 4 * counts.max_terms
    token_counts = counts.token_counts
    if len(token_counts) > max_tokens:
        most_frequent = sorted(token_counts.items(), key=lambda item: (-item[1], item[0]))
        token_counts = Counter(dict(most_frequent[:max_tokens]))
    return replace(counts, df=df, token_counts=token_counts, max_undercount=counts.max_undercount + cut)


def build_vocabulary(counts: WordCounts, vectorizer: TextVectorizer, min_df: int) -> vocabulary.Vocabulary:
    """Select the same vocabulary as in memory; terms without a counted token are their own surface form."""
    names = [term for term, df in counts.df.items() if df >= min_df]  # few of all, which saves memory
    df = np.array([counts.df[name] for name in names], np.int64)
    number_of = {name: number for number, name in enumerate(names)}
    terms = vectorizer.make_normalizer()(list(counts.token_counts))
    pairs = zip(counts.token_counts, terms, strict=True)
    term_of = {token: number_of[term] for token, term in pairs if term in number_of}
    token_counts = np.array([counts.token_counts[token] for token in term_of], np.int64)
    tokens = vocabulary.TokenCounts(list(term_of), token_counts, np.array(list(term_of.values()), np.int64))
    options = (min_df, vectorizer.max_features, vectorizer.min_count)
    words = vocabulary.select_vocabulary(names, df, tokens, *options)
    if not len(words):
        raise vocabulary.empty_vocabulary_error(counts.n_texts, len(counts.df), min_df, vectorizer.min_count)
    max_df = np.minimum(words.df + counts.max_undercount, counts.n_texts)
    return vocabulary.Vocabulary(words.terms, words.surface_forms, max_df)
