"""The n-th write, flush, rename, read or allocation fails, for every n, while a model or an index changes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import tacit as library
from helpers.cli_runs import tacit
from helpers.faults import ALLOCATE, all_faults
from helpers.notes import NOTES, notes_index, notes_model
from helpers.storage_models import strays

OPERATIONS = ["open", "write", "fsync", "replace", "unlink", "listdir", "read", ALLOCATE]


class Job:
    """A command that brings a folder from one state to another; a state is told by a number."""

    def __init__(self, make: Callable[[Path], None], told: Callable[[Path], int], *command: object) -> None:
        self.make, self.told, self.command = make, told, command

    def run(self, folder: Path):
        return tacit(*(folder if part == "FOLDER" else part for part in self.command))


@pytest.fixture(scope="module")
def jobs(tmp_path_factory) -> dict[str, Job]:
    where = tmp_path_factory.mktemp("texts")
    corpus, more = where / "corpus.txt", where / "more.txt"
    corpus.write_text("\n".join(NOTES[:10]) + "\n")
    more.write_text("a new parcel has arrived\n")
    model = notes_model()
    model.save(where / "model")
    indexed = notes_index(model).save

    def texts(folder: Path) -> int:
        index = library.load(folder, verify=True)
        assert len(index.search("my card", 3)) == 3
        return len(index)

    def words(folder: Path) -> int:
        return int(library.load(folder, verify=True).n_words)

    train = ("train", "FOLDER", corpus, "--components", 2, "--regularization", 1, "--sweeps", 1)
    return {
        "train": Job(model.save, words, *train),
        "index": Job(
            notes_index(model).save, texts, "index", "FOLDER", more, corpus, "--model", where / "model"
        ),
        "add": Job(indexed, texts, "index", "FOLDER", more, "--add"),
        "delete": Job(indexed, texts, "index", "FOLDER", "--delete", "3"),
        "merge": Job(indexed, texts, "index", "FOLDER", "--merge", "--delete", "3"),
    }


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("name", ["train", "index", "add", "delete", "merge"])
def test_a_fault_leaves_the_old_state_or_the_new_one_and_one_line(jobs, tmp_path, name, operation):
    job, folder = jobs[name], tmp_path / "made" / "folder"
    kept = tmp_path / "kept"
    job.make(kept)

    def renewed() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(kept, folder)

    renewed()
    old = job.told(folder)
    assert job.run(folder).code == 0
    new = job.told(folder)
    assert new != old
    renewed()
    for fault in all_faults(operation, lambda: job.run(folder)):
        renewed()
        with fault:
            done = job.run(folder)
        assert fault.met
        assert job.told(folder) in ((new,) if done.code == 0 else (old, new)), (fault.number, done)
        if done.code:
            *_, said = done.err.splitlines()
            assert done.code in (1, 2)  # 2 where the verbs of tacit itself could not be listed
            assert said.startswith("tacit: "), done.err
            assert "Traceback" not in done.err
    assert job.run(folder).code in (0, 1)  # a text that is gone cannot be deleted again
    assert strays(folder) == []
