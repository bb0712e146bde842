"""The tasks of the comparison: what a system receives, and how its answers are judged.

A task is a dict. Its key ``truth`` stays with the runner; a system receives everything else as JSON.
"""

from __future__ import annotations

import gzip
import os
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, adjusted_rand_score, average_precision_score, f1_score

Task = dict[str, Any]

COLLECTIONS = ("searchsnippets", "trec_qc", "agnews_titles", "tagmynews")
RETRIEVAL = ("stackfaq", "xquad.de", "cacm")
PAIRS = {"medical_questions": "pairs/medical_questions.tsv.gz", "msrp": "sts/msrp/test.tsv"}
LISTS = ("amazon_google", "wdc_products")
N_LABELS = 10
"""Labels of each class in the task few labels."""

DEPTH = 10
"""Hits that a query returns."""


def make_tasks(n_texts: int, n_queries: int) -> list[Task]:
    """Return all tasks, with at most so many texts and queries each."""
    return [
        *(collection_task(name, n_texts, n_queries) for name in COLLECTIONS),
        *(ranking_task(name, n_texts, n_queries) for name in RETRIEVAL),
        *(pairs_task(name, file, n_queries) for name, file in PAIRS.items()),
        sts_task(n_queries),
        *(lists_task(name, n_texts) for name in LISTS),
        vectors_task(n_texts * 20, n_queries),
        factors_task(n_texts * 2),
    ]


def read_rows(name: str) -> list[list[str]]:
    """Return the tab-separated rows of a file of $TACIT_DATA."""
    path = Path(os.environ["TACIT_DATA"], name)
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def sample_collection(name: str, n: int) -> tuple[list[str], list[str]]:
    """Draw distinct texts with their classes."""
    rows = {row[-1]: row[-2].split(":")[0] for row in read_rows(f"textcat/{name}.tsv.gz")}
    texts = random.Random(0).sample(sorted(rows), min(n, len(rows)))
    return texts, [rows[text] for text in texts]


def collection_task(name: str, n_texts: int, n_queries: int) -> Task:
    """Texts with classes: search for unseen texts, a classifier from few labels, and clusters."""
    texts, classes = sample_collection(name, n_texts + n_queries)
    n_texts = len(texts) - n_queries
    labeled: dict[str, list[int]] = {}
    for row, label in enumerate(classes[:n_texts]):
        if len(labeled.setdefault(label, [])) < N_LABELS:
            labeled[label].append(row)
    rows = sorted(row for each in labeled.values() for row in each)
    return {
        "kind": "collection", "name": name, "language": "en", "texts": texts[:n_texts],
        "queries": texts[n_texts:], "rows": rows, "labels": [classes[row] for row in rows],
        "n_clusters": len(labeled), "truth": [classes[:n_texts], classes[n_texts:]],
    }  # fmt: skip


def ranking_task(name: str, n_texts: int, n_queries: int) -> Task:
    """Queries with relevant texts, among others of the collection."""
    folder = f"retrieval/{name}"
    texts, queries = dict(read_rows(f"{folder}/docs.tsv")), dict(read_rows(f"{folder}/queries.tsv"))
    relevant: dict[str, set[str]] = {}
    for query, text in read_rows(f"{folder}/qrels.tsv"):
        relevant.setdefault(query, set()).add(text)
    asked = random.Random(0).sample(sorted(relevant), min(n_queries, len(relevant)))
    needed = set().union(*(relevant[query] for query in asked))
    others = sorted(set(texts) - needed)
    kept = sorted(
        needed | set(random.Random(0).sample(others, min(max(n_texts - len(needed), 0), len(others))))
    )
    rows = {text: row for row, text in enumerate(kept)}
    return {
        "kind": "ranking", "name": name, "language": "de" if name.endswith(".de") else "en",
        "texts": [texts[text] for text in kept], "queries": [queries[query] for query in asked],
        "truth": [sorted(rows[text] for text in relevant[query]) for query in asked],
    }  # fmt: skip


def pairs_task(name: str, file: str, n: int) -> Task:
    """Pairs that mean the same or not; a system may learn from their texts, without labels."""
    return _scored_pairs("pairs", name, read_rows(file), n)


def sts_task(n: int) -> Task:
    """Pairs with degrees of similarity that people gave."""
    return _scored_pairs("sts", "STS Benchmark, test", read_rows("sts/stsb/test.tsv"), n)


def _scored_pairs(kind: str, name: str, rows: list[list[str]], n: int) -> Task:
    rows = random.Random(0).sample(rows, min(n, len(rows)))
    pairs = [row[1:3] for row in rows]
    texts = sorted({text for pair in pairs for text in pair})
    truth = [float(row[0]) for row in rows]
    return {"kind": kind, "name": name, "language": "en", "texts": texts, "pairs": pairs, "truth": truth}


def lists_task(name: str, n: int) -> Task:
    """Two lists of products with true links; at most n of the longer one."""
    sys.path.insert(0, str(Path(os.environ["TACIT_DATA"], "pairs")))
    a, b, truth = import_module("make_lists").lists(name, False)
    kept = set(random.Random(0).sample(sorted(truth), min(n // 2, len(truth))))
    a, b = (
        sorted({pair[side] for pair in kept}
               | set(random.Random(0).sample(rest, min(n - len(kept), len(rest)))))
        for side, texts in enumerate((a, b))
        for rest in [sorted(texts - {pair[side] for pair in truth})]
    )  # fmt: skip
    links = sorted((a.index(x), b.index(y)) for x, y in truth if x in set(a) and y in set(b))
    true, rng = set(links), random.Random(0)
    others = {(rng.randrange(len(a)), rng.randrange(len(b))) for _ in range(25)} - true
    judged = {"match": rng.sample(links, min(25, len(links))), "distinct": sorted(others)}
    return {"kind": "lists", "name": name, "a": a, "b": b, "judged": judged, "truth": links}


def vectors_task(n: int, n_queries: int) -> Task:
    """Random vectors around 200 centers; each system makes them from the same seed."""
    return {"kind": "vectors", "name": f"{n:,} x 100", "n": n, "n_queries": n_queries, "truth": None}


def factors_task(n: int) -> Task:
    """Texts with classes for 100 components; the nearest other text should have the same class."""
    texts, classes = sample_collection("tagmynews", n)
    return {"kind": "factors", "name": "tagmynews", "texts": texts, "truth": classes}


def judge(task: Task, answer: Any) -> dict[str, float]:
    """Return the figures of an answer by name."""
    truth = task["truth"]
    if task["kind"] == "collection":
        classes, expected = map(np.array, truth)
        figures = {}
        if "hits" in answer:
            nearest = [classes[rows[0]] if rows else "" for rows in answer["hits"]]  # no hit: no class
            figures["nearest class"] = accuracy_score(expected, nearest)
        if "labels" in answer:
            figures["few labels"] = accuracy_score(expected, answer["labels"])
        if "clusters" in answer:
            figures["themes"] = adjusted_rand_score(classes, answer["clusters"])
        return {name: float(value) for name, value in figures.items()}
    if task["kind"] == "ranking":
        gains = [ndcg(rows, set(relevant)) for rows, relevant in zip(answer["hits"], truth, strict=True)]
        return {"ranking": float(np.mean(gains))}
    if task["kind"] == "pairs":
        return {"pairs": float(average_precision_score(truth, answer["scores"]))}
    if task["kind"] == "sts":
        scores = np.nan_to_num(answer["scores"])
        return {"STS": float(np.corrcoef(scores, truth)[0, 1])}
    if task["kind"] == "lists":
        found, links = {tuple(link) for link in answer["links"]}, set(truth)
        return {"links": 2 * len(found & links) / max(len(found) + len(links), 1)}
    if task["kind"] == "vectors":
        return {"recall": answer["recall"]}
    return {"factors": float(f1_score(truth, np.array(truth)[answer["nearest"]], average="micro"))}


def ndcg(rows: list[int], relevant: set[int]) -> float:
    """Normalized discounted cumulative gain of the first ten rows, with binary relevance."""
    discounts = 1 / np.log2(np.arange(2, DEPTH + 2))
    gain = sum(discount for discount, row in zip(discounts, rows, strict=False) if row in relevant)
    return float(gain / discounts[: len(relevant)].sum())
