"""Models of several languages from translation pairs."""

from __future__ import annotations

import pytest

import tacit
from helpers.small_texts import ENGLISH, GERMAN, model_digest
from tacit import BilingualWMF, InputError, TextVectorizer
from tacit.workflows import (
    TrainingSettings,
    add_language,
    learn,
    learn_parallel,
    read_parallel,
)

PAIRS = list(zip(ENGLISH, GERMAN, strict=True))
SETTINGS = TrainingSettings(n_components=4, n_iter=3, min_df=1)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{left}\t{right}\n" for left, right in PAIRS), encoding="utf-8")
    return path


def test_the_bilingual_method_is_that_of_the_trainer():
    learned = learn_parallel([PAIRS], [("en", "de")], "bilingual", settings=SETTINGS)
    vectorizer = TextVectorizer(min_df=1, accents="strip")
    expected = BilingualWMF(["en", "de"], vectorizer, n_components=4, n_iter=3).fit(PAIRS).model_
    assert model_digest(learned.model) == model_digest(expected)
    assert learned.to_dict()["languages"]["de"]["texts"] == 10


def test_the_pivot_is_trained_first_then_extended():
    stages: list[str] = []
    pairs, languages = [PAIRS[:5], PAIRS[5:]], [("en", "de")] * 2
    learned = learn_parallel(pairs, languages, settings=SETTINGS, progress=lambda e: stages.append(e.stage))
    expected = tacit.WTMF(TextVectorizer(min_df=1, accents="strip"), n_components=4, n_iter=3).fit(ENGLISH)
    expected.model_.add_language("de", PAIRS)
    assert model_digest(learned.model) == model_digest(expected.model_)
    assert list(dict.fromkeys(stages)) == ["sweeps", "adding de"]


def test_more_texts_of_the_pivot_are_learned():
    more = ["the snow falls on the mat", "snow and rain"]
    for method in ("pivot", "bilingual"):
        model = learn_parallel(
            [PAIRS], [("en", "de")], method, monolingual=[*ENGLISH, *more], settings=SETTINGS
        ).model
        assert "snow" in model.pivot.vectorizer.words_.terms


def test_text_regularization_is_not_for_the_bilingual_method():
    settings = TrainingSettings(text_regularization=1.0)
    with pytest.raises(InputError, match="is only for the method pivot"):
        learn_parallel([PAIRS], [("en", "de")], "bilingual", settings=settings)


def test_pairs_are_read_from_a_table_or_two_files(table, tmp_path):
    (tmp_path / "a.en").write_text("\n".join(ENGLISH), encoding="utf-8")
    (tmp_path / "a.de").write_text("\n".join(GERMAN), encoding="utf-8")
    for files in (str(table), [str(table)], f"{tmp_path / 'a.en'},{tmp_path / 'a.de'}"):
        assert read_parallel(files, ("en", "de")) == (PAIRS, [])
    _, notes = read_parallel(str(table), ("de", "en"))
    assert len(notes) == 2
    assert "look like 'en', not 'de': are the languages swapped?" in notes[0]


def test_each_file_needs_its_languages_with_one_pivot():
    wrong = {
        "2 --parallel and 1": ["en,es"],
        "must be 'en'": ["en,es", "de,en"],
        "the two": ["en,es", "en,de,es"],
    }
    for message, languages in wrong.items():
        with pytest.raises(InputError, match=message):
            learn_parallel([PAIRS, PAIRS], languages)


def test_files_of_pairs_are_read_with_notes_on_their_languages(table):
    learned = learn_parallel([str(table)], ["en,de"], settings=SETTINGS)
    expected = learn_parallel([PAIRS], [("en", "de")], settings=SETTINGS)
    assert model_digest(learned.model) == model_digest(expected.model)
    assert (learned.notes, expected.notes) == ([], [])
    assert "are the languages swapped?" in learn_parallel([str(table)], ["de,en"], settings=SETTINGS).notes[0]


def test_a_language_is_added_to_a_saved_model(table, tmp_path):
    learn(ENGLISH, settings=SETTINGS).save(tmp_path / "m")
    before = model_digest(tacit.load(tmp_path / "m"))
    learned = add_language(tmp_path / "m", "de", [str(table)], into=tmp_path / "n")
    assert (learned.folder, list(learned.model.languages)) == (str(tmp_path / "n"), ["en", "de"])
    assert model_digest(tacit.load(tmp_path / "m")) == before
    assert add_language(tmp_path / "m", "de", [str(table)], min_df=1).folder == str(tmp_path / "m")
    with pytest.raises(InputError, match="has the language 'de' already"):
        add_language(tmp_path / "m", "de", [str(table)])
