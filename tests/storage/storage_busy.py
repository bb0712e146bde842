"""Programs for the crash tests, run as ``python storage_busy.py kill|write FOLDER exchange|renames``."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from storage_models import beside, saved

from tacit import storage
from tacit.storage import read_model, replace

ROOM = os.path.dirname(storage.__file__)
ON_DISK = {os.path.join(ROOM, f"{name}.py") for name in ("write", "replace", "siblings", "target")}


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


def kill_everywhere(folder: Path) -> dict[str, object]:
    """Replace a model, killed at each line in turn; tell which model was found after each."""
    os.fsync = lambda descriptor: None  # a kill loses nothing that was written: do not wait for the disk
    found, leftovers, missing = [], [], 0
    while not leftovers:
        saved(folder, "first")
        leftovers += beside(folder)
        child = os.fork()
        if child == 0:
            kill_at(len(found) + 1)
            saved(folder, "second")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        missing += not folder.exists()
        found.append(read_model(folder).training["name"])
        if not os.WIFSIGNALED(status):
            break
    return {"found": found, "leftovers": leftovers, "missing": missing, "status": status}


def write_often(folder: Path) -> None:
    for _ in range(60):
        saved(folder, "second")
        saved(folder, "first")


if __name__ == "__main__":
    task, where, way = sys.argv[1:]
    if way == "renames":
        replace.exchange = lambda one, other: False
    if task == "kill":
        sys.stdout.write(json.dumps(kill_everywhere(Path(where))))
    else:
        write_often(Path(where))
