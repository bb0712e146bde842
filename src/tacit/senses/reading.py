"""How the models of this room read a corpus and a text: the same way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import Any

from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.senses.collect import Occurrence
from tacit.senses.extract import contents, features
from tacit.senses.passages import positional_passages
from tacit.text.interning import refuse_one_text
from tacit.text.languages import normalizer
from tacit.text.tokens import tokenize

Corpus = Iterable[str] | Iterable[Passage]


def passages_of(corpus: Corpus, language: str | None, normalize: str) -> Iterator[Passage]:
    """Passages as they are, or made of texts; which of the two a corpus has, its first item says.

    >>> [passage.terms for passage in passages_of(["Cats slept"], "en", "stem")]
    [['cat', 'slept']]
    """
    refuse_one_text(corpus)
    items: Iterator[Any] = iter(corpus)
    first = next(items, None)
    if first is None:
        return iter(())
    both = chain([first], items)
    if isinstance(first, Passage):
        return both
    return positional_passages(both, language, normalize)


def stop_terms(
    stop_words: Collection[str] | str | None, language: str | None, normalize: str, parsed: bool
) -> frozenset[str]:
    """The terms that say nothing: "english" for scikit-learn's list, mended, a list of words, or None.

    >>> "the" in stop_terms("english", "en", "stem", parsed=False)
    True
    """
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        if stop_words != "english":
            raise InputError(f"stop_words={stop_words!r}: use 'english', a list of words, or None")
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        stop_words = [*(ENGLISH_STOP_WORDS - NO_STOP_WORDS), *CONTRACTIONS]
    words = sorted(word.lower() for word in stop_words)
    stems = [] if parsed else normalizer(language, normalize)(words)
    return frozenset([*words, *stems])


_WITH_SENSES = """
amount bill bottom call cry describe detail empty fill find fire front full interest keep mill mine move
name part serious show side sincere system thick thin top
"""
NO_STOP_WORDS = frozenset(_WITH_SENSES.split())
"""Words of scikit-learn's list that have senses of their own."""

CONTRACTIONS = (
    *("don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "wouldn't", "can't"),
    *("couldn't", "shouldn't", "haven't", "hasn't", "hadn't", "it's", "that's", "there's", "what's", "let's"),
    *("i'm", "i've", "i'll", "i'd", "you're", "you've", "you'll", "he's", "she's", "we're", "we've", "we'll"),
    *("they're", "they've", "they'll", "don", "ll", "ve", "mr", "mrs"),
)
"""English stop words that scikit-learn's list has not, as the tokeniser leaves them."""


def plain_passage(text: str, term_of: Callable[[list[str]], list[str]]) -> Passage:
    """Tokenise one text."""
    forms = tokenize(text)
    return Passage(forms, term_of(forms))


def occurrence_of(passage: Passage, place: int) -> Occurrence:
    """A token with its features and its context."""
    kept = contents(passage)
    own = [name for at, name in features(passage, kept) if at == place]
    return Occurrence.of(passage, place, kept, own)


def place_of(word: str, term: str, passage: Passage, at: int | None) -> int:
    """Where the word is in a passage: the place given, or its first."""
    if not len(passage):
        raise InputError(f"the text has no word: give the text around {word!r}, with {word!r} in it")
    if at is not None:
        if not 0 <= at < len(passage):
            raise InputError(f"at={at}: the text has the tokens 0 to {len(passage) - 1}")
        return at
    if term not in passage.terms:
        shown = " ".join(passage.forms)
        raise InputError(f"the text {shown!r:.60} does not have the word {word!r}: give a text that does")
    return passage.terms.index(term)
