"""Outside vectors as evidence for a pair."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from helpers.cli_runs import tacit as run
from helpers.notes import NOTES, notes_model
from helpers.static_models import TextEncoder, write_token_model
from tacit.decisions.candidate_pairs import pairs_of_rows
from tacit.decisions.pair_features import FEATURES
from tacit.decisions.texts import PairTexts
from tacit.models.text_set import TextSet

LEFT = ["the courier brings a package", "a transfer of money to the shop", "type the secret code to log in"]
RIGHT = ["where is my parcel", "the payment failed twice", "reset my password please"]


def test_meaning_includes_outside_vectors():
    plain = notes_model().model_
    left, right = np.arange(3), 3 + np.arange(3)
    features = {}
    for name, model in (("plain", plain), ("outside", plain.with_encoder(TextEncoder()))):
        texts = PairTexts(TextSet.from_texts(model, [*LEFT, *RIGHT]))
        features[name] = pairs_of_rows(texts, left, right).features
    latent = FEATURES.index("latent")
    vectors = TextEncoder().encode([*LEFT, *RIGHT])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = (vectors[:3] * vectors[3:]).sum(axis=1)
    expected = 0.6 * cosines + 0.4 * features["plain"][:, latent]
    assert features["outside"][:, latent] == pytest.approx(expected, abs=1e-5)
    others = np.arange(len(FEATURES)) != latent
    np.testing.assert_array_equal(features["outside"][:, others], features["plain"][:, others])


def test_link_and_dedupe_take_an_encoder(tmp_path):
    folder = write_token_model(tmp_path / "encoder")
    links = {(each.a.text, each.b.text): each.score for each in tacit.link(NOTES, NOTES[3:], encoder=folder)}
    assert all(a == b for a, b in links)
    with pytest.raises(tacit.InputError, match="no encoder at"):
        tacit.dedupe(NOTES, encoder=tmp_path / "nothing")
    (tmp_path / "notes.txt").write_text("\n".join(NOTES) + "\n", encoding="utf-8")
    assert run("dedupe", tmp_path / "notes.txt", "--encoder", folder).code == 0
