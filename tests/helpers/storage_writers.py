"""Processes for the tests of writing: ``python storage_writers.py kill|write|count|hold FOLDER``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

from tacit import storage
from tacit.storage import StoredModel, lock_for_writing, read_model, write_model

PACKAGE = os.path.dirname(storage.__file__)
ON_DISK = {os.path.join(PACKAGE, f"{name}.py") for name in ("model_folder", "durable_files", "folder_lock")}
ROUNDS = 10
AT_ONCE = 20


def start(task: str, folder: Path) -> subprocess.Popen[str]:
    """Run one of the tasks below as a process."""
    paths = [str(Path(PACKAGE).parents[1]), str(Path(__file__).parents[1])]
    return subprocess.Popen(
        [sys.executable, __file__, task, folder],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )


def kill_at(line: int) -> None:
    """Let this process die, as by a power switch, before the ``line``-th line that touches folders."""
    left = line

    def count(frame: FrameType, event: str, argument: object) -> object:
        nonlocal left
        if frame.f_code.co_filename not in ON_DISK:
            return None
        if event == "line":
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return count

    sys.settrace(count)


def kill(folder: Path) -> None:
    """Replace a model, killed at each line in turn; tell which model was found after each.

    Several processes run at once, each with its own model: on a busy machine most of the time is waiting.
    """
    from helpers.storage_models import saved, strays

    os.fsync = lambda descriptor: None  # a kill loses nothing that was written: do not wait for the disk
    models = [saved(folder / str(number) / "model", "first") for number in range(AT_ONCE)]
    found: list[str] = []
    left: list[str] = []
    status = signal.SIGKILL.value
    while os.WIFSIGNALED(status) and not left:
        children = [_replace_until(model, len(found) + place) for place, model in enumerate(models, 1)]
        for child, model in zip(children, models, strict=True):
            _, ended = os.waitpid(child, 0)
            if os.WIFSIGNALED(status):  # the first that came to its end is the last that counts
                status = ended
                found.append(read_model(model, verify=True).training["name"])
        for model in models:
            left += strays(saved(model, "first"))
    sys.stdout.write(json.dumps({"found": found, "strays": left, "status": status}))


def _replace_until(model: Path, line: int) -> int:
    """Start a process that replaces a model and is killed at a line; its number."""
    from helpers.storage_models import saved

    child = os.fork()
    if child == 0:
        kill_at(line)
        saved(model, "second")
        os._exit(0)
    return child


def write(folder: Path) -> None:
    """Replace a model again and again."""
    from helpers.storage_models import saved

    for _ in range(20):
        saved(folder, "second")
        saved(folder, "first")


def count(folder: Path) -> None:
    """Read, change and write, as adding to an index does."""
    for _ in range(ROUNDS):
        with lock_for_writing(folder):
            numbers = read_model(folder).training["numbers"] if (folder / "config.json").exists() else []
            time.sleep(0.01)  # the others have time to come between
            write_model(folder, StoredModel("WTMF", training={"numbers": [*numbers, len(numbers)]}), card="")


def hold(folder: Path) -> None:
    """Take the lock, begin to write, and never end."""
    with lock_for_writing(folder) as target:
        (target / "model-0123456789abcdef.safetensors").write_bytes(b"half of")
        sys.stdout.write("held\n")
        sys.stdout.flush()
        time.sleep(600)


if __name__ == "__main__":
    {"kill": kill, "write": write, "count": count, "hold": hold}[sys.argv[1]](Path(sys.argv[2]))
