"""What a passage says of its words: their grammatical or positional features, and the words around them.

With a parse, a feature is a relation and the word at its other end: ``obj<:eat`` for what is eaten,
``amod:red`` for what is red, ``prep_in:city`` for what is in a city. Prepositions are collapsed, a passive
subject counts as object, and function words are left out. Universal Dependencies and ClearNLP's labels are
read alike. Without a parse, a feature is a place and the term there: ``-1:computer`` for what follows it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.text.normalization import make_normalizer

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"})
"""The parts of speech that carry meaning; partners of other kinds make no feature."""

TAGS = {"noun": "NOUN", "verb": "VERB"}
"""What ``pos`` may be, and the tag of its words."""

OFFSETS = (-2, -1, 1, 2)
_EMPTY = frozenset({"det", "punct", "aux", "mark", "cc", "case", "expl", "prep", "root", "dep", "discourse"})
_SAME = {"dobj": "obj", "nsubjpass": "obj", "nsubj:pass": "obj", "csubjpass": "csubj", "auxpass": "aux"}
_NOMINAL = frozenset({"nmod", "obl"})

_IDEOGRAPHS = "\u2e80"  # from here on a single character can be a word, as in Chinese or Japanese

SHOWN = 25
"""Tokens to each side of an occurrence that are kept for showing."""

Found = list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A word in its passage: the passage's terms, which of them count as context, and the word's features."""

    terms: tuple[str, ...]
    contents: tuple[str, ...]
    place: int
    features: tuple[str, ...]
    text: str

    @classmethod
    def of(cls, passage: Passage, place: int, kept: list[str], found: Found) -> Occurrence:
        """The token at a place, with what is its own among the features found in the passage."""
        own = tuple(name for at, name in found if at == place)
        shown = " ".join(passage.forms[max(place - SHOWN, 0) : place + SHOWN + 1])
        return cls(tuple(passage.terms), tuple(kept), place, own, shown)

    @property
    def word(self) -> str:
        """Its term."""
        return self.terms[self.place]


def occurrence_of(passage: Passage, place: int) -> Occurrence:
    """A token with its features and its context.

    >>> occurrence_of(Passage(["red", "cars"], ["red", "car"]), 1).features
    ('-1:red',)
    """
    kept = contents(passage)
    return Occurrence.of(passage, place, kept, features(passage, kept))


def contents(passage: Passage) -> list[str]:
    """The term of every token that may count as context, and nothing for the others.

    >>> contents(Passage(["The", "cat", "7"], ["the", "cat", "7"]))
    ['the', 'cat', '']
    >>> contents(Passage(["The", "cat"], ["the", "cat"], ["DET", "NOUN"], ["det", "root"], [1, 1]))
    ['', 'cat']
    """
    if passage.parsed:
        pairs = zip(passage.terms, passage.tags, strict=True)
        return [term if tag in CONTENT and _is_word(term) else "" for term, tag in pairs]
    return [term if _is_word(term) else "" for term in passage.terms]


@lru_cache(maxsize=1 << 20)
def _is_word(term: str) -> bool:
    """Whether a term is made of letters; a single one is a word only where a script writes words so."""
    long_enough = len(term) > 1 or term >= _IDEOGRAPHS
    return long_enough and not any(character.isdigit() for character in term) and term[0].isalpha()


def targets(passage: Passage, kept: list[str], pos: str | None) -> list[int]:
    """The places of the words to learn about: all content words, or those of one part of speech."""
    if pos is None or not passage.parsed:
        return [place for place, term in enumerate(kept) if term]
    tag = TAGS[pos]
    return [place for place, term in enumerate(kept) if term and passage.tags[place] == tag]


def features(passage: Passage, kept: list[str]) -> Found:
    """The features of all tokens, as (place, feature); ``kept`` is what :func:`contents` gave.

    >>> parsed = Passage(["red", "cars"], ["red", "car"], ["ADJ", "NOUN"], ["amod", "root"], [1, 1])
    >>> features(parsed, contents(parsed))
    [(1, 'amod:red'), (0, 'amod<:car')]
    >>> plain = Passage(["red", "cars"], ["red", "car"])
    >>> features(plain, contents(plain))
    [(0, '+1:car'), (1, '-1:red')]
    """
    return list(_related(passage, kept) if passage.parsed else _beside(kept))


def _related(passage: Passage, kept: list[str]) -> Iterator[tuple[int, str]]:
    """A relation is a feature of both its ends."""
    heads, relations, terms = passage.heads, passage.relations, passage.terms
    cases = {heads[place]: terms[place] for place, name in enumerate(relations) if name == "case"}
    for place, term in enumerate(kept):
        head = heads[place]
        if not term or head == place:
            continue
        name = relations[place].lower()
        if name == "pobj":
            name, head = f"prep_{terms[head]}", heads[head]
        elif place in cases and name.partition(":")[0] in _NOMINAL:
            name = f"prep_{cases[place]}"
        name = _SAME.get(name, name)
        if head != place and kept[head] and name.partition(":")[0] not in _EMPTY:
            yield head, f"{name}:{term}"
            yield place, f"{name}<:{kept[head]}"


def _beside(kept: list[str]) -> Iterator[tuple[int, str]]:
    """The terms one and two places to the left and right."""
    n = len(kept)
    for place, term in enumerate(kept):
        if term:
            for offset in OFFSETS:
                other = place + offset
                if 0 <= other < n and kept[other]:
                    yield place, f"{offset:+d}:{kept[other]}"


def partner(feature: str) -> str:
    """The word at the other end of a feature.

    >>> partner("prep_in:city"), partner("-1:computer")
    ('city', 'computer')
    """
    return feature.rpartition(":")[2]


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
            raise InputError(
                f"stop_words={stop_words!r}: use 'english', a list of words, or None", parameter="stop_words"
            )
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        stop_words = [*(ENGLISH_STOP_WORDS - NO_STOP_WORDS), *CONTRACTIONS]
    words = sorted(word.lower() for word in stop_words)
    stems = [] if parsed else make_normalizer(language, normalize)(words)
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
