"""BM25 scores equal those of its formula, and strings survive a round trip through bytes."""

from __future__ import annotations

from itertools import chain

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import WTMF, TextVectorizer
from tacit.models.text_set import TextSet
from tacit.search import reference
from tacit.search.bm25 import Postings, QueryTerms
from tacit.search.string_array import StringArray

MODEL = WTMF(TextVectorizer(min_df=1), n_components=2, regularization=0.1).fit(["red tea", "red car"]).model_

some_words = st.lists(
    st.sampled_from(["red", "green", "blue", "car", "train", "tea"]), min_size=1, max_size=7
)


@settings(max_examples=60)
@given(texts=st.lists(some_words, min_size=1, max_size=12), query=some_words, cut=st.integers(0, 12))
def test_bm25_does_not_depend_on_segments(texts, query, cut):
    lines = [" ".join(text) for text in texts]
    vocabulary = sorted({*chain(*texts)})
    counts = np.array([[text.count(word) for word in vocabulary] for text in texts], float)
    expected = reference.bm25(counts, np.array([word in query for word in vocabulary]))
    parts = [tokenize(part) for part in (lines[:cut], lines[cut:]) if part]
    segments = [Postings.from_text_set(part) for part in parts]
    query_terms = QueryTerms.from_queries(tokenize([" ".join(query)]), segments)
    by_row, first = np.zeros(len(lines)), 0
    for postings, part, segment_terms in zip(segments, parts, query_terms.segment_ids, strict=True):
        n = len(part)
        scores, rows = postings.top_k(query_terms, segment_terms, n, np.ones(n, bool))
        assert (np.diff(scores[0]) <= 0).all()
        by_row[first + rows[0][rows[0] >= 0]] = scores[0][rows[0] >= 0]
        first += n
    assert np.allclose(by_row, expected, rtol=1e-5)
    normalized = query_terms.normalized_scores(tokenize(lines), np.zeros(first, int), np.arange(first))
    assert ((normalized >= 0) & (normalized <= 1)).all()
    assert np.array_equal(normalized > 0, expected > 0)


def test_a_text_has_normalized_score_1_with_itself():
    texts = tokenize(["red cars", "blue trains and tea"])
    query_terms = QueryTerms.from_queries(tokenize(["red car"]), [Postings.from_text_set(texts)])
    assert np.allclose(query_terms.normalized_scores(texts, np.zeros(2, int), np.arange(2)), [1, 0])


def test_deleted_texts_are_not_found():
    postings = Postings.from_text_set(tokenize(["red car", "red train"]))
    query_terms = QueryTerms.from_queries(tokenize(["red"]), [postings])
    _, rows = postings.top_k(query_terms, query_terms.segment_ids[0], 2, np.array([False, True]))
    assert rows.tolist() == [[1, -1]]


@given(st.lists(st.text(max_size=8), max_size=20), st.lists(st.text(max_size=8), max_size=5))
def test_strings_survive_a_round_trip(first, second):
    strings = StringArray.concat([StringArray.from_strings(part) for part in (first, second)])
    assert list(strings) == first + second
    assert list(StringArray.from_arrays(strings.to_arrays("x"), "x")) == first + second


def tokenize(texts: list[str]) -> TextSet:
    """Tokenize texts by the model of these tests."""
    return TextSet.from_texts(MODEL, texts)
