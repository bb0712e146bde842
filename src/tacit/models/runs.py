"""Runs of words and of letters, counted per text as sparse rows, once for a set of texts; their cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from tacit.models.text_set import TextSet

Array = NDArray[Any]


def word_runs(texts: TextSet, shortest: int, longest: int) -> csr_array:
    """How often each text has each run of so many words (terms)."""
    return _cached(texts, "word_runs", shortest, longest, _word_keys)


def letter_runs(texts: TextSet, shortest: int, longest: int) -> csr_array:
    """How often each text has each run of so many letters within a word, its ends marked by a space."""
    return _cached(texts, "letter_runs", shortest, longest, _letter_keys)


def _cached(texts: TextSet, kind: str, shortest: int, longest: int, keys: Any) -> csr_array:
    name = f"{kind} {shortest} {longest}"
    if name not in texts.made:
        pairs = [keys(texts, size) for size in range(shortest, longest + 1)]
        texts.made[name] = _counted([rows for rows, _ in pairs], [runs for _, runs in pairs], len(texts))
    found: csr_array = texts.made[name]
    return found


def _counted(rows: list[Array], runs: list[Array], n_rows: int) -> csr_array:
    """Count (row, run) pairs; the runs of each size are numbered apart."""
    from scipy.sparse import coo_array

    columns, offset = [], 0
    for keys in runs:
        distinct, numbers = np.unique(keys, return_inverse=True)
        columns.append(numbers + offset)
        offset += len(distinct)
    row, column = np.concatenate(rows), np.concatenate(columns)
    return coo_array((np.ones(len(row), np.float32), (row, column)), (n_rows, max(offset, 1))).tocsr()


def _word_keys(texts: TextSet, size: int) -> tuple[Array, Array]:
    """The text and the number of every run of ``size`` terms."""
    owner = np.repeat(np.arange(len(texts)), texts.counts)
    terms = texts.terms()
    n = max(len(terms) - size + 1, 0)
    keys = terms[:n]
    for k in range(1, size):  # number the runs of k + 1 words by those of k words and the next word
        _, shorter = np.unique(keys, return_inverse=True)
        keys = shorter * (int(terms.max(initial=0)) + 1) + terms[k : k + n]
    within = owner[:n] == owner[size - 1 : size - 1 + n]
    return owner[:n][within], keys[within]


def _letter_keys(texts: TextSet, size: int) -> tuple[Array, Array]:
    """The text and the number of every run of ``size`` letters."""
    tokens = [f" {token} " for token in texts.tokens.strings]
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    codes = np.frombuffer("".join(tokens).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    n = max(len(codes) - size + 1, 0)
    keys = codes[:n]
    for k in range(1, size):
        _, shorter = np.unique(keys, return_inverse=True)
        keys = shorter * (1 << 21) + codes[k : k + n]
    word = np.repeat(np.arange(len(tokens)), lengths)
    within = word[:n] == word[size - 1 : size - 1 + n]
    word, keys = word[:n][within], keys[within]
    starts = np.searchsorted(word, np.arange(len(tokens) + 1))
    # every occurrence of a word brings its runs
    ids = texts.ids
    counts = (starts[1:] - starts[:-1])[ids]
    owner = np.repeat(np.repeat(np.arange(len(texts)), texts.counts), counts)
    first = (
        np.repeat(starts[:-1][ids] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        if len(ids)
        else counts
    )
    return owner, keys[first + np.arange(len(owner))]


def sparse_cosines(X: csr_array, left: Array, right: Array) -> Array:
    """The cosine of row ``left[i]`` with row ``right[i]``; 0 where one of them is empty."""
    a, b = X[left], X[right]
    shared = np.asarray(a.multiply(b).sum(axis=1)).ravel()
    lengths = np.sqrt(
        np.asarray(a.multiply(a).sum(axis=1)).ravel() * np.asarray(b.multiply(b).sum(axis=1)).ravel()
    )
    cosines: Array = np.divide(shared, lengths, out=np.zeros(len(shared)), where=lengths > 0)
    return np.clip(cosines, -1, 1)
