"""The examples of the pages run in a folder with the files that they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.make_data import write_data


@pytest.fixture(scope="session")
def example_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the invented files."""
    folder = tmp_path_factory.mktemp("examples")
    write_data(folder)
    return folder


@pytest.fixture(autouse=True)
def in_folder_of_examples(example_files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in that folder, with a cache of its own."""
    monkeypatch.chdir(example_files)
    monkeypatch.setenv("TACIT_CACHE", str(example_files / "cache"))
