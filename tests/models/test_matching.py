"""The matching across languages against plain Python, on a small model."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.language_models import ENGLISH, PAIRS, pivot
from tacit.models.lexicon import MIN_PARAPHRASE
from tacit.models.measures.matching import (
    INDIRECT_POWER,
    MIN_DICE,
    UNKNOWN_IDF_SHARE,
    VECTOR_POWER,
    VECTOR_WEIGHT,
    reliability,
)
from tacit.models.text_set import MIN_WEIGHT
from tacit.models.word_similarity import IDF_POWER, MIN_LETTERS, NUMBER_WEIGHT, match_greedily
from tacit.text.normalization import strip_accents
from tacit.text.tokenizers import tokenize

WORDS = {
    "en": [*" ".join(ENGLISH).split(), "zebra", "2013", "sofas"],
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


def grams(word: str) -> set[str]:
    return {word[i : i + n] for n in (2, 3) for i in range(len(word) - n + 1)}


def known(model, code: str, token: str):
    """The place of a token's word, its weight, and the pivot's words it stands for."""
    language = model.languages[code]
    place = language.vectorizer.words_.column_of.get(language.vectorizer.normalize_word(token))
    if place is None:
        return None, UNKNOWN_IDF_SHARE * np.log(language.vectorizer.n_texts_), {}
    weight = np.log(language.vectorizer.n_texts_ / language.vectorizer.words_.df[place])
    table = language.lexicon
    span = slice(table.indptr[place], table.indptr[place + 1])
    stands = dict(zip(table.indices[span].tolist(), table.data[span].tolist(), strict=True))
    return place, max(weight, MIN_WEIGHT), stands


def translated(model, place: int) -> dict[tuple[str, int], float]:
    """The words of the other languages that stand for a word of the pivot."""
    found = {}
    for code in ("es", "de"):
        table = model.languages[code].lexicon
        for word in range(len(table.indptr) - 1):
            for k in range(table.indptr[word], table.indptr[word + 1]):
                if table.indices[k] == place:
                    found[code, word] = float(table.data[k])
    return found


def similar(model, a: str, u: str, b: str, v: str) -> float:
    one, other = model.languages[a].vectorizer, model.languages[b].vectorizer
    if u == v or (a == b and one.normalize_word(u) == other.normalize_word(v)):
        return 1.0
    if u[0].isdigit() or v[0].isdigit():
        return 0.0
    (i, _, left), (j, _, right) = known(model, a, u), known(model, b, v)
    best = alike = 0.0
    if i is not None and j is not None:
        if a == b == "en":
            left, right = translated(model, i), translated(model, j)
        best = min(1.0, max((s * right[e] for e, s in left.items() if e in right), default=0.0))
        if a == b == "en" and best < MIN_PARAPHRASE:
            best = 0.0
        if (a == "en") == (b == "en"):
            best **= INDIRECT_POWER
        vectors = [model.languages[code].unit_word_vectors[place] for code, place in ((a, i), (b, j))]
        alike = max(0.0, float(vectors[0] @ vectors[1])) ** VECTOR_POWER
        for code in (a, b):
            n = model.languages[code].vectorizer.n_texts_
            alike *= np.sqrt(reliability(list(model.languages).index(code), n))
    if min(len(strip_accents(u)), len(strip_accents(v))) >= MIN_LETTERS:
        one, other = grams(strip_accents(u)), grams(strip_accents(v))
        dice = 2 * len(one & other) / (len(one) + len(other))
        best = max(best, dice) if dice > MIN_DICE else best
    return 1 - (1 - best) * (1 - VECTOR_WEIGHT * alike)


def weight(model, code: str, token: str) -> float:
    return known(model, code, token)[1] ** IDF_POWER * (NUMBER_WEIGHT if token[0].isdigit() else 1)


def expected(model, a: str, first: str, b: str, second: str) -> float:
    us, vs = Counter(tokenize(first)), Counter(tokenize(second))
    if not us or not vs:
        return 0.0
    left, right = ([weight(model, code, word) for word in words] for code, words in ((a, us), (b, vs)))
    s = np.array([[similar(model, a, u, b, v) for v in vs] for u in us])
    worth = (s * np.sqrt(np.outer(left, right))).astype(np.float32)
    total = sum(worth[cell] * n for cell, n in matched(worth, us.values(), vs.values()).items())
    return (
        total / np.sqrt(np.dot(left, list(us.values())) * np.dot(right, list(vs.values()))) if total else 0.0
    )


def matched(worth, left, right) -> dict[tuple[int, int], int]:
    """The greatest first, each row and column as often as it may; of equal ones, those near the end first."""
    rows, columns, found = list(left), list(right), {}
    cells = sorted(np.ndindex(worth.shape), key=lambda c: (-worth[c], -c[0] - c[1], abs(c[0] - c[1])))
    for i, j in cells:
        times = min(rows[i], columns[j])
        if worth[i, j] > 0 and times:
            rows[i], columns[j], found[i, j] = rows[i] - times, columns[j] - times, times
    return found


@settings(max_examples=150)
@given(one=texts(), other=texts())
def test_matching_is_what_the_page_says(model, one, other):
    (a, first), (b, second) = one, other
    found = model.similarity_pairwise([first], [second], "matching", a, b)[0]
    assert np.isclose(found, expected(model, a, first, b, second), atol=1e-6)
    assert 0 <= found <= 1 + 1e-9
    assert np.isclose(model.similarity_pairwise([second], [first], "matching", b, a)[0], found, atol=1e-6)
    latent = model.similarity_pairwise([first], [second], "latent", a, b)[0]
    blend = model.similarity_pairwise([first], [second], "blend", a, b)[0]
    assert np.isclose(blend, 0.3 * max(latent, 0) ** 0.6 + 0.7 * found, atol=1e-6)


levels = st.lists(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=5, max_size=5), min_size=1, max_size=6
)
times = st.lists(st.integers(1, 3), min_size=11, max_size=11)


@given(rows=levels, times=times)
def test_pairs_are_those_of_the_sorted_table_from_either_side_even_with_ties(rows, times):
    worth = np.array(rows, np.float32)
    left, right = np.array(times[: len(rows)]), np.array(times[6:11])
    found = pairs_of(worth, left, right)
    assert found == matched(worth, left, right)
    turned = pairs_of(np.ascontiguousarray(worth.T), right, left)
    assert found == {(i, j): n for (j, i), n in turned.items()}


def pairs_of(worth, left, right):
    found = np.zeros((len(left) + len(right), 3), np.int64)
    n = match_greedily(worth, left.copy(), right.copy(), found)
    return {(i, j): times for i, j, times in found[:n].tolist()}


def test_a_text_is_wholly_like_itself(model):
    for code, text in (("en", ENGLISH[0]), ("es", "el gato duerme"), ("de", "die Katze schläft")):
        assert np.isclose(model.similarity_pairwise([text], [text], "matching", code, code)[0], 1)
