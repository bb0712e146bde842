"""BM25 against its formula, and strings that survive being bytes."""

from __future__ import annotations

from itertools import chain

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import WTMF, TextVectorizer
from tacit.models.text_set import TextSet
from tacit.search import reference
from tacit.search.bm25 import Asked, Postings
from tacit.search.string_array import StringArray

MODEL = WTMF(TextVectorizer(min_df=1), n_components=2, regularization=0.1).fit(["red tea", "red car"]).model_

words_of_a_text = st.lists(
    st.sampled_from(["red", "green", "blue", "car", "train", "tea"]), min_size=1, max_size=7
)


@settings(max_examples=60)
@given(
    texts=st.lists(words_of_a_text, min_size=1, max_size=12), query=words_of_a_text, cut=st.integers(0, 12)
)
def test_the_lists_give_bm25_whether_texts_came_together_or_later(texts, query, cut):
    lines = [" ".join(text) for text in texts]
    vocabulary = sorted({*chain(*texts)})
    counts = np.array([[text.count(word) for word in vocabulary] for text in texts], float)
    expected = reference.bm25(counts, np.array([word in query for word in vocabulary]))
    segments = [Postings.of(TextSet.from_texts(MODEL, part)) for part in (lines[:cut], lines[cut:]) if part]
    asked, terms = Asked.by(TextSet.from_texts(MODEL, [" ".join(query)]), segments)
    found, first = np.zeros(len(lines)), 0
    for postings, own in zip(segments, terms, strict=True):
        n = len(postings.starts) - 1
        scores, rows = postings.best(asked, own, n, np.ones(n, bool))
        assert (np.diff(scores[0]) <= 0).all()
        found[first + rows[0][rows[0] >= 0]] = scores[0][rows[0] >= 0]
        first += n
    assert np.allclose(found, expected, rtol=1e-5)
    shares = asked.shares(TextSet.from_texts(MODEL, lines), np.zeros(len(lines), int), np.arange(len(lines)))
    assert ((shares >= 0) & (shares <= 1)).all()
    assert np.array_equal(shares > 0, expected > 0)


def test_a_text_has_the_whole_share_of_itself():
    texts = TextSet.from_texts(MODEL, ["red cars", "blue trains and tea"])
    asked, _ = Asked.by(TextSet.from_texts(MODEL, ["red car"]), [Postings.of(texts)])
    shares = asked.shares(texts, np.zeros(2, int), np.arange(2))
    assert np.allclose(shares, [1, 0])


def test_deleted_texts_are_passed_over():
    postings = Postings.of(TextSet.from_texts(MODEL, ["red car", "red train"]))
    asked, (terms,) = Asked.by(TextSet.from_texts(MODEL, ["red"]), [postings])
    best = postings.best(asked, terms, 2, np.array([False, True]))
    assert best[1].tolist() == [[1, -1]]


@given(st.lists(st.text(max_size=8), max_size=20), st.lists(st.text(max_size=8), max_size=5))
def test_strings_come_back(first, second):
    kept = StringArray.from_strings(first).append(second)
    assert list(kept) == first + second
    assert list(StringArray.from_arrays(kept.to_arrays("x"), "x")) == first + second
