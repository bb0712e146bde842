"""x-WMF: a language from pairs of texts, in one half-sweep with the pivot's text vectors fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import padded
from tacit.crosslingual.chance import sampled
from tacit.crosslingual.codes import check_code, stemmed
from tacit.crosslingual.language import Language
from tacit.crosslingual.lexicon import Lexicon, learn_lexicon
from tacit.errors import InputError
from tacit.factorize.als import Array, Rows, half_sweep
from tacit.sentences.parameters import check_parameters
from tacit.text.vectorizer import TextVectorizer, WeightedRows
from tacit.text.vocabulary import Vocabulary

Sides = tuple[list[str], list[str]]

SLACK = 10.0
"""A word of the new language counts as missing this many times less than one of the pivot: a text says what
its translation says, but seldom by all of the words. Chosen on the STS Benchmark dev sets."""


def read_sides(languages: Mapping[str, Language], code: str, pairs: Iterable[tuple[str, str]]) -> Sides:
    """The texts of the pivot and of a language that the model lacks yet."""
    name = check_code(code)
    if name in languages:
        raise InputError(f"the model has the language {name!r} already: it has {', '.join(languages)}")
    left, right = [], []
    for number, pair in enumerate(pairs, 1):
        check_row(pair, 2, number)
        left.append(pair[0])
        right.append(pair[1])
    if not left:
        raise InputError(f"there are no pairs to learn {name!r} from")
    return left, right


def check_row(row: Any, width: int, number: int, lacking: bool = False) -> None:
    """Raise an error that names the row if it is not so many texts, of which only None may be absent."""
    if isinstance(row, str) or not isinstance(row, tuple | list) or len(row) != width:
        raise InputError(f"row {number} is {row!r:.60}: give a tuple of {width} texts, one for each language")
    for text in row:
        if text is None and lacking:
            continue
        if not isinstance(text, str) or not text.strip():
            remedy = "None for a language it lacks" if lacking else "leave the pair out"
            raise InputError(f"row {number} has {text!r:.40} for a text: give a text, or {remedy}")


def grown_language(
    pivot: Language,
    code: str,
    sides: Sides,
    vectorizer: TextVectorizer | None,
    missing_weight: float | None,
    regularization: float | None,
    *,
    borrow: bool,
    translate: bool,
) -> Language:
    """The language of the second side, in the pivot's space."""
    weight = pivot.missing_weight / SLACK if missing_weight is None else missing_weight
    strength = pivot.regularization if regularization is None else regularization
    check_parameters(pivot.word_vectors.shape[1], weight, strength, 1, 0.0)
    own = vectorizer_for(pivot.vectorizer, code, vectorizer)
    rows = own.fit_rows(sides[1])
    known = pivot.vectorizer.rows(sides[0])
    vectors = word_half(rows, pivot, known, weight, strength)
    lexicon = Lexicon.empty(len(vectors))
    if translate:
        lexicon = learn_lexicon(rows, known, pivot.n_threads)
    sample = [text for side in sides for text in sampled(side)]
    found = Language(
        code, own, vectors, len(vectors), lexicon, pivot.missing_weight, pivot.regularization, pivot.n_threads
    )
    found.text_regularization = pivot.text_regularization
    found.sample = sample
    pivot.sample = pivot.sample or sampled(sides[0])  # none: the pivot was loaded, and texts are not stored
    pivot.chance = None  # its words have found new partners
    return with_borrowed(found, pivot, borrowed_columns(own, pivot)) if borrow else found


def vectorizer_for(pivot: TextVectorizer, code: str, given: TextVectorizer | None = None) -> TextVectorizer:
    """A new vectorizer for a language: as given, or as the pivot's with the language's own stems."""
    parameters = (given or pivot).get_params()
    if given is None:
        parameters["language"] = stemmed(code)
    return TextVectorizer(**{**parameters, "tokenizer": pivot.tokenizer})


def word_half(
    rows: WeightedRows, pivot: Language, known: WeightedRows, missing_weight: float, regularization: float
) -> Array:
    """The best vector of each word (a column of ``rows``), the texts being placed by the pivot's words."""
    from scipy.sparse import csr_array

    fold = pivot.fold if pivot.text_regularization is None else pivot.fold_by(pivot.regularization)
    texts = fold.side(known)
    transposed = csr_array((rows.data, rows.indices, rows.indptr), rows.shape).T.tocsr()
    transposed.sort_indices()
    Y = np.zeros((padded(rows.shape[1]), texts.rows.shape[1]), texts.rows.dtype)
    options = (missing_weight, regularization, pivot.n_threads)
    side, _ = half_sweep(Rows.of(transposed, Y.dtype), texts, Y, *options)
    return side.vectors(pivot.word_vectors.shape[1], pivot.n_threads)


def borrowed_columns(own: TextVectorizer, pivot: Language) -> NDArray[np.int64]:
    """The pivot's words whose letters are no word of the language: names, mostly; the most frequent first."""
    surfaces = pivot.vectorizer.words_.surfaces[: pivot.n_trained]
    taken = dict(own.words_.index)
    columns = []
    for column, term in enumerate(own.normalizer()(surfaces)):
        if term and term not in taken:
            taken[term] = column
            columns.append(column)
    return np.array(columns, np.int64)


def with_borrowed(language: Language, pivot: Language, columns: NDArray[np.int64]) -> Language:
    """The language with the pivot's words of these columns behind its own, their weights and vectors too."""
    words, own = pivot.vectorizer.words_, language.vectorizer
    surfaces = [words.surfaces[column] for column in columns]
    own.words_ = own.words_.extended(Vocabulary(own.normalizer()(surfaces), surfaces, words.df[columns]))
    own.idf_ = np.concatenate([own.idf_, pivot.vectorizer.idf_[columns]])
    language.word_vectors = np.concatenate([language.word_vectors, pivot.word_vectors[columns]])
    language.lexicon = language.lexicon.extended(columns)
    language.borrowed = columns
    return language
