"""Quality of the sense models on the Senseval words, small enough to train in a minute."""

from __future__ import annotations

import pytest

from papers.senses.tuning import (
    N_TEST,
    N_TRAIN,
    SENSEVAL_WORDS,
    disambiguate_marked,
    read_senseval,
    remove_marks,
    score_word,
)
from tacit import LocalSenseModel, SenseModel


def score_held_out(model, word, rows):
    senses, texts = zip(*rows[N_TRAIN : N_TRAIN + N_TEST], strict=True)
    return score_word(senses, disambiguate_marked(model, word, texts))


@pytest.fixture(scope="module")
def senseval(data):
    return {word: read_senseval(word, data) for word in SENSEVAL_WORDS}


@pytest.fixture(scope="module")
def texts(senseval):
    return [remove_marks(text) for rows in senseval.values() for _, text in rows[:N_TRAIN]]


@pytest.fixture(scope="module")
def local(senseval, texts):
    model = LocalSenseModel(n_senses=8, n_iter=30, n_restarts=4).fit(texts, words=SENSEVAL_WORDS)
    return {word: score_held_out(model, word, rows) for word, rows in senseval.items()}


@pytest.mark.quality
def test_local_model_beats_most_frequent_sense(local):
    for word, metrics in local.items():
        assert metrics["recall"] > metrics["most_frequent"] - 0.02, (word, metrics)
    gain = sum(metrics["recall"] - metrics["most_frequent"] for metrics in local.values()) / len(local)
    assert gain > 0.08, local
    assert sum(metrics["v_measure"] for metrics in local.values()) / len(local) > 0.15, local


@pytest.mark.quality
def test_conservative_model_has_high_paired_f(senseval, texts):
    model = SenseModel(selection="conservative", n_clusters=200, n_words=1_500, n_iter=30)
    model.fit(texts, words=SENSEVAL_WORDS)
    scores = [score_held_out(model, word, rows) for word, rows in senseval.items()]
    assert sum(metrics["paired_f"] for metrics in scores) / len(scores) > 0.4, scores
