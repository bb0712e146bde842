"""Where passages come from: plain texts, or texts that spaCy parses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from tacit.checks import check_text_input
from tacit.corpora.passages import Passage
from tacit.errors import InputError, import_extra
from tacit.text.normalization import make_normalizer
from tacit.text.token_ids import tokenize_texts

Corpus = Iterable[str] | Iterable[Passage]

_TEXTS = 256  # tokenised at once


def passages_of(corpus: Corpus, language: str | None, normalize: str) -> Iterator[Passage]:
    """Passages as they are, or made of texts; which of the two a corpus has, its first item says.

    >>> [passage.terms for passage in passages_of(["Cats slept"], "en", "stem")]
    [['cat', 'slept']]
    """
    check_text_input(corpus)
    items: Iterator[Any] = iter(corpus)
    for first in items:
        both = chain([first], items)
        return both if isinstance(first, Passage) else positional_passages(both, language, normalize)
    return iter(())


def positional_passages(
    texts: Iterable[str], language: str | None = "en", normalize: str = "stem"
) -> Iterator[Passage]:
    """Tokenise texts, a passage each, and bring their words to one form.

    >>> next(positional_passages(["The cats slept."]))
    Passage(forms=['the', 'cats', 'slept'], terms=['the', 'cat', 'slept'], tags=[], relations=[], heads=[])
    """
    check_text_input(texts)
    bring = make_normalizer(language, normalize)
    known: dict[str, str] = {}
    iterator = iter(texts)
    while chunk := list(islice(iterator, _TEXTS)):
        seen = tokenize_texts(chunk)
        new = [token for token in seen.tokens if token not in known]
        known.update(zip(new, bring(new), strict=True))
        tokens = [seen.tokens[number] for number in seen.ids.tolist()]
        first = 0
        for count in seen.lengths.tolist():
            forms = tokens[first : first + count]
            yield Passage(forms, [known[form] for form in forms])
            first += count


def spacy_passages(texts: Iterable[str], pipeline: str | Callable[..., Any]) -> Iterator[Passage]:
    """Parse texts, a passage each, with a spaCy pipeline: a loaded one, or the name of an installed one."""
    check_text_input(texts)
    nlp: Any = load_spacy(pipeline) if isinstance(pipeline, str) else pipeline
    for document in nlp.pipe(texts):
        if len(document) and not document.has_annotation("DEP"):
            raise InputError("the spaCy pipeline has no parser: name one with tagger, parser and lemmatizer")
        yield Passage(
            [token.text for token in document],
            [(token.lemma_ or token.text).lower() for token in document],
            [token.pos_ for token in document],
            [token.dep_ for token in document],
            [token.head.i for token in document],
        )


def load_spacy(name: str) -> Any:
    """Load an installed spaCy pipeline by its name; nothing is downloaded."""
    spacy = import_extra("spacy", "parsing with spaCy", "parse")
    try:
        return spacy.load(name)
    except OSError:
        raise InputError(
            f"spaCy has no pipeline {name!r} here: install one, for example "
            "`python -m spacy download en_core_web_sm`, and name it"
        ) from None
