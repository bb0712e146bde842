"""Predict the time of a sweep from measured rates, for a number of texts, words and workers.

    python benchmarks/cluster_model.py                 # measure on 1 and 2 workers, predict, compare
    python benchmarks/cluster_model.py --plan --rate 60000 --overhead 0.5   # predict from these rates only

A sweep is 3 passes (one for texts, two for words). A pass costs

    texts / (workers x rate)  +  overhead  +  3 x array / bandwidth x log2(workers)  +  tree
    array = words x K x 4 bytes,    tree = FAN_IN x array / bandwidth x (levels of the tree past one machine)

and between passes this machine does about 4 x 2 x words x K^2 operations per sweep. ``rate`` (texts per
second of a worker with one thread) and ``overhead`` (seconds per pass) are fitted to two runs of one worker;
all other runs are predicted and compared with measurements.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from math import ceil, log, log2
from pathlib import Path
from tempfile import TemporaryDirectory

from engines import train
from synthetic import write_texts

from tacit import TextVectorizer
from tacit.compute.tiles import round_up_to_tile
from tacit.corpora.partitions import PARTITION_BYTES
from tacit.factorize.conjugate_gradients import CG_STEPS
from tacit.scale.engines import FAN_IN

PASSES = CG_STEPS + 1


@dataclass(frozen=True)
class Rates:
    """Texts per second of a worker, overhead of a pass in seconds, bytes and operations per second."""

    texts: float
    overhead: float
    bandwidth: float = 1e9
    operations: float = 2e10


def sweep_seconds(
    rates: Rates, texts: float, words: float, workers: int, K: int = 100, size: float = 60
) -> dict:
    """Predict the parts of the time of a sweep; ``size`` is the number of bytes of a text."""
    array = words * round_up_to_tile(K) * 4
    partitions = max(ceil(texts * size / PARTITION_BYTES), 1)
    levels = ceil(log(partitions, FAN_IN)) if partitions > 1 else 0
    uses_network = workers > 2  # one machine sends nothing over a network
    compute = PASSES * texts / (workers * rates.texts)
    broadcast = PASSES * array / rates.bandwidth * log2(workers) if uses_network else 0.0
    tree = PASSES * FAN_IN * array / rates.bandwidth * levels if uses_network else 0.0
    driver = 4 * 2 * words * round_up_to_tile(K) ** 2 / rates.operations
    return {
        "compute": compute,
        "overhead": PASSES * rates.overhead,
        "broadcast": broadcast,
        "tree": tree,
        "driver": driver,
        "total": compute + PASSES * rates.overhead + broadcast + tree + driver,
        "traffic_gb_a_worker": 2 * PASSES * array / 1e9,
    }


def measure_sweep(folder: Path, texts: int, words: int, workers: int) -> float:
    path = folder / f"texts-{texts}.txt"
    if not path.exists():
        write_texts(path, texts, words)
    _, seconds = train("dask", path, workers, vectorizer=TextVectorizer(language=None), n_iter=3)
    return min(seconds[-2:])


def fit_rates(points: list[tuple[int, float]], words: int) -> Rates:
    """Compute rate and overhead from two runs of one worker."""
    (n1, s1), (n2, s2) = points
    driver = sweep_seconds(Rates(1e18, 0.0), 1, words, 1)["driver"]
    seconds_per_text = max((s2 - s1) / (n2 - n1), 1e-12)
    return Rates(PASSES / seconds_per_text, max(s1 - driver - n1 * seconds_per_text, 0.0) / PASSES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, nargs="+", default=[100_000, 200_000, 400_000])
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--rate", type=float)
    parser.add_argument("--overhead", type=float, default=0.5)
    parser.add_argument("--folder")
    options = parser.parse_args()
    rates = Rates(options.rate, options.overhead) if options.rate else None
    if not options.plan:
        with TemporaryDirectory(dir=options.folder) as folder:
            rates = check_predictions(Path(folder), options)
    if rates is None:
        parser.error("--plan needs --rate")
    for texts, words, workers in ((1e7, 3e5, 2), (1e8, 5e5, 16), (1e9, 1e6, 64)):
        prediction = sweep_seconds(rates, texts, words, workers)
        parts = {name: round(value, 1) for name, value in prediction.items()}
        print(json.dumps({"texts": texts, "words": words, "workers": workers, **parts}))


def check_predictions(folder: Path, options: argparse.Namespace) -> Rates:
    sizes = sorted(options.texts)
    fit = [(texts, measure_sweep(folder, texts, options.words, 1)) for texts in (sizes[0], sizes[-1])]
    rates = fit_rates(fit, options.words)
    print(json.dumps({"texts_a_second": round(rates.texts), "overhead_a_pass": round(rates.overhead, 3)}))
    others = [(texts, 1) for texts in sizes[1:-1]] + [(texts, 2) for texts in sizes]
    for texts, workers in others:
        predicted = sweep_seconds(rates, texts, options.words, workers)["total"]
        seconds = measure_sweep(folder, texts, options.words, workers)
        facts = {"texts": texts, "workers": workers, "predicted": round(predicted, 2)}
        print(json.dumps(facts | {"measured": round(seconds, 2), "error": round(predicted / seconds - 1, 3)}))
    return rates


if __name__ == "__main__":
    main()
