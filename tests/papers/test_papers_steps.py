"""A table of steps: each row is the one above with one change more, and what is shown adds up."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise

import pytest

from papers.experiments import Experiment, Model
from papers.laboratory import resolved
from papers.layout import laid_out
from papers.semeval2016 import B_STEPS, B_WMF, X_STEPS, X_WMF, chain, ours
from papers.tables import Cell, Reproduction, Row

CELLS = (Cell("news", "sts16-en-es/news/pearson"), Cell("V", "wsi10/all/v_measure", 100, 1))


def told(*pairs):
    """A report with these means of news and V, None for a row that was not run."""
    rows = [
        {
            "title": f"row {number}",
            "under": "",
            "older": False,
            "runs": 1,
            "values": {}
            if means is None
            else {cell.key: {"mean": mean} for cell, mean in zip(CELLS, means, strict=True)},
        }
        for number, means in enumerate(pairs)
    ]
    return {"rows": rows}


def table_of(n, **others):
    rows = tuple(Row(f"row {number}", Model("x-wmf")) for number in range(n))
    return Reproduction("steps", "Steps", "parallel", CELLS, rows, steps=True, **others)


def lines_of(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def test_the_steps_as_shown_add_up_to_the_difference_as_shown():
    means = [(0.70004, 0.1104), (0.71236, 0.1249), (0.71229, 0.1251), (0.75555, 0.1302)]
    *body, total = lines_of(laid_out(table_of(4), told(*means)))
    for column in (1, 2):
        steps = [Decimal(re.search(r"\((.+)\)", line[column])[1]) for line in body[1:]]
        values = [Decimal(line[column].partition(" ")[0]) for line in body]
        assert sum(steps) == values[-1] - values[0] == Decimal(total[column])
    assert body[1][1] == "0.7124 (+0.0124)"
    assert total[0] == "sum of the steps"


def test_a_step_that_was_not_run_is_passed_over():
    lines = lines_of(laid_out(table_of(3), told((0.7, 0.1), None, (0.8, 0.2))))
    assert lines[1][1] == "not run"
    assert lines[2][1] == "0.8000 (+0.1000)"
    assert lines[3][1:3] == ["+0.1000", "+10.0"]


TOWARDS = {"towards": ("semeval2016-table1", "x-WMF")}


def test_the_steps_and_what_is_left_lead_to_the_papers_figure():
    lines = lines_of(laid_out(table_of(2, **TOWARDS), told((0.78402, 0.1), (0.86191, 0.2))))
    first, last, total, left, paper = (line[1].partition(" ")[0] for line in lines)
    assert (last, total, left, paper) == ("0.8619", "+0.0779", "+0.0081", "0.87")
    assert Decimal(first) + Decimal(total) + Decimal(left) == Decimal(paper)
    assert [line[2] for line in lines[3:]] == ["", ""]  # of V this paper prints nothing


def test_nothing_is_left_to_the_paper_before_all_steps_are_run():
    lines = lines_of(laid_out(table_of(3, **TOWARDS), told((0.7, 0.1), (0.8, 0.2), None)))
    assert lines[-1][0] == "sum of the steps"


@pytest.mark.parametrize(("model", "steps"), [(X_WMF, X_STEPS), (B_WMF, B_STEPS)], ids=["x", "b"])
def test_each_step_is_one_change_to_the_row_above(model, steps):
    settings = [model.parameters, *(each.parameters for each in chain(model, steps).values())]
    for (before, after), change in zip(pairwise(settings), steps.values(), strict=True):
        assert after == {**before, **change} != before


def test_the_steps_end_at_our_settings():
    last = list(chain(X_WMF, X_STEPS).values())[-1]
    assert resolved(Experiment("parallel", last)) == resolved(Experiment("parallel", ours("latent")))


@pytest.mark.parametrize("n", [1, 2])
def test_nothing_run_has_no_sum(n):
    assert len(lines_of(laid_out(table_of(n), told(*[None] * n)))) == n
