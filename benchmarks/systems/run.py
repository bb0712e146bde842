"""Measure tacit and other systems on the same texts, in one run, each system in a process of its own.

    python benchmarks/systems/run.py [--environments FILE] [--texts 1000] [--queries 300] [--systems A,B]

The file of environments is TOML: a table ``[python]`` with the interpreter of each system whose packages are
not in this environment, by name. A system that does not start gets a row with the reason. Writes
``results.json`` beside this file, from which ``page.py`` makes docs/systems.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
from adapters import SYSTEMS
from tasks import judge, make_tasks

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
TIMEOUT = 1800
COMPILED = ("tacit", "BERTopic")
"""Systems with kernels that are compiled once for each installation; that is not measured."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--environments", type=Path)
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--keep", action="store_true", help="Keep the recorded rows of other systems.")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    pythons = {}
    if options.environments is not None:
        pythons = tomllib.loads(options.environments.read_text("utf-8"))["python"]
    tasks = make_tasks(options.texts, options.queries)
    report: dict[str, Any] = {
        "date": time.strftime("%Y-%m-%d"), "machine": describe_machine(),
        "load": [round(os.getloadavg()[0], 1)],
        "texts": options.texts, "queries": options.queries,
        "tasks": [{"kind": task["kind"], "name": task["name"]} for task in tasks], "systems": {},
    }  # fmt: skip
    if options.keep and options.out.exists():
        before = json.loads(options.out.read_text("utf-8"))
        report["systems"], report["load"] = before["systems"], before["load"] + report["load"]
        report["again"] = options.systems.split(",")
    warm_up = make_tasks(100, 20)
    for name in options.systems.split(","):
        print(f"{time.strftime('%H:%M:%S')} {name}", flush=True)
        if name in COMPILED:
            measure(name, pythons.get(name, sys.executable), warm_up)
        report["systems"][name] = measure(name, pythons.get(name, sys.executable), tasks)
        report["load"].append(round(os.getloadavg()[0], 1))
        options.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


def describe_machine() -> dict[str, Any]:
    """Return the processor, its number of cores and the version of Python."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def measure(name: str, python: str, tasks: list[dict[str, Any]]) -> dict[str, Any]:
    """Run a system on all tasks; return its facts and figures, or the reason of its absence."""
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    environment = os.environ | threads | {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
    if python != sys.executable:
        environment = {key: value for key, value in environment.items() if not key.startswith("PYTHON")}
        environment["PYTHONHASHSEED"] = "0"
    questions = json.dumps([{key: value for key, value in task.items() if key != "truth"} for task in tasks])
    command = [python, str(HERE / "worker.py"), name]
    # A file and not a pipe: a pipe would wait for processes that a system leaves behind.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as messages:
        try:
            done = subprocess.run(
                command, input=questions, stdout=subprocess.PIPE, stderr=messages, text=True, timeout=TIMEOUT,
                env=environment,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return {"reason": str(error)}
        if done.returncode:
            messages.seek(0)
            return {"reason": (messages.read().strip().splitlines() or ["it ended without a message"])[-1]}
    reply = json.loads(done.stdout)
    results = []
    for task, answer in zip(tasks, reply["answers"], strict=True):
        if answer is None:
            continue
        entry = {"kind": task["kind"], "name": task["name"]}
        if "error" in answer:
            entry["error"] = answer["error"]
        else:
            entry |= {"figures": judge(task, answer["answer"]), "seconds": answer["seconds"]}
        results.append(entry)
    return reply["facts"] | {"results": results}


if __name__ == "__main__":
    np.seterr(all="ignore")  # constant scores have no correlation: the figure is NaN
    main()
