"""Reduce tokens to terms: Snowball stems, lemmas, number masking, accent stripping.

Snowball stems are the default: on STS 2012 their correlation is 0.02 higher than with lemmas, they need no
data and support about thirty languages. For a language without a stemmer, or None, tokens are not changed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from tacit.checks import check_choice
from tacit.errors import InputError, import_extra
from tacit.text.languages import SNOWBALL_LANGUAGES

Normalizer = Callable[[Sequence[str]], list[str]]
"""A function from tokens to their terms."""


def make_stemmer(language: str) -> Normalizer:
    """Return a function from tokens to their Snowball stems.

    >>> make_stemmer("en")(["running", "definitions"])
    ['run', 'definit']
    """
    import Stemmer

    name = SNOWBALL_LANGUAGES.get(language)
    installed = set(Stemmer.algorithms())
    if name not in installed:
        codes = ", ".join(sorted(code for code, name in SNOWBALL_LANGUAGES.items() if name in installed))
        raise InputError(f"no stemmer for language={language!r}: use none, for no stems, or one of {codes}")
    snowball = Stemmer.Stemmer(name, 0)
    return lambda words: list(snowball.stemWords(words))


def make_lemmatizer(language: str) -> Normalizer:
    """Return a function from tokens to lemmas, for the languages of ``simplemma`` (extra ``lemmas``)."""
    lemmatize = import_extra("simplemma", "normalize='lemma'", "lemmas").lemmatize
    try:
        lemmatize("a", lang=language)
    except (ValueError, FileNotFoundError) as error:
        raise InputError(f"no lemmas for language={language!r}: {error}") from None
    return lambda words: [lemmatize(word, lang=language).lower() for word in words]


def make_normalizer(
    language: str | None, normalize: str, numbers: str = "keep", accents: str = "keep"
) -> Normalizer:
    """Return a function from tokens to terms; ``normalize`` is ``stem``, ``lemma`` or ``none``.

    ``numbers="merge"`` maps all numbers to one term, ``accents="strip"`` removes accents from the result.

    >>> make_normalizer(None, "stem")(["running"])
    ['running']
    >>> make_normalizer("es", "stem", "merge", "strip")(["canción", "1,5", "2016"])
    ['cancion', '0', '0']
    """
    makers = {"stem": make_stemmer, "lemma": make_lemmatizer}
    check_choice("normalize", normalize, (*makers, "none"))
    check_choice("numbers", numbers, ("keep", "merge"))
    check_choice("accents", accents, ("keep", "strip"))
    normalizer: Normalizer = list
    if language is not None and normalize != "none":
        normalizer = makers[normalize](language)
    if numbers == "merge":
        normalizer = _compose(normalizer, mask_number)
    return _compose(normalizer, strip_accents) if accents == "strip" else normalizer


def _compose(first: Normalizer, second: Callable[[str], str]) -> Normalizer:
    return lambda words: [second(word) for word in first(words)]


def mask_number(word: str) -> str:
    """Return "0" for a number and any other word unchanged.

    >>> mask_number("1,000.50"), mask_number("b2b")
    ('0', 'b2b')
    """
    return "0" if word[:1].isdigit() and not any(map(str.isalpha, word)) else word


def strip_accents(word: str) -> str:
    """Return a word without its accents.

    >>> strip_accents("año"), strip_accents("cat")
    ('ano', 'cat')
    """
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")
