"""Tokenize a stream of texts to integer token ids, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_text_input
from tacit.errors import InputError
from tacit.text.tokenizer_kernel import TEXT_SEPARATOR, class_table, scan_tokens
from tacit.text.tokenizers import (
    PRIVATE_END,
    PRIVATE_START,
    Tokenizer,
    char_trigrams,
    has_address,
    hide_addresses,
    normalize_characters,
    resolve_tokenizer,
    restore_addresses,
    tokenize,
    tokenize_alphanumeric,
    word_trigrams,
)

_CHUNK_CHARACTERS = 1 << 18  # texts are tokenized in chunks of about this size
_SLICE_TEXTS = 512
_SEPARATOR = chr(TEXT_SEPARATOR)

TokenIds = tuple[NDArray[np.int32], NDArray[np.int64]]
"""The token ids of texts, one text after another, and the number of tokens of each text."""


@dataclass(frozen=True)
class TokenizedTexts:
    """The tokens of texts as ids of distinct tokens.

    ``ids`` holds the token ids of one text after another, ``lengths`` the number of tokens of each text, and
    ``tokens`` the string of each id.
    """

    ids: NDArray[np.int32]
    lengths: NDArray[np.int64]
    tokens: list[str]


def tokenize_texts(
    texts: Iterable[str], tokenizer: str | Tokenizer = "words", urls: str = "split"
) -> TokenizedTexts:
    """Tokenize texts with a named tokenizer or a function from a text to its tokens.

    With ``urls="token"`` and the tokenizers words and letters, each address is one token.

    >>> tokenized = tokenize_texts(["the cat", "The dog"])
    >>> tokenized.tokens, tokenized.ids.tolist(), tokenized.lengths.tolist()
    (['the', 'cat', 'dog'], [0, 1, 0, 2], [2, 2])
    """
    check_text_input(texts)
    interner = _make_interner(resolve_tokenizer(tokenizer), urls)
    ids, lengths = [np.zeros(0, np.int32)], [np.zeros(0, np.int64)]
    for chunk in _chunk_texts(texts):
        chunk_ids, chunk_lengths = interner.tokenize(chunk)
        ids.append(chunk_ids)
        lengths.append(chunk_lengths)
    return TokenizedTexts(np.concatenate(ids), np.concatenate(lengths), interner.tokens())


def _make_interner(tokenizer: Tokenizer, urls: str) -> _KernelInterner | _TrigramInterner | _FunctionInterner:
    """Return the fast interner of a built-in tokenizer, or one that calls the function for each text."""
    if tokenizer in (tokenize, tokenize_alphanumeric):
        return _KernelInterner(tokenizer is tokenize, urls == "token")
    return _TrigramInterner() if tokenizer is char_trigrams else _FunctionInterner(tokenizer)


def _chunk_texts(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield lists of texts with about ``_CHUNK_CHARACTERS`` characters; InputError for other types."""
    iterator = iter(texts)
    chunk: list[str] = []
    size = n_before = 0
    while texts_slice := list(islice(iterator, _SLICE_TEXTS)):
        chunk += texts_slice
        if set(map(type, texts_slice)) != {str}:
            _check_strings(chunk, n_before)
        size += sum(map(len, texts_slice))
        if size >= _CHUNK_CHARACTERS:
            yield chunk
            n_before += len(chunk)
            chunk, size = [], 0
    if chunk:
        yield chunk


def _check_strings(chunk: list[Any], n_before: int) -> None:
    """Raise InputError for the first item that is not a string; ``n_before`` texts precede the chunk."""
    for number, text in enumerate(chunk, n_before + 1):
        if not isinstance(text, str):
            problem = f"text {number} is {text!r:.40}, a {type(text).__name__}, not a str"
            raise InputError(f"{problem}: drop missing values and convert numbers to text first")


class _KernelInterner:
    """Implements ``tokenize`` and ``tokenize_alphanumeric`` with the numba kernel, many texts per call."""

    def __init__(self, keep_symbols: bool, keep_addresses: bool = False) -> None:
        self.keep_symbols, self.keep_addresses = keep_symbols, keep_addresses
        self.table = np.zeros(64, np.uint64)
        self.arena = np.zeros(0, np.uint32)
        self.ends = np.zeros(1, np.int64)
        self.hashes = np.zeros(0, np.uint64)
        self.n_tokens = 0

    def tokenize(self, texts: list[str]) -> TokenIds:
        joined = _SEPARATOR.join(texts)
        if joined.count(_SEPARATOR) != len(texts) - 1:
            joined = _SEPARATOR.join(text.replace(_SEPARATOR, " ") for text in texts)
        joined, letters = normalize_characters(joined), None
        if self.keep_addresses and has_address(joined):
            joined, letters = hide_addresses(joined), slice(PRIVATE_START, PRIVATE_END)
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        self._reserve(len(codes))
        ids, lengths = np.empty(len(codes), np.int32), np.zeros(len(texts), np.int64)
        classes = class_table(int(codes.max(initial=0)), self.keep_symbols, letters)
        self.n_tokens, written, self.table = scan_tokens(
            codes, classes, self.table, self.arena, self.ends, self.hashes, self.n_tokens, ids, lengths
        )
        return ids[:written].copy(), lengths

    def _reserve(self, size: int) -> None:
        """Make space for the new tokens in a text of ``size`` characters."""
        used = int(self.ends[self.n_tokens])
        self.arena = _grow_array(self.arena, used, used + 2 * size)  # overlapping pairs double a text
        self.ends = _grow_array(self.ends, self.n_tokens + 1, self.n_tokens + 1 + size)
        self.hashes = _grow_array(self.hashes, self.n_tokens, self.n_tokens + size)

    def tokens(self, start: int = 0) -> list[str]:
        ends = self.ends[start : self.n_tokens + 1]
        characters = self.arena[ends[0] : ends[-1]].tobytes().decode("utf-32-le")
        if self.keep_addresses:
            characters = restore_addresses(characters)  # of the same length
        return [characters[a:b] for a, b in pairwise((ends - ends[0]).tolist())]


class _TrigramInterner:
    """Implements ``char_trigrams`` with the kernel and one split per distinct word."""

    def __init__(self) -> None:
        self.words = _KernelInterner(keep_symbols=True)
        self.trigrams = _FunctionInterner(word_trigrams)
        self.ids = np.zeros(0, np.int32)  # the trigram ids of one word after another
        self.ends = np.zeros(1, np.int64)

    def tokenize(self, texts: list[str]) -> TokenIds:
        words, n_words = self.words.tokenize(texts)
        new_ids, new_lengths = self.trigrams.tokenize(self.words.tokens(len(self.ends) - 1))
        self.ids = np.concatenate([self.ids, new_ids])
        self.ends = np.concatenate([self.ends, self.ends[-1] + np.cumsum(new_lengths)])
        lengths = self.ends[words + 1] - self.ends[words]
        first = np.cumsum(lengths) - lengths
        positions = np.repeat(self.ends[words] - first, lengths) + np.arange(int(lengths.sum()))
        text_of = np.repeat(np.arange(len(texts)), n_words)
        return self.ids[positions], np.bincount(text_of, lengths, len(texts)).astype(np.int64)

    def tokens(self) -> list[str]:
        return self.trigrams.tokens()


def _grow_array(array: NDArray[Any], used: int, needed: int) -> NDArray[Any]:
    """Return the array, or a larger one of at least ``needed`` items that starts with its ``used`` items."""
    if needed <= len(array):
        return array
    larger = np.zeros(max(needed, 2 * len(array)), array.dtype)
    larger[:used] = array[:used]
    return larger


class _FunctionInterner:
    """Tokenizes with any function from a text to its tokens."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.id_of: dict[str, int] = {}

    def tokenize(self, texts: list[str]) -> TokenIds:
        ids: list[int] = []
        lengths = []
        for text in texts:
            n_before = len(ids)
            ids.extend(self.id_of.setdefault(token, len(self.id_of)) for token in self._checked_tokens(text))
            lengths.append(len(ids) - n_before)
        return np.array(ids, np.int32), np.array(lengths, np.int64)

    def _checked_tokens(self, text: str) -> Iterator[str]:
        for token in self.tokenizer(text):
            if not isinstance(token, str) or not token or any(c in token for c in "\t\n\r"):
                expected = "a token is a str of at least one character, without tabs and line breaks"
                raise InputError(f"the tokenizer returned {token!r:.40}: {expected}")
            yield token

    def tokens(self) -> list[str]:
        return list(self.id_of)
