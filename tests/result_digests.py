"""Print one digest for each result of training, indexing, searching and finding duplicates.

    TACIT_DATA=... PYTHONPATH=tests python -m result_digests [--threads N] > digests.txt

Run it before and after a change that must not alter results, and compare the two outputs with ``diff``. The
commands of ``tacit`` are run with the language and the measure named, so that a new default changes nothing
here. A digest is of numbers, ids and texts; it contains no time, no path, no version and no wording.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import sys
import tempfile
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import tacit
from helpers.cli_runs import tacit as run_tacit

COLLECTIONS = {
    "agnews_titles": "en",
    "hwu64": "en",
    "germeval2018": "de",
    "sib200.es": "es",
    "wikit_fr": "fr",
}
TEXTS, QUERIES, PAIRS = 3000, 20, 1500
MEASURES = ("blend", "latent", "search")
Rows = list[tuple[str, str]]


def read_rows(path: Path, n: int) -> Rows:
    """The first and the last cell of the first ``n`` lines of a TSV file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        cells = (line.rstrip("\n").split("\t") for line in islice(file, n))
        return [(row[0], row[-1]) for row in cells]


def write_table(path: Path, rows: Rows) -> Path:
    """A CSV file of labels and texts, so that an index has a column beside the text."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("label", "text"), *rows])
    return path


def show(name: str, result: Any) -> None:
    """Print the digest of a result: bytes, or plain values with every digit."""
    content = result if isinstance(result, bytes) else json.dumps(result, sort_keys=True).encode()
    print(f"{sha256(content).hexdigest()[:32]}  {name}", flush=True)  # noqa: T201


class Digests:
    """The results of one run in a folder, with a number of threads."""

    def __init__(self, folder: Path, threads: int) -> None:
        self.folder, self.threads = folder, threads

    def command(self, *arguments: object) -> Any:
        """What a command prints as JSON."""
        result = run_tacit(*arguments, "--threads", self.threads, "--json")
        if result.code:
            sys.exit(result.err)
        return result.json

    def train(self, name: str, table: Path, *options: object) -> Path:
        """Train on a table: the losses and the vectors of its texts."""
        model = self.folder / f"{name}.model"
        report = self.command("train", model, table, "--column", "text", *options)
        show(f"{name} train: texts, words, components, losses", [report[key] for key in _FIGURES])
        with table.open(encoding="utf-8", newline="") as file:
            texts = [row["text"] for row in csv.DictReader(file)]
        show(f"{name} train: vectors of its texts", tacit.load(model).encode(texts).tobytes())
        return model

    def index(self, name: str, table: Path, model: Path) -> None:
        """Index a table and delete two texts: hits by each measure, and duplicates."""
        index = self.folder / f"{name}.index"
        self.command("index", index, table, "--model", model, "--column", "text")
        self.command("index", index, "--delete", 3, "--delete", 500)
        loaded = tacit.load(index)
        loaded.n_threads = self.threads
        show(f"{name} index: vectors", loaded.vectors.tobytes())
        queries = list(loaded.texts)[:QUERIES]
        asked = self.folder / "queries.txt"
        asked.write_text("\n".join(" ".join(query.split()) for query in queries), encoding="utf-8")
        for measure in MEASURES:
            found = [
                [(hit.id, hit.score, hit.percentile, hit.columns) for hit in hits]
                for hits in loaded.search_many(queries, 10, measure=measure)
            ]
            show(f"{name} search by {measure}, all bits", found)
            answer = self.command("search", index, "--queries", asked, "--measure", measure)
            show(f"{name} search by {measure}, the command", [_hits(each["hits"]) for each in answer])
        for measure in ("blend", "latent"):
            pairs = self.command(
                "duplicates", index, "--measure", measure, "--threshold", 0.6 if measure == "blend" else 0.9
            )
            show(f"{name} duplicates by {measure}", [[each[key] for key in _PAIR] for each in pairs])

    def parallel(self, pairs: Path, method: str) -> None:
        """Train on pairs: the vectors of both sides."""
        model, name = self.folder / method, f"en-es {method}"
        how = ("--languages", "en,es", "--method", method, "--components", 50, "--sweeps", 10)
        self.command("train", model, "--parallel", pairs, *how)
        loaded = tacit.load(model)
        rows = [line.split("\t") for line in pairs.read_text(encoding="utf-8").splitlines()]
        for side, code in enumerate(("en", "es")):
            vectors = loaded.encode([row[side] for row in rows], language=code)
            show(f"{name} train: vectors of {code}", vectors.tobytes())
        found = loaded.similarity([row[0] for row in rows[:50]], [row[1] for row in rows[:50]], "blend")
        show(f"{name} similarity by blend", found.tobytes())


_FIGURES = ("texts", "words", "components", "loss")
_HIT = ("id", "text", "score", "percentile", "words", "columns")
_PAIR = ("id_a", "id_b", "score", "text_a", "text_b")


def _hits(hits: Any) -> Any:
    return [[hit[key] for key in _HIT] for hit in hits]


def main() -> None:
    """Print all digests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--threads", type=int, default=2)
    threads = parser.parse_args().threads
    data = Path(os.environ["TACIT_DATA"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = Digests(folder, threads)
        tables = {
            collection: write_table(
                folder / f"{collection}.csv", read_rows(data / "textcat" / f"{collection}.tsv.gz", TEXTS)
            )
            for collection in COLLECTIONS
        }
        for collection, language in COLLECTIONS.items():
            model = run.train(collection, tables[collection], "--language", language, "--engine", "memory")
            run.index(collection, tables[collection], model)
        news = tables["agnews_titles"]
        titles = read_rows(data / "textcat" / "tagmynews.tsv.gz", TEXTS)
        background = write_table(folder / "background.csv", titles)  # read by the same --column
        run.train("agnews_titles on disk", news, "--language", "en", "--engine", "disk")
        model = run.train("with background", news, "--language", "en", "--background", background)
        run.index("with background", news, model)
        pairs = folder / "pairs.tsv"
        rows = read_rows(data / "crosslingual" / "parallel" / "ntrex-news2019.en-es.tsv.gz", PAIRS)
        pairs.write_text("".join(f"{en}\t{es}\n" for en, es in rows), encoding="utf-8")
        for method in ("pivot", "bilingual"):
            run.parallel(pairs, method)


if __name__ == "__main__":
    main()
