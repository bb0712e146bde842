"""Growth in closed form: new words from texts, a language from pairs of texts (x-WMF).

With the texts' vectors fixed, one half-sweep gives each new word its best vector; nothing else moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import padded
from tacit.errors import InputError
from tacit.factorize.als import half_sweep
from tacit.factorize.parameters import check_parameters
from tacit.factorize.row_solver import Array, FoldIn, Rows, gram_of
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon, learn_lexicon
from tacit.models.percentiles import strided_sample
from tacit.text.languages import check_language_code, stemmer_language
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary
from tacit.text.weighting import TfidfRows

ParallelTexts = tuple[list[str], list[str]]

MISSING_WEIGHT_DIVISOR = 10.0
"""A word of the new language counts as missing this many times less than one of the pivot: a text says what
its translation says, but seldom by all of the words. Chosen on the STS Benchmark dev sets."""


def learn_new_words(
    language: Language, texts: Iterable[str], min_df: int | None, is_pivot: bool
) -> list[str]:
    """Give a language the words of texts that it lacks; returns them."""
    if len(language.borrowed_ids):
        raise InputError(f"{language.code!r} has borrowed words, which come last: new ones need borrow=False")
    vectorizer = language.vectorizer
    old, new, rows = vectorizer.fit_new_words(texts, min_df)
    if not len(new):
        return []
    vectors = language.own_fold_in(old)
    options = (language.missing_weight, language.regularization, language.n_threads)
    fold = FoldIn(vectors, *options, language.text_gram + gram_of(vectors))
    found = fold(Rows.of(_transposed(rows), np.float32))
    vectorizer.add_words(new, len(old.n_known))
    columns = len(language.word_vectors) + np.arange(len(new))
    language.lexicon = language.lexicon.extended(columns if is_pivot else columns[:0], len(new))
    language.word_vectors = np.concatenate([language.word_vectors, found])
    if language.background is not None:
        none = np.zeros((len(new), language.background.word_vectors.shape[1]), np.float32)
        language.background.word_vectors = np.concatenate([language.background.word_vectors, none])
    language.clear_cache()
    return new.surface_forms


def _transposed(rows: TfidfRows) -> Any:
    from scipy.sparse import csr_array

    transposed = csr_array((rows.data, rows.indices, rows.indptr), rows.shape).T.tocsr()
    transposed.sort_indices()
    return transposed


def split_pairs(
    languages: Mapping[str, Language], code: str, pairs: Iterable[tuple[str, str]]
) -> ParallelTexts:
    """The texts of the pivot and of a language that the model lacks yet."""
    name = check_language_code(code)
    if name in languages:
        raise InputError(f"the model has the language {name!r} already: it has {', '.join(languages)}")
    left, right = [], []
    for number, pair in enumerate(pairs, 1):
        check_parallel_row(pair, 2, number)
        left.append(pair[0])
        right.append(pair[1])
    if not left:
        raise InputError(f"there are no pairs to learn {name!r} from")
    return left, right


def check_parallel_row(row: Any, width: int, number: int, allow_missing: bool = False) -> None:
    """Raise an error that names the row if it is not so many texts, of which only None may be absent."""
    if isinstance(row, str) or not isinstance(row, tuple | list) or len(row) != width:
        raise InputError(f"row {number} is {row!r:.60}: give a tuple of {width} texts, one for each language")
    for text in row:
        if text is None and allow_missing:
            continue
        if not isinstance(text, str) or not text.strip():
            remedy = "None for a language it lacks" if allow_missing else "leave the pair out"
            raise InputError(f"row {number} has {text!r:.40} for a text: give a text, or {remedy}")


def learn_language(
    pivot: Language,
    code: str,
    sides: ParallelTexts,
    vectorizer: TextVectorizer | None,
    missing_weight: float | None,
    regularization: float | None,
    *,
    borrow: bool,
    translate: bool,
) -> Language:
    """The language of the second side, in the pivot's space."""
    if pivot.background is not None:
        raise InputError("a language cannot be added to a model with a background: train one without")
    weight = pivot.missing_weight / MISSING_WEIGHT_DIVISOR if missing_weight is None else missing_weight
    strength = pivot.regularization if regularization is None else regularization
    check_parameters(pivot.word_vectors.shape[1], weight, strength, 1, 0.0)
    own = make_vectorizer(pivot.vectorizer, code, vectorizer)
    rows = own.fit_transform_rows(sides[1])
    known = pivot.vectorizer.transform_rows(sides[0])
    vectors, text_gram = solve_word_vectors(rows, pivot, known, weight, strength)
    lexicon = Lexicon.empty(len(vectors))
    if translate:
        lexicon = learn_lexicon(rows, known, pivot.n_threads)
    found = Language(
        code,
        own,
        vectors,
        len(vectors),
        lexicon,
        pivot.missing_weight,
        pivot.regularization,
        text_gram,
        pivot.n_threads,
        pivot.text_regularization,
        sample_texts=[text for side in sides for text in strided_sample(side)],
    )
    pivot.sample_texts = pivot.sample_texts or strided_sample(
        sides[0]
    )  # none: it was loaded, and texts are not stored
    return append_borrowed_words(found, pivot, find_borrowable_words(own, pivot)) if borrow else found


def make_vectorizer(pivot: TextVectorizer, code: str, given: TextVectorizer | None = None) -> TextVectorizer:
    """A new vectorizer for a language: as given, or as the pivot's with the language's own stems."""
    parameters = (given or pivot).get_params()
    if given is None:
        parameters["language"] = stemmer_language(code)
    return TextVectorizer(**{**parameters, "tokenizer": pivot.tokenizer})


def solve_word_vectors(
    rows: TfidfRows, pivot: Language, known: TfidfRows, missing_weight: float, regularization: float
) -> tuple[Array, Array]:
    """The best vector of each word (a column of ``rows``), the texts being placed by the pivot's words.

    Returns these, and the texts' Gram.
    """
    fold = (
        pivot.own_fold_in if pivot.text_regularization is None else pivot.make_fold_in(pivot.regularization)
    )
    texts = fold.side(known)
    K = pivot.word_vectors.shape[1]
    gram = texts.gram(pivot.n_threads)[:K, :K]
    Y = np.zeros((padded(rows.shape[1]), texts.rows.shape[1]), texts.rows.dtype)
    options = (missing_weight, regularization, pivot.n_threads)
    side, _ = half_sweep(Rows.of(_transposed(rows), Y.dtype), texts, Y, *options)
    return side.vectors(K, pivot.n_threads), gram


def find_borrowable_words(own: TextVectorizer, pivot: Language) -> NDArray[np.int64]:
    """The pivot's words whose letters are no word of the language: names, mostly; the most frequent first."""
    surfaces = pivot.vectorizer.words_.surface_forms[: pivot.n_trained_words]
    taken = dict(own.words_.column_of)
    columns = []
    for column, term in enumerate(own.make_normalizer()(surfaces)):
        if term and term not in taken:
            taken[term] = column
            columns.append(column)
    return np.array(columns, np.int64)


def append_borrowed_words(language: Language, pivot: Language, columns: NDArray[np.int64]) -> Language:
    """The language with the pivot's words of these columns behind its own, their weights and vectors too."""
    words, own = pivot.vectorizer.words_, language.vectorizer
    surfaces = [words.surface_forms[column] for column in columns]
    own.words_ = own.words_.concatenate(
        Vocabulary(own.make_normalizer()(surfaces), surfaces, words.df[columns])
    )
    own.idf_ = np.concatenate([own.idf_, pivot.vectorizer.idf_[columns]])
    language.word_vectors = np.concatenate([language.word_vectors, pivot.word_vectors[columns]])
    language.lexicon = language.lexicon.extended(columns)
    language.borrowed_ids = columns
    return language
