"""The measure ``lexical`` against plain Python."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings

from helpers.measure_references import (
    assert_measure_equals,
    sentence_pairs,
    small_model,
    sparse_cosine,
    terms,
)


def tfidf(text: str) -> Counter:
    vectorizer = small_model().vectorizer_
    columns = vectorizer.vocabulary_
    return Counter(
        {t: n * vectorizer.idf_[columns[t]] for t, n in Counter(terms(text)).items() if t in columns}
    )


@settings(max_examples=60)
@given(pairs=sentence_pairs)
def test_lexical_is_cosine_of_tfidf(pairs):
    assert_measure_equals("lexical", lambda a, b: sparse_cosine(tfidf(a), tfidf(b)), pairs)
