"""Nearest words, translations, and words a text implies but does not use."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

import numpy as np

from tacit.checks import check_int, suggest_names
from tacit.errors import InputError
from tacit.models.language import Language
from tacit.models.text_set import TextSet
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

ScoredWord = tuple[str, float]


def nearest_words(
    model: TextModel, word: str, k: int, min_df: int | None, code: str | None
) -> list[ScoredWord]:
    """Return the words of the same language with the nearest vectors."""
    language, column = find_word(model, word, code)
    if min_df is None:
        min_df = default_min_df(language.vectorizer.n_texts_) if language.background is None else 1
    scores = language.unit_word_vectors @ language.unit_word_vectors[column]
    scores[column] = -np.inf
    return top_words(language, scores, k, min_df)


def translate_word(
    model: TextModel, word: str, k: int, min_df: int, code: str | None, to: str | None
) -> list[ScoredWord]:
    """Return the words of another language with the nearest vectors."""
    language, column = find_word(model, word, code)
    others = [other for other in model.languages if other != language.code]
    if not others:
        raise InputError(f"the model has only the language {language.code!r}: add_language adds one")
    if to is None and len(others) > 1 and language is model.pivot:
        raise InputError(f"translations of {word!r} into which language? to= one of {', '.join(others)}")
    target = model.get_language(others[0] if to is None else to)
    return top_words(target, target.unit_word_vectors @ language.unit_word_vectors[column], k, min_df)


def unsaid_words(model: TextModel, text: str, k: int, code: str | None, to: str | None) -> list[ScoredWord]:
    """Return the words that the vector of a text predicts and that the text does not have."""
    texts = TextSet.from_texts(model, [text], code)
    source = int(texts.language_ids[0])
    target = model.language_id(to) if to is not None else source
    language = texts.tokens.languages[target]
    scores = language.joint_word_vectors @ texts.vectors[0]
    if target == source:
        scores[texts.weighted_rows(source).indices] = -np.inf
    return top_words(language, scores, k) if texts.n_known[0] else []


def default_min_df(n_texts: int) -> int:
    """Return the lowest document frequency of words to list: a word of one text is close to all of its words.

    >>> [default_min_df(n) for n in (20, 100, 1000, 100_000)]
    [1, 1, 3, 7]
    """
    return max(1, round(2 * log10(max(n_texts, 1) / 30)))


def find_word(model: TextModel, word: str, code: str | None) -> tuple[Language, int]:
    """Return the language of a word, by default the one in which it is most frequent, and its column."""
    languages = list(model.languages.values()) if code is None else [model.get_language(code)]
    found = []
    for language in languages:
        vectorizer = language.vectorizer
        column = vectorizer.words_.column_of.get(vectorizer.normalize_word(word))
        if column is not None:
            found.append((language, column))
    if found:
        return max(found, key=lambda pair: pair[0].relative_doc_freqs[pair[1]])
    words = [form for language in languages for form in language.vectorizer.words_.surface_forms[:50_000]]
    where = f" in language {code!r}" if code else ""
    raise InputError(f"the model does not know the word {word!r}{where}{suggest_names(word, words, 3)}")


def top_words(language: Language, scores: Array, k: int, min_df: int = 1) -> list[ScoredWord]:
    """Return the k words with the highest scores, without borrowed words, which the pivot has."""
    words = language.vectorizer.words_
    scores[len(scores) - len(language.borrowed_ids) :] = -np.inf
    scores[words.df < min_df] = -np.inf
    order = np.argsort(-scores, kind="stable")[: check_int("k", k)]
    return [(words.surface_forms[i], float(scores[i])) for i in order if np.isfinite(scores[i])]
