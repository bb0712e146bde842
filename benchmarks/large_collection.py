"""Embedding and indexing a collection larger than memory: time and peak memory of all processes.

    python benchmarks/large_collection.py MODEL TEXTS.txt [--folder SCRATCH] [--keep] [--vectors float32]

MODEL is a model of such texts, TEXTS a file of lines (``synthetic`` writes some). Each step runs in a new
process; its memory includes mapped files. Prints a line of JSON for each.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

from out_of_core import run_measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("texts")
    parser.add_argument("--folder", default=".")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--vectors", default="float32")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--steps", default="embed,index,add")
    options = parser.parse_args()
    scratch = Path(options.folder)
    tacit = str(Path(sys.executable).with_name("tacit"))
    shards, index, few = scratch / "vectors", scratch / "index", scratch / "few.txt"
    with open(options.texts, encoding="utf-8") as texts:
        few.write_text(
            "".join(line for _, line in zip(range(100_000), texts, strict=False)), encoding="utf-8"
        )
    steps = {
        "embed": ["embed", options.model, options.texts, "-o", f"{shards}/", "--format", "npy"],
        "index": ["index", str(index), options.texts, "--model", options.model, "--vectors", options.vectors],
        "add": ["index", str(index), str(few), "--add"],
    }
    for name in options.steps.split(","):
        before = size_of(scratch)
        command = [tacit, *steps[name], "--threads", options.threads, "--json"]
        seconds, peak = run_measured(command, scratch / f"{name}.log")
        result = json.loads((scratch / f"{name}.log").read_text(encoding="utf-8"))
        report = {
            "step": name,
            "texts": result.get("added", result.get("rows")),
            "seconds": round(seconds, 1),
            "peak_gb": round(peak / 1e9, 3),
            "written_gb": round((size_of(scratch) - before) / 1e9, 3),
        }
        print(json.dumps(report), flush=True)
        if name == "embed" and not options.keep:
            shutil.rmtree(shards)
    if not options.keep:
        shutil.rmtree(index, ignore_errors=True)
    few.unlink()


def size_of(folder: Path) -> int:
    """Return the number of bytes of all files of a folder."""
    return sum(os.stat(Path(path, name)).st_size for path, _, names in os.walk(folder) for name in names)


if __name__ == "__main__":
    main()
