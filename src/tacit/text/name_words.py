"""Decide which words can name a group of texts: no function words, numbers or pieces of URLs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_LINES = Path(__file__).with_name("function_words.tsv").read_text(encoding="utf-8").splitlines()
FUNCTION_WORDS = {code: frozenset(words.split()) for code, words in (line.split("\t") for line in _LINES)}
"""Function words by language code, and the pieces of URLs and character references under ``*``."""

_MIN_LETTERS = 2


@cache
def function_words(language: str | None) -> frozenset[str]:
    """Return the function words of a language; of all languages for one without a list.

    >>> "with" in function_words("en"), "mit" in function_words("en"), "de" in function_words(None)
    (True, False, True)
    """
    if language in FUNCTION_WORDS:
        return FUNCTION_WORDS[language] | FUNCTION_WORDS["*"]
    return frozenset().union(*FUNCTION_WORDS.values())


def can_name_group(word: str, language: str | None) -> bool:
    """Return whether a word in lower case is no function word, number or address, and has two letters.

    A word with an apostrophe, such as *don't*, can name a group if one of its parts can.

    >>> words = ["parcel", "the", "don't", "https", "24th", "x", "user's"]
    >>> [word for word in words if can_name_group(word, "en")]
    ['parcel', "user's"]
    """
    parts = word.split("'")
    excluded = function_words(language)
    is_word = (part not in excluded and sum(map(str.isalpha, part)) >= _MIN_LETTERS for part in parts)
    return any(is_word) and not any(c.isdigit() or c in "/@.:" for c in word)
