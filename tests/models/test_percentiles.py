"""Percentiles among random pairs, and the sample of texts they are computed from."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from tacit import WTMF, TextModel, TextVectorizer
from tacit.errors import InputError, ModelError
from tacit.models.measures import SCORE_VERSIONS, measure_names
from tacit.models.percentiles import learn_score_quantiles

TEXTS = [
    f"{thing} {word} {number}"
    for thing in ("cat", "dog", "bank", "loan", "rain", "wind")
    for number, word in enumerate(("sleeps", "runs", "falls", "grows", "stops"))
]


@pytest.fixture(scope="module")
def model() -> WTMF:
    return WTMF(TextVectorizer(min_df=1), n_components=4, regularization=0.5, missing_weight=0.1).fit(TEXTS)


@pytest.mark.parametrize("measure", measure_names())
def test_percentiles_are_percentages_of_random_pairs(model, measure):
    rng = np.random.default_rng(5)
    left = rng.integers(len(TEXTS), size=4000)
    right = (left + rng.integers(1, len(TEXTS), size=4000)) % len(TEXTS)
    scores = model.similarity_pairwise([TEXTS[i] for i in left], [TEXTS[i] for i in right], measure=measure)
    for score in np.quantile(scores, [0.1, 0.5, 0.9]):
        share = 100 * np.mean(scores <= score + 1e-6)
        assert model.percentile(score + 1e-6, measure) == pytest.approx(share, abs=6)
    assert np.all(np.diff(model.percentile(np.sort(scores), measure)) >= 0)
    assert model.percentile(1e9, measure) == 100
    assert model.percentile(-1e9, measure) == 0


def test_model_stores_percentiles_but_no_texts(model, tmp_path):
    model.save(tmp_path / "m")
    loaded = tacit.load(tmp_path / "m")
    scores = np.linspace(-1, 1, 50)
    for measure in measure_names():
        assert np.array_equal(loaded.percentile(scores, measure), model.percentile(scores, measure))
    files = b"".join(path.read_bytes() for path in (tmp_path / "m").iterdir())
    assert TEXTS[0].encode() not in files


def test_percentiles_of_an_earlier_version_of_a_measure_are_not_read(model, tmp_path, monkeypatch):
    index = tacit.Index(model)
    index.add(TEXTS)
    with monkeypatch.context() as patch:
        for measure in ("blend", "hybrid"):
            patch.setitem(SCORE_VERSIONS, measure, 1)
        model.save(tmp_path / "m")
        index.save(tmp_path / "i")
    loaded = tacit.load(tmp_path / "m")
    assert loaded.compare(TEXTS[0], TEXTS[1]).percentile is None
    assert loaded.compare(TEXTS[0], TEXTS[1], "latent").percentile is not None
    stored = tacit.load(tmp_path / "i")
    assert "score_quantiles" not in vars(stored)
    assert np.array_equal(stored.score_quantiles, index.score_quantiles)
    for measure in ("blend", "hybrid"):
        hits = stored.search(TEXTS[0], 30, measure)
        percentiles = stored.percentile([hit.score for hit in hits], measure)
        assert hits[0].percentile > 99
        assert np.array_equal(percentiles, [hit.percentile for hit in hits])


def test_saving_logs_no_warning_of_unknown_words(caplog, tmp_path):
    model = WTMF(n_components=2, regularization=0.1).fit(["a cat", "the cat", "the dog", "a dog", "unique"])
    model.save(tmp_path / "m")
    assert caplog.text == ""


def test_percentiles_do_not_depend_on_when_they_are_computed():
    pairs = {code: [(text, f"{code} {text}") for text in TEXTS[::3]] for code in ("es", "fr")}
    tables = []
    for computes_early in (False, True):
        model = WTMF(TextVectorizer(min_df=1), n_components=4, regularization=0.5).fit(TEXTS).model_
        for change in (
            lambda model: model.add_language("es", pairs["es"]),
            lambda model: model.add_words([f"{text} zebra" for text in TEXTS[:9]], min_df=2),
            lambda model: model.add_language("fr", pairs["fr"]),
        ):
            if computes_early:
                learn_score_quantiles(model)
            change(model)
        learn_score_quantiles(model)
        tables.append(
            [row.tobytes() for each in model.languages.values() for row in each.score_quantiles.values()]
        )
    assert tables[0] == tables[1]


def test_new_training_replaces_percentiles(model):
    other = WTMF(TextVectorizer(min_df=1), n_components=4, regularization=0.5).fit(TEXTS)
    before = other.percentile(np.linspace(0, 1, 50))
    other.fit([text for text in TEXTS if "cat" in text or "dog" in text])
    assert not np.array_equal(other.percentile(np.linspace(0, 1, 50)), before)


def test_unknown_measure_and_damaged_quantiles_are_errors(model, tmp_path):
    from dataclasses import replace

    from tacit.storage import read_model

    with pytest.raises(InputError, match="measure='cos': use one of blend"):
        model.percentile(0.5, "cos")
    model.save(tmp_path / "m")
    stored = read_model(tmp_path / "m")
    table = stored.arrays["en.percentiles.blend"]
    for wrong, said in ((table[:2], r"percentiles.blend' is float32 \(2\)"), (table[::-1], "not sorted")):
        with pytest.raises(ModelError, match=said):
            TextModel.from_stored(replace(stored, arrays={**stored.arrays, "en.percentiles.blend": wrong}))


def test_measure_newer_than_saved_model_is_named(model, tmp_path):
    from dataclasses import replace

    from tacit.storage import read_model

    model.save(tmp_path / "m")
    stored = read_model(tmp_path / "m")
    fewer = {name: array for name, array in stored.arrays.items() if name != "en.percentiles.blend"}
    old = TextModel.from_stored(replace(stored, arrays=fewer))
    assert old.percentile(0.5, "latent") == model.percentile(0.5, "latent")
    with pytest.raises(InputError, match=r"saved without percentiles of 'blend'.*train it again"):
        old.percentile(0.5)
    assert old.compare("cat runs", "dog runs").percentile is None
    assert old.compare("cat runs", "dog runs").score == model.compare("cat runs", "dog runs").score
