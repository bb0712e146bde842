"""Lists of words with a score: near a word, translations of a word, unsaid by a text."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_int, suggest_names
from tacit.errors import InputError
from tacit.models.language import Language
from tacit.models.text_set import TextSet

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel

ScoredWord = tuple[str, float]


def nearest_words(
    model: TextModel, word: str, k: int, min_df: int | None, code: str | None
) -> list[ScoredWord]:
    """The words of the same language with the nearest vectors."""
    found, place = find_word(model, word, code)
    if min_df is None:
        min_df = default_min_df(found.vectorizer.n_texts_) if found.background is None else 1
    scores = found.unit_word_vectors @ found.unit_word_vectors[place]
    scores[place] = -np.inf
    return top_words(found, scores, k, min_df)


def translate_word(
    model: TextModel, word: str, k: int, min_df: int, code: str | None, to: str | None
) -> list[ScoredWord]:
    """The words of another language with the nearest vectors."""
    found, place = find_word(model, word, code)
    others = [other for other in model.languages if other != found.code]
    if not others:
        raise InputError(f"the model has only the language {found.code!r}: add_language adds one")
    if to is None and len(others) > 1 and found is model.pivot:
        raise InputError(f"translations of {word!r} into which language? to= one of {', '.join(others)}")
    target = model.get_language(others[0] if to is None else to)
    return top_words(target, target.unit_word_vectors @ found.unit_word_vectors[place], k, min_df)


def unsaid_words(model: TextModel, text: str, k: int, code: str | None, to: str | None) -> list[ScoredWord]:
    """The words that a text's vector expects and the text does not have."""
    texts = TextSet.from_texts(model, [text], code)
    spoken = int(texts.language_ids[0])
    target = model.language_id(to) if to is not None else spoken
    language = texts.tokens.languages[target]
    scores = language.joint_word_vectors @ texts.vectors[0]
    if target == spoken:
        scores[texts.weighted_rows(spoken).indices] = -np.inf
    return top_words(language, scores, k) if texts.n_known[0] else []


def default_min_df(n_texts: int) -> int:
    """In how many texts a word must be to be shown: one of a single text is close to all of it.

    >>> [default_min_df(n) for n in (20, 100, 1000, 100_000)]
    [1, 1, 3, 7]
    """
    return max(1, round(2 * log10(max(n_texts, 1) / 30)))


def find_word(model: TextModel, word: str, code: str | None) -> tuple[Language, int]:
    """The language of a word, given or the one that has it most often, and its place there."""
    spoken = list(model.languages.values()) if code is None else [model.get_language(code)]
    found = [
        (each, each.vectorizer.words_.column_of.get(each.vectorizer.normalize_word(word))) for each in spoken
    ]
    known = [(each, place) for each, place in found if place is not None]
    if known:
        return max(known, key=lambda pair: pair[0].relative_doc_freqs[pair[1]])
    words = [surface for each in spoken for surface in each.vectorizer.words_.surface_forms[:50_000]]
    where = f" in language {code!r}" if code else ""
    raise InputError(f"the model does not know the word {word!r}{where}{suggest_names(word, words, 3)}")


def top_words(language: Language, scores: NDArray[Any], k: int, min_df: int = 1) -> list[ScoredWord]:
    """The k words of the highest scores; borrowed words are the pivot's to name."""
    scores[len(scores) - len(language.borrowed_ids) :] = -np.inf
    words = language.vectorizer.words_
    scores[words.df < min_df] = -np.inf
    order = np.argsort(-scores, kind="stable")[: check_int("k", k)]
    return [
        (words.surface_forms[place], float(scores[place])) for place in order if np.isfinite(scores[place])
    ]
