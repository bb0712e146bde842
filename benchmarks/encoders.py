"""Accuracy with and without a static encoder or a background: the class of the nearest text by ``blend``.

Training texts are drawn at random, as are min(1,000, n / 3) other texts for the test; the result is the mean
over the seeds. The encoder is used as after saving: from what the model has stored of it.

    TACIT_DATA=... python benchmarks/encoders.py FOLDER [--sizes 300,1000] [--sets hwu64] [--shares 0.3,0.6]
    TACIT_DATA=... python benchmarks/encoders.py --background wordnet --seeds 2
"""

from __future__ import annotations

import argparse
import gzip
import logging
import os
from pathlib import Path
from typing import Any

import numpy as np

import tacit
from tacit import TextModel
from tacit.models.outside import Outside, WordTable
from tacit.workflows.background_cache import load_background
from tacit.workflows.training_settings import TrainingSettings

SETS = (
    "20ng_subjects,agnews_titles,crisislex_types,googlenews_t,hwu64,r8_train,searchsnippets,tagmynews,trec_qc"
)


def read(name: str) -> list[tuple[str, str]]:
    """Return the class and the text of each line."""
    path = Path(os.environ["TACIT_DATA"], "textcat", f"{name}.tsv.gz")
    with gzip.open(path, "rt", encoding="utf-8-sig") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    if name == "trec_qc":
        return [(row[1].split(":")[0], row[-1]) for row in rows]
    return [(row[0], row[-1]) for row in rows]


def accuracy(model: TextModel, train: list[tuple[str, str]], test: list[tuple[str, str]]) -> float:
    scores = model.similarity([text for _, text in test], [text for _, text in train])
    classes, gold = np.array([label for label, _ in train]), np.array([label for label, _ in test])
    return float(np.mean(classes[scores.argmax(axis=1)] == gold))


def with_share(model: TextModel, encoder: Any, share: float | None, texts: list[str]) -> TextModel:
    """Return a model with an encoder, as it is after saving."""
    changed = model.with_encoder(encoder, share, texts)
    table = changed.outside.encoder
    changed.outside = Outside(WordTable(table.words, table.vectors, table.source), changed.outside.share)
    return changed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("encoder", nargs="?", help="Folder of a static embedding model.")
    parser.add_argument("--background", help="Also try a background, such as wordnet.")
    parser.add_argument("--sizes", default="300,1000")
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--shares", default="", help="Also try these shares.")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    encoder = options.encoder and tacit.load_encoder(options.encoder)
    shares = [None, *map(float, filter(None, options.shares.split(",")))] if encoder else []
    names = [*(str(share or "auto") for share in shares), *filter(None, [options.background])]
    background = options.background and load_background(options.background, "en", TrainingSettings())
    for size in map(int, options.sizes.split(",")):
        print(f"{'texts':>7}  {'collection':16}{'alone':>7}" + "".join(f"{name:>8}" for name in names))
        gains = []
        for name in options.sets.split(","):
            rows, results = read(name), []
            for seed in range(options.seeds):
                order = np.random.default_rng(seed).permutation(len(rows))
                n_test = min(1000, size // 3)
                test = [rows[i] for i in order[:n_test]]
                train = [rows[i] for i in order[n_test : n_test + size]]
                texts = [text for _, text in train]
                model = tacit.WTMF(random_state=seed).fit(texts).model_
                others = [with_share(model, encoder, share, texts) for share in shares]
                if background:
                    others.append(tacit.WTMF(random_state=seed, background=background).fit(texts).model_)
                results.append([accuracy(each, train, test) for each in (model, *others)])
            alone, *others = np.mean(results, axis=0)
            gains.append([other - alone for other in others])
            print(
                f"{size:>7,}  {name:16}{alone:7.3f}" + "".join(f"{gain:+8.3f}" for gain in gains[-1]),
                flush=True,
            )
        for label, row in (("mean", np.mean(gains, axis=0)), ("lowest", np.min(gains, axis=0))):
            print(f"{size:>7,}  {label:16}{'':7}" + "".join(f"{gain:+8.3f}" for gain in row))


if __name__ == "__main__":
    main()
