"""Add words or a language to a trained model in closed form.

With the vectors of the texts fixed, one half-sweep computes the optimal vector of each new word (x-WMF);
nothing else changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.csr import CSRArrays
from tacit.errors import InputError
from tacit.factorize.row_solver import FoldIn, gram_matrix, whiten
from tacit.factorize.wmf_settings import check_settings
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon, learn_lexicon
from tacit.models.percentiles import strided_sample
from tacit.text.languages import check_language_code, stemmer_language
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary
from tacit.text.weighting import TfidfRows
from tacit.types import Array

ParallelTexts = tuple[list[str], list[str]]

MISSING_WEIGHT_DIVISOR = 10.0
"""The missing weight of a new language is the pivot's divided by this: a text has the meaning of its
translation, but seldom all of its words. Tuned on the STS Benchmark development sets."""


def learn_new_words(
    language: Language, texts: Iterable[str], min_df: int | None, is_pivot: bool
) -> list[str]:
    """Add the unknown words of texts to a language; returns them."""
    if len(language.borrowed_ids):
        raise InputError(
            f"{language.code!r} has borrowed words, so that no words can be added: "
            "add the language again with borrow=False"
        )
    vectorizer = language.vectorizer
    known_rows, new_words, new_rows = vectorizer.fit_new_words(texts, min_df)
    n = len(new_words)
    if not n:
        return []
    vectors = language.own_fold_in(known_rows)
    options = (language.missing_weight, language.regularization, language.n_threads)
    fold_in = FoldIn(vectors, *options, language.text_gram + gram_matrix(vectors))
    word_vectors = fold_in(CSRArrays.from_scipy(new_rows.to_scipy().T.tocsr(), np.float32))
    vectorizer.add_words(new_words, len(known_rows.n_known))
    columns = len(language.word_vectors) + np.arange(n)
    language.lexicon = language.lexicon.append(columns if is_pivot else columns[:0], n)
    language.word_vectors = np.concatenate([language.word_vectors, word_vectors])
    if background := language.background:
        background.word_vectors = np.pad(background.word_vectors, ((0, n), (0, 0)))
    language.clear_cache()
    return new_words.surface_forms


def split_pairs(
    languages: Mapping[str, Language], code: str, pairs: Iterable[tuple[str, str]]
) -> ParallelTexts:
    """Split pairs into the texts of the pivot and those of a new language, which is checked."""
    name = check_language_code(code)
    if name in languages:
        raise InputError(f"the model has the language {name!r} already: it has {', '.join(languages)}")
    rows = list(pairs)
    for number, row in enumerate(rows, 1):
        check_parallel_row(row, 2, number)
    if not rows:
        raise InputError(f"there are no pairs to learn {name!r} from")
    return [text for text, _ in rows], [text for _, text in rows]


def check_parallel_row(row: Any, width: int, number: int, allow_missing: bool = False) -> None:
    """Raise an error with the row's number unless it has ``width`` texts, or None if that is allowed."""
    if isinstance(row, str) or not isinstance(row, tuple | list) or len(row) != width:
        raise InputError(f"row {number} is {row!r:.60}: give a tuple of {width} texts, one for each language")
    for text in row:
        if text is None and allow_missing:
            continue
        if not isinstance(text, str) or not text.strip():
            remedy = "None for a language without text" if allow_missing else "leave the pair out"
            raise InputError(f"row {number} holds {text!r:.40} instead of a text: give a text, or {remedy}")


def learn_language(
    pivot: Language, code: str, texts: ParallelTexts, vectorizer: TextVectorizer | None = None,
    missing_weight: float | None = None, regularization: float | None = None, borrow: bool = True,
    translate: bool = True,
) -> Language:  # fmt: skip
    """Learn a language in the pivot's space from texts of the pivot and their translations."""
    if pivot.background is not None:
        raise InputError("a language cannot be added to a model with a background: train one without")
    weight = pivot.missing_weight / MISSING_WEIGHT_DIVISOR if missing_weight is None else missing_weight
    strength = pivot.regularization if regularization is None else regularization
    check_settings(pivot.word_vectors.shape[1], weight, strength)
    fitted = make_vectorizer(pivot.vectorizer, code, vectorizer)
    rows = fitted.fit_transform_rows(texts[1])
    pivot_rows = pivot.vectorizer.transform_rows(texts[0])
    vectors, text_gram = solve_word_vectors(rows, pivot, pivot_rows, weight, strength)
    n = len(vectors)
    lexicon = learn_lexicon(rows, pivot_rows, pivot.n_threads) if translate else Lexicon.empty(n)
    sample = [text for side in texts for text in strided_sample(side)]
    language = replace(
        pivot, code=code, vectorizer=fitted, word_vectors=vectors, n_trained_words=n, lexicon=lexicon,
        text_gram=text_gram, sample_texts=sample, score_quantiles={},
    )  # fmt: skip
    # a loaded pivot has no sample: texts are not stored
    pivot.sample_texts = pivot.sample_texts or strided_sample(texts[0])
    if borrow:
        language = append_borrowed_words(language, pivot, find_borrowable_words(fitted, pivot))
    return language


def make_vectorizer(
    pivot: TextVectorizer, code: str, template: TextVectorizer | None = None
) -> TextVectorizer:
    """Create a vectorizer for a language, by default with the pivot's parameters and its own stemmer."""
    parameters = (template or pivot).get_params()
    if template is None:
        parameters["language"] = stemmer_language(code)
    return TextVectorizer(**{**parameters, "tokenizer": pivot.tokenizer, "urls": pivot.urls})


def solve_word_vectors(
    rows: TfidfRows, pivot: Language, pivot_rows: TfidfRows, missing_weight: float, regularization: float
) -> tuple[Array, Array]:
    """Compute the optimal vector of each column of ``rows``, given the texts' vectors by the pivot's words.

    Returns the word vectors and the Gram matrix of the texts.
    """
    is_cached = pivot.text_regularization is None
    fold_in = pivot.own_fold_in if is_cached else pivot.make_fold_in(pivot.regularization)
    texts = fold_in.factors(pivot_rows)
    K = pivot.word_vectors.shape[1]
    gram = texts.gram(pivot.n_threads)[:K, :K]
    whitened, _ = whiten(texts, missing_weight, regularization, pivot.n_threads)
    columns = CSRArrays.from_scipy(rows.to_scipy().T.tocsr(), whitened.T.dtype)
    words, _ = whitened.solve(columns, pivot.n_threads)
    return words.to_vectors(K, pivot.n_threads).astype(np.float32, copy=False), gram


def find_borrowable_words(vectorizer: TextVectorizer, pivot: Language) -> NDArray[np.int64]:
    """Return the pivot words that are not in the new vocabulary (mostly names), most frequent first."""
    surface_forms = pivot.vectorizer.words_.surface_forms[: pivot.n_trained_words]
    used_terms = set(vectorizer.words_.column_of)
    columns = []
    for column, term in enumerate(vectorizer.make_normalizer()(surface_forms)):
        if term and term not in used_terms:
            used_terms.add(term)
            columns.append(column)
    return np.array(columns, np.int64)


def append_borrowed_words(language: Language, pivot: Language, columns: NDArray[np.int64]) -> Language:
    """Append words of the pivot, with their weights and vectors, to a language; returns the language."""
    pivot_words, vectorizer = pivot.vectorizer.words_, language.vectorizer
    surface_forms = [pivot_words.surface_forms[column] for column in columns]
    terms = vectorizer.make_normalizer()(surface_forms)
    borrowed = Vocabulary(terms, surface_forms, pivot_words.df[columns])
    vectorizer.words_ = vectorizer.words_.concatenate(borrowed)
    vectorizer.idf_ = np.concatenate([vectorizer.idf_, pivot.vectorizer.idf_[columns]])
    language.word_vectors = np.concatenate([language.word_vectors, pivot.word_vectors[columns]])
    language.lexicon = language.lexicon.append(columns)
    language.borrowed_ids = columns
    return language
