"""Quality of training out of core on WordNet and Brown with default settings, compared with memory.

Dask gives the bits of training on disk (see ``test_dask``).
"""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from helpers.scaled import cut
from tacit import WTMF
from tacit.corpora import read_lines, read_named_texts
from tacit.scale.engines import ThreadEngine
from tacit.scale.partitioned_backend import PartitionedBackend

pytestmark = pytest.mark.quality


def sts12_mean(model: WTMF, data) -> float:
    correlations = []
    for path in sorted((data / "sts/sts12/test").glob("*.tsv")):
        rows = [line.split("\t") for line in read_lines(path)]
        gold, left, right = zip(*((float(row[0]), row[1], row[2]) for row in rows), strict=True)
        scores = model.similarity_pairwise(left, right, measure="latent")
        correlations.append((np.corrcoef(gold, scores)[0, 1], len(gold)))
    return sum(r * n for r, n in correlations) / sum(n for _, n in correlations)


def test_loss_and_sts12_are_close_to_training_in_memory(data, tmp_path):
    texts = list(chain(read_named_texts("wordnet"), read_lines(data / "corpora/brown.txt.gz")))
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    on_disk = WTMF().fit_backend(PartitionedBackend(cut(path, 16), ThreadEngine(2), tmp_path / "work", 10**9))
    in_memory = WTMF().fit(texts)
    assert on_disk.loss_[-1] == pytest.approx(in_memory.loss_[-1], rel=0.002)
    assert sts12_mean(on_disk, data) == pytest.approx(sts12_mean(in_memory, data), abs=0.005)
