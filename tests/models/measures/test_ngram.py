"""The measure ``ngram`` against plain Python."""

from __future__ import annotations

from hypothesis import given, settings

from helpers.measure_references import assert_measure_equals, ngrams, sentence_pairs, sparse_cosine, terms


@settings(max_examples=60)
@given(pairs=sentence_pairs)
def test_ngram_is_cosine_of_word_ngrams(pairs):
    def reference(a: str, b: str) -> float:
        return sparse_cosine(ngrams(terms(a), (1, 2, 3)), ngrams(terms(b), (1, 2, 3)))

    assert_measure_equals("ngram", reference, pairs)
