"""How well senses are told apart, on a part small enough to be trained in a minute."""

from __future__ import annotations

import pytest

from papers.senses.senseval import WORDS, plain, read_senseval, score
from tacit import LocalSenseModel, SenseModel

TRAINED, HELD_OUT = 700, 600


@pytest.fixture(scope="module")
def senseval(data):
    return {word: read_senseval(word, data) for word in WORDS}


@pytest.fixture(scope="module")
def texts(senseval):
    return [plain(text) for rows in senseval.values() for _, text in rows[:TRAINED]]


@pytest.fixture(scope="module")
def local(senseval, texts):
    model = LocalSenseModel(n_senses=8, n_iter=30, n_restarts=4).fit(texts, words=WORDS)
    return {word: score(model, word, rows[TRAINED : TRAINED + HELD_OUT]) for word, rows in senseval.items()}


@pytest.mark.quality
def test_the_local_model_tells_senses_apart_on_words_it_was_not_tested_on(local):
    for word, found in local.items():
        assert found["recall"] > found["most_frequent"] - 0.02, (word, found)
    gain = sum(found["recall"] - found["most_frequent"] for found in local.values()) / len(local)
    assert gain > 0.08, local
    assert sum(found["v_measure"] for found in local.values()) / len(local) > 0.15, local


@pytest.mark.quality
def test_the_global_model_keeps_most_occurrences_together(senseval, texts):
    model = SenseModel(selection="conservative", n_clusters=200, n_words=1_500, n_iter=30)
    model.fit(texts, words=WORDS)
    found = [score(model, word, rows[TRAINED : TRAINED + HELD_OUT]) for word, rows in senseval.items()]
    assert sum(numbers["paired_f"] for numbers in found) / len(found) > 0.4, found
