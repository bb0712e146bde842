"""Mergeable word counts and the vocabulary built from them (Agarwal et al. 2012).

The first pass counts the words of each partition and merges the counts. Counts are exact while the distinct
words fit in the given memory. Beyond that, the table keeps the most frequent words and subtracts the first
count that does not fit from all of them, like the mergeable summaries of Agarwal et al. (PODS 2012): a
count is then too low by at most the sum of what was subtracted, which is logged.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tacit.corpora.inspection import ReservoirSample
from tacit.corpora.partitions import Partition
from tacit.scale.partition_files import save_tokens
from tacit.text.counting_kernels import document_frequency
from tacit.text.token_ids import tokenize_texts
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import (
    TokenCounts,
    Vocabulary,
    empty_vocabulary_error,
    map_tokens_to_terms,
    select_vocabulary,
)
from tacit.types import Array

SAMPLE_TEXTS = 20_000  # size of the random sample of texts
BYTES_PER_TERM = 320  # memory of a distinct word with its forms while it is counted


@dataclass
class WordCounts:
    """Document frequency of each term, number of occurrences of each token, and a sample of the texts.

    ``sample_keys`` are the smallest of the keys of all texts, which are uniform between 0 and 1, so that the
    samples of two collections can be merged. Frequencies are too low by at most ``max_undercount``.
    """

    n_texts: int
    df: dict[str, int]
    token_counts: dict[str, int]
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
    tokenized = tokenize_texts(sample.pass_through(partition.texts()), vectorizer.tokenizer)
    save_tokens(Path(folder), partition.number, tokenized)
    names, term_of = map_tokens_to_terms(tokenized.tokens, vectorizer.make_normalizer())
    df = document_frequency(tokenized.ids, tokenized.lengths, term_of, len(names))
    token_counts = np.bincount(tokenized.ids, minlength=len(tokenized.tokens))
    n_texts = len(tokenized.lengths)
    counts = WordCounts(
        n_texts,
        dict(zip(names, df.tolist(), strict=True)),
        dict(zip(tokenized.tokens, token_counts.tolist(), strict=True)),
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
    rest = rng.standard_gamma(n + 1 - k) if k else 1.0
    return rng.permutation(spacings / ((spacings[-1] if k else 0.0) + rest))


def merge_counts(left: WordCounts, right: WordCounts) -> WordCounts:
    """Merge the counts of two collections; the dictionaries of the first are changed."""
    for merged, other in ((left.df, right.df), (left.token_counts, right.token_counts)):
        for word, count in other.items():
            merged[word] = merged.get(word, 0) + count
    keys = np.concatenate([left.sample_keys, right.sample_keys])
    texts = left.sample + right.sample
    smallest = np.argsort(keys, kind="stable")[:SAMPLE_TEXTS]
    return prune_counts(
        replace(
            left,
            n_texts=left.n_texts + right.n_texts,
            sample=[texts[i] for i in smallest],
            sample_keys=keys[smallest],
            max_undercount=left.max_undercount + right.max_undercount,
            texts_per_partition=left.texts_per_partition | right.texts_per_partition,
        )
    )


def prune_counts(counts: WordCounts) -> WordCounts:
    """Reduce the terms to the most frequent ``max_terms``.

    >>> df = {"a": 5, "b": 3, "c": 2}
    >>> pruned = prune_counts(WordCounts(9, df, df, [], np.zeros(0), max_terms=1))
    >>> pruned.df, pruned.max_undercount
    ({'a': 2}, 3)
    """
    if len(counts.df) <= counts.max_terms:
        return counts
    values = np.fromiter(counts.df.values(), np.int64, len(counts.df))
    position = len(values) - counts.max_terms - 1
    cut = int(np.partition(values, position)[position])
    df = {term: count - cut for term, count in counts.df.items() if count > cut}
    max_tokens = 4 * counts.max_terms
    token_counts = counts.token_counts
    if len(token_counts) > max_tokens:
        most_frequent = sorted(token_counts.items(), key=lambda item: (-item[1], item[0]))
        token_counts = dict(most_frequent[:max_tokens])
    return replace(counts, df=df, token_counts=token_counts, max_undercount=counts.max_undercount + cut)


def build_vocabulary(counts: WordCounts, vectorizer: TextVectorizer, min_df: int) -> Vocabulary:
    """Select the same vocabulary as in memory; terms without a counted token are their own surface form."""
    names = [term for term, df in counts.df.items() if df >= min_df]  # few of all, which saves memory
    df = np.array([counts.df[name] for name in names], np.int64)
    tokens = list(counts.token_counts)
    number_of = {name: number for number, name in enumerate(names)}
    numbers = (number_of.get(term, -1) for term in vectorizer.make_normalizer()(tokens))
    term_of = np.fromiter(numbers, np.int64, len(tokens))
    token_counts = np.fromiter(counts.token_counts.values(), np.int64, len(tokens))
    is_known = term_of >= 0
    known_tokens = TokenCounts(
        [tokens[i] for i in np.flatnonzero(is_known)], token_counts[is_known], term_of[is_known]
    )
    options = (min_df, vectorizer.max_features, vectorizer.min_count)
    words = select_vocabulary(names, df, known_tokens, *options)
    if not len(words):
        raise empty_vocabulary_error(counts.n_texts, len(counts.df), min_df, vectorizer.min_count)
    max_df = np.minimum(words.df + counts.max_undercount, counts.n_texts)
    return Vocabulary(words.terms, words.surface_forms, max_df)
