"""Inducing senses from files."""

from __future__ import annotations

import numpy as np
import pytest

import tacit
from helpers.senses_corpus import corpus
from tacit.workflows import RecordSource
from tacit.workflows.progress import ProgressEvent
from tacit.workflows.sense_induction import induce_senses, read_passages

SETTINGS = {"n_components": 4, "min_count": 1}


def test_files_and_patterns_are_read_in_order(tmp_path):
    for number, text in enumerate(("one", "two", "three")):
        (tmp_path / f"{number}.txt").write_text(f"{text}\n", encoding="utf-8")
    assert list(read_passages(RecordSource((str(tmp_path / "*.txt"),)))) == ["one", "two", "three"]


def test_a_file_that_cannot_be_read_is_an_early_error(tmp_path):
    (tmp_path / "a.txt").write_text("one\n", encoding="utf-8")
    with pytest.raises(tacit.InputError, match="b\\.txt"):
        read_passages(RecordSource((str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))))


def test_parsed_files_give_passages(tmp_path):
    path = tmp_path / "parsed.conllu"
    path.write_text("1\tcats\tcat\tNOUN\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    (passage,) = read_passages(RecordSource((str(path),)), "conllu")
    assert type(passage).__name__ == "Passage"


def test_the_result_is_that_of_the_class():
    induced = induce_senses(corpus(), ["chip"], n_clusters=2, **SETTINGS)
    direct = tacit.SenseModel(n_clusters=2, **SETTINGS).fit(corpus(), ["chip"])
    assert [sense.to_dict() for sense in induced.senses("chip")] == [
        sense.to_dict() for sense in direct.senses("chip")
    ]
    assert np.array_equal(induced.divergence_, direct.divergence_)


def test_progress_has_the_stages_of_the_method():
    events: list[ProgressEvent] = []
    model = induce_senses(
        corpus(), ["chip"], method="local", n_senses=2, n_iter=3, progress=events.append, **SETTINGS
    )
    assert isinstance(model, tacit.LocalSenseModel)
    assert list(dict.fromkeys(event.stage for event in events)) == [
        "reading",
        "factorizing",
        "clustering words",
    ]
    assert events[-1] == ProgressEvent("clustering words", 1, 1, "words")
