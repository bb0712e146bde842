"""The measure ``characters`` against plain Python."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings

from helpers.measure_references import assert_measure_equals, ngrams, sentence_pairs, sparse_cosine
from tacit.text.tokenizers import tokenize


def char_ngrams(text: str) -> Counter:
    return sum((ngrams(f" {token} ", (3, 4, 5)) for token in tokenize(text)), Counter())


@settings(max_examples=60)
@given(pairs=sentence_pairs)
def test_characters_is_cosine_of_character_ngrams(pairs):
    assert_measure_equals("characters", lambda a, b: sparse_cosine(char_ngrams(a), char_ngrams(b)), pairs)
