"""Passages: tokenized paragraphs, with a parse if there is one; from plain text or spaCy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from tacit.checks import check_text_input
from tacit.errors import InputError, import_extra

_TEXTS_PER_BATCH = 256


@dataclass(frozen=True, slots=True)
class Passage:
    """The tokens of a paragraph.

    Parameters
    ----------
    forms : list of str
        The tokens as the text has them.
    terms : list of str
        The lemma or stem of each token, in lower case.
    tags : list of str
        The universal part of speech of each token; empty without a parse.
    relations : list of str
        The dependency relation of each token to its head; empty without a parse.
    heads : list of int
        The position of each token's head; a root is its own head. Empty without a parse.

    Examples
    --------
    >>> Passage(["Cats", "sleep"], ["cat", "sleep"]).is_parsed
    False
    """

    forms: list[str]
    terms: list[str]
    tags: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)

    @property
    def is_parsed(self) -> bool:
        """Whether the passage has a parse."""
        return bool(self.heads)

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.terms)


TextsOrPassages = Iterable[str] | Iterable[Passage]


def to_passages(corpus: TextsOrPassages, language: str | None, normalize: str) -> Iterator[Passage]:
    """Stream passages unchanged, or tokenize texts; the type of the first item decides which.

    >>> [passage.terms for passage in to_passages(["Cats slept"], "en", "stem")]
    [['cat', 'slept']]
    """
    check_text_input(corpus)
    items: Iterator[Any] = iter(corpus)
    first = list(islice(items, 1))
    items = chain(first, items)
    return items if first and isinstance(first[0], Passage) else tokenize_passages(items, language, normalize)


def tokenize_passages(
    texts: Iterable[str], language: str | None = "en", normalize: str = "stem"
) -> Iterator[Passage]:
    """Tokenize texts, one passage each, and normalize their words.

    >>> next(tokenize_passages(["The cats slept."]))
    Passage(forms=['the', 'cats', 'slept'], terms=['the', 'cat', 'slept'], tags=[], relations=[], heads=[])
    """
    from tacit.text.normalization import make_normalizer
    from tacit.text.token_ids import tokenize_texts

    check_text_input(texts)
    normalize_words = make_normalizer(language, normalize)
    term_of: dict[str, str] = {}
    iterator = iter(texts)
    while batch := list(islice(iterator, _TEXTS_PER_BATCH)):
        tokenized = tokenize_texts(batch)
        new = [token for token in tokenized.tokens if token not in term_of]
        term_of.update(zip(new, normalize_words(new), strict=True))
        tokens = (tokenized.tokens[token_id] for token_id in tokenized.ids.tolist())
        for length in tokenized.lengths.tolist():
            forms = list(islice(tokens, length))
            yield Passage(forms, [term_of[form] for form in forms])


def parse_with_spacy(texts: Iterable[str], pipeline: str | Callable[..., Any]) -> Iterator[Passage]:
    """Parse texts, one passage each, with a spaCy pipeline: a loaded one, or the name of an installed one."""
    check_text_input(texts)
    nlp: Any = load_spacy_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
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


def load_spacy_pipeline(name: str) -> Any:
    """Load an installed spaCy pipeline by its name; nothing is downloaded."""
    spacy = import_extra("spacy", "parsing with spaCy", "parse")
    try:
        return spacy.load(name)
    except OSError:
        remedy = "install one, for example `python -m spacy download en_core_web_sm`, and name it"
        raise InputError(f"spaCy has no pipeline {name!r} here: {remedy}") from None
