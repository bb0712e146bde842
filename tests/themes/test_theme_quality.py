"""Agreement of themes with classes that people assigned, against k-means on the same vectors."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from tacit import WTMF, ThemeModel
from tacit.compute.cosine import normalize_rows
from tacit.compute.kmeans import spherical_kmeans

SETS = ("searchsnippets", "sib200.es", "20ng_subjects", "agnews_titles", "wikit_fr")
N_TEXTS = 1000


def read_sample(path) -> tuple[list[str], list[str]]:
    with gzip.open(path, "rt", encoding="utf-8-sig") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    chosen = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))[:N_TEXTS]]
    return [row[-1] for row in chosen], [row[0] for row in chosen]


@pytest.mark.quality
def test_themes_agree_with_classes_better_than_kmeans(data):
    gains = []
    for name in SETS:
        texts, labels = read_sample(data / "textcat" / f"{name}.tsv.gz")
        n_classes = len(set(labels))
        themes = ThemeModel(n_classes, other=False).fit(texts)
        vectors = normalize_rows(WTMF().fit_transform(texts))
        clusters = spherical_kmeans(vectors, n_classes).labels
        scores = [normalized_mutual_info_score(labels, found) for found in (themes.labels_, clusters)]
        gains.append(scores[0] - scores[1])
    assert np.mean(gains) > 0.02, dict(zip(SETS, gains, strict=True))
