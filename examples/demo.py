"""Train on WordNet's definitions, then ask: the commands a user would type, and what they answer."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

TACIT = Path(sys.executable).with_name("tacit")
MODEL = "demo/wordnet"

QUESTIONS = [
    ["compare", MODEL, "a large dog barked at the postman", "the hound growled at a mail carrier"],
    ["compare", MODEL, "a large dog barked at the postman", "the central bank raised interest rates"],
    ["compare", MODEL, "the central bank raised interest rates", "borrowing money now costs more"],
    [
        "explain",
        MODEL,
        "a large dog barked at the postman",
        "the hound growled at a mail carrier",
        "--top",
        "5",
    ],
    ["unsaid", MODEL, "the central bank raised interest rates on loans"],
    ["words", MODEL, "volcano", "--min-df", "10"],
]


def ask(*arguments: str) -> None:
    print(f"\n$ tacit {shlex.join(arguments)}", flush=True)
    subprocess.run([TACIT, *arguments], check=True)


def main() -> None:
    started = time.perf_counter()
    Path("demo").mkdir(exist_ok=True)
    ask("train", MODEL, "--corpus", "wordnet")
    described = subprocess.run([TACIT, "info", MODEL, "--json"], check=True, capture_output=True, text=True)
    losses = json.loads(described.stdout)["training"]["loss"]
    print("loss per sweep, in millions:", " ".join(f"{loss / 1e6:.2f}" for loss in losses))
    for question in QUESTIONS:
        ask(*question)
    print(
        f"\nAll of it took {time.perf_counter() - started:.0f} s. The model is in {MODEL}; ask it yourself:"
    )
    print(f'  {os.path.relpath(TACIT)} compare {MODEL} "one text" "another text"')
    print("Search it, see it as a map, and compare texts on a page of its own:")
    print(f"  {os.path.relpath(TACIT)} serve --demo")


if __name__ == "__main__":
    main()
