"""The measure ``blend`` against its parts."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from helpers.language_models import ENGLISH, PAIRS, pivot
from helpers.measure_references import sentence_pairs, small_model


@settings(max_examples=60)
@given(pairs=sentence_pairs)
def test_blend_of_one_language_weights_latent_and_alignment(pairs):
    a, b = zip(*pairs, strict=True)
    scores = {m: small_model().similarity_pairwise(a, b, m) for m in ("blend", "latent", "alignment")}
    is_equal = [bool(x) and x == y for x, y in pairs]
    expected = np.where(is_equal, 1, (scores["latent"] + 2 * scores["alignment"]) / 3)
    np.testing.assert_allclose(scores["blend"], expected, rtol=1e-6, atol=1e-7)


def test_multilingual_blend_weights_latent_and_matching():
    model = pivot().add_language("es", PAIRS["es"])
    spanish = [text for _, text in PAIRS["es"]]
    names = ("blend", "latent", "matching")
    scores = {name: model.similarity(ENGLISH, spanish, name, "en", "es") for name in names}
    expected = 0.3 * np.maximum(scores["latent"], 0) ** 0.6 + 0.7 * scores["matching"]
    np.testing.assert_allclose(scores["blend"], expected, atol=1e-6)
