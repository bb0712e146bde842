"""Texts in, token numbers out, read once and in bounded pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_text_input
from tacit.errors import InputError
from tacit.text.characters import class_table
from tacit.text.scan import END_OF_TEXT, scan
from tacit.text.tokenizers import Tokenizer, character_triples, find_tokenizer, word_triples
from tacit.text.tokens import fold, tokenize, tokenize_letters

_CHARACTERS = 1 << 18  # about this many are scanned at once
_TEXTS = 512
_SEPARATOR = chr(END_OF_TEXT)


@dataclass(frozen=True)
class Occurrences:
    """Every token of every text, as numbers of distinct tokens.

    ``ids`` holds them text after text, ``counts`` how many each text has, ``tokens`` what they are.
    """

    ids: NDArray[np.int32]
    counts: NDArray[np.int64]
    tokens: list[str]


def intern_texts(texts: Iterable[str], tokenizer: str | Tokenizer = "words") -> Occurrences:
    """Tokenise an iterable of texts, by the name of a tokeniser or a function from a text to its tokens.

    >>> seen = intern_texts(["the cat", "The dog"])
    >>> seen.tokens, seen.ids.tolist(), seen.counts.tolist()
    (['the', 'cat', 'dog'], [0, 1, 0, 2], [2, 2])
    """
    check_text_input(texts)
    found = find_tokenizer(tokenizer)
    interner = _interner(found)
    ids, counts = [], []
    for chunk in _chunks(texts):
        chunk_ids, chunk_counts = interner.add(chunk)
        ids.append(chunk_ids)
        counts.append(chunk_counts)
    return Occurrences(_joined(ids, np.int32), _joined(counts, np.int64), interner.tokens())


def _interner(found: Tokenizer) -> _Scanner | _Triples | _Dictionary:
    """What numbers the tokens: fast for the tokenisers of the table, which say what they are one by one."""
    if found in (tokenize, tokenize_letters):
        return _Scanner(found is tokenize)
    return _Triples() if found is character_triples else _Dictionary(found)


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    """Pieces of the texts of about ``_CHARACTERS`` characters."""
    iterator = iter(texts)
    chunk: list[str] = []
    size = seen = 0
    while piece := list(islice(iterator, _TEXTS)):
        chunk += piece
        if set(map(type, piece)) != {str}:
            _check(chunk, seen)
        size += sum(map(len, piece))
        if size >= _CHARACTERS:
            yield chunk
            seen += len(chunk)
            chunk, size = [], 0
    if chunk:
        yield chunk


def _check(chunk: list[Any], seen: int) -> None:
    for number, text in enumerate(chunk, seen + 1):
        if not isinstance(text, str):
            raise InputError(
                f"text {number} is {text!r:.40}, a {type(text).__name__}, not a str: "
                "drop missing values and turn numbers into text first"
            )


def _joined(parts: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


class _Scanner:
    """``tokens.tokenize``, with symbols or without, fast: one pass over the code points of many texts."""

    def __init__(self, symbols: bool) -> None:
        self.symbols = symbols
        self.table = np.zeros(64, np.uint64)
        self.arena = np.zeros(0, np.uint32)
        self.ends = np.zeros(1, np.int64)
        self.hashes = np.zeros(0, np.uint64)
        self.n = 0

    def add(self, texts: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        joined = _SEPARATOR.join(texts)
        if joined.count(_SEPARATOR) != len(texts) - 1:
            joined = _SEPARATOR.join(text.replace(_SEPARATOR, " ") for text in texts)
        codes = np.frombuffer(fold(joined).encode("utf-32-le", "surrogatepass"), np.uint32)
        self._make_room(len(codes))
        ids, counts = np.empty(len(codes), np.int32), np.zeros(len(texts), np.int64)
        classes = class_table(int(codes.max(initial=0)), self.symbols)
        self.n, written, self.table = scan(
            codes, classes, self.table, self.arena, self.ends, self.hashes, self.n, ids, counts
        )
        return ids[:written].copy(), counts

    def _make_room(self, size: int) -> None:
        used = int(self.ends[self.n])
        self.arena = _with_room(self.arena, used, used + 2 * size)
        self.ends = _with_room(self.ends, self.n + 1, self.n + 1 + size)
        self.hashes = _with_room(self.hashes, self.n, self.n + size)

    def tokens(self, start: int = 0) -> list[str]:
        ends = self.ends[start : self.n + 1]
        letters = self.arena[ends[0] : ends[-1]].tobytes().decode("utf-32-le")
        return [letters[a:b] for a, b in pairwise((ends - ends[0]).tolist())]


class _Triples:
    """``character_triples``, fast: words by the scanner, and the triples of each distinct word but once."""

    def __init__(self) -> None:
        self.words = _Scanner(symbols=True)
        self.numbers: dict[str, int] = {}
        self.triples = np.zeros(0, np.int32)  # of word after word
        self.ends = np.zeros(1, np.int64)

    def add(self, texts: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        words, counts = self.words.add(texts)
        self._learn(self.words.tokens(len(self.ends) - 1))
        lengths = self.ends[words + 1] - self.ends[words]
        first = np.cumsum(lengths) - lengths
        places = np.repeat(self.ends[words] - first, lengths) + np.arange(int(lengths.sum()))
        text_of = np.repeat(np.arange(len(texts)), counts)
        return self.triples[places], np.bincount(text_of, lengths, len(texts)).astype(np.int64)

    def _learn(self, words: list[str]) -> None:
        found = [word_triples(word) for word in words]
        numbers = [self.numbers.setdefault(each, len(self.numbers)) for triples in found for each in triples]
        self.triples = np.concatenate([self.triples, np.array(numbers, np.int32)])
        lengths = np.fromiter(map(len, found), np.int64, len(found))
        self.ends = np.concatenate([self.ends, self.ends[-1] + np.cumsum(lengths)])

    def tokens(self) -> list[str]:
        return list(self.numbers)


def _with_room(array: NDArray[Any], used: int, needed: int) -> NDArray[Any]:
    if needed <= len(array):
        return array
    larger = np.zeros(max(needed, 2 * len(array)), array.dtype)
    larger[:used] = array[:used]
    return larger


class _Dictionary:
    """Any function from a text to its tokens."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.numbers: dict[str, int] = {}

    def add(self, texts: list[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        ids: list[int] = []
        counts = []
        for text in texts:
            before = len(ids)
            ids.extend(self.numbers.setdefault(token, len(self.numbers)) for token in self._tokens(text))
            counts.append(len(ids) - before)
        return np.array(ids, np.int32), np.array(counts, np.int64)

    def _tokens(self, text: str) -> Iterator[str]:
        for token in self.tokenizer(text):
            if not isinstance(token, str) or not token or any(c in token for c in "\t\n\r"):
                raise InputError(
                    f"the tokeniser gave {token!r:.40}: a token is a str of at least one character, "
                    "without tabs and line breaks"
                )
            yield token

    def tokens(self) -> list[str]:
        return list(self.numbers)
