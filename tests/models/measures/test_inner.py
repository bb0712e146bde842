"""The measure ``inner`` against the vectors."""

from __future__ import annotations

from hypothesis import given, settings

from helpers.measure_references import assert_measure_equals, sentence_pairs, small_model


@settings(max_examples=60)
@given(pairs=sentence_pairs)
def test_inner_is_inner_product_of_vectors(pairs):
    def reference(a: str, b: str) -> float:
        left, right = small_model().encode([a, b])
        return float(left @ right)

    assert_measure_equals("inner", reference, pairs)
