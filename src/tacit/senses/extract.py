"""What a passage says of its words: their grammatical or positional features, and the words around them.

With a parse, a feature is a relation and the word at its other end: ``obj<:eat`` for what is eaten,
``amod:red`` for what is red, ``prep_in:city`` for what is in a city. Prepositions are collapsed, a passive
subject counts as object, and function words are left out. Universal Dependencies and ClearNLP's labels are
read alike. Without a parse, a feature is a place and the term there: ``-1:computer`` for what follows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tacit.corpora.passages import Passage

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"})
"""The parts of speech that carry meaning; partners of other kinds make no feature."""

TAGS = {"noun": "NOUN", "verb": "VERB"}
"""What ``pos`` may be, and the tag of its words."""

OFFSETS = (-2, -1, 1, 2)
_EMPTY = frozenset({"det", "punct", "aux", "mark", "cc", "case", "expl", "prep", "root", "dep", "discourse"})
_SAME = {"dobj": "obj", "nsubjpass": "obj", "nsubj:pass": "obj", "csubjpass": "csubj", "auxpass": "aux"}
_NOMINAL = frozenset({"nmod", "obl"})

_IDEOGRAPHS = "\u2e80"  # from here on a single character can be a word, as in Chinese or Japanese

Found = list[tuple[int, str]]


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
