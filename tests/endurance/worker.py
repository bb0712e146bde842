"""Forge, load and use folders, one after another, in a process that may die: a line for each on stdout.

``python -m endurance.worker FOLDER WORK START COUNT``; kernels check their bounds if the parent said so.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import random
import resource
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

from endurance.forgery import Folder, forged
from endurance.uses import calls_of, uses_of

ROOM = 256 * 2**20
"""Address space beyond what the process has after it has warmed up."""
FLOOR = 16 * 2**20
"""What the same calls may take of any folder, however small: buffers that do not depend on it."""
TIMES = 4


def memory(name: str) -> int:
    """A line of the system's account of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise LookupError(name)


def forget_peak() -> int:
    """Begin to measure the peak anew; what is resident now."""
    Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")


def tried(folder: Path, out: Path, seed: int) -> dict[str, Any]:
    """Load a folder and use it; what came of it."""
    import tacit

    said = {"outcome": "refused", "errors": 0}
    stage = "load"
    try:
        loaded = tacit.load(folder)
        said["outcome"] = "used"
        stage = "first look"
        for stage, call in uses_of(loaded, out, random.Random(seed)):  # noqa: B007
            try:
                call()
            except tacit.TacitError:
                said["errors"] += 1
    except tacit.TacitError as error:
        if stage != "load":
            said["errors"] += 1
        said["refusal"] = str(error)[:120]
    except BaseException as error:
        frames = [
            f for f in traceback.extract_tb(error.__traceback__) if f"{os.sep}tacit{os.sep}" in f.filename
        ]
        where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
        said |= {"fault": f"{type(error).__name__} in {stage} at {where}: {str(error)[:160]}"}
    return said


def measured(folder: Path, out: Path, seed: int) -> dict[str, Any]:
    """The same with the most memory it took beyond what the process had."""
    before = forget_peak()
    said = tried(folder, out, seed)
    return said | {"peak": memory("VmHWM") - before}


def main(source: Path, work: Path, start: int, count: int) -> None:
    """Try ``count`` forgeries of a folder, each with a seed of its own."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    os.fsync = lambda descriptor: None  # nothing here has to survive
    honest, folder, out = Folder.read(source), work / "forged", work / "out"
    warm_up(source, out)
    honest.copy().write(folder)
    assert tried(folder, out, 0)["outcome"] == "used", "a folder sealed again as it was must be one"
    gc.collect()
    gc.freeze()  # what is imported is not looked at again
    resource.setrlimit(resource.RLIMIT_AS, (memory("VmSize") + ROOM,) * 2)
    for seed in range(start, start + count):
        forgery = forged(honest, seed)
        told: dict[str, Any] = {"seed": seed, "done": forgery.done}
        try:
            forgery.write(folder)
        except (ValueError, OverflowError, TypeError, RecursionError) as error:
            print(json.dumps(told | {"outcome": "unwritable", "why": str(error)[:80]}), flush=True)  # noqa: T201
            continue
        most = FLOOR + TIMES * forgery.size
        told |= measured(folder, out, seed)
        if told["peak"] > most:  # a kernel may have been compiled: that is not the folder's doing
            told |= measured(folder, out, seed)
        if told["peak"] > most:
            told.setdefault("fault", f"{told['peak'] >> 20} MB for a folder of {forgery.size >> 10} kB")
        print(json.dumps(told), flush=True)  # noqa: T201
    print(json.dumps({"end": True}), flush=True)  # noqa: T201


def warm_up(source: Path, out: Path) -> None:
    """Make every call once on the honest folder, so that what is imported and compiled is not its peak."""
    import tacit

    for name in tacit.__all__:  # a forged config may name any of them
        getattr(tacit, name)
    loaded = tacit.load(source)
    always, others = calls_of(loaded)
    for call in (*always.values(), *others.values()):
        try:
            call()
        except tacit.TacitError:
            continue
    loaded.save(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
