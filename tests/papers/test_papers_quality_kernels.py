"""Quality of the kernels on the paper's data and with few labels: lower bounds of the metrics."""

from __future__ import annotations

from statistics import mean

import pytest

from papers import ALL_TABLES, Experiment, ModelSpec
from papers.experiments.few_labels import measure_few_labels
from papers.experiments.medline import measure_alignment, measure_queries
from papers.published import find_published

KEY = "med/query 20/alignment"


@pytest.mark.quality
@pytest.mark.parametrize("part", [80, 50, 20])
@pytest.mark.parametrize(
    ("name", "given"),
    [
        (("nips2002-table1", "B"), {"kernel": "lexical"}),
        (("nips2002-table1", "K"), {"kernel": "exponential", "strength": 0.197}),
        (("nips2002-table2", "K^"), {"kernel": "vonneumann", "strength": 0.032}),
    ],
)
def test_alignments_are_within_002_of_the_paper(data, name, given, part):
    model = ModelSpec("med-alignment", {"query": 20, "train": part / 100, "mode": "uncentred", **given})
    alignments = mean(measure_alignment(Experiment("med", model, seed), data)[KEY] for seed in range(10))
    table, letter = name
    printed = find_published(table).numbers(f"{letter}{part}")[KEY]
    assert alignments == pytest.approx(printed.value, abs=0.02)


@pytest.mark.quality
def test_kernels_gain_003_average_precision_over_words(data):
    rows = {row.title: row.model for row in ALL_TABLES["nips2002-queries"].rows}
    key = "med/all queries/average precision"
    results = {
        name: mean(
            measure_queries(Experiment("med", rows[f"{name}, 20 %"], seed), data)[key] for seed in range(4)
        )
        for name in ("bag of words", "LSA, 100 components", "exponential, covariance, relative lambda=3")
    }
    words, lsa, ours = results.values()
    assert ours >= words + 0.03
    assert ours > lsa


@pytest.mark.quality
def test_kernel_beats_tf_idf_and_lsa_on_r8(data):
    rows = {row.title: row.model for row in ALL_TABLES["few-labels-r8"].rows}
    key = "few-labels/5/accuracy"
    results = {
        name: mean(measure_few_labels(Experiment("r8", model, seed), data)[key] for seed in range(3))
        for name, model in rows.items()
    }
    ours = results["exponential, lambda=6"]
    assert ours > results["tf-idf + linear SVC"] + 0.04
    assert ours > results["LSA + linear SVC"] + 0.02
