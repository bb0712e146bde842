"""Compare the engines: results, seconds per sweep, scaling from one worker to two, and Spark's ALS.

    python benchmarks/engines.py answer    # WordNet + Brown: losses, STS12 Mean, bits ($TACIT_DATA)
    python benchmarks/engines.py steps     # the word half: bytes of exact sums, losses after 1, 2 and 3 steps
    python benchmarks/engines.py sweeps    # seconds per sweep of memory, disk and Dask on a small corpus
    python benchmarks/engines.py workers   # weak scaling: one worker on half of the texts, two on all
    python benchmarks/engines.py spark     # Spark ALS, local, implicit preferences, same matrix, same K

Each is one run on the same texts with one thread per worker; every printed line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections.abc import Callable
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
from synthetic import word_shares, write_texts

from tacit import WTMF, TextVectorizer
from tacit.corpora import read_lines, read_named_texts
from tacit.corpora.partitions import partition_corpus
from tacit.factorize.wmf_settings import DEFAULT_N_ITER
from tacit.scale import partitioned_backend
from tacit.scale.dask_engine import DaskEngine, connect
from tacit.scale.engines import ThreadEngine
from tacit.scale.partitioned_backend import PartitionedBackend
from tacit.scale.pass_progress import PassProgress, PassStatus

PARTS = 16


def print_json(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


class Clock:
    """Measures the wall-clock time of each sweep, and its processor time, which ignores other load."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.processor_seconds: list[float] = []
        self.begin()

    def begin(self) -> None:
        self.last = time.perf_counter(), time.process_time()

    def after_sweep(self, sweep: int, loss: float) -> None:
        self.seconds.append(time.perf_counter() - self.last[0])
        self.processor_seconds.append(time.process_time() - self.last[1])
        self.begin()

    def on_update(self, status: PassStatus) -> None:
        if status.is_finished and not re.match("sweep", status.name):
            self.begin()


@contextmanager
def engine(name: str, n: int):
    if name == "disk":
        yield ThreadEngine(n)
        return
    with connect(None, n, 8 * 10**9) as client:
        yield DaskEngine(client, n)


def train(name: str, path: Path, n: int, **options: object) -> tuple[WTMF, list[float]]:
    """Train with an engine on n threads or workers; return the trainer and the seconds of its sweeps."""
    trainer, clock = train_with_clock(name, path, n, **options)
    return trainer, clock.seconds


def train_with_clock(name: str, path: Path, n: int, **options: object) -> tuple[WTMF, Clock]:
    clock = Clock()
    trainer = WTMF(n_threads=n, callback=clock.after_sweep, **options)
    if name == "memory":
        texts = list(read_lines(path))
        trainer.callback = None
        train_in_memory(lambda: trainer.fit(texts), clock, trainer)
        return trainer, clock
    parts = partition_corpus([path], size=max(path.stat().st_size // PARTS, 1))
    with TemporaryDirectory() as folder, engine(name, n) as running:
        options = Path(folder, "work"), 8 * 10**9, PassProgress(clock.on_update)
        trainer.fit_backend(PartitionedBackend(parts, running, *options))
    return trainer, clock


def train_in_memory(fit: Callable[[], object], clock: Clock, trainer: WTMF) -> None:
    """Train in memory; the first sweep includes reading and does not count."""
    trainer.callback = clock.after_sweep
    fit()
    clock.seconds, clock.processor_seconds = clock.seconds[1:], clock.processor_seconds[1:]


def digest(trainer: WTMF) -> str:
    return sha256(trainer.word_vectors_.tobytes()).hexdigest()[:16]


def sts12_mean(trainer: WTMF, data: Path) -> float:
    """Return the weighted mean of the correlations of the five sets, by the latent cosine."""
    total = n = 0.0
    for path in sorted((data / "sts/sts12/test").glob("*.tsv")):
        rows = [line.split("\t") for line in read_lines(path)]
        gold = [float(row[0]) for row in rows]
        left, right = ([row[k] for row in rows] for k in (1, 2))
        scores = trainer.similarity_pairwise(left, right, measure="latent")
        total += float(np.corrcoef(gold, scores)[0, 1]) * len(rows)
        n += len(rows)
    return total / n


def wordnet_and_brown(folder: Path) -> Path:
    path = folder / "corpus.txt"
    with path.open("w", encoding="utf-8") as file:
        brown = Path(os.environ["TACIT_DATA"], "corpora/brown.txt.gz")
        for texts in (read_named_texts("wordnet"), read_lines(brown)):
            file.writelines(f"{text}\n" for text in texts)
    return path


def steps(folder: Path, options: argparse.Namespace) -> None:
    path = wordnet_and_brown(folder)
    df = TextVectorizer().fit(read_lines(path)).words_.df
    print_json(corpus="WordNet + Brown", **sum_bytes(df))
    expected = 9 * 10_000_000 * word_shares(300_000, 200)
    print_json(corpus="10,000,000 synthetic texts, expected", **sum_bytes(expected))
    for number in (1, 2, 3):
        with patch.object(partitioned_backend, "CG_STEPS", number):
            trainer, _ = train("disk", path, 2, n_iter=options.sweeps or DEFAULT_N_ITER)
        residual = trainer.model_.provenance["residual"][-1]
        print_json(steps=number, loss=trainer.loss_[-1], residual_left=round(residual, 3))


def sum_bytes(df: np.ndarray, K: int = 104) -> dict[str, int]:
    """Return the bytes of the sums of a word half-sweep: exact (frequent, rare words) and one CG step."""
    frequent = df > 0.75 * K
    exact = int(frequent.sum()) * K * K // 2 * 4
    gathered = int(df[~frequent].sum()) * K * 4
    return {"exact_bytes": exact, "gathered_bytes": gathered, "step_bytes": 5 * len(df) * K * 4}


def answer(folder: Path, options: argparse.Namespace) -> None:
    data = Path(os.environ["TACIT_DATA"])
    path = wordnet_and_brown(folder)
    for name, n in (("memory", 2), ("disk", 2), ("dask", 1), ("dask", 2)):
        trainer, _ = train(name, path, n, n_iter=options.sweeps or DEFAULT_N_ITER)
        mean = sts12_mean(trainer, data)
        print_json(engine=name, n=n, loss=trainer.loss_[-1], sts12_mean=round(mean, 5), bits=digest(trainer))


def sweeps(folder: Path, options: argparse.Namespace) -> None:
    path = folder / "texts.txt"
    write_texts(path, options.texts, 100_000)
    for name in options.engines:
        settings = {"vectorizer": TextVectorizer(language=None), "n_iter": options.sweeps or 3}
        _, clock = train_with_clock(name, path, 2, **settings)
        facts = {"sweep_seconds": round(min(clock.seconds[-2:]), 3)}
        if name != "dask":  # the workers of Dask are other processes
            facts["processor_seconds"] = round(min(clock.processor_seconds[-2:]), 3)
        print_json(engine=name, texts=options.texts, **facts)


def workers(folder: Path, options: argparse.Namespace) -> None:
    half, whole = folder / "half.txt", folder / "whole.txt"
    write_texts(half, options.texts // 2, 100_000)
    write_texts(whole, options.texts, 100_000)
    sweep_times = {}
    for n, path in ((1, half), (2, whole)):
        settings = {"vectorizer": TextVectorizer(language=None), "n_iter": options.sweeps or 3}
        _, seconds = train("dask", path, n, **settings)
        sweep_times[n] = min(seconds[-2:])
        print_json(
            engine="dask", workers=n, texts=options.texts * n // 2, sweep_seconds=round(sweep_times[n], 3)
        )
    print_json(work_of_two_in_the_time_of_one=round(2 * sweep_times[1] / sweep_times[2], 2))


def spark(folder: Path, options: argparse.Namespace) -> None:
    """Measure the seconds per sweep of Spark's ALS by the difference of two runs, without its start."""
    from pyspark.ml.recommendation import ALS
    from pyspark.sql import SparkSession

    path = folder / "texts.txt"
    write_texts(path, options.texts, 100_000)
    rows = TextVectorizer(language=None).fit_transform_rows(read_lines(path))
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = np.repeat(np.arange(rows.shape[0], dtype=np.int32), np.diff(rows.indptr))
    table = pa.table({"text": texts, "word": rows.indices, "weight": rows.data})
    pq.write_table(table, folder / "matrix.parquet")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "6g")
        .config("spark.ui.enabled", "false")
        .config("spark.local.dir", str(folder))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    frame = session.read.parquet(str(folder / "matrix.parquet")).cache()
    frame.count()
    sweep_times = {}
    for n in (1, 3):
        als = ALS(
            rank=options.components, maxIter=n, implicitPrefs=True, regParam=0.1, alpha=1.0,
            userCol="text", itemCol="word", ratingCol="weight", numUserBlocks=2, numItemBlocks=2, seed=0,
        )  # fmt: skip
        started = time.perf_counter()
        als.fit(frame)
        sweep_times[n] = time.perf_counter() - started
    session.stop()
    print_json(
        engine="spark", texts=options.texts, sweep_seconds=round((sweep_times[3] - sweep_times[1]) / 2, 2)
    )
    for name in ("memory", "disk"):
        settings = {"vectorizer": TextVectorizer(language=None), "n_components": options.components}
        _, seconds = train(name, path, 2, n_iter=3, **settings)
        print_json(engine=name, texts=options.texts, sweep_seconds=round(min(seconds[-2:]), 3))


WHAT = {"answer": answer, "steps": steps, "sweeps": sweeps, "workers": workers, "spark": spark}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--texts", type=int, default=400_000)
    parser.add_argument("--components", type=int, default=100)
    parser.add_argument("--sweeps", type=int)
    parser.add_argument("--engines", nargs="+", default=["memory", "disk", "dask"])
    parser.add_argument("--folder")
    options = parser.parse_args()
    with TemporaryDirectory(dir=options.folder) as folder:
        WHAT[options.what](Path(folder), options)


if __name__ == "__main__":
    main()
