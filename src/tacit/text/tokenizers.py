"""Ways to cut a text into tokens: one entry a way in one table, which is all that lists it.

A model keeps the name of its tokeniser; a function of the user's own has none and must be given again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tacit.checks import check_choice
from tacit.errors import InputError
from tacit.text.tokens import tokenize, tokenize_letters

Tokenizer = Callable[[str], Iterable[str]]


class TokenizerNeededError(InputError):
    """A folder cannot hold a tokeniser of the user's own: it must be given again."""


def character_triples(text: str) -> Iterator[str]:
    """The runs of three characters of every word, whose ends count as one: for words that are misspelt.

    >>> list(character_triples("My cat!"))
    ['_my', 'my_', '_ca', 'cat', 'at_']
    """
    for word in tokenize(text):
        yield from word_triples(word)


def word_triples(word: str) -> list[str]:
    """The runs of three characters of one word."""
    bounded = f"_{word}_"
    return [bounded[start : start + 3] for start in range(len(bounded) - 2)]


TOKENIZERS: dict[str, Tokenizer] = {
    "words": tokenize,
    "letters": tokenize_letters,
    "characters": character_triples,
}


def find_tokenizer(given: Any) -> Tokenizer:
    """The tokeniser of a name, or a function of the user's own as it is.

    >>> find_tokenizer("wrods")
    Traceback (most recent call last):
    tacit.errors.InputError: tokenizer='wrods': use one of words, letters, characters; did you mean words?
    """
    if callable(given):
        own: Tokenizer = given
        return own
    if not isinstance(given, str):
        names = ", ".join(TOKENIZERS)
        raise InputError(
            f"tokenizer={given!r}: give one of {names}, or a function from a text to its tokens",
            parameter="tokenizer",
        )
    return TOKENIZERS[check_choice("tokenizer", given, TOKENIZERS)]
