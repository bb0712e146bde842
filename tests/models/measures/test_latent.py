"""The measure ``latent`` against the vectors."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from helpers.measure_references import assert_measure_equals, sentence_pairs, small_model


@settings(max_examples=60)
@given(pairs=sentence_pairs)
def test_latent_is_cosine_of_vectors(pairs):
    def reference(a: str, b: str) -> float:
        left, right = small_model().encode([a, b]).astype(float)
        norm = np.linalg.norm(left) * np.linalg.norm(right)
        return float(left @ right / norm) if norm else 0.0

    assert_measure_equals("latent", reference, pairs)
