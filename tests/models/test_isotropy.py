"""Isotropy of vectors, and the warning if it is low."""

from __future__ import annotations

import logging

import numpy as np

from tacit import WTMF, TextVectorizer
from tacit.models.isotropy import measure_isotropy


def test_isotropy_of_known_vectors():
    rng = np.random.default_rng(0)
    wide = measure_isotropy(rng.standard_normal((4000, 8)).astype(np.float32))
    assert 7.9 < wide.effective_rank <= 8
    assert abs(wide.mean_cosine) < 0.01
    assert not wide.is_low
    narrow = measure_isotropy(
        np.ones((50, 8), np.float32) + rng.standard_normal((50, 8)).astype(np.float32) / 100
    )
    assert narrow.effective_rank < 1.1
    assert narrow.mean_cosine > 0.99
    assert narrow.is_low
    assert measure_isotropy(np.zeros((3, 8), np.float32)).mean_cosine == 0


def test_mean_cosine_is_that_of_all_pairs():
    vectors = np.random.default_rng(1).standard_normal((30, 5)).astype(np.float32)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = (units @ units.T)[np.triu_indices(30, 1)]
    assert np.isclose(measure_isotropy(vectors).mean_cosine, cosines.mean(), atol=1e-6)


def test_warning_if_vectors_have_collapsed(caplog):
    texts = [f"{a} {b} {c}" for a in ["the", "a", "my"] for b in ["cat", "dog", "bank", "loan", "rain"]
             for c in ["sleeps", "runs", "falls"]]  # fmt: skip
    with caplog.at_level(logging.WARNING, logger="tacit"):
        WTMF().fit(texts)
    assert "hardly differ" not in caplog.text
    with caplog.at_level(logging.WARNING, logger="tacit"):
        strong = WTMF(TextVectorizer.paper(min_df=1), regularization=7.0, missing_weight=0.01).fit(texts)
    assert strong.provenance["spread"]["mean_cosine"] > 0.5
    assert "hardly differ" in caplog.text
