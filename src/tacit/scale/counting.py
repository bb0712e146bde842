"""The first pass: which words there are and in how many texts, counted a partition at a time and merged.

Counts are exact while the distinct words fit the memory given. Beyond, the table keeps the most frequent and
takes the first count that does not fit off all of them, as the mergeable summaries of Agarwal et al. (PODS
2012) do: a word's count then falls short by at most the sum of what was taken off, which is told.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.corpora.inspection import ReservoirSample
from tacit.corpora.partitions import Partition
from tacit.errors import InputError
from tacit.scale.rows import unwritten
from tacit.storage.durable_files import write_chunks
from tacit.text.counting_kernels import document_frequency
from tacit.text.token_ids import TokenizedTexts, tokenize_texts
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import (
    TokenCounts,
    Vocabulary,
    empty_vocabulary_error,
    map_tokens_to_terms,
    select_vocabulary,
)

Array = NDArray[Any]

SAMPLE = 20_000
"""Texts kept, as a sample of all."""
TERM_BYTES = 320
"""What a distinct word takes while it is counted, with its forms."""


@dataclass
class Counts:
    """In how many texts each term is, how often each token is said, and a sample of the texts.

    ``keys`` are the sample's, uniform between 0 and 1: the smallest of all texts' keys, so that samples of
    two collections make one of both. ``short`` is by how much a count may fall short.
    """

    n_texts: int
    df: dict[str, int]
    times: dict[str, int]
    sample: list[str]
    keys: Array
    most: int
    short: int = 0
    parts: list[tuple[int, int]] = field(default_factory=list)  # the number of each partition, its texts


def count_partition(partition: Partition, vectorizer: TextVectorizer, folder: str, most: int) -> Counts:
    """Count a partition's words; its tokens go to the work folder, so that texts are read but once."""
    sample = ReservoirSample(SAMPLE, seed=partition.number)
    seen = tokenize_texts(sample.pass_through(partition.texts()), vectorizer.tokenizer)
    write_tokens(Path(folder), partition.number, seen)
    names, term_of = map_tokens_to_terms(seen.tokens, vectorizer.make_normalizer())
    df = document_frequency(seen.ids, seen.lengths, term_of, len(names))
    times = np.bincount(seen.ids, minlength=len(seen.tokens))
    n = len(seen.lengths)
    return shortened(
        Counts(
            n,
            dict(zip(names, df.tolist(), strict=True)),
            dict(zip(seen.tokens, times.tolist(), strict=True)),
            sample.texts,
            smallest_keys(n, len(sample.texts), partition.number),
            most,
            parts=[(partition.number, n)],
        )
    )


def smallest_keys(n: int, k: int, seed: int) -> Array:
    """The k smallest of n uniform numbers, in no order, without drawing all of them."""
    rng = np.random.default_rng([seed, 1])
    spaced = np.cumsum(rng.standard_exponential(k))
    rest = rng.standard_gamma(n + 1 - k) if k else 1.0
    return rng.permutation(spaced / ((spaced[-1] if k else 0.0) + rest))


def add_counts(left: Counts, right: Counts) -> Counts:
    """Both together; the first is used up."""
    for mine, other in ((left.df, right.df), (left.times, right.times)):
        for word, count in other.items():
            mine[word] = mine.get(word, 0) + count
    keys = np.concatenate([left.keys, right.keys])
    texts = left.sample + right.sample
    kept = np.argsort(keys, kind="stable")[:SAMPLE]
    return shortened(
        replace(
            left,
            n_texts=left.n_texts + right.n_texts,
            sample=[texts[i] for i in kept],
            keys=keys[kept],
            short=left.short + right.short,
            parts=left.parts + right.parts,
        )
    )


def shortened(counts: Counts) -> Counts:
    """The same within its limit of words.

    >>> counts = Counts(9, {"a": 5, "b": 3, "c": 2}, {"a": 5, "b": 3, "c": 2}, [], np.zeros(0), most=1)
    >>> found = shortened(counts)
    >>> found.df, found.short
    ({'a': 2}, 3)
    """
    if len(counts.df) <= counts.most:
        return counts
    values = np.fromiter(counts.df.values(), np.int64, len(counts.df))
    cut = int(np.partition(values, len(values) - counts.most - 1)[len(values) - counts.most - 1])
    df = {term: count - cut for term, count in counts.df.items() if count > cut}
    most_forms = 4 * counts.most
    times = counts.times
    if len(times) > most_forms:
        times = dict(sorted(times.items(), key=lambda each: (-each[1], each[0]))[:most_forms])
    return replace(counts, df=df, times=times, short=counts.short + cut)


def vocabulary_of(counts: Counts, vectorizer: TextVectorizer, min_df: int) -> Vocabulary:
    """Select the same vocabulary as in memory; terms without a counted token are their own surface form."""
    names = [term for term, df in counts.df.items() if df >= min_df]  # few of all, which saves memory
    tokens, df = list(counts.times), np.array([counts.df[name] for name in names], np.int64)
    number_of = {name: number for number, name in enumerate(names)}
    numbers = (number_of.get(term, -1) for term in vectorizer.make_normalizer()(tokens))
    term_of = np.fromiter(numbers, np.int64, len(tokens))
    times = np.fromiter(counts.times.values(), np.int64, len(tokens))
    known = term_of >= 0
    counted = TokenCounts([tokens[i] for i in np.flatnonzero(known)], times[known], term_of[known])
    options = (min_df, vectorizer.max_features, vectorizer.min_count)
    words = select_vocabulary(names, df, counted, *options)
    if not len(words):
        raise empty_vocabulary_error(counts.n_texts, len(counts.df), min_df, vectorizer.min_count)
    return Vocabulary(words.terms, words.surface_forms, np.minimum(words.df + counts.short, counts.n_texts))


def tokens_path(folder: Path, number: int) -> Path:
    """Where the tokens of a partition lie until its rows are written."""
    return folder / f"tokens-{number:06}.bin"


def write_tokens(folder: Path, number: int, seen: TokenizedTexts) -> None:
    """Keep the tokens of a partition: how many texts, numbers and bytes, then these."""
    names = "\n".join(seen.tokens).encode("utf-8", "surrogatepass")
    head = np.array([len(seen.lengths), len(seen.ids), len(names)], "<i8")
    path = tokens_path(folder, number)
    try:
        write_chunks(path, head.tobytes() + seen.lengths.astype("<i8").tobytes() + seen.ids.tobytes() + names)
    except OSError as error:
        raise unwritten(path, error) from error


def read_tokens(folder: Path, number: int, name: str) -> TokenizedTexts:
    """The tokens of a partition again."""
    path = tokens_path(folder, number)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"the tokens of {name} cannot be read ({path}: {error.strerror}): every worker must see the work "
            "folder under the same path; delete it and begin anew"
        ) from None
    n_texts, n_ids, n_bytes = np.frombuffer(raw[:24], "<i8").tolist() if len(raw) >= 24 else (-1, -1, -1)
    ids_at = 24 + 8 * n_texts
    names_at = ids_at + 4 * n_ids
    if len(raw) != names_at + n_bytes:
        raise unwritten(path, OSError(f"the tokens of {name} were cut short"))
    counts = np.frombuffer(raw[24:ids_at], "<i8").copy()
    ids = np.frombuffer(raw[ids_at:names_at], "<i4").copy()
    names = raw[names_at:].decode("utf-8", "surrogatepass")
    return TokenizedTexts(ids, counts, names.split("\n") if names else [])
