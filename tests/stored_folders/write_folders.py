"""Write the stored folders and their answers.

    PYTHONPATH=tests python -m stored_folders.write_folders          what is missing, with its answers
    PYTHONPATH=tests python -m stored_folders.write_folders scores   the scores of all folders anew

The folders are what an earlier tacit wrote, so that a later one is seen to read them: they are never written
again. A change that is meant to alter scores runs the second command; it refuses where vectors have changed.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any
from unittest.mock import patch

import tacit
from endurance.folders import KINDS
from helpers.cli_runs import tacit as run_tacit
from helpers.scaled import training
from helpers.tickets import SAYINGS, TEAMS, tickets
from stored_folders.questions import Answers, answers_of, machine, plain
from tacit.corpora.partitions import Partition, partition_corpus
from tacit.scale.checkpoints import WorkFolder
from tacit.search.map import load_or_draw_map

HERE = Path(__file__).parent
FOLDERS, ANSWERS, TRAININGS = HERE / "folders", HERE / "answers", HERE / "trainings"
NAMES = [
    *("model", "background", "languages", "bilingual", "index-languages", "senses", "senses-local"),
    *("classifier", "classifier-latent", "kernel", "kernel-matrix", "index"),
]

TABLE, WORK = "tickets.csv", "model.work"
WRITTEN = 1_700_000_000 * 10**9
"""When the table was last written, in nanoseconds: a training is of files as they were at a time."""
SWEEPS, DONE = 5, 2
OPTIONS = {"n_components": 6, "n_iter": SWEEPS}
TRAIN = (
    *("train", "model", TABLE, "--column", "message", "--language", "en", "--engine", "disk"),
    *("--components", 6, "--sweeps", SWEEPS, "--threads", 1),
)


class StoppedError(Exception):
    """Ends a training between two sweeps."""


def write_index(folder: Path) -> None:
    """Save three segments, two of them with deleted texts, columns that some records lack, and a map."""
    rows = list(csv.DictReader(io.StringIO(tickets(90))))
    texts = [row["message"] for row in rows]
    columns = [
        {"team": row["team"], "open": row["open"] == "yes", "price": number / 4}
        | ({"tags": [row["team"][:2], "é"]} if number % 5 == 0 else {})
        for number, row in enumerate(rows)
    ]
    index = tacit.Index(tacit.WTMF(n_components=6, n_iter=8, n_threads=1).fit(texts))
    index.max_segment_size = 30
    index.add(texts, ids=[row["id"] for row in rows], columns=columns)
    index.save(folder)
    index.delete(["T0003", "T0010", "T0031"])
    with patch(
        "tacit.search.segment.SMALL_SEGMENT_SIZE", 10
    ):  # deleted texts of a smaller segment are left out at once
        index.save(folder)
    load_or_draw_map(tacit.load(folder), folder)


def write_folder(name: str) -> None:
    """Save one folder."""
    folder = FOLDERS / name
    write_index(folder) if name == "index" else KINDS[name]().save(folder)
    for lock in folder.rglob(".lock"):
        lock.unlink()


def place_training(name: str, target: Path) -> None:
    """Put the table and the work folder of a stored training into a folder."""
    shutil.copytree(TRAININGS / name, target, dirs_exist_ok=True)
    place_table(target)


def place_table(target: Path) -> None:
    """Put the table into a folder, as old as it was when the trainings began."""
    table = target / TABLE
    table.write_text(tickets(240), encoding="utf-8", newline="")
    os.utime(table, ns=(WRITTEN, WRITTEN))


def parts() -> list[Partition]:
    """The table of the current folder in parts; its path is relative, so that any folder will do."""
    return partition_corpus([TABLE], "message", size=6000)


def resume_in_python() -> tuple[Any, list[int]]:
    """Train in the current folder: the model, and the sweeps that were run."""
    swept: list[int] = []
    run = training(parts(), Path(WORK), callback=lambda number, loss: swept.append(number), **OPTIONS)
    return run.run().model_, swept


def resume_command() -> tuple[Any, list[int]]:
    """Run ``tacit train`` in the current folder: the model, and the sweeps that it reported."""
    result = run_tacit(*TRAIN)
    assert result.code == 0, result.err
    return tacit.load("model"), sorted({int(number) for number in re.findall(r"sweep (\d+)", result.err)})


def stop_in_python() -> None:
    """Train in the current folder, and stop between two sweeps."""

    def stop(number: int, loss: float) -> None:
        if number == DONE:
            raise StoppedError

    try:
        training(parts(), Path(WORK), callback=stop, **OPTIONS).run()
    except StoppedError:
        return


def stop_command() -> None:
    """Run ``tacit train`` in the current folder, and interrupt it between two sweeps."""
    keep = WorkFolder.save_sweep

    def keep_and_stop(self: WorkFolder, words: Any, losses: list[float], residuals: list[float]) -> None:
        keep(self, words, losses, residuals)
        if len(losses) == DONE:
            raise KeyboardInterrupt

    with patch.object(WorkFolder, "save_sweep", keep_and_stop):
        run_tacit(*TRAIN)


STOP: dict[str, Callable[[], None]] = {"python": stop_in_python, "command": stop_command}
RESUME = {"python": resume_in_python, "command": resume_command}


def write_training(name: str) -> None:
    """Keep a work folder after some sweeps."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        place_table(Path(folder))
        STOP[name]()
        shutil.copytree(WORK, TRAININGS / name / WORK, ignore=shutil.ignore_patterns(".lock"))


def word_vectors(model: Any) -> Answers:
    """The vector of each word of the tickets."""
    words = sorted({*" ".join([*TEAMS.values(), *SAYINGS]).split()})
    return {"vectors": {"words": plain(model.encode(words))}, "scores": {}}


def write_whole_training(name: str) -> None:
    """Store the words of a training that was not stopped."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        place_table(Path(folder))
        write_answers(f"training-{name}", word_vectors(RESUME[name]()[0]))


def write_answers(name: str, found: Answers) -> None:
    """Store answers with the machine that they are of; vectors that changed are an error."""
    path = ANSWERS / f"{name}.json"
    if path.exists() and json.loads(path.read_text(encoding="utf-8"))["vectors"] != found["vectors"]:
        sys.exit(f"the vectors of {name} have changed: they must not; nothing was written for it")
    ANSWERS.mkdir(exist_ok=True)
    path.write_text(json.dumps({"machine": machine(), **found}, indent=1) + "\n", encoding="utf-8")


def write_missing() -> None:
    """Write the folders and the trainings that are not there, with their answers."""
    for name in NAMES:
        if not (FOLDERS / name).exists():
            write_folder(name)
            ask(name)
    for name in STOP:
        if not (TRAININGS / name).exists():
            write_training(name)
            write_whole_training(name)


def ask(name: str) -> None:
    """Store the answers of a folder."""
    write_answers(name, answers_of(tacit.load(FOLDERS / name), FOLDERS / name))


if __name__ == "__main__":
    if sys.argv[1:] == ["scores"]:
        for each in NAMES:
            ask(each)
    else:
        write_missing()
