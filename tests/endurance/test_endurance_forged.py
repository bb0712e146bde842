"""Folders with right checksums and anything in them: refused or used, by tacit's own errors alone."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import tacit
from endurance.folders import make_folders
from endurance.forgery import Folder, entries, forged
from endurance.fuzz import fuzz
from endurance.uses import calls_of
from tacit import ModelError, TacitError


@pytest.fixture(scope="module")
def index_folder(tmp_path_factory) -> Path:
    return make_folders(tmp_path_factory.mktemp("folders"), ["index"])["index"]


def test_forged_folders_are_refused_or_used_with_bounds_checked(tmp_path, monkeypatch):
    """A short piece of ``make fuzz``: kernels compiled with bounds checks, in processes that may die."""
    monkeypatch.setenv("ENDURANCE_FEW", "1")
    kinds = ["index-languages", "senses"]
    found = fuzz(40 * len(kinds), jobs=2, kinds=kinds, seed=0, cache=tmp_path / "cache", chunk=150)
    assert found.faults == {}
    assert min(found.counts[f"{kind} {what}"] for kind in kinds for what in ("used", "refused")) > 5


def test_the_same_seed_forges_the_same_and_another_something_else(index_folder, tmp_path):
    honest = Folder.read(index_folder)
    written = []
    for seed in (1, 1, 2):
        forged(honest, seed).write(tmp_path / "forged")
        written.append((tmp_path / "forged" / "config.json").read_bytes())
    assert written[0] == written[1] != written[2]
    honest.write(tmp_path / "honest")
    assert len(tacit.load(tmp_path / "honest", verify=True)) == 14  # the seal is right
    assert [entry["name"] for entry in entries(honest.config)] != []


def use(folder: Path) -> None:
    loaded = tacit.load(folder)
    always, others = calls_of(loaded)
    for call in (*always.values(), *others.values()):
        try:
            call()
        except TacitError:
            continue


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("token_ids", lambda a: np.zeros_like(a)),  # terms that no text has were counted beyond the array
        ("vectors", lambda a: a * np.float32(1e30)),  # no eigenvalues for a map
        ("records.data", lambda a: np.full_like(a, 255)),  # not UTF-8
        ("records.data", lambda a: np.full_like(a, ord("["))),  # not JSON
        ("texts.data", lambda a: np.full_like(a, 200)),
        ("token_counts", lambda a: np.zeros_like(a)),
        ("token_starts", lambda a: np.zeros_like(a)),
        ("postings.times", lambda a: np.zeros_like(a)),  # texts that score 0 were noted again and again
        ("postings.rows", lambda a: np.zeros_like(a)),  # a term more often in texts than there are texts
    ],
)
def test_arrays_that_are_not_what_they_say(index_folder, tmp_path, name, change):
    folder = Folder.read(index_folder)
    places = [arrays for arrays in folder.arrays.values() if name in arrays]
    if not places:
        pytest.skip(f"an index keeps no {name}")
    places[0][name] = change(places[0][name])
    folder.write(tmp_path / "forged")
    with suppress(ModelError):
        use(tmp_path / "forged")


@pytest.mark.parametrize("value", ["plain", 0.5, 3, [], True, None, [["en"]]])
def test_languages_that_are_no_table(index_folder, tmp_path, value):
    folder = Folder.read(index_folder)
    folder.config["parameters"]["model"]["parameters"]["languages"] = value
    folder.write(tmp_path / "forged")
    with pytest.raises(ModelError):
        tacit.load(tmp_path / "forged")


@pytest.mark.parametrize(
    ("name", "value"),
    [("language", [1]), ("tf", "wild"), ("normalize", 3), ("min_df", 0), ("min_count", "x")],
)
def test_parameters_of_words_are_checked_when_read(index_folder, tmp_path, name, value):
    folder = Folder.read(index_folder)
    folder.config["parameters"]["model"]["parameters"]["languages"]["en"]["vectorizer"][name] = value
    folder.write(tmp_path / "forged")
    with pytest.raises(TacitError):
        tacit.load(tmp_path / "forged")


def test_a_word_of_deleted_texts_alone_is_asked_for_after_reading_again(tmp_path):
    """The numbers of such words lay beyond the counts, and a kernel wrote there."""
    from helpers.notes import notes_index, notes_model

    index = notes_index(notes_model())
    names = index.add([f"zebra{number} in the zoo" for number in range(50)])
    index.delete(names)
    index.save(tmp_path / "index")
    assert tacit.load(tmp_path / "index").search("zebra49 password", 3, "search")[0].text


@pytest.mark.parametrize("value", [1e300, 10**18, -1, 5, "x", None])
def test_segments_that_are_not_there(index_folder, tmp_path, value):
    folder = Folder.read(index_folder)
    folder.config["parameters"]["segments"] = value
    folder.write(tmp_path / "forged")
    with pytest.raises(TacitError):
        tacit.load(tmp_path / "forged")


@pytest.mark.parametrize("value", [1e300, 1e-300, 0, "x"])
def test_a_length_that_no_text_has(tmp_path, value):
    source = make_folders(tmp_path / "made", ["kernel"])["kernel"]
    folder = Folder.read(source)
    folder.config["training"]["typical_length"] = value
    folder.write(tmp_path / "forged")
    with pytest.raises(ModelError):
        tacit.load(tmp_path / "forged")
