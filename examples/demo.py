"""Train on WordNet's definitions, then ask: the commands a user would type, and what they answer."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

from tacit.corpora.reading import read_named_records

TACIT = Path(sys.executable).with_name("tacit")
MODEL = "demo/wordnet"
COLLECTION, REPORT = "demo/definitions.jsonl", "demo/report.html"
N_DEFINITIONS = 3000

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


def write_collection() -> None:
    """Write definitions from all of WordNet, evenly spaced, with their part of speech as a collection."""
    records = list(read_named_records("wordnet"))
    chosen = [records[i * len(records) // N_DEFINITIONS] for i in range(N_DEFINITIONS)]
    rows = [{"id": record.id, "text": record.text, "pos": record.columns["pos"]} for record in chosen]
    lines = [json.dumps(row) + "\n" for row in rows]
    Path(COLLECTION).write_text("".join(lines), encoding="utf-8")


def main() -> None:
    started = time.perf_counter()
    Path("demo").mkdir(exist_ok=True)
    ask("train", MODEL, "--corpus", "wordnet")
    described = subprocess.run([TACIT, "info", MODEL, "--json"], check=True, capture_output=True, text=True)
    losses = json.loads(described.stdout)["training"]["loss"]
    print("loss per sweep, in millions:", " ".join(f"{loss / 1e6:.2f}" for loss in losses))
    for question in QUESTIONS:
        ask(*question)
    write_collection()
    title = f"{N_DEFINITIONS:,} definitions of WordNet 3.0"
    ask("report", COLLECTION, "--column", "text", "--id-column", "id", "-o", REPORT, "--title", title)
    print(f"\nThe report is in {REPORT}: open it in a browser. Its texts are definitions of WordNet 3.0,")
    print("copyright Princeton University, under the WordNet license, which allows any use.")
    print(
        f"\nAll of it took {time.perf_counter() - started:.0f} s. The model is in {MODEL}; ask it yourself:"
    )
    print(f'  {os.path.relpath(TACIT)} compare {MODEL} "one text" "another text"')
    print("Search it, see it as a map, and compare texts on a page of its own:")
    print(f"  {os.path.relpath(TACIT)} serve --demo")


if __name__ == "__main__":
    main()
