"""A table of steps: each row is the one above with one change more, and what is shown adds up."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise
from statistics import stdev

import pytest

from papers.experiments.runner import ExperimentRunner, resolved
from papers.report.plots import draw
from papers.report.summary import build_report
from papers.report.table_layout import format_table
from papers.specs import Column, Experiment, ModelSpec, PlotSpec, RowSpec, TableSpec
from papers.tables.semeval2016 import B_STEPS, B_WMF, X_STEPS, X_WMF, chain, ours

CELLS = (Column("news", "sts16-en-es/news/pearson"), Column("V", "wsi10/all/v_measure", 100, 1))


def told(*pairs, label="x-WMF", deviation=None):
    """Rows with these means of news and V, None for a row that was not run."""
    more = {} if deviation is None else {"step_deviation": deviation}
    return [
        {
            "title": f"row {number}",
            "group": label,
            "under": "",
            "older": False,
            "runs": 1,
            "values": {}
            if means is None
            else {cell.key: {"mean": mean, **more} for cell, mean in zip(CELLS, means, strict=True)},
        }
        for number, means in enumerate(pairs)
    ]


def table_of(rows):
    made = tuple(RowSpec(row["title"], ModelSpec("x-wmf"), step_group=row["group"]) for row in rows)
    plot = PlotSpec("steps", "r")
    return TableSpec("steps", "Steps", "parallel", CELLS, made, plot, target_table="semeval2016-table1")


def lines_of(rows):
    """The cells of the table that these rows make, without its head."""
    text = format_table(table_of(rows), {"rows": rows})
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def added_up(lines, column):
    """The first number, the steps, their sum, what is left, the paper's figure."""
    _, first, *after, total, left, paper = (line[column] for line in lines)
    steps = [Decimal(re.search(r"\(([-+.\d]+)", cell)[1]) for cell in after]
    return Decimal(first), steps, Decimal(total), Decimal(left), Decimal(paper.strip("*"))


NEWS = [(0.70004, 0.1104), (0.71236, 0.1249), (0.71229, 0.1251), (0.75555, 0.1302)]


def test_the_steps_as_shown_lead_from_the_first_row_to_the_papers_figure():
    lines = lines_of(told(*NEWS))
    first, steps, total, left, paper = added_up(lines, 1)
    assert (first, paper) == (Decimal("0.7000"), Decimal("0.87"))
    assert sum(steps) == total == Decimal("0.0556")
    assert first + total + left == paper
    assert lines[0] == ["**x-WMF**", "", "", ""]
    assert lines[2][1] == "0.7124 (+0.0124)"
    assert [line[2] for line in lines[-3:]] == ["+2.0", "", ""]  # of V this paper prints nothing


def test_every_group_adds_up_by_itself():
    lines = lines_of([*told(*NEWS), *told((0.8, 0.1), (0.81, 0.1), label="b-WMF")])
    assert added_up(lines[:8], 1)[2] == Decimal("0.0556")
    assert lines[8][0] == "**b-WMF**"
    assert lines[9][1] == "0.8000"  # no step leads from one group to another
    first, steps, total, left, paper = added_up(lines[8:], 1)
    assert first + total + left == paper == Decimal("0.83")
    assert steps == [Decimal("0.0100")]


def test_a_step_is_shown_with_its_deviation():
    lines = lines_of(told((0.7, 0.1), (0.8, 0.2), deviation=0.00345))
    assert lines[2][1:3] == ["0.8000 (+0.1000 ± 0.0034)", "20.0 (+10.0 ± 0.3)"]
    assert lines[1][1] == "0.7000"


def test_a_step_that_was_not_run_is_passed_over_and_nothing_is_left_to_the_paper_before_all_are():
    lines = lines_of(told((0.7, 0.1), None, (0.8, 0.2)))
    assert lines[2][1] == "not run"
    assert lines[3][1] == "0.8000 (+0.1000)"
    assert lines[4][:3] == ["sum of the steps", "+0.1000", "+10.0"]
    assert len(lines) == 5


def test_the_picture_has_every_groups_rows_and_the_papers_figures(tmp_path, monkeypatch):
    axes = pytest.importorskip("matplotlib.axes").Axes
    drawn = []
    for name in ("errorbar", "axvline"):
        real = getattr(axes, name)
        monkeypatch.setattr(
            axes,
            name,
            lambda self, x, *a, real=real, **k: (drawn.append(x), real(self, x, *a, **k))[1],
        )
    rows = [*told((0.7, 0.1), (0.8, 0.2), None), *told((0.75, 0.1), (0.72, 0.2), label="b-WMF")]
    path = draw(table_of(rows), {"rows": rows}, tmp_path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert drawn == [[0.7, 0.8], 0.87, [0.75, 0.72], 0.83]  # V is in no paper's figure


def test_the_deviation_of_a_step_is_that_of_its_differences_seed_by_seed(folder, tmp_path):
    """The seeds move both rows alike: what they leave of the step is less than of the rows."""
    settings = {"n_components": 3, "regularization": 1.0, "n_iter": 3}
    models = [
        ModelSpec("wtmf", {**settings, "missing_weight": weight}, is_random=True) for weight in (0.01, 0.02)
    ]
    cell = Column("r", "li06/30 pairs/pearson")
    rows = tuple(RowSpec(f"row {place}", model, step_group="x-WMF") for place, model in enumerate(models))
    table = TableSpec("mine", "Mine", "definitions", (cell,), rows, target_table="semeval2016-table1")
    lab = ExperimentRunner(tmp_path / "runs.jsonl", folder)
    first, second = (row["values"][cell.key] for row in build_report(table, lab, 3)["rows"])
    before, after = ([lab.numbers(run)[cell.key] for run in table.row_experiments(row, 3)] for row in rows)
    assert second["step_deviation"] == pytest.approx(stdev(b - a for a, b in zip(before, after, strict=True)))
    assert "step_deviation" not in first


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
    assert len(lines_of(told(*[None] * n))) == 1 + n
