"""Accuracy with default settings: the class of the nearest training text, for several collection sizes.

For each set of `textcat`, size and seed, a random sample of that size is split: min(1,000, size / 3) texts
are the test part, the others train a model with default settings. A test text gets the class of the nearest
training text: by tacit's measures, by tf-idf and LSA (scikit-learn; LSA with the best of 50, 100 and 200
components on the test texts, which favors it) and by bm25s. A set is used whole if it is smaller than the
size, and left out if it has less than half as many texts. Prints the mean over the seeds of each case (set
and size), and last the margins over the best rival of each case.

    TACIT_DATA=... python benchmarks/own_text.py [--sizes 300,1000] [--sets hwu64,r8] [--seeds 0,1]
        [--misspelt 0.05] [--rivals EARLIER_OUTPUT] [--background] [--grid]
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
from misspelling import misspell_all

from tacit import WTMF, Index, TextModel, TextVectorizer
from tacit.corpora import read_named_texts
from themes import LANGUAGES, SETS, read_set

ALL_SETS = (*SETS, "crisislex_types", "germeval2018")
ALL_LANGUAGES = LANGUAGES | {"germeval2018": "de"}
MAX_TEST_TEXTS = 1000
MEASURES = ("latent", "blend", "hybrid")
RIVALS = ("tf-idf", "LSA", "bm25s")
GRID = {
    "missing_weight": (0.01, 0.1, 0.3, 1.0),
    "share": (0.4, 0.7, 1.0, 1.5),
    "n_components": (50, 100, 200),
}
"""``share`` is the regularization divided by the norm of a typical row."""

Case = tuple[list[str], list[str], np.ndarray, np.ndarray]
"""Training texts, test texts, and the classes of both."""


def draw_case(rows: list[tuple[str, str]], size: int, seed: int) -> Case:
    chosen = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))[:size]]
    n = len(chosen) - min(MAX_TEST_TEXTS, len(chosen) // 3)
    texts, classes = [text for _, text in chosen], np.array([label for label, _ in chosen])
    return texts[:n], texts[n:], classes[:n], classes[n:]


def accuracy(nearest, classes, gold) -> float:
    return float(np.mean(classes[nearest] == gold))


def other_methods(texts: list[str], queries: list[str], classes, gold) -> dict[str, float]:
    import bm25s
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = TfidfVectorizer().fit(texts)
    A, B = vectorizer.transform(texts), vectorizer.transform(queries)
    results = {"tf-idf": accuracy((B @ A.T).toarray().argmax(axis=1), classes, gold)}
    best = 0.0
    for k in (50, 100, 200):
        if k < min(A.shape):
            svd = TruncatedSVD(k, random_state=0).fit(A)
            near = (normalize(svd.transform(B)) @ normalize(svd.transform(A)).T).argmax(axis=1)
            best = max(best, accuracy(near, classes, gold))
    results["LSA"] = best
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords=None, show_progress=False), show_progress=False)
    words = bm25s.tokenize(queries, stopwords=None, show_progress=False)
    results["bm25s"] = accuracy(index.retrieve(words, k=1, show_progress=False)[0][:, 0], classes, gold)
    return results


def tacit_measures(model: TextModel, texts: list[str], queries: list[str], classes, gold) -> dict[str, float]:
    index = Index(model)
    index.add(texts)
    results = {}
    for measure in MEASURES:
        hits = index.search_many(queries, 1, measure)
        right = [bool(hit) and classes[hit[0].row] == label for hit, label in zip(hits, gold, strict=True)]
        results[measure] = float(np.mean(right))
    return results


def grid(texts: list[str], queries: list[str], classes, gold, trainer: dict) -> dict[str, float]:
    """Return the latent accuracy of automatic settings, of tuned ones, and of the best of the grid."""

    def latent(model: WTMF) -> float:
        near = model.fit(texts).similarity(queries, texts, "latent").argmax(axis=1)
        return accuracy(near, classes, gold)

    auto = WTMF(**trainer)
    results = {"auto": latent(auto)}
    length = auto.model_.pivot.vectorizer.rms_norm_
    accuracies = []
    for w, share, k in product(*GRID.values()):
        settings = {"missing_weight": w, "regularization": share * length, "n_components": k}
        accuracies.append(latent(WTMF(**settings, **trainer)))
    results["tuned"] = latent(WTMF.tune(texts, **trainer))
    return results | {"grid": max(accuracies)}


def read_results(path: str) -> dict[tuple[str, int, int, float], dict[str, float]]:
    """Read the results that an earlier run printed, by set, size, seed and share of misspelt words."""
    results = {}
    for line in Path(path).read_text().splitlines():
        if line.startswith("{"):
            entry = json.loads(line)
            results[entry["set"], entry["size"], entry["seed"], entry["misspelt"]] = entry
    return results


def print_margins(cases: dict[tuple[str, int], dict[str, float]]) -> None:
    """Print the mean accuracy of each method, and of our measures the margins over the best rival."""
    print(
        "accuracy  " + "  ".join(f"{m} {np.mean([case[m] for case in cases.values()]):.4f}" for m in RIVALS)
    )
    for measure in MEASURES:
        margins = {name: case[measure] - max(case[m] for m in RIVALS) for name, case in cases.items()}
        worst, values = min(margins, key=lambda name: margins[name]), np.array(list(margins.values()))
        mean = np.mean([case[measure] for case in cases.values()])
        margin = f"mean margin {values.mean():+.4f}  worst {values.min():+.4f} ({worst[0]} of {worst[1]:,})"
        equal = f"at least equal in {np.sum(values >= 0)} of {len(values)}"
        print(f"{measure:8}accuracy {mean:.4f}  {margin}  {equal}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="300,1000,3000,10000")
    parser.add_argument("--sets", default=",".join(ALL_SETS))
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--misspelt", type=float, default=0.0, help="Share of misspelt words in test texts.")
    parser.add_argument("--rivals", help="Take the rivals' results from the output of an earlier run.")
    parser.add_argument("--background", action="store_true", help="Also use WordNet as background.")
    parser.add_argument("--grid", action="store_true", help="Compare automatic settings with a full grid.")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    background = WTMF().fit(read_named_texts("wordnet")).model_ if options.background else None
    earlier = read_results(options.rivals) if options.rivals else {}
    cases: dict[tuple[str, int], dict[str, float]] = {}
    for name, size in product(options.sets.split(","), map(int, options.sizes.split(","))):
        rows = read_set(name)
        if len(rows) < size / 2:
            continue
        totals: dict[str, list[float]] = defaultdict(list)
        for seed in map(int, options.seeds.split(",")):
            case = draw_case(rows, size, seed)
            case = (case[0], misspell_all(case[1], options.misspelt, seed), *case[2:])
            trainer = {
                "vectorizer": TextVectorizer(language=ALL_LANGUAGES.get(name, "en")),
                "random_state": seed,
            }
            key = (name, size, seed, options.misspelt)
            if options.grid:
                results = grid(*case, trainer)
            else:
                results = {m: earlier[key][m] for m in RIVALS} if key in earlier else other_methods(*case)
                results |= tacit_measures(WTMF(**trainer).fit(case[0]).model_, *case)
            if background is not None:
                with_background = tacit_measures(
                    WTMF(**trainer, background=background).fit(case[0]).model_, *case
                )
                results |= {f"{measure} + WordNet": value for measure, value in with_background.items()}
            entry = {"set": name, "size": size, "seed": seed, "misspelt": options.misspelt}
            print(json.dumps(entry | {m: round(value, 4) for m, value in results.items()}), flush=True)
            for method, value in results.items():
                totals[method].append(value)
        cases[name, size] = {method: float(np.mean(values)) for method, values in totals.items()}
        line = "  ".join(f"{method} {value:.3f}" for method, value in cases[name, size].items())
        print(f"{name:16}{min(size, len(rows)):>7,}  {line}", flush=True)
    if not options.grid:
        print_margins(cases)


if __name__ == "__main__":
    main()
