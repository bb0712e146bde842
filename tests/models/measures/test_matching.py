"""The measure ``matching`` against plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.greedy_reference import match_by_sorting
from helpers.language_models import ENGLISH, PAIRS, pivot
from helpers.measure_references import dice, letter_score
from tacit.models.lexicon import MIN_PARAPHRASE
from tacit.models.measures.matching import (
    INDIRECT_POWER,
    MIN_DICE,
    UNKNOWN_IDF_SHARE,
    VECTOR_POWER,
    VECTOR_WEIGHT,
    reliability,
)
from tacit.models.token_tables import MIN_WEIGHT
from tacit.models.word_similarity import IDF_POWER, MIN_LETTERS, NUMBER_WEIGHT
from tacit.text.normalization import strip_accents
from tacit.text.tokenizers import tokenize

WORDS = {
    "en": [*" ".join(ENGLISH).split(), "zebra", "2013", "sofas", "sfoas"],
    "es": [*" ".join(es for _, es in PAIRS["es"]).split(), "cebra", "zubrowka", "2013", "sofa"],
    "de": [*" ".join(de for _, de in PAIRS["de"]).split(), "Banken", "2012"],
}
codes = st.sampled_from(["en", "es", "de"])


@st.composite
def texts(draw):
    code = draw(codes)
    return code, " ".join(draw(st.lists(st.sampled_from(WORDS[code]), max_size=7)))


@pytest.fixture(scope="module")
def model():
    return pivot().add_language("es", PAIRS["es"]).add_language("de", PAIRS["de"])


def known(model, code: str, token: str):
    """Return the column of a word (None if it is unknown), its weight, and its translations to the pivot."""
    language = model.languages[code]
    column = language.vectorizer.words_.column_of.get(language.vectorizer.normalize_word(token))
    if column is None:
        return None, UNKNOWN_IDF_SHARE * np.log(language.vectorizer.n_texts_), {}
    weight = np.log(language.vectorizer.n_texts_ / language.vectorizer.words_.df[column])
    table = language.lexicon
    span = slice(table.indptr[column], table.indptr[column + 1])
    translations = dict(zip(table.indices[span].tolist(), table.data[span].tolist(), strict=True))
    return column, max(weight, MIN_WEIGHT), translations


def translated(model, column: int) -> dict[tuple[str, int], float]:
    """Return the words of the other languages that stand for a word of the pivot, with their scores."""
    score = {}
    for code in ("es", "de"):
        table = model.languages[code].lexicon
        for word in range(len(table.indptr) - 1):
            for k in range(table.indptr[word], table.indptr[word + 1]):
                if table.indices[k] == column:
                    score[code, word] = float(table.data[k])
    return score


def similar(model, a: str, u: str, b: str, v: str) -> float:
    one, other = model.languages[a].vectorizer, model.languages[b].vectorizer
    if u == v or (a == b and one.normalize_word(u) == other.normalize_word(v)):
        return 1.0
    if u[0].isdigit() or v[0].isdigit():
        return 0.0
    (i, _, left), (j, _, right) = known(model, a, u), known(model, b, v)
    best = vector_score = cosine = 0.0
    if i is not None and j is not None:
        if a == b == "en":
            left, right = translated(model, i), translated(model, j)
        best = min(1.0, max((s * right[e] for e, s in left.items() if e in right), default=0.0))
        if a == b == "en" and best < MIN_PARAPHRASE:
            best = 0.0
        if (a == "en") == (b == "en"):
            best **= INDIRECT_POWER
        vectors = [model.languages[code].unit_word_vectors[column] for code, column in ((a, i), (b, j))]
        cosine = float(vectors[0] @ vectors[1])
        vector_score = max(0.0, cosine) ** VECTOR_POWER
        for code in (a, b):
            n = model.languages[code].vectorizer.n_texts_
            vector_score *= np.sqrt(reliability(list(model.languages).index(code), n))
    if a == b:
        best = max(best, letter_score(one, u, v, cosine))
    elif min(len(strip_accents(u)), len(strip_accents(v))) >= MIN_LETTERS:
        cognates = dice(strip_accents(u), strip_accents(v))
        best = max(best, cognates) if cognates > MIN_DICE else best
    return 1 - (1 - best) * (1 - VECTOR_WEIGHT * vector_score)


def weight(model, code: str, token: str) -> float:
    return known(model, code, token)[1] ** IDF_POWER * (NUMBER_WEIGHT if token[0].isdigit() else 1)


def expected(model, a: str, first: str, b: str, second: str) -> float:
    us, vs = Counter(tokenize(first)), Counter(tokenize(second))
    if not us or not vs:
        return 0.0
    left, right = ([weight(model, code, word) for word in words] for code, words in ((a, us), (b, vs)))
    s = np.array([[similar(model, a, u, b, v) for v in vs] for u in us])
    scores = (s * np.sqrt(np.outer(left, right))).astype(np.float32)
    total = sum(scores[cell] * n for cell, n in match_by_sorting(scores, us.values(), vs.values()).items())
    return (
        total / np.sqrt(np.dot(left, list(us.values())) * np.dot(right, list(vs.values()))) if total else 0.0
    )


@settings(max_examples=150)
@given(one=texts(), other=texts())
def test_matching_equals_reference(model, one, other):
    (a, first), (b, second) = one, other
    score = model.similarity_pairwise([first], [second], "matching", a, b)[0]
    assert np.isclose(score, expected(model, a, first, b, second), atol=1e-6)
    assert 0 <= score <= 1 + 1e-9
    assert np.isclose(model.similarity_pairwise([second], [first], "matching", b, a)[0], score, atol=1e-6)


def test_matching_of_a_text_with_itself_is_1(model):
    for code, text in (("en", ENGLISH[0]), ("es", "el gato duerme"), ("de", "die Katze schläft")):
        assert np.isclose(model.similarity_pairwise([text], [text], "matching", code, code)[0], 1)
