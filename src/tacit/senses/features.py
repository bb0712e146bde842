"""Dependency or positional features and context words of each token of a passage.

With a parse, a feature is a relation and the term at its other end: ``obj<:eat`` for what is eaten,
``amod:red`` for what is red, ``prep_in:city`` for what is in a city. Prepositions are collapsed, a passive
subject counts as object, and function words are left out. Universal Dependencies and ClearNLP's labels give
the same features. Without a parse, a feature is an offset and the term there: ``-1:computer`` for a word
that follows "computer".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.text.normalization import make_normalizer

CONTENT_TAGS = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV"})
"""Parts of speech of content words; other words give no features."""

POS_TAGS = {"noun": "NOUN", "verb": "VERB"}
"""The values of the parameter ``pos``, and the tag of each."""

OFFSETS = (-2, -1, 1, 2)
SNIPPET_WINDOW = 25
"""Tokens on each side of an occurrence that are kept as its example text."""

_FUNCTION_RELATIONS = frozenset(
    {"det", "punct", "aux", "auxpass", "mark", "cc", "case", "expl", "prep", "root", "dep", "discourse"}
)
_RELATION_ALIASES = {"dobj": "obj", "nsubjpass": "obj", "nsubj:pass": "obj", "csubjpass": "csubj"}
_NOMINAL = frozenset({"nmod", "obl"})
_FIRST_IDEOGRAPH = "\u2e80"  # from here on a single character can be a word, as in Chinese or Japanese

TokenFeatures = list[tuple[int, str]]
"""Pairs of a token's position and a feature."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A token with its passage.

    ``terms`` are those of the passage, ``content_terms`` the same with "" for tokens that are no context
    words, ``features`` those of the token, and ``text`` the tokens around it.
    """

    terms: tuple[str, ...]
    content_terms: tuple[str, ...]
    position: int
    features: tuple[str, ...]
    text: str

    @classmethod
    def from_passage(
        cls, passage: Passage, position: int, content_terms: list[str], features: TokenFeatures
    ) -> Occurrence:
        """Make the occurrence at a position from the features of all tokens of the passage."""
        token_features = tuple(name for index, name in features if index == position)
        window = slice(max(position - SNIPPET_WINDOW, 0), position + SNIPPET_WINDOW + 1)
        text = " ".join(passage.forms[window])
        return cls(tuple(passage.terms), tuple(content_terms), position, token_features, text)

    @property
    def word(self) -> str:
        """The term of the token."""
        return self.terms[self.position]


def make_occurrence(passage: Passage, position: int) -> Occurrence:
    """Make the occurrence at a position, with its features and context.

    >>> make_occurrence(Passage(["red", "cars"], ["red", "car"]), 1).features
    ('-1:red',)
    """
    terms = content_terms(passage)
    return Occurrence.from_passage(passage, position, terms, extract_features(passage, terms))


def content_terms(passage: Passage) -> list[str]:
    """Return the term of every token that may be a context word, and "" for the others.

    >>> content_terms(Passage(["The", "cat", "7"], ["the", "cat", "7"]))
    ['the', 'cat', '']
    >>> content_terms(Passage(["The", "cat"], ["the", "cat"], ["DET", "NOUN"], ["det", "root"], [1, 1]))
    ['', 'cat']
    """
    if passage.is_parsed:
        pairs = zip(passage.terms, passage.tags, strict=True)
        return [term if tag in CONTENT_TAGS and _is_word(term) else "" for term, tag in pairs]
    return [term if _is_word(term) else "" for term in passage.terms]


@lru_cache(maxsize=1 << 20)
def _is_word(term: str) -> bool:
    """Return whether a term has letters and no digits; a single letter is a word only in some scripts."""
    is_long_enough = len(term) > 1 or term >= _FIRST_IDEOGRAPH
    return is_long_enough and not any(character.isdigit() for character in term) and term[0].isalpha()


def target_positions(passage: Passage, terms: list[str], pos: str | None) -> list[int]:
    """Return the positions of all content words, or of those with one part of speech."""
    if pos is None or not passage.is_parsed:
        return [position for position, term in enumerate(terms) if term]
    tag = POS_TAGS[pos]
    return [position for position, term in enumerate(terms) if term and passage.tags[position] == tag]


def find_position(word: str, term: str, passage: Passage, at: int | None) -> int:
    """Return the position of a word, whose normalized form is ``term``: ``at``, or its first occurrence."""
    if not len(passage):
        raise InputError(f"the text has no word: give the text around {word!r}, with {word!r} in it")
    if at is not None:
        if not 0 <= at < len(passage):
            raise InputError(f"at={at}: the text has the tokens 0 to {len(passage) - 1}", parameter="at")
        return at
    if term not in passage.terms:
        text = " ".join(passage.forms)
        raise InputError(f"the text {text!r:.60} does not contain the word {word!r}: give a text that does")
    return passage.terms.index(term)


def extract_features(passage: Passage, terms: list[str]) -> TokenFeatures:
    """Return the features of all tokens; ``terms`` is the result of :func:`content_terms`.

    >>> parsed = Passage(["red", "cars"], ["red", "car"], ["ADJ", "NOUN"], ["amod", "root"], [1, 1])
    >>> extract_features(parsed, content_terms(parsed))
    [(1, 'amod:red'), (0, 'amod<:car')]
    >>> plain = Passage(["red", "cars"], ["red", "car"])
    >>> extract_features(plain, content_terms(plain))
    [(0, '+1:car'), (1, '-1:red')]
    """
    return list(_dependency_features(passage, terms) if passage.is_parsed else _positional_features(terms))


def _dependency_features(passage: Passage, terms: list[str]) -> Iterator[tuple[int, str]]:
    """Yield each relation as a feature of its head and of its dependent."""
    heads, relations = passage.heads, passage.relations
    cases = [position for position, relation in enumerate(relations) if relation == "case"]
    case_of_head = {heads[position]: passage.terms[position] for position in cases}
    for position, term in enumerate(terms):
        head = heads[position]
        if not term or head == position:
            continue
        relation = relations[position].lower()
        if relation == "pobj":
            relation, head = f"prep_{passage.terms[head]}", heads[head]
        elif position in case_of_head and relation.partition(":")[0] in _NOMINAL:
            relation = f"prep_{case_of_head[position]}"
        relation = _RELATION_ALIASES.get(relation, relation)
        if head != position and terms[head] and relation.partition(":")[0] not in _FUNCTION_RELATIONS:
            yield head, f"{relation}:{term}"
            yield position, f"{relation}<:{terms[head]}"


def _positional_features(terms: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the terms one and two positions to the left and right of each token."""
    n = len(terms)
    for position, term in enumerate(terms):
        if term:
            for offset in OFFSETS:
                other = position + offset
                if 0 <= other < n and terms[other]:
                    yield position, f"{offset:+d}:{terms[other]}"


def feature_term(feature: str) -> str:
    """Return the term of a feature.

    >>> feature_term("prep_in:city"), feature_term("-1:computer")
    ('city', 'computer')
    """
    return feature.rpartition(":")[2]


def build_stop_words(
    stop_words: Collection[str] | str | None, language: str | None, normalize: str, is_parsed: bool
) -> frozenset[str]:
    """Return the stop words and their stems.

    "english" is scikit-learn's list without words that have senses of their own, and with contractions.

    >>> "the" in build_stop_words("english", "en", "stem", is_parsed=False)
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

        stop_words = [*(ENGLISH_STOP_WORDS - AMBIGUOUS_STOP_WORDS), *CONTRACTIONS]
    words = sorted(word.lower() for word in stop_words)
    stems = [] if is_parsed else make_normalizer(language, normalize)(words)
    return frozenset([*words, *stems])


_AMBIGUOUS = """
amount bill bottom call cry describe detail empty fill find fire front full interest keep mill mine move
name part serious show side sincere system thick thin top
"""
AMBIGUOUS_STOP_WORDS = frozenset(_AMBIGUOUS.split())
"""Words of scikit-learn's list that have senses of their own."""

CONTRACTIONS = (
    *("don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "wouldn't", "can't"),
    *("couldn't", "shouldn't", "haven't", "hasn't", "hadn't", "it's", "that's", "there's", "what's", "let's"),
    *("i'm", "i've", "i'll", "i'd", "you're", "you've", "you'll", "he's", "she's", "we're", "we've", "we'll"),
    *("they're", "they've", "they'll", "don", "ll", "ve", "mr", "mrs"),
)
"""English stop words, as the tokenizer leaves them, that scikit-learn's list does not have."""
