"""Corpora that go by a name instead of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tacit.corpora.opening import Record
from tacit.errors import InputError


class NamedCorpus(NamedTuple):
    """What a name gives: texts to learn from, and records to show."""

    texts: Callable[[], Iterator[str]]
    records: Callable[[], Iterator[Record]]


def _wordnet() -> Iterator[str]:
    """Stream WordNet's synsets as texts."""
    from tacit.corpora import wordnet

    return wordnet.texts()


def _wordnet_records() -> Iterator[Record]:
    """Stream WordNet's synsets: words and definition as the text, examples and part of speech beside it."""
    from tacit.corpora import wordnet

    for synset in wordnet.synsets():
        text = f"{', '.join(synset.words)}: {synset.definition}"
        yield Record(text, synset.id, {"pos": synset.pos, "examples": list(synset.examples)})


NAMED = {"wordnet": NamedCorpus(_wordnet, _wordnet_records)}
"""Every named corpus."""


def named_corpus(name: str) -> Iterator[str]:
    """Stream the texts of a corpus that goes by a name.

    >>> next(named_corpus("wordnet"))
    'entity that which is perceived ...'
    >>> named_corpus("wikipedia")
    Traceback (most recent call last):
    tacit.errors.InputError: no corpus is called 'wikipedia'; named corpora: wordnet
    """
    return _found(name).texts()


def named_records(name: str) -> Iterator[Record]:
    """Stream the records of a corpus that goes by a name.

    >>> next(named_records("wordnet")).id
    '00001740-n'
    """
    return _found(name).records()


def _found(name: str) -> NamedCorpus:
    if name not in NAMED:
        raise InputError(f"no corpus is called {name!r}; named corpora: {', '.join(NAMED)}")
    return NAMED[name]
