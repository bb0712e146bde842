"""Fit and judge the match strength of queries: is a query about the collection at all?

    TACIT_DATA=... python benchmarks/match_strength.py [--files stackfaq,cacm] [--retrieval]

For each development collection a model is trained and an index is built at all defaults. Its answerable
queries have a relevant text in it; its unrelated queries are those of collections of other subjects. A
logistic regression on the features of `tacit.search.match_strength` is fitted on all files together, with
equal weight for each file and kind of query, and judged on each collection by a fit without it. Prints the
figures of each file, of the percentile and of the constants in use, and last the constants of the fit.
``--retrieval`` judges only the constants in use, on the three retrieval sets with fixed unrelated queries.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score

import tacit
from tacit.search.match_strength import COEFFICIENTS, INTERCEPT, LEVELS, MIN_PROBABILITIES, match_features

N_QUERIES = 300
Texts = list[str]
Measured = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass
class Collection:
    """Texts of one subject in one language, and queries, each with the texts that answer it."""

    texts: Texts
    answers: dict[str, set[str]]
    subject: str
    language: str = "en"

    @property
    def queries(self) -> Texts:
        """The queries that a text answers."""
        return sorted(query for query, texts in self.answers.items() if texts)

    def of_size(self, n_texts: int) -> Collection:
        """Return a sample of the texts with the queries that it still answers."""
        texts = set(random.Random(0).sample(self.texts, n_texts))
        answers = {query: answers & texts for query, answers in self.answers.items()}
        return replace(self, texts=sorted(texts), answers=answers)


def read_rows(*path: str) -> list[list[str]]:
    """Read the cells of a TSV file of the evaluation data."""
    file = Path(os.environ["TACIT_DATA"], *path)
    opener = gzip.open if file.suffix == ".gz" else open
    with opener(file, "rt", encoding="utf-8-sig") as stream:
        return [line.rstrip("\n").split("\t") for line in stream]


def retrieval_set(*folder: str, subject: str, language: str = "en") -> Collection:
    texts = {row[0]: row[1] for row in read_rows(*folder, "docs.tsv")}
    answers: dict[str, set[str]] = {}
    for query, text in read_rows(*folder, "qrels.tsv"):
        answers.setdefault(query, set()).add(texts[text])
    queries = {row[1]: answers[row[0]] for row in read_rows(*folder, "queries.tsv") if row[0] in answers}
    return Collection(list(texts.values()), queries, subject, language)


def intents(n_texts: int) -> Collection:
    """Commands to an assistant: a query is answered by a command of the same class."""
    rows = read_rows("textcat", "hwu64.tsv.gz")
    random.Random(0).shuffle(rows)
    of_class: dict[str, set[str]] = {}
    for row in rows[:n_texts]:
        of_class.setdefault(row[0], set()).add(row[-1])
    answers = {row[-1]: of_class.get(row[0], set()) for row in rows[n_texts:]}
    return Collection([row[-1] for row in rows[:n_texts]], answers, "assistant")


def matched_pairs(name: str, subject: str) -> Collection:
    """Two lists of the same things: texts of the second, queries from the first."""
    pairs = [row for row in read_rows("pairs", name) if len(row) == 3]
    texts = {row[2] for row in pairs}
    answers: dict[str, set[str]] = {}
    for label, a, b in pairs:
        if label == "1" and a not in texts:
            answers.setdefault(a, set()).add(b)
    return Collection(sorted(texts), answers, subject)


def definitions(n_texts: int) -> Collection:
    """Definitions of one dictionary, asked of another one."""
    wordnet = {row[0]: row[3] for row in read_rows("corpora", "wordnet.tsv.gz")[1:]}
    mapped = [row for row in read_rows("corpora", "ontonotes_cdr.tsv.gz")[1:] if row[4] in wordnet]
    random.Random(0).shuffle(mapped)
    answers = {row[3]: {wordnet[row[4]]} for row in mapped[:n_texts] if row[3] != wordnet[row[4]]}
    texts = set().union(*list(answers.values())[: min(N_QUERIES, n_texts // 2)])
    others = sorted(set(wordnet.values()) - texts)
    texts.update(random.Random(0).sample(others, n_texts - len(texts)))
    return Collection(sorted(texts), {query: found & texts for query, found in answers.items()}, "general")


FILES: dict[str, Callable[[], Collection]] = {
    "stackfaq": lambda: retrieval_set("retrieval", "stackfaq", subject="web"),
    "cacm": lambda: retrieval_set("retrieval", "cacm", subject="computing"),
    "xquad.de": lambda: retrieval_set("retrieval", "xquad.de", subject="general", language="de"),
    "med": lambda: retrieval_set("kernels", "med", subject="medicine"),
    "hwu64 of 500": lambda: intents(500),
    "hwu64 of 5000": lambda: intents(5000),
    "amazon_google": lambda: matched_pairs("amazon_google.tsv.gz", "software"),
    "wdc_products": lambda: matched_pairs("wdc_products.tsv.gz", "products"),
    "medical_questions": lambda: matched_pairs("medical_questions.tsv.gz", "medicine"),
    "stackfaq of 40": lambda: FILES["stackfaq"]().of_size(40),
    "cacm of 300": lambda: FILES["cacm"]().of_size(300),
    "xquad.de of 40": lambda: FILES["xquad.de"]().of_size(40),
    "med of 100": lambda: FILES["med"]().of_size(100),
    "amazon_google of 50": lambda: FILES["amazon_google"]().of_size(50),
    "wdc_products of 50": lambda: FILES["wdc_products"]().of_size(50),
    "medical_questions of 50": lambda: FILES["medical_questions"]().of_size(50),
    "definitions of 60": lambda: definitions(60),
    "definitions of 3000": lambda: definitions(3000),
    "definitions of 30000": lambda: definitions(30000),
}
SAMPLES = {name for name in FILES if name.split(" of ")[-1] in ("40", "50", "60", "100", "300")}
"""Files that show how small collections fare; the constants in use are not fitted on them."""

RELATED_SUBJECTS = {frozenset(pair) for pair in (("software", "computing"), ("software", "products"),
                                                 ("web", "computing"), ("web", "software"))}  # fmt: skip


def unrelated_queries(collection: Collection, others: dict[str, Collection]) -> Texts:
    """Queries of collections of other subjects in the same language, of each the same number."""
    if collection.language == "de":
        rows = read_rows("crosslingual", "sts", "stsb.de.dev.tsv")
        return random.Random(0).sample(sorted({row[1] for row in rows}), N_QUERIES)
    sources = {
        other.subject: other.queries for other in others.values()
        if other.language == collection.language and other.subject != collection.subject
        and other.subject != "general"
        and frozenset((other.subject, collection.subject)) not in RELATED_SUBJECTS
    }  # fmt: skip
    n_each = -(-N_QUERIES // len(sources))
    return [text for name in sorted(sources) for text in sample(sources[name], n_each)]


def sample(texts: Texts, n: int) -> Texts:
    return random.Random(0).sample(sorted(set(texts)), min(n, len(set(texts))))


def measure(collection: Collection, unrelated: Texts, n_queries: int | None = N_QUERIES) -> Measured:
    """Return features, percentiles of the best hits and labels (1: answerable) of all queries."""
    index = tacit.build_index(collection.texts)
    answerable = collection.queries if n_queries is None else sample(collection.queries, n_queries)
    queries = [*answerable, *unrelated]
    labels = np.arange(len(queries)) < len(queries) - len(unrelated)
    features, percentiles = [], []
    for hits in index.search_many(queries, k=10):
        overlap = hits._rater.overlap
        score = hits[0].score if hits else 0.0
        idf = float(overlap.max_idf[hits[0].row]) if hits else 0.0
        coverage = float(overlap.mass.max() / max(overlap.idf.sum(), 1e-9))
        features.append([*match_features(overlap, score, coverage), idf, overlap.has_known_content])
        percentiles.append(hits[0].percentile if hits else 0.0)
    return np.array(features), np.array(percentiles), labels.astype(int)


def rate(features: np.ndarray, intercept: float, coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return probabilities, and levels as `tacit.search.match_strength.MatchRater` decides them."""
    probabilities = 1 / (1 + np.exp(-(intercept + features[:, :5] @ coefficients)))
    probabilities = np.where(features[:, 6] > 0, probabilities, 0.0)
    levels = np.argmax(probabilities[:, None] >= np.array(MIN_PROBABILITIES), axis=1)
    is_distinctive = features[:, 5] >= 0.4 * features[:, 3]
    return probabilities, np.where(is_distinctive, levels, np.maximum(levels, LEVELS.index("weak")))


def fit(files: dict[str, Measured]) -> tuple[float, np.ndarray]:
    """Fit a logistic regression; each file and each kind of query has the same weight."""
    weights = [
        np.where(labels == 1, 0.5 / labels.sum(), 0.5 / (1 - labels).sum()) for _, _, labels in files.values()
    ]
    model = LogisticRegression(C=1e4, max_iter=10_000)
    X = np.concatenate([features[:, :5] for features, _, _ in files.values()])
    y = np.concatenate([labels for _, _, labels in files.values()])
    is_known = np.concatenate([features[:, 6] for features, _, _ in files.values()]) > 0
    model.fit(X[is_known], y[is_known], 1000 * np.concatenate(weights)[is_known])
    return float(model.intercept_[0]), model.coef_[0]


def describe(name: str, probabilities, levels, labels) -> str:
    shares = [
        " ".join(f"{np.mean(levels[labels == kind] == level):.2f}" for level in range(4)) for kind in (1, 0)
    ]
    auc = roc_auc_score(labels, probabilities)
    loss = log_loss(labels, np.clip(probabilities, 1e-4, 1 - 1e-4))
    return f"{name:22}{auc:7.3f}{loss:8.3f}   {shares[0]}   {shares[1]}"


def retrieval_files() -> dict[str, tuple[Collection, Texts]]:
    """The three retrieval sets, each with unrelated queries."""
    sets = {name: FILES[name]() for name in ("stackfaq", "cacm", "xquad.de")}
    unrelated = {
        "stackfaq": sets["cacm"].queries,
        "cacm": random.Random(0).sample(sets["stackfaq"].queries, 64),
        "xquad.de": unrelated_queries(sets["xquad.de"], {}),
    }
    return {name: (collection, unrelated[name]) for name, collection in sets.items()}


def print_figures(
    title: str, files: dict[str, Measured], constants: Callable[[str], tuple[float, np.ndarray] | None]
) -> None:
    """Print a row for each file, and means; without constants the percentile is judged, by AUROC alone."""
    print(f"{title:22}{'AUROC':>7}{'loss':>8}   answerable            unrelated")
    rows = []
    for name, (features, percentiles, labels) in files.items():
        in_use = constants(name)
        if in_use is None:
            rows.append([roc_auc_score(labels, percentiles)])
            print(f"{name:22}{rows[-1][0]:7.3f}")
            continue
        probabilities, levels = rate(features, *in_use)
        print(describe(name, probabilities, levels, labels))
        no_match = [np.mean(levels[labels == kind] == 3) for kind in (1, 0)]
        rows.append([roc_auc_score(labels, probabilities), *no_match])
    means = np.mean(rows, axis=0)
    shares = (
        ""
        if len(means) == 1
        else f", called no good match: answerable {means[1]:.3f}, unrelated {means[2]:.3f}"
    )
    print(f"mean AUROC {means[0]:.3f}{shares}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", default=",".join(FILES))
    parser.add_argument("--retrieval", action="store_true")
    options = parser.parse_args()
    print("shares of queries: strong, possible, weak, no good match\n")
    if options.retrieval:
        files = {name: measure(*each, None) for name, each in retrieval_files().items()}
    else:
        collections = {name: load() for name, load in FILES.items()}
        files = {
            name: measure(collections[name], unrelated_queries(collections[name], collections))
            for name in options.files.split(",")
        }
    print_figures("percentile", files, lambda name: None)
    print_figures("constants in use", files, lambda name: (INTERCEPT, COEFFICIENTS))
    if options.retrieval:
        return
    collection_of = {name: name.split(" ")[0] for name in files}

    def fit_without(name: str) -> tuple[float, np.ndarray]:
        return fit({n: file for n, file in files.items() if collection_of[n] != collection_of[name]})

    print_figures("fit without the set", files, fit_without)
    intercept, coefficients = fit({name: file for name, file in files.items() if name not in SAMPLES})
    print("fit on all files but samples:", round(intercept, 1), np.round(coefficients, 2).tolist())


if __name__ == "__main__":
    main()
