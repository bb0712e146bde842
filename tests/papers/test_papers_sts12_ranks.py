"""Ranks among the 89 official runs of STS 2012."""

from __future__ import annotations

import numpy as np
import pytest

from papers.baselines.scorers import SurfaceScorer
from papers.experiments.measurement import OFFICIAL_RESULTS, official_ranks, rank
from tacit import InputError
from tacit.evaluation import evaluate
from tacit.evaluation.tasks import read_columns


def test_official_baseline_has_its_official_ranks(data):
    ranks = official_ranks(evaluate("sts12", SurfaceScorer(), data), data)
    assert (ranks["all"], ranks["all_normalized"], ranks["weighted_mean"]) == (87, 85, 70)


def test_every_official_run_gets_its_official_rank(data):
    columns = ("ALL", "rankALL", "ALLnrm", "rankALLnrm", "Mean", "rankMean")
    rows = np.array([list(map(float, row)) for row in read_columns(data / OFFICIAL_RESULTS, columns)])
    assert len(rows) == 89
    for place in (0, 2, 4):
        values = rows[:, place].tolist()
        for value, official in rows[:, place : place + 2]:
            # runs that are equal at four digits were ranked by the digits behind
            assert rank(value, values) <= official <= rank(value, values) + values.count(value) - 1


def test_ranks_are_of_sts12_only(data):
    result = evaluate("li06", SurfaceScorer(), data)
    with pytest.raises(InputError, match="this result is of 'li06'"):
        official_ranks(result, data)
