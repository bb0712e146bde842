"""Long texts: omitted words hardly change scores; explanations stay small and sum to the score."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from tacit import WTMF, TextModel
from tacit.corpora import read_lines, read_pairs
from tacit.models.comparison import MAX_TABLE_WORDS, OTHER_WORDS
from tacit.models.measures import alignment, matching
from tacit.models.measures.alignment import systematic_sample

LONG = 120_000


def join_sentences(sentences: list[str], size: int) -> str:
    text = " ".join(sentences)
    assert len(text) >= size
    return text[:size]


@pytest.fixture(scope="module")
def pairs(data) -> list[tuple[str, str]]:
    return list(read_pairs(data / "crosslingual/parallel/europarl-v7-sample.en-es.tsv.gz"))


@pytest.fixture(scope="module")
def model(pairs) -> TextModel:
    return WTMF.paper(n_components=32, n_iter=3).fit(en for en, _ in pairs[:6000]).model_


@pytest.fixture(scope="module")
def bilingual(pairs) -> TextModel:
    english = WTMF.paper(n_components=32, n_iter=3).fit(en for en, _ in pairs[:6000])
    return english.model_.add_language("es", pairs[:6000])


@pytest.fixture(scope="module")
def texts(data, pairs) -> list[str]:
    brown = list(read_lines(data / "corpora/brown.txt.gz"))
    speeches = [en for en, _ in pairs]
    return [
        join_sentences(speeches[6000::2], LONG),
        join_sentences(speeches[6001::2], LONG),
        join_sentences(brown[:9000], LONG),
        join_sentences(brown[20000:29000], LONG),
    ]


def test_sampled_alignment_is_close_to_exact(model, texts, monkeypatch, caplog):
    left, right = zip(*[(a, b) for i, a in enumerate(texts) for b in texts[i:]], strict=True)
    with caplog.at_level(logging.INFO):
        actual = model.similarity_pairwise(left, right, measure="alignment")
    assert "more than 1024 distinct words: alignment uses a sample" in caplog.text
    monkeypatch.setattr(alignment, "MAX_WORDS", 10**9)
    complete = model.similarity_pairwise(left, right, measure="alignment")
    assert np.abs(actual - complete).max() < 0.01
    assert np.abs(actual - complete).max() > 0  # there was something to leave out


def test_matching_of_heaviest_words_is_close_to_exact(bilingual, pairs, monkeypatch, caplog):
    english, spanish = (join_sentences([pair[side] for pair in pairs[6000:]], 150_000) for side in (0, 1))
    others = join_sentences([es for _, es in pairs[5999::-1]], 150_000)
    ask = ([english, english], [spanish, others], "matching", "en", "es")
    with caplog.at_level(logging.INFO):
        actual = bilingual.similarity_pairwise(*ask)
    assert "more than 5120 distinct words: matching uses the heaviest" in caplog.text
    monkeypatch.setattr(matching, "MAX_WORDS", 10**9)
    complete = bilingual.similarity_pairwise(*ask)
    assert np.abs(actual - complete).max() < 0.01
    assert np.abs(actual - complete).max() > 0


@pytest.mark.parametrize("measure", ["latent", "alignment", "blend"])
def test_explanation_of_long_texts_is_small_and_sums_to_score(model, texts, measure):
    explanation = model.explain(texts[0], texts[2], measure=measure)
    assert explanation.table.shape == (MAX_TABLE_WORDS + 1, MAX_TABLE_WORDS + 1)
    assert explanation.words_a[-1] == explanation.words_b[-1] == OTHER_WORDS
    assert explanation.table.sum() == pytest.approx(explanation.score, abs=1e-9)
    expected = model.similarity_pairwise(texts[:1], texts[2:3], measure=measure)[0]
    assert explanation.score == pytest.approx(expected, abs=1e-4)


def test_explanation_across_languages_is_small_and_sums(bilingual, pairs):
    english, spanish = (join_sentences([pair[side] for pair in pairs], LONG) for side in (0, 1))
    explanation = bilingual.explain(english, spanish, "blend", "en", "es")
    assert explanation.table.shape == (MAX_TABLE_WORDS + 1, MAX_TABLE_WORDS + 1)
    expected = bilingual.similarity_pairwise([english], [spanish], "blend", "en", "es")[0]
    assert explanation.score == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("size", [100, 40_000])
def test_similarity_of_a_text_with_itself_is_at_most_1(model, bilingual, texts, size):
    for each in (model, bilingual):
        short_texts = [text[:size] for text in texts]
        for measure in ("blend", "alignment", "matching"):
            scores = each.similarity_pairwise(short_texts, short_texts, measure)
            assert (scores <= 1).all()
            assert scores == pytest.approx(1, abs=1e-5)


def test_systematic_sample_keeps_the_total_weight():
    weights = np.random.default_rng(0).exponential(size=5000)
    items, item_weights = systematic_sample(weights, 300)
    assert item_weights.sum() == pytest.approx(weights.sum())
    assert set(np.flatnonzero(weights > weights.sum() / 300)) <= set(items)
    values = np.random.default_rng(1).random(5000)
    assert item_weights @ values[items] / item_weights.sum() == pytest.approx(
        weights @ values / weights.sum(), abs=0.05
    )
