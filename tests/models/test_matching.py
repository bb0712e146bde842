"""The matching across languages against plain Python, on a small model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.language_models import ENGLISH, PAIRS, pivot
from tacit.errors import InputError
from tacit.models.measures.alignment import EMPHASIS, LEAST_LETTERS
from tacit.models.measures.matching import (
    DETOUR,
    LEAST_DICE,
    NUMBER,
    UNKNOWN,
    VECTOR_POWER,
    VECTOR_TRUST,
    align,
    matching_order,
    reliability,
)
from tacit.models.paraphrase import LEAST
from tacit.text.languages import unaccented
from tacit.text.tokens import tokenize

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
    place = language.vectorizer.words_.index.get(language.vectorizer.term(token))
    if place is None:
        return None, UNKNOWN * np.log(language.vectorizer.n_texts_), {}
    table = language.lexicon
    span = slice(table.indptr[place], table.indptr[place + 1])
    stands = dict(zip(table.indices[span].tolist(), table.data[span].tolist(), strict=True))
    return place, language.vectorizer.idf_[place], stands


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
    if u == v or (a == b and one.term(u) == other.term(v)):
        return 1.0
    if u[0].isdigit() or v[0].isdigit():
        return 0.0
    (i, _, left), (j, _, right) = known(model, a, u), known(model, b, v)
    best = alike = 0.0
    if i is not None and j is not None:
        if a == b == "en":
            left, right = translated(model, i), translated(model, j)
        best = min(1.0, max((s * right[e] for e, s in left.items() if e in right), default=0.0))
        if a == b == "en" and best < LEAST:
            best = 0.0
        if (a == "en") == (b == "en"):
            best **= DETOUR
        vectors = [model.languages[code].unit_words[place] for code, place in ((a, i), (b, j))]
        alike = max(0.0, float(vectors[0] @ vectors[1])) ** VECTOR_POWER
        for code in (a, b):
            n = model.languages[code].vectorizer.n_texts_
            alike *= np.sqrt(reliability(list(model.languages).index(code), n))
    if min(len(unaccented(u)), len(unaccented(v))) >= LEAST_LETTERS:
        one, other = grams(unaccented(u)), grams(unaccented(v))
        dice = 2 * len(one & other) / (len(one) + len(other))
        best = max(best, dice) if dice > LEAST_DICE else best
    return 1 - (1 - best) * (1 - VECTOR_TRUST * alike)


def weight(model, code: str, token: str) -> float:
    return known(model, code, token)[1] ** EMPHASIS * (NUMBER if token[0].isdigit() else 1)


def expected(model, a: str, first: str, b: str, second: str) -> float:
    us, vs = tokenize(first), tokenize(second)
    if not us or not vs:
        return 0.0
    s = np.array([[similar(model, a, u, b, v) for v in vs] for u in us])
    left = np.array([weight(model, a, u) for u in us])
    right = np.array([weight(model, b, v) for v in vs])
    return matched(s, left, right)


def matched(s, left, right) -> float:
    """The greatest first, each row and column once; of equal ones, those near the end first."""
    worth = s * np.outer(np.sqrt(left), np.sqrt(right))
    cells = sorted(np.ndindex(worth.shape), key=lambda c: (-worth[c], -c[0] - c[1], abs(c[0] - c[1])))
    rows, columns, total = set(), set(), 0.0
    for i, j in cells:
        if worth[i, j] > 0 and i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            total += worth[i, j]
    return total / np.sqrt(left.sum() * right.sum()) if total else 0.0


@settings(max_examples=150, deadline=None)
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


@given(rows=levels, heavy=st.lists(st.sampled_from([1.0, 4.0]), min_size=11, max_size=11))
def test_a_matching_is_the_same_from_either_side_even_with_ties(rows, heavy):
    similar = np.array(rows)
    left, right = np.array(heavy[: len(rows)]), np.array(heavy[6:11])
    table, turned = np.zeros(similar.shape), np.zeros(similar.shape[::-1])
    found = align(similar, left, right, table)
    assert np.isclose(found, align(np.ascontiguousarray(similar.T), right, left, turned))
    assert (table == turned.T).all()
    assert np.isclose(found, matched(similar, left, right))
    assert ((table > 0).sum(axis=0) <= 1).all()
    assert ((table > 0).sum(axis=1) <= 1).all()


def test_the_order_of_a_matching_is_written_down():
    worth = np.array([[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]])
    assert [divmod(int(place), 3) for place in matching_order(worth)][:4] == [(1, 1), (0, 1), (1, 2), (0, 2)]


def test_texts_too_long_for_a_table_are_refused_with_a_remedy(model):
    long = "the cat sleeps on the sofa " * 400
    assert model.similarity_pairwise([long], [long], "latent")[0] == pytest.approx(1, abs=1e-5)
    for compare in (model.similarity_pairwise, lambda a, b, measure: model.explain(a[0], b[0], measure)):
        with pytest.raises(InputError, match=r"5,760,000 pairs of words.*measure latent"):
            compare([long], [long], "blend")


def test_a_text_is_wholly_like_itself(model):
    for code, text in (("en", ENGLISH[0]), ("es", "el gato duerme"), ("de", "die Katze schläft")):
        assert np.isclose(model.similarity_pairwise([text], [text], "matching", code, code)[0], 1)
