"""The estimator: themes that do not depend on order or threads, new texts, another number of themes."""

from __future__ import annotations

import random

import numpy as np
import pytest
from sklearn.base import clone, is_clusterer
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from helpers.complaints import TOPICS, complaints
from tacit import ThemeModel
from tacit.errors import InputError, NotFittedError
from tacit.text.name_words import function_words
from tacit.training.wtmf import WTMF

TEXTS, LABELS = complaints()


@pytest.fixture(scope="module")
def model():
    return ThemeModel(language="en").fit(TEXTS)


def describe(model: ThemeModel) -> object:
    return model.themes_, model.agreement_, model.n_themes


def test_given_number_of_themes_finds_the_topics():
    labels = ThemeModel(4, language="en", other=False).fit_predict(TEXTS)
    assert adjusted_rand_score(LABELS, labels) > 0.9


@pytest.mark.parametrize(("seed", "n_threads"), [(1, 1), (2, 3)])
def test_order_of_texts_and_threads_change_no_bit(model, seed, n_threads):
    order = random.Random(seed).sample(range(len(TEXTS)), len(TEXTS))
    shuffled = ThemeModel(language="en", n_threads=n_threads).fit([TEXTS[i] for i in order])
    assert describe(shuffled) == describe(model)
    np.testing.assert_array_equal(shuffled.labels_, model.labels_[order])
    np.testing.assert_array_equal(shuffled.sublabels_, model.sublabels_[order])
    np.testing.assert_array_equal(shuffled.strengths_, model.strengths_[order])


def test_repeated_texts_have_no_effect_on_the_themes(model):
    repeated = ThemeModel(language="en").fit([*TEXTS, *TEXTS[:50]])
    assert repeated.agreement_ == model.agreement_
    assert {theme.name for theme in repeated.themes_} == {theme.name for theme in model.themes_}


def test_names_are_words_of_the_theme_and_no_function_words(model):
    names = [theme.name for theme in model.themes_]
    assert len(set(names)) == len(names) >= 5
    for label, theme in enumerate(model.themes_):
        texts = " ".join(text for text, each in zip(TEXTS, model.labels_, strict=True) if each == label)
        for term in [] if theme.is_mixed else theme.name.split(", "):
            assert term in texts
            assert not {term.split()[0], term.split()[-1]} & function_words("en")


def test_quotes_are_texts_of_the_theme(model):
    for label, theme in enumerate(model.themes_):
        texts = {text for text, each in zip(TEXTS, model.labels_, strict=True) if each == label}
        assert 0 < len(theme.quotes) <= 4
        assert set(theme.quotes) <= texts


def test_other_number_of_themes_needs_no_training(model, monkeypatch):
    expected = ThemeModel(8, language="en").fit(TEXTS)
    changed = ThemeModel(language="en").fit(TEXTS)
    monkeypatch.setattr(WTMF, "fit_backend", None)
    changed.set_n_themes(8)
    assert changed.themes_ == expected.themes_
    np.testing.assert_array_equal(changed.labels_, expected.labels_)


def test_progress_is_reported_for_each_sweep_and_model():
    events = []
    ThemeModel(language="en", callback=lambda *event: events.append(event)).fit(TEXTS)
    sweeps = [done for stage, done, _ in events if stage == "sweeps"]
    assert sweeps == list(range(len(sweeps)))
    assert len(sweeps) > 2
    assert [done for stage, done, total in events if stage == "stability"] == [1, 2, 3, 4]
    assert events[-1] == ("naming", 1, 1)


def test_new_texts_join_the_themes_of_their_topic():
    model = ThemeModel(4, language="en", other=False).fit(TEXTS)
    texts, labels = complaints(100, seed=5)
    assert adjusted_rand_score(labels, model.predict(texts)) > 0.9


def test_text_without_a_known_word_is_other(model):
    assignment = model.assign(["qwertz", "", "where is the parcel, I only see a courier and a depot"])
    assert assignment.labels[:2].tolist() == [-1, -1]
    assert assignment.strengths[:2].tolist() == [0, 0]
    assert assignment.labels[2] >= 0


@pytest.mark.parametrize("n", [1, 2, 7, 20, 50, 119])
def test_few_texts_give_a_short_answer(n):
    model = ThemeModel(language="en").fit(TEXTS[:n])
    assert 1 <= len(model.themes_) <= 5
    assert all(theme.name for theme in model.themes_)
    assert len(model.labels_) == n
    assert model.agreement_ == {}


def test_texts_beyond_the_clustered_ones_follow_their_neighbors(monkeypatch):
    monkeypatch.setattr("tacit.themes.theme_space.MAX_CLUSTERED_TEXTS", 250)
    model = ThemeModel(4, language="en", other=False).fit(TEXTS)
    assert adjusted_rand_score(LABELS, model.labels_) > 0.9


CHINESE = {
    "快递": [
        "快递还没有到",
        "我的快递丢了",
        "快递送错地址了",
        "快递员态度很差",
        "快递什么时候到",
        "快递包裹破损了",
    ],
    "退款": [
        "退款什么时候到账",
        "我要申请退款",
        "退款金额不对",
        "退款申请被拒绝",
        "退款失败怎么办",
        "已经申请退款了",
    ],
}
JAPANESE = {
    "配送": [
        "配送が遅れています",
        "配送状況を確認したい",
        "配送先を変更したい",
        "配送業者に連絡した",
        "配送日を指定したい",
    ],
    "返金": [
        "返金はいつですか",
        "返金の手続きを知りたい",
        "返金が確認できない",
        "返金額が違います",
        "返金をお願いします",
    ],
}
THAI = {
    "พัสดุ": ["พัสดุยังไม่มา", "พัสดุหายไปไหน", "พัสดุเสียหาย", "พัสดุส่งผิดที่", "ติดตามพัสดุไม่ได้"],
    "คืนเงิน": ["ขอคืนเงินค่ะ", "คืนเงินเมื่อไหร่", "ยังไม่ได้คืนเงิน", "ขั้นตอนคืนเงิน", "คืนเงินไม่ครบ"],
}


@pytest.mark.parametrize(("code", "topics"), [("zh", CHINESE), ("ja", JAPANESE), ("th", THAI)])
def test_scripts_without_spaces_get_names_from_the_texts(code, topics):
    texts = [text for group in topics.values() for text in group]
    model = ThemeModel(2, language=code).fit(texts)
    terms = [term for theme in model.themes_ for term in theme.name.split(", ")]
    assert terms
    for term in terms:
        assert 2 <= len(term) <= 6
        assert any(term in text for text in texts)
    assert not any(theme.is_mixed for theme in model.themes_)


def test_sub_themes_split_a_theme_of_two_topics():
    model = ThemeModel(2, language="en", other=False).fit(TEXTS)
    assert any(theme.subthemes for theme in model.themes_)
    parts = model.labels_ * 10 + model.sublabels_
    assert normalized_mutual_info_score(LABELS, parts) > normalized_mutual_info_score(LABELS, model.labels_)


def test_scikit_learn_can_clone_the_estimator():
    copy = clone(ThemeModel(7, language="de", random_state=3))
    assert is_clusterer(copy)
    assert copy.get_params()["n_themes"] == 7
    with pytest.raises(NotFittedError):
        copy.predict(["a"])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_themes": 1}, "from 2 to 500"),
        ({"n_themes": 501}, "from 2 to 500"),
        ({"n_themes": "many"}, "from 2 to 500"),
        ({"language": "english"}, "did you mean en"),
        ({"random_state": -1}, "at least 0"),
    ],
)
def test_wrong_parameters_are_reported(parameters, message):
    with pytest.raises(InputError, match=message):
        ThemeModel(**parameters).fit(TEXTS)


@pytest.mark.parametrize("texts", [[], ["", " "], ["https://example.org"], ["!!!", "..."]])
def test_collection_without_words_is_reported(texts):
    with pytest.raises(InputError, match=r"there are no texts to find themes in|no tokens found"):
        ThemeModel().fit(texts)


def test_topics_of_the_helper_share_no_word():
    words = [word for vocabulary in TOPICS.values() for word in vocabulary.split()]
    assert len(words) == len(set(words))


def test_a_theme_of_one_text_is_named_by_it():
    long = "my card was declined although there is money on it"
    [theme] = ThemeModel(language="en").fit([long, long]).themes_
    assert (theme.name, theme.is_mixed) == ("my card was declined although there is…", False)
    [theme] = ThemeModel(language=None).fit(["Other"]).themes_
    assert theme.name == "Other 2"
