"""Classification with 5, 10 and 20 labels a class: tacit beside tf-idf with logistic regression and an SVM.

Labelled texts and up to 2,000 test texts are drawn at random, other texts for each seed. The rivals are
scikit-learn's, with English defaults; their C is chosen from 1, 10 and 100 by cross-validation on the labels.
"inductive" learns from the labelled texts alone, "transductive" learns word relations from the test texts
too, without their labels.

    TACIT_DATA=... OPENBLAS_NUM_THREADS=1 python benchmarks/few_labels.py [--sets r8] [--sizes 5] [--cost 100]
"""

from __future__ import annotations

import argparse
import gzip
import logging
import os
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from tacit.workflows import classify

LANGUAGES = {"germeval2018": "de", "sib200.es": "es", "wikit_fr": "fr"}
SETS = "r8,agnews_titles,tagmynews,20ng_subjects,hwu64"
MAX_TEST = 2000


def read(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and texts; of labels with two levels the first."""
    files = ["r8_train", "r8_test"] if name == "r8" else [name]
    rows = [line for file in files for line in read_lines(file)]
    has_split = name == "trec_qc"
    labels = [row[1].partition(":")[0] if has_split else row[0] for row in rows]
    return np.array(labels), np.array([row[-1] for row in rows])


def read_lines(name: str) -> Iterator[list[str]]:
    path = Path(os.environ["TACIT_DATA"], "textcat", f"{name}.tsv.gz")
    with gzip.open(path, "rt", encoding="utf-8-sig") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def draw(labels: np.ndarray, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw ``size`` rows of each label with more than ``size``, and test rows of the same labels."""
    rng = np.random.default_rng(seed)
    groups = [rng.permutation(np.flatnonzero(labels == label)) for label in np.unique(labels)]
    groups = [group for group in groups if len(group) > size]
    rest = np.concatenate([group[size:] for group in groups])
    return np.concatenate([group[:size] for group in groups]), rng.permutation(rest)[:MAX_TEST]


def rivals(texts: list[str], labels: np.ndarray, test: list[str], gold: np.ndarray) -> dict[str, float]:
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    results = {}
    for name, model in (("logistic", LogisticRegression(max_iter=2000)), ("SVM", LinearSVC(random_state=0))):
        pipeline = make_pipeline(TfidfVectorizer(), model)
        costs = {f"{type(model).__name__.lower()}__C": [1, 10, 100]}
        results[name] = float(GridSearchCV(pipeline, costs, cv=folds).fit(texts, labels).score(test, gold))
    return results


def tacit(
    name: str, cost: float | str, texts: list[str], labels: np.ndarray, test: list[str], gold: np.ndarray
) -> dict[str, float]:
    options = {"gold": gold, "C": cost, "language": LANGUAGES.get(name, "en")}
    return {
        way: classify(test, texts, labels, transductive=way == "transductive", **options).metrics["accuracy"]
        for way in ("inductive", "transductive")
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--sizes", default="5,10,20")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--cost", default="cv", help="C of tacit's SVM, or cv.")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    cost = options.cost if options.cost == "cv" else float(options.cost)
    means = []
    for name, size in product(options.sets.split(","), map(int, options.sizes.split(","))):
        labels, texts = read(name)
        runs = []
        for seed in range(options.seeds):
            train, test = draw(labels, size, seed)
            case = texts[train].tolist(), labels[train], texts[test].tolist(), labels[test]
            runs.append(rivals(*case) | tacit(name, cost, *case))
        means.append({key: float(np.mean([run[key] for run in runs])) for key in runs[0]})
        show(name, size, means[-1])
    show("mean", 0, {key: float(np.mean([mean[key] for mean in means])) for key in means[0]})


def show(name: str, size: int, results: dict[str, float]) -> None:
    print(
        f"{name:15}{size:>3}  " + "  ".join(f"{key} {value:.3f}" for key, value in results.items()),
        flush=True,
    )


if __name__ == "__main__":
    main()
