"""Words and short phrases of texts that could name a theme."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tacit.text.name_words import FUNCTION_WORDS, can_name_group
from tacit.text.normalization import Normalizer
from tacit.text.tokenizer_kernel import DIGIT, JOINER, LETTER, UNSEGMENTED, character_class

MAX_WORDS = 3
MIN_CHARACTERS, MAX_CHARACTERS = 2, 6
"""Length of a term in a script without spaces."""

_TOKEN = re.compile(r"[a0]+|u+")
_JOINING = re.compile(r"[ '\u2019-]")
"""Characters that may separate two words of a phrase."""
_FIRST_HAN_OR_KANA = "\u3005"
_LEADING_VOWELS = "เแโใไ"  # written before their consonant in Thai: no word ends with one
_UNSPACED_FUNCTION_WORDS = FUNCTION_WORDS["zh"] | FUNCTION_WORDS["ja"] | FUNCTION_WORDS["th"]


class _ClassLetters(dict[int, str]):
    """Map code points to classes on first use: "a" letter, "0" digit, "u" script without spaces."""

    def __missing__(self, code: int) -> str:
        names = {LETTER: "a", JOINER: "a", DIGIT: "0", UNSEGMENTED: "u"}
        self[code] = letter = names.get(character_class(chr(code)), " ")
        return letter


_CLASS_LETTERS = _ClassLetters()


class Term(NamedTuple):
    """A word or phrase: the stems of its words, its most frequent spelling and its length in words."""

    stems: tuple[str, ...]
    spelling: str
    n_words: float


@dataclass(frozen=True)
class TermTable:
    """Terms, and which text has which: ``matrix`` has a row for each text and a column for each term."""

    terms: list[Term]
    matrix: Any


def collect_terms(texts: Sequence[str], language: str | None, normalize: Normalizer) -> TermTable:
    """Find the terms that occur in at least two texts.

    >>> table = collect_terms(["Credit cards expire.", "my credit card"], "en", list)
    >>> [term.spelling for term in table.terms]
    ['credit']
    """
    from scipy.sparse import csr_array

    stem_of = _Stems(language, normalize)
    spellings: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    keys_of_texts = []
    for text in texts:
        found = dict(_find_terms(text, stem_of))
        for key, spelling in found.items():
            spellings[key][spelling] += 1
        keys_of_texts.append(list(found))
    repeated = [key for key, counts in spellings.items() if counts.total() > 1]
    column_of = {key: column for column, key in enumerate(repeated)}
    columns = [[column_of[key] for key in keys if key in column_of] for keys in keys_of_texts]
    starts = np.cumsum([0, *map(len, columns)])
    indices = np.array([column for row in columns for column in row], np.int64)
    shape = len(texts), len(repeated)
    matrix = csr_array((np.ones(len(indices), np.float64), indices, starts), shape=shape)
    return TermTable([_describe_term(key, spellings[key]) for key in repeated], matrix)


def _describe_term(key: tuple[str, ...], spellings: Counter[str]) -> Term:
    """Choose the most frequent spelling; of equally frequent ones, the last by code point (lower case)."""
    best = max(spellings, key=lambda spelling: (spellings[spelling], spelling))
    n_words = (len(key[0]) + 1) // 2 if "u" in _classes(key[0]) else len(key)
    return Term(key, best, n_words)


class _Stems(dict[str, str]):
    """Stems of words by their lower-case form, computed on use; empty for words that cannot name a group."""

    def __init__(self, language: str | None, normalize: Normalizer) -> None:
        super().__init__()
        self._language, self._normalize = language, normalize

    def __missing__(self, word: str) -> str:
        is_name = can_name_group(word, self._language)
        self[word] = stem = self._normalize([word])[0] if is_name else ""
        return stem


def _classes(text: str) -> str:
    return text.translate(_CLASS_LETTERS)


def _find_terms(text: str, stem_of: _Stems) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the stems and the spelling of each term of a text."""
    classes = _classes(text)
    run: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(classes):
        start, end = match.span()
        if match[0][0] == "u":
            yield from _find_character_terms(text[start:end], stem_of)
            run = []
            continue
        if run and not _JOINING.fullmatch(text, run[-1][1], start):
            run = []
        run = [*run[1 - MAX_WORDS :], (start, end)]
        yield from _terms_at_end(text, run, stem_of)


def _terms_at_end(
    text: str, run: list[tuple[int, int]], stem_of: _Stems
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the terms that end with the last word of a run and have no function word at either end."""
    words = [text[start:end].lower() for start, end in run]
    if not stem_of[words[-1]]:
        return
    for first in range(len(run)):
        inner = words[first + 1 : -1]
        if stem_of[words[first]] and not any(c.isdigit() for word in inner for c in word):
            key = tuple(stem_of[word] or word for word in words[first:])
            if len({*key}) == len(key):  # not "wiki wiki"
                yield key, text[run[first][0] : run[-1][1]]


def _find_character_terms(run: str, stem_of: _Stems) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield substrings of unspaced text with no function word at either end and no letter split."""
    for start, first in enumerate(run):
        if first in _UNSPACED_FUNCTION_WORDS or _is_hiragana(first) or _is_mark(first):
            continue
        shortest = MIN_CHARACTERS if first >= _FIRST_HAN_OR_KANA else MIN_CHARACTERS + 1
        for end in range(start + shortest, min(start + MAX_CHARACTERS, len(run)) + 1):
            piece = run[start:end]
            is_cut = piece[-1] in _LEADING_VOWELS or (end < len(run) and _is_mark(run[end]))
            is_function = {piece, piece[-1]} & _UNSPACED_FUNCTION_WORDS or _is_hiragana(piece[-1])
            if not is_cut and not is_function and stem_of[piece]:
                yield (piece,), piece


def _is_hiragana(character: str) -> bool:
    return "\u3041" <= character <= "\u309f"


@cache
def _is_mark(character: str) -> bool:
    """Return whether a character is written above, below or after a consonant of Thai, Lao or Khmer."""
    return unicodedata.category(character)[0] == "M" or character in "ะาำๅๆ"
