"""Letters of words of one language, against plain Python."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import measure_references as reference
from tacit import WTMF, TextModel
from tacit.compute.tiles import jit
from tacit.models.letter_similarity import (
    Spellings,
    encode_letters,
    fill_letter_scores,
    letter_arrays,
    letter_score,
    share_of_related,
    share_of_variants,
)
from tacit.models.text_set import TextSet

two_words = st.lists(st.text("abé", max_size=9), min_size=2, max_size=2)


@given(two_words, st.sampled_from([0.5, 0.6, 0.85]))
def test_share_of_variants_equals_that_of_plain_python(words, least):
    share = share_of_variants(0, 1, least, *encode_letters(words))
    assert np.isclose(share, reference.share_of_variants(*words, least))
    assert share == share_of_variants(1, 0, least, *encode_letters(words))


@given(st.lists(st.text("abé1", max_size=9), min_size=2, max_size=2), st.sampled_from([-0.1, 0.0, 0.2, 0.4]))
def test_share_of_related_words_equals_that_of_plain_python(words, cosine):
    share = share_of_related(0, 1, cosine, *encode_letters(words))
    assert np.isclose(share, reference.share_of_related(*words, cosine))
    assert share == share_of_related(1, 0, cosine, *encode_letters(words))


letters_of_words = st.text("abé語", max_size=12)
spelled_words = st.lists(
    st.tuples(letters_of_words, letters_of_words, st.sampled_from([0, 1, 3, 50, np.inf])),
    min_size=1,
    max_size=8,
)


@given(spelled_words, st.lists(st.sampled_from([-0.2, 0.0, 0.1, 0.2, 0.35]), min_size=8, max_size=8))
def test_no_pair_with_a_score_is_left_out(words, products):
    tokens, terms, doc_freqs = zip(*words, strict=True)
    spellings = Spellings.from_strings([tokens, terms], np.array([doc_freqs], float), np.array([1000]))
    products, scores = np.array(products[: len(words)], np.float32), np.full(len(words), np.float32(-1))
    fill_scores(0, np.arange(len(words)), products, spellings, scores)
    expected = [score_letters(u, 0, 0.5 * x, spellings) for u, x in enumerate(products)]
    np.testing.assert_array_equal(scores, np.array(expected, np.float32))


def score_letters(u: int, v: int, cosine: float, spellings: Spellings) -> float:
    n, limits = spellings.doc_freqs.shape[1], spellings.limits[0]
    return letter_score(u, v, n, cosine, spellings.codes, spellings.offsets, spellings.doc_freqs[0], limits)


@jit
def fill_scores(v, us, products, spellings, scores):
    keys, first_term, codes, offsets, doc_freqs, limits = letter_arrays(spellings, 0)
    fill_letter_scores(
        v, us, 0, len(us), products, 0.5, keys, first_term, codes, offsets, doc_freqs, limits, scores
    )


@cache
def hospital() -> TextModel:
    """A model that knows frequent and rare words."""
    frequent = ["the patient has cancer", "the visit was cancelled", "allow the patient to receive a visit"]
    return WTMF(n_components=4, n_iter=3).fit([*frequent * 15, "they recieve a coral"]).model_


def spelling(u: str, v: str, model: TextModel | None = None) -> float:
    return letters(u, v, 0.0, model)


def letters(u: str, v: str, cosine: float, model: TextModel | None = None) -> float:
    texts = TextSet.from_texts(model or hospital(), [f"{u} {v}"])
    return score_letters(0, 1, cosine, texts.tokens.spellings)


@pytest.mark.parametrize(
    ("u", "v"),
    [
        ("cancelled", "cancer"),  # both known and frequent
        ("cancelation", "cancer"),  # unknown, but too different
        ("swallowed", "allow"),  # another beginning
        ("swallowed", "allowed"),
        ("recieve", "coral"),  # both rare
    ],
)
def test_letters_are_no_evidence_for_other_words(u, v):
    assert spelling(u, v) == spelling(v, u) == 0
    assert hospital().similarity([u], [v], "alignment")[0, 0] <= 0.2


@pytest.mark.parametrize(
    ("u", "v", "score"),
    [
        ("recieve", "receive", 6 / 7),  # a swap, rare and frequent
        ("cancr", "cancer", 5 / 6),  # unknown and frequent
        ("ptient", "patient", 6 / 7),
        ("patiénts", "patients", 1),  # accents
        ("sarkozy", "sarkosy", 6 / 7),  # both unknown
        ("behaviour", "behavior", 8 / 9),
        ("xcancelled", "cancelled", 9 / 10),  # another beginning, one letter in ten
    ],
)
def test_spellings_of_a_word_share_most_letters(u, v, score):
    assert np.isclose(spelling(u, v), score)
    assert np.isclose(spelling(v, u), score)


def test_words_that_a_background_knows_are_no_misspellings():
    texts = ["they deceive the patient", "a horse eats hay"] * 10
    own = WTMF(n_components=3, n_iter=3).fit([*texts, "they receive"]).model_
    assert spelling("receive", "deceive", own) > 0.8
    model = WTMF(n_components=3, n_iter=3, background=hospital()).fit(texts).model_
    assert spelling("receive", "deceive", model) == 0


@cache
def news() -> TextModel:
    """A model that knows the first word of each pair below from one text, and the second from twenty."""
    frequent = ["cancer patients", "allow visits", "turkish visits", "the port of call", "legal cancer"] * 20
    return (
        WTMF(n_components=4, n_iter=3).fit([*frequent, "turkey cancelled portions", "they swallowed"]).model_
    )


@pytest.mark.parametrize(
    ("u", "v", "cosine", "score"),
    [
        ("turkey", "turkish", 0.2, 4 / 7),
        ("turkey", "turkish", 0.1, 0),
        ("cancelled", "cancer", 0.1, 0),
        ("swallowed", "allow", 0.26, 0),  # another beginning
        ("portion", "port", 0.01, 4 / 7),  # the shorter word is the beginning
        ("portion", "port", -0.01, 0),
        ("portal", "port", 0, 4 / 6),  # unknown
        ("airport", "port", 0, 4 / 7),  # the end of a compound
        ("illegal", "legal", 0, 0),  # a prefix, which may negate
        ("callow", "allow", 0, 0),
        ("cancer", "call", 1, 0),  # both frequent
        ("turkey", "turkish7", 0.5, 0),  # a code
    ],
)
def test_related_words_share_a_beginning_or_a_meaning(u, v, cosine, score):
    assert np.isclose(letters(u, v, cosine, news()), score)
    assert np.isclose(letters(v, u, cosine, news()), score)


@pytest.mark.parametrize(("u", "v"), [("cancelled", "cancer"), ("swallowed", "allow")])
def test_rare_words_do_not_match_other_words_by_their_letters(u, v):
    assert news().similarity([u], [v], "alignment")[0, 0] <= 0.2
