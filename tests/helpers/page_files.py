"""The files that the console blocks of the documentation name, made from the invented data."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow
from pyarrow import parquet

import tacit
from examples.make_data import make_tickets, make_translations, write_data
from helpers.static_models import write_token_model

HEADER = ["id", "text", "team", "price"]
BANK = [
    "The bank raised interest on the loan.",
    "A bank lends money to firms.",
    "The loan from the bank cost money.",
    "Interest at this bank is high, and money is dear.",
    "We sat on the bank of the river.",
    "The river left its bank after rain.",
    "Grass grows on the bank near the water.",
    "The water rose over the bank of the river.",
]
"""The texts of the page about word senses."""


def write_page_files(folder: Path) -> None:
    """Write all files to a folder."""
    write_data(folder)
    rows = [[str(number), text, team, str(number % 20)] for number, team, _, text in make_tickets()]
    texts = [row[1] for row in rows]
    write_csv(folder / "faq.tsv", HEADER, rows, "\t")
    write_csv(folder / "faq.csv", ["id", "question", "topic"], [row[:3] for row in rows])
    write_csv(folder / "new.tsv", HEADER, [[f"n{row[0]}", *row[1:]] for row in rows[:5]], "\t")
    write_csv(folder / "labelled.csv", ["id", "message", "team"], [row[:3] for row in rows[:60]])
    write_csv(folder / "new.csv", ["id", "message", "team"], [row[:3] for row in rows[60:80]])
    labelled = [[team, text] for _, text, team, _ in rows]
    write_csv(folder / "train.tsv", [], labelled[:60], "\t")
    write_csv(folder / "test.tsv", [], labelled[60:80], "\t")
    for name in ("tickets.txt", "texts.txt", "more.txt"):
        write_lines(folder / name, texts)
    write_lines(folder / "new.txt", texts[:20])
    write_lines(folder / "bank.txt", BANK * 5)
    write_lines(folder / "queries.txt", ["where is my parcel", "forgot password"])
    judged = [f"{number % 2}\t{texts[number]}\t{texts[-number]}" for number in range(1, 60)]
    write_lines(folder / "judged.tsv", judged)
    questions = [[texts[number], texts[-number]] for number in range(1, 20)]
    write_csv(folder / "pairs.csv", ["question1", "question2"], questions)
    write_lines(folder / "texts.en", [english for english, _ in make_translations()])
    write_lines(folder / "texts.es", [spanish for _, spanish in make_translations()])
    write_csv(folder / "en-de.tsv", [], make_translations(), "\t")
    write_lines(folder / "answers.txt", texts[:50])
    segments = "".join(map(_format_unit, make_translations()))
    (folder / "memory.tmx").write_text(f"<tmx><body>{segments}</body></tmx>", "utf-8")
    encoder = tacit.load_encoder(write_token_model(folder / "static-model"))
    np.save(folder / "faq.npy", encoder.encode(texts))
    posts = zip(texts, encoder.encode(texts).tolist(), strict=True)
    write_lines(folder / "posts.jsonl", [json.dumps({"text": text, "vector": row}) for text, row in posts])
    np.save(folder / "queries.npy", encoder.encode(["where is my parcel", "forgot password"]))
    for name in ("faq", "tickets"):
        tacit.WTMF().fit(texts).save(folder / f"{name}.model")
    write_workbook(folder / "tickets.xlsx", HEADER, rows)
    write_workbook(folder / "asked.xlsx", ["query"], [["where is my parcel"], ["forgot password"]])
    for name, part in (("tickets-1", rows[:200]), ("tickets-2", rows[200:300]), ("today", rows[300:])):
        columns = dict(zip(HEADER, map(list, zip(*part, strict=True)), strict=True))
        parquet.write_table(pyarrow.table(columns), folder / f"{name}.parquet")
        write_lines(
            folder / f"{name}.jsonl", [json.dumps(dict(zip(HEADER, row, strict=True))) for row in part]
        )


def _format_unit(pair: tuple[str, str]) -> str:
    """Format a text and its translation as a unit of TMX; the translation counts as German here."""
    return (
        "<tu>"
        + "".join(
            f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>'
            for code, text in zip(("en", "de"), pair, strict=True)
        )
        + "</tu>"
    )


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """Write lines of text."""
    path.write_text("\n".join(lines) + "\n", "utf-8")


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str = ",") -> None:
    """Write a table, with a header if it is not empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([*([header] if header else []), *rows])


def write_workbook(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table as a workbook of Excel."""
    book = openpyxl.Workbook()
    for row in [header, *rows]:
        book.active.append(list(row))
    book.save(path)
