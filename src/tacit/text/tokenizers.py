"""Reference tokenizers in plain Python and the registry of tokenizers.

A token is a run of letters, marks and digits in lower case. An apostrophe joins two letters (*don't*), a
point or comma joins two digits (*1,000.50*). A single letter can end in a hash sign or two pluses (*c#*,
*c++*). Scripts written without spaces yield overlapping pairs of characters. An emoji is a token, without its
skin tone. Everything else separates tokens, such as the sign of a *#hashtag*, whose word is the token.
`tacit.text.tokenizer_kernel` implements the same rules in numba.

A model stores the name of its tokenizer. A function passed by the user has no name and must be passed again
when the model is loaded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tacit.checks import check_choice
from tacit.errors import InputError
from tacit.text.tokenizer_kernel import SYMBOLS, character_class

Tokenizer = Callable[[str], Iterable[str]]
"""A function from a text to its tokens."""

_CLASS_LETTERS = " a0'.uje+#"
"""One letter for each character class, in the order of `tacit.text.tokenizer_kernel`."""
_ALPHANUMERIC_LETTERS = "".join(" " if i in SYMBOLS else letter for i, letter in enumerate(_CLASS_LETTERS))
URL_CHOICES = ("token", "split")
ADDRESS = re.compile(
    r"(?<![a-z0-9])(?:(?:https?://|www\.)[!-~]*[a-z0-9/]|[a-z0-9][a-z0-9.+_-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+)"
    r"|(?<![\w@])@[a-z0-9_]+"
)
"""A URL, an e-mail address or a user name such as *@anna*, in lower case."""
PRIVATE_START, PRIVATE_END = 0xF700, 0xF780
"""Private characters that stand for the ASCII characters of an address while it is tokenized."""
_PRIVATE = re.compile(f"[{chr(PRIVATE_START)}-{chr(PRIVATE_END - 1)}]")
_TO_PRIVATE = {code: PRIVATE_START + code for code in range(0x21, 0x7F) if not chr(code).isalnum()}
_FROM_PRIVATE = {private: code for code, private in _TO_PRIVATE.items()}
_IN_ADDRESSES = ("@", "://", "www.")
"""Strings of which every address has one; looking for them is ten times as fast as `ADDRESS`."""

_TOKEN = re.compile(
    r"u+|e"
    r"|a(?:#|\+\+)(?![a0j#+])"
    r"|[a0][a0j]*(?:(?<=a)'(?=a)[a0j]+|(?<=0)\.(?=0)[a0j]+)*"
)
"""A token in a string that has one letter of ``_CLASS_LETTERS`` for each character."""


class MissingTokenizerError(InputError):
    """A model was trained with a tokenizer function, which a folder cannot store: pass it when loading."""


def normalize_characters(text: str) -> str:
    r"""Return a text in lower case and NFC, with ASCII apostrophes and without soft hyphens.

    >>> normalize_characters("Don\u2019t")
    "don't"
    """
    text = text.lower()
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).replace("\u2019", "'").replace("\u00ad", "")
    return text


def hide_addresses(text: str) -> str:
    """Replace the punctuation of addresses by private characters, so that each address is one word.

    >>> restore_addresses(hide_addresses("see www.example.org"))
    'see www.example.org'
    """
    if not has_address(text):
        return text
    return ADDRESS.sub(lambda match: match[0].translate(_TO_PRIVATE), _PRIVATE.sub(" ", text))


def has_address(text: str) -> bool:
    """Return whether a text in lower case has an address.

    >>> has_address("ask anna@example.org"), has_address("50 @ 3")
    (True, False)
    """
    return any(part in text for part in _IN_ADDRESSES) and ADDRESS.search(text) is not None


def restore_addresses(text: str) -> str:
    """Replace the private characters of `hide_addresses` by the original ones."""
    return text if text.isascii() else text.translate(_FROM_PRIVATE)


def tokenize(text: str, urls: str = "split") -> list[str]:
    """Return the tokens of a text, in order; with ``urls="token"`` an address is one token.

    >>> tokenize("Don't pay 1,000.50 for B2B-Software!")
    ["don't", 'pay', '1,000.50', 'for', 'b2b', 'software']
    >>> tokenize("Coffee ☕ with #C++ and C# 👩‍💻")
    ['coffee', '☕', 'with', 'c++', 'and', 'c#', '👩', '💻']
    >>> tokenize("自然言語")
    ['自然', '然言', '言語']
    >>> tokenize("Mail anna@example.org, see https://example.org/a?b=1.", urls="token")
    ['mail', 'anna@example.org', 'see', 'https://example.org/a?b=1']
    """
    return _split_by_class(normalize_characters(text), _CLASS_LETTERS, urls)


def tokenize_alphanumeric(text: str, urls: str = "split") -> list[str]:
    """Return the tokens of a text without emoji, ``+`` and ``#``, as in the corpora of the papers.

    >>> tokenize_alphanumeric("Coffee ☕ with C++")
    ['coffee', 'with', 'c']
    """
    return _split_by_class(normalize_characters(text), _ALPHANUMERIC_LETTERS, urls)


def _split_by_class(text: str, class_letters: str, urls: str) -> list[str]:
    """Match the token pattern against the classes of the characters and return the matching substrings."""
    classes = "".join(class_letters[character_class(c)] for c in text)
    if urls == "token" and has_address(text):
        text = hide_addresses(text)
        classes = "".join(
            "a" if PRIVATE_START <= ord(c) < PRIVATE_END else class_letters[character_class(c)] for c in text
        )
    tokens = []
    for match in _TOKEN.finditer(classes):
        token = text[match.start() : match.end()]
        is_unsegmented = classes[match.start()] == "u" and len(token) > 1
        tokens.extend([token[i : i + 2] for i in range(len(token) - 1)] if is_unsegmented else [token])
    return [restore_addresses(token) for token in tokens] if urls == "token" else tokens


def char_trigrams(text: str) -> Iterator[str]:
    """Yield the character trigrams of every token, padded with ``_``; they match misspelled words.

    >>> list(char_trigrams("My cat!"))
    ['_my', 'my_', '_ca', 'cat', 'at_']
    """
    for word in tokenize(text):
        yield from word_trigrams(word)


def word_trigrams(word: str) -> list[str]:
    """Return the character trigrams of one word."""
    padded = f"_{word}_"
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


TOKENIZERS: dict[str, Tokenizer] = {
    "words": tokenize,
    "letters": tokenize_alphanumeric,
    "characters": char_trigrams,
}
"""Tokenizers by the names that models store."""


def resolve_tokenizer(tokenizer: Any) -> Tokenizer:
    """Return the tokenizer of a name; a function is returned as it is.

    >>> resolve_tokenizer("wrods")
    Traceback (most recent call last):
    tacit.errors.InputError: tokenizer='wrods': use one of words, letters, characters; did you mean words?
    """
    if isinstance(tokenizer, str):
        return TOKENIZERS[check_choice("tokenizer", tokenizer, TOKENIZERS)]
    if not callable(tokenizer):
        expected = f"one of {', '.join(TOKENIZERS)}, or a function from a text to its tokens"
        raise InputError(f"tokenizer={tokenizer!r}: give {expected}", parameter="tokenizer")
    return tokenizer
