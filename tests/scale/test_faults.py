"""Errors name faults between passes, and an interrupted run resumes with the same bits."""

from __future__ import annotations

import os
import re

import pytest

from helpers.faults import Fault, no_space
from helpers.scaled import cut, training, vectors, write_corpus
from tacit.errors import InputError
from tacit.scale.checkpoints import CHECKPOINT_FOLDER


class StopError(Exception):
    """Simulates a power failure."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "texts.txt", n_texts=600)


@pytest.fixture(scope="module")
def uninterrupted(corpus, tmp_path_factory):
    return training(cut(corpus), tmp_path_factory.mktemp("work")).run()


def stop_after(sweep, act=lambda: None):
    def callback(number, loss):
        if number == sweep:
            act()
            raise StopError

    return callback


@pytest.mark.parametrize("sweep", [1, 3])
def test_interrupted_run_resumes_with_the_same_bits(corpus, uninterrupted, tmp_path, sweep):
    with pytest.raises(StopError):
        training(cut(corpus), tmp_path / "w", callback=stop_after(sweep)).run()
    done = []
    again = training(cut(corpus), tmp_path / "w", callback=lambda number, loss: done.append(number))
    assert vectors(again.run()) == vectors(uninterrupted)
    assert again.trainer.loss_ == uninterrupted.loss_
    assert done == list(range(sweep + 1, 5))  # no sweep ran twice


def test_other_texts_or_settings_cannot_resume_the_run(corpus, tmp_path):
    with pytest.raises(StopError):
        training(cut(corpus), tmp_path / "w", callback=stop_after(1)).run()
    with pytest.raises(InputError, match="holds a training run with other texts or settings"):
        training(cut(corpus), tmp_path / "w", n_components=5).run()
    with pytest.raises(InputError, match="holds a training run with other texts or settings"):
        training(cut(corpus, 3), tmp_path / "w").run()


def test_missing_or_changed_file_is_named_before_work_starts(tmp_path):
    path = write_corpus(tmp_path / "texts.txt", n_texts=100)
    parts = cut(path)
    os.utime(path, ns=(1, 1))
    with pytest.raises(InputError, match=r"texts.txt was modified after the run started"):
        training(parts, tmp_path / "w").run()
    path.unlink()
    with pytest.raises(InputError, match=r"no such file: .*texts.txt"):
        training(parts, tmp_path / "w").run()
    assert not (tmp_path / "w").exists()


def test_invalid_utf8_is_named_with_its_position(tmp_path):
    path = write_corpus(tmp_path / "texts.txt", n_texts=300)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff\xff")
    with pytest.raises(
        InputError, match=r"texts.txt \(from byte [\d,]+\), line \d+, byte \d+: 0xff is not UTF-8"
    ):
        training(cut(path), tmp_path / "w").run()


def damage(rows, kind):
    if kind == "missing":
        rows.unlink()
    elif kind == "truncated":
        os.truncate(rows, rows.stat().st_size // 2)
    else:
        with rows.open("r+b") as file:
            file.seek(rows.stat().st_size - 8)
            file.write(b"\xff" * 8)


@pytest.mark.parametrize(
    ("kind", "why"),
    [("missing", "No such file"), ("truncated", "instead of"), ("corrupt", "its content has changed")],
)
@pytest.mark.parametrize("when", ["between passes", "between runs"])
def test_damaged_rows_are_named(corpus, tmp_path, kind, why, when):
    rows = tmp_path / "w" / "rows-000003.bin"
    swept = []

    def act(number, loss):
        swept.append(number)
        damage(rows, kind)
        if when == "between runs":
            raise StopError

    first = training(cut(corpus), tmp_path / "w", callback=act)
    match = rf"the rows of .*texts.txt \(from byte [\d,]+\) are damaged .*rows-000003.*{re.escape(why)}"
    if when == "between runs":
        with pytest.raises(StopError):
            first.run()
        first = training(cut(corpus), tmp_path / "w", callback=lambda number, loss: swept.append(number))
    with pytest.raises(InputError, match=match):
        first.run()
    assert swept == [1]  # the error comes before the next sweep


def test_damaged_checkpoint_is_named(corpus, tmp_path):
    with pytest.raises(StopError):
        training(cut(corpus), tmp_path / "w", callback=stop_after(1)).run()
    (arrays,) = (tmp_path / "w" / CHECKPOINT_FOLDER).glob("model-*.safetensors")
    os.truncate(arrays, 100)
    with pytest.raises(InputError, match=r"is damaged: .*; or delete .* and start again"):
        training(cut(corpus), tmp_path / "w").run()


@pytest.mark.parametrize("operation", ["write", "fsync", "replace"])
def test_full_disk_is_an_error_and_keeps_the_last_checkpoint(corpus, uninterrupted, tmp_path, operation):
    fault = Fault(operation, 1, no_space)

    def fill_the_disk(number, loss):
        if number == 2:
            fault.__enter__()

    try:
        with pytest.raises(InputError, match="No space left on device"):
            training(cut(corpus), tmp_path / "w", callback=fill_the_disk).run()
    finally:
        fault.__exit__(None, None, None)
    assert fault.met
    done = []
    again = training(cut(corpus), tmp_path / "w", callback=lambda number, loss: done.append(number)).run()
    assert done == [3, 4]
    assert vectors(again) == vectors(uninterrupted)


@pytest.mark.parametrize("number", [1, 5, 14])
def test_full_disk_while_writing_rows_is_an_error(corpus, uninterrupted, tmp_path, number):
    with (
        Fault("write", number, no_space),
        pytest.raises(InputError, match=r"No space left on device.*make room|cannot write a model"),
    ):
        training(cut(corpus), tmp_path / "w").run()
    assert vectors(training(cut(corpus), tmp_path / "w").run()) == vectors(uninterrupted)
