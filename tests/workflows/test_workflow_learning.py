"""Training from Python: language, notes, self-check, settings, engines."""

from __future__ import annotations

import pandas
import polars
import pytest

import tacit
from helpers.scaled import write_corpus
from helpers.small_texts import ENGLISH, GERMAN, model_digest
from tacit import InputError
from tacit.text.vectorizer import TextVectorizer
from tacit.training.self_check import SelfCheck
from tacit.training.wtmf import WTMF
from tacit.workflows import (
    EngineOptions,
    Learned,
    ProgressEvent,
    RecordOptions,
    RecordSource,
    TrainingSettings,
    TuningOptions,
    learn,
)
from tacit.workflows.learning import suggest_improvements


@pytest.fixture(scope="module")
def learned() -> Learned:
    return learn(ENGLISH * 3)


def test_the_model_is_that_of_a_trainer(learned):
    assert model_digest(learned.model) == model_digest(WTMF().fit(ENGLISH * 3).model_)
    assert learned.language == learned.model.pivot.code == "en"
    assert learned.engine == "memory"
    assert learned.seconds > 0


def test_saving_finds_the_percentiles_learned(learned, tmp_path, monkeypatch):
    expected = WTMF().fit(ENGLISH * 3)
    expected.save(tmp_path / "expected")
    monkeypatch.setattr("tacit.models.percentiles.score_pairs", lambda *_: pytest.fail("computed again"))
    learned.model.save(tmp_path / "found")
    stored, expected = (tacit.load(tmp_path / name).pivot.score_quantiles for name in ("found", "expected"))
    assert stored.keys() == expected.keys()
    assert all((stored[name] == expected[name]).all() for name in expected)


@pytest.mark.parametrize("create", [list, iter, pandas.Series, polars.Series])
def test_texts_may_come_in_any_container(learned, create):
    assert model_digest(learn(create(ENGLISH * 3)).model) == model_digest(learned.model)


def test_a_column_of_a_frame_or_a_file_is_learned(learned, tmp_path):
    frame = pandas.DataFrame({"id": range(30), "said": ENGLISH * 3})
    frame.to_csv(tmp_path / "said.csv", index=False)
    source = RecordSource((str(tmp_path / "said.csv"),), options=RecordOptions("said"))
    for model in (
        learn(frame, text="said").model,
        learn(source).model,
        learn(tmp_path / "said.csv", text="said").model,
    ):
        assert model_digest(model) == model_digest(learned.model)


def test_german_is_detected_and_stored():
    learned = learn(GERMAN)
    assert (learned.language, list(learned.model.languages)) == ("de", ["de"])
    assert learned.language_note == "Language: German (detected from 10 texts)."
    assert learned.notes == []
    expected = WTMF(TextVectorizer(language="de"), language="de").fit(GERMAN).model_
    assert model_digest(learned.model) == model_digest(expected)


def test_a_named_language_is_not_detected():
    learned = learn(GERMAN, language="en")
    assert (learned.language, learned.language_note) == ("en", "")
    assert model_digest(learned.model) == model_digest(WTMF().fit(GERMAN).model_)


def test_an_unclear_language_is_english_with_a_note():
    learned = learn(["A-100 x", "B-205 x", "A-100 y", "B-205 y"])
    assert learned.language == "en"
    assert learned.notes == [learned.language_note]
    assert "assumed" in learned.language_note


def test_a_language_without_a_stemmer_has_plain_words():
    texts = ["人工 智能 改变 世界", "人工 智能 研究", "世界 经济 研究", "经济 增长 改变"]
    learned = learn(texts, language="zh", settings=TrainingSettings(min_df=1))
    assert (learned.language, learned.model.pivot.vectorizer.language) == ("zh", None)
    assert any("no stemmer for Chinese" in note for note in learned.notes)


def test_no_language_means_plain_words_without_a_name():
    learned = learn(ENGLISH, language=None)
    assert learned.language is None
    expected = WTMF(TextVectorizer(language=None)).fit(ENGLISH).model_
    assert model_digest(learned.model) == model_digest(expected)


def test_an_unknown_code_is_an_error():
    with pytest.raises(InputError, match="'xx' is not a language code"):
        learn(ENGLISH, language="xx")


def test_notes_tell_what_is_wrong_with_the_texts():
    learned = learn([*ENGLISH, *["Sent from my phone"] * 10])
    assert any("'Sent from my phone' occurs in 10 of 20 texts" in note for note in learned.notes)


def test_background_is_suggested_for_small_collections(learned):
    assert any("--background wordnet" in line for line in learned.suggestions)
    assert suggest_improvements(learn(GERMAN * 3).model, learned.self_check) == []


def test_no_background_is_suggested_where_it_did_not_help(learned):
    of_long_texts = learn([" ".join(ENGLISH[start:] + ENGLISH[:start]) for start in range(10)])
    assert not any("wordnet" in line for line in of_long_texts.suggestions)
    for gain, is_suggested in ((3.9, True), (4.1, False)):
        check = SelfCheck(1.0, gain, 1.0, 10, 10)
        lines = suggest_improvements(learned.model, check)
        assert any("wordnet" in line for line in lines) == is_suggested


def test_settings_reach_the_model():
    settings = TrainingSettings(
        n_components=3, missing_weight=0.02, regularization=0.5, n_iter=2, min_df=1, max_features=9,
        log_tf=True, random_state=5, text_regularization=2.0, n_threads=1,
    )  # fmt: skip
    model = learn(ENGLISH, language="en", settings=settings).model
    vectorizer = TextVectorizer(min_df=1, max_features=9, tf="log")
    expected = WTMF(
        vectorizer, n_components=3, missing_weight=0.02, regularization=0.5, n_iter=2, random_state=5
    ).fit(ENGLISH)
    assert model_digest(model) == model_digest(expected.model_)
    assert model.pivot.text_regularization == 2.0


def test_the_paper_preset_can_be_overridden():
    settings = TrainingSettings("paper", regularization=1.0)
    assert settings.factorization == {
        "n_components": 100, "missing_weight": 0.01, "regularization": 1.0, "n_iter": 20,
    }  # fmt: skip
    assert settings.create_vectorizer("en").get_params() == TextVectorizer.paper().get_params()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"settings": TrainingSettings(missing_weight=2.0)}, "missing_weight=2.0"),
        ({"settings": TrainingSettings(preset="best")}, "best"),
        ({"tuning": TuningOptions(budget="soon")}, "budget=soon: give a time such as 60s"),
        ({"tuning": TuningOptions(judged_pairs=[(1.0, "a", "b")], label_column="x")}, "not both"),
        ({"engine": "disk"}, "engine=disk cannot be combined with texts that are not in files"),
        ({"engine": EngineOptions(scheduler="tcp://a:1")}, "scheduler=tcp://a:1 is only for the engine dask"),
    ],
)
def test_wrong_options_are_errors_before_texts_are_read(options, message):
    def texts():
        raise AssertionError("texts are read")
        yield

    with pytest.raises(InputError, match=message):
        learn(texts(), **options)


def test_progress_names_the_stages_in_order():
    events: list[ProgressEvent] = []
    learn(ENGLISH, settings=TrainingSettings(n_iter=3), progress=events.append)
    assert list(dict.fromkeys(event.stage for event in events)) == ["reading", "sweeps", "self-check"]
    assert [event.done for event in events if event.stage == "sweeps"] == [0, 1, 2, 3]
    assert events[1] == ProgressEvent("reading", 10, None, "texts")


def test_tuning_by_labels_of_a_frame():
    frame = pandas.DataFrame({"text": ENGLISH * 3, "kind": (["pets"] * 5 + ["money"] * 5) * 3})
    learned = learn(frame, text="text", tuning=TuningOptions(budget="1s", label_column="kind"))
    assert len(learned.trials) == 9
    assert learned.model.provenance["auto"] == []
    expected = WTMF.tune(
        ENGLISH * 3, labels=frame["kind"].tolist(), budget=1.0, vectorizer=TextVectorizer(), language="en"
    )
    assert model_digest(learned.model) == model_digest(expected.fit(ENGLISH * 3).model_)


def test_tuning_by_judged_pairs_of_a_file(tmp_path):
    judged = tmp_path / "judged.tsv"
    judged.write_text("5\ta cat\ta kitten\n0\ta cat\ta bank\n1\ta loan\ta dog\n", encoding="utf-8")
    pairs = [(5.0, "a cat", "a kitten"), (0.0, "a cat", "a bank"), (1.0, "a loan", "a dog")]
    by_file, by_list = (
        learn(ENGLISH * 3, tuning=TuningOptions(1.0, judged_pairs)).trials for judged_pairs in (judged, pairs)
    )
    assert by_file == by_list


def test_the_report_has_the_keys_of_the_command(learned, tmp_path):
    learned.save(tmp_path / "m")
    report = learned.to_dict()
    assert report["model"] == str(tmp_path / "m")
    assert {"texts", "words", "components", "engine", "settings", "auto", "spread", "background"} < set(
        report
    )
    assert {"sweeps", "loss", "seconds", "prediction", "remedies"} < set(report)
    assert report["sweeps"] == len(report["loss"]) == 15
    assert model_digest(tacit.load(tmp_path / "m")) == model_digest(learned.model)


SMALL = TrainingSettings(n_components=8, n_iter=3, n_threads=1)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "texts.txt", n_texts=500)


@pytest.fixture(scope="module")
def on_disk(corpus) -> Learned:
    return learn(corpus, language="en", engine="disk", settings=SMALL)


def test_a_training_on_disk_needs_no_work_folder(on_disk):
    assert on_disk.engine == on_disk.to_dict()["engine"] == "disk"
    assert on_disk.self_check is not None
    assert on_disk.self_check.n_hidden > 10


def test_a_stopped_training_is_resumed_from_its_work_folder(corpus, on_disk, tmp_path):
    def stop(event: ProgressEvent) -> None:
        if event.stage.startswith("sweep 3"):
            raise KeyboardInterrupt

    stages: list[str] = []
    options = EngineOptions("disk", work_dir=tmp_path / "work")
    with pytest.raises(KeyboardInterrupt, match=r"stopped after 2 sweeps; the same command resumes"):
        learn(corpus, language="en", engine=options, settings=SMALL, progress=stop)
    options = EngineOptions(work_dir=tmp_path / "work")
    again = learn(
        corpus, language="en", engine=options, settings=SMALL, progress=lambda e: stages.append(e.stage)
    )
    assert not any(stage.startswith(("reading", "sweep 2")) for stage in stages)
    assert model_digest(again.model) == model_digest(on_disk.model)
    assert (tmp_path / "work").exists()
    again.save(tmp_path / "m")
    assert not (tmp_path / "work").exists()


def test_auto_trains_on_disk_what_memory_cannot_hold(corpus, on_disk, caplog):
    caplog.set_level("INFO", "tacit.workflows")
    learned = learn(corpus, language="en", engine=EngineOptions(memory="300MB"), settings=SMALL)
    assert learned.engine == "disk"
    assert "engine disk: training in memory would need about 25" in caplog.text
    assert model_digest(learned.model) == model_digest(on_disk.model)
    assert learn(corpus, language="en", settings=SMALL).engine == "memory"
