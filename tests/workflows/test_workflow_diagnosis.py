"""Checks of an installation and of folders."""

from __future__ import annotations

import re
from importlib import metadata

import pytest

import tacit
from tacit.factorize import als_reference
from tacit.workflows import diagnosis

TEXTS = [
    "the cat sat on the mat",
    "a cat sleeps on the mat",
    "the stocks fell today",
    "stocks and bonds fell",
]


def test_packages_and_extras_come_from_the_metadata():
    report = diagnosis.check_installation()
    assert {"numpy", "PyStemmer", "llvmlite"} <= set(report["packages"])
    assert all(re.match(r"\d", version) for version in report["packages"].values())
    assert "server" in report["extras"]
    assert "all" not in report["extras"]


def test_an_extra_with_a_missing_package_is_none(monkeypatch):
    requirements = ["numpy>=1.26", "rich; extra == 'some'", "no-such-package; extra == 'some'"]
    monkeypatch.setattr(metadata, "requires", lambda name: requirements)
    assert diagnosis.check_installation()["extras"] == {"some": None}


def test_a_source_tree_without_metadata_is_checked_too(monkeypatch):
    def not_installed(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", not_installed)
    assert diagnosis.check_installation()["extras"] == {}


def test_a_wrong_solver_is_noticed(monkeypatch):
    correct = als_reference.solve
    monkeypatch.setattr(als_reference, "solve", lambda *args: correct(*args) * 1.001)
    assert diagnosis.check_solver()["sound"] is False


def test_a_changed_byte_of_a_folder_is_an_error(tmp_path):
    tacit.WTMF(n_components=4, regularization=0.1).fit(TEXTS).save(tmp_path / "model")
    assert diagnosis.verify_folder(tmp_path / "model")["sound"]
    arrays = next((tmp_path / "model").glob("model-*.safetensors"))
    content = bytearray(arrays.read_bytes())
    content[-1] ^= 1
    arrays.write_bytes(content)
    with pytest.raises(tacit.ModelError, match="damaged"):
        diagnosis.verify_folder(tmp_path / "model")


def test_a_custom_tokenizer_is_reported_not_an_error(tmp_path):
    vectorizer = tacit.TextVectorizer(tokenizer=str.split)
    tacit.WTMF(vectorizer, n_components=4, regularization=0.1).fit(TEXTS).save(tmp_path / "model")
    *_, last = diagnosis.verify_folder(tmp_path / "model")["checked"]
    assert "tokenizer" in last
