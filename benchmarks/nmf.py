"""NMF compared with scikit-learn, and the noun model of the paper from start to end.

    python benchmarks/nmf.py                one iteration over the same sparse matrix, both solvers, one run
    python benchmarks/nmf.py --end-to-end train.conllu
        5,000 nouns x 80,000 relations x 2,000 context words from a CoNLL-U file, 50 iterations; a file that
        does not exist is first written from the parsed text in $TACIT_DATA

Both use all cores. Times are medians of repeated iterations, after one that compiles.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tacit.compute.csr import CSRArrays
from tacit.compute.threads import effective_n_threads
from tacit.factorize.nmf import multiplicative_update, pad_components

N_WORDS, N_CONTEXTS, K = 20_000, 2_000, 50
DENSITY = 0.12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--end-to-end", metavar="FILE", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    chosen = parser.parse_args()
    if chosen.end_to_end:
        noun_model(chosen.end_to_end)
    else:
        against_scikit_learn(chosen.repeats)


def against_scikit_learn(repeats: int) -> None:
    """Time iterations, each of which updates both factors once."""
    from scipy.sparse import random_array
    from sklearn.decomposition import NMF

    random = np.random.default_rng(0)
    X = random_array((N_WORDS, N_CONTEXTS), density=DENSITY, rng=random, format="csr", dtype=np.float32)
    X.data = np.ceil(-np.log1p(-X.data) * 3).astype(np.float32)
    W = (random.random((N_WORDS, K)) + 0.1).astype(np.float32)
    H = (random.random((N_CONTEXTS, K)) + 0.1).astype(np.float32)
    threads = effective_n_threads(None)
    rows, columns = CSRArrays.from_scipy(X, np.float32), CSRArrays.from_scipy(X.T.tocsr(), np.float32)
    ours, theirs = [], []
    multiplicative_update(
        CSRArrays.from_scipy(X[:100], np.float32), pad_components(W[:100]), pad_components(H), threads
    )  # compiles
    for _ in range(repeats):  # in turns, so that other load affects both
        w, h = pad_components(W), pad_components(H)
        start = time.perf_counter()
        multiplicative_update(rows, w, h, threads)
        multiplicative_update(columns, h, w, threads)
        ours.append(time.perf_counter() - start)
        seconds = {}
        for n_iter in (3, 1):  # the difference excludes the preparation of scikit-learn
            peer = NMF(K, init="custom", beta_loss="kullback-leibler", solver="mu", max_iter=n_iter, tol=0)
            start = time.perf_counter()
            peer.fit_transform(X, W=W.copy(), H=np.ascontiguousarray(H.T))
            seconds[n_iter] = time.perf_counter() - start
        theirs.append((seconds[3] - seconds[1]) / 2)
        gap = np.abs(h[:, :K].T - peer.components_).max() / peer.components_.max()
    ours_s, theirs_s = statistics.median(ours), statistics.median(theirs)
    print(f"{X.shape[0]:,} x {X.shape[1]:,}, {X.nnz:,} non-zeros, {K} components, {threads} threads")
    print(f"scikit-learn NMF(solver='mu'), one iteration  {theirs_s:8.3f} s")
    print(f"tacit, one iteration                          {ours_s:8.3f} s")
    print(f"tacit is {theirs_s / ours_s:.1f} times as fast")
    print(f"largest difference of the results             {gap:8.1e} of the largest value")


def noun_model(path: Path) -> None:
    """Read CoNLL-U, count, factorize, cluster, induce and save, as a user does."""
    from tacit import SenseModel
    from tacit.corpora.formats.conllu import read_conllu

    if not path.exists():
        write_conllu(path)
        print(f"{path} is written; run the same command again to measure")
        return
    with tempfile.TemporaryDirectory() as folder:
        marks: list[tuple[str, float]] = []

        def note(what: str, done: int, loss: float) -> None:
            if not marks or marks[-1][0] != what:
                marks.append((what, time.perf_counter()))

        model = SenseModel(pos="noun", callback=note)
        start = time.perf_counter()
        model.fit(read_conllu(path))
        fitted = time.perf_counter()
        model.save(Path(folder, "nouns"))
        total = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    at = dict(marks)
    size = path.stat().st_size / 1e6
    print(f"{size:,.0f} MB of CoNLL-U, {model.n_passages_:,} passages, {len(model.counts_):,} nouns")
    print(f"reading and counting {at['iterations'] - start:6.0f} s")
    print(f"{model.n_iter} iterations and the senses {fitted - at['iterations']:6.0f} s")
    print(f"end to end {total:6.0f} s, at most {peak:.1f} GB")


def write_conllu(path: Path) -> None:
    """Write the parsed training text of SemEval-2010 task 14, one paragraph per instance."""
    sys.path.insert(0, str(Path(__file__).parents[1]))  # papers is not installed with tacit
    from papers.senses.instances import PARSED_TRAIN, parsed_instances

    with path.open("w", encoding="utf-8") as file:
        for instance in parsed_instances(PARSED_TRAIN):
            passage = instance.passage
            file.write("# newpar\n")
            for number, (form, term, tag, relation, head) in enumerate(
                zip(passage.forms, passage.terms, passage.tags, passage.relations, passage.heads, strict=True)
            ):
                to = 0 if head == number else head + 1
                form, term = ("".join(word.split()) or "_" for word in (form, term))
                file.write(f"{number + 1}\t{form}\t{term}\t{tag}\t_\t_\t{to}\t{relation}\t_\t_\n")
            file.write("\n")


if __name__ == "__main__":
    main()
