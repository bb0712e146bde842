"""Properties of all measures; the tests of each measure are in ``measures``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.language_models import PAIRS, pivot
from helpers.measure_references import TEXTS, sentences, small_model, terms
from tacit import WTMF, TextModel
from tacit.errors import InputError
from tacit.models.comparison import Explanation
from tacit.models.measures import measure_names
from tacit.text.normalization import make_stemmer
from tacit.text.tokenizers import tokenize_alphanumeric


@pytest.fixture(scope="module")
def model() -> WTMF:
    return small_model()


@cache
def two_languages() -> TextModel:
    return pivot().add_language("es", PAIRS["es"])


@pytest.mark.parametrize("name", measure_names())
def test_every_measure_has_a_test_file(name):
    assert (Path(__file__).parent / "measures" / f"test_{name}.py").is_file()


@settings(max_examples=60)
@given(a=sentences, b=sentences, measure=st.sampled_from(["latent", "alignment", "blend"]))
def test_explanation_sums_to_score(model, a, b, measure):
    explanation = model.explain(a, b, measure=measure)
    assert explanation.score == pytest.approx(model.similarity([a], [b], measure=measure)[0, 0], abs=1e-5)
    assert explanation.table.sum() == pytest.approx(explanation.score, abs=1e-9)
    assert make_stemmer("en")(explanation.words_a) == list(dict.fromkeys(terms(a)))
    assert set(explanation.parts) == ({"latent", "alignment"} if measure == "blend" else set())
    for table in explanation.parts.values():
        assert table.shape == explanation.table.shape
    if explanation.parts:
        np.testing.assert_allclose(sum(explanation.parts.values()), explanation.table)


@given(pairs=st.lists(st.tuples(sentences, sentences), min_size=2, max_size=6))
def test_pair_has_same_bits_alone_and_among_others(model, pairs):
    a, b = zip(*pairs, strict=True)
    for measure in ("alignment", "blend"):
        together = model.similarity_pairwise(a, b, measure=measure)
        alone = [model.similarity_pairwise([left], [right], measure=measure)[0] for left, right in pairs]
        assert together.tolist() == alone


NORMALIZED = ("blend", "alignment", "matching", "characters", "ngram")
unicode_texts = st.one_of(st.text(max_size=30), sentences, st.text("qzĳ²☕' 1.,卡é", max_size=12))


@pytest.mark.parametrize("n_languages", [1, 2])
@settings(max_examples=150)
@given(text=unicode_texts)
def test_a_text_with_itself_scores_one_or_zero(n_languages, text):
    model = small_model() if n_languages == 1 else two_languages()
    scores = {name: model.similarity_pairwise([text], [text], measure=name)[0] for name in measure_names()}
    comparison = model.compare(text, text)
    assert {scores[name] for name in NORMALIZED} == {1.0 if tokenize_alphanumeric(text) else 0.0}
    if not comparison.known_a:
        assert scores["latent"] == scores["lexical"] == scores["inner"] == 0
    for measure in ("blend", "alignment", "matching"):
        explained = model.explain(text, text, measure=measure)
        assert explained.score == pytest.approx(scores[measure], abs=1e-6)


def test_explaining_an_unexplainable_measure_is_an_error(model):
    with pytest.raises(InputError, match="'ngram' cannot be split by words: use blend"):
        model.explain("a", "b", measure="ngram")


@pytest.mark.parametrize("measure", measure_names())
def test_matrix_equals_pairs_with_any_number_of_threads(model, measure):
    a, b = TEXTS[:3], [*TEXTS[3:], "", "zebra"]
    matrix = model.similarity(a, b, measure=measure)
    assert matrix.shape == (3, 7)
    assert not matrix[:, 5].any()
    for i, text in enumerate(a):
        np.testing.assert_allclose(
            matrix[i], model.similarity_pairwise([text] * 7, b, measure=measure), atol=1e-6
        )
    many = [TEXTS * 700, TEXTS[::-1] * 700]
    results = []
    for n_threads in (1, 2):
        model.n_threads = n_threads
        results.append(model.similarity_pairwise(*many, measure=measure))
    assert np.array_equal(*results)
    assert model.similarity([], b, measure=measure).shape == (0, 7)
    assert model.similarity(a, [], measure=measure).shape == (3, 0)


def test_unknown_measure_error_lists_all_measures(model):
    with pytest.raises(InputError, match=r"measure='cos': use one of blend.*latent"):
        model.similarity(["a"], ["b"], measure="cos")
    with pytest.raises(InputError, match=r"\[text\]"):
        model.similarity_pairwise("a", "b")


def test_word_pairs_that_differ_by_rounding_keep_text_order():
    table = np.array([[0.5, 0.25, np.nextafter(0.25, 1), -0.75]])
    top = Explanation(0.25, ["a"], ["first", "second", "third", "fourth"], table).top(4)
    assert [word for _, word, _ in top] == ["fourth", "first", "second", "third"]
