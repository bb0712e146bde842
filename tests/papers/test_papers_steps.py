"""Tables of steps: each row adds one change to the row above, and the printed steps add up."""

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


def make_rows(*pairs, label="x-WMF", deviation=None):
    """Return rows with these means of news and V; None for a row that was not run."""
    extra = {} if deviation is None else {"step_deviation": deviation}
    return [
        {
            "title": f"row {number}",
            "group": label,
            "under": "",
            "older": False,
            "runs": 1,
            "values": {}
            if means is None
            else {cell.key: {"mean": mean, **extra} for cell, mean in zip(CELLS, means, strict=True)},
        }
        for number, means in enumerate(pairs)
    ]


def table_of(rows):
    row_specs = tuple(RowSpec(row["title"], ModelSpec("x-wmf"), step_group=row["group"]) for row in rows)
    plot = PlotSpec("steps", "r")
    return TableSpec("steps", "Steps", "parallel", CELLS, row_specs, plot, target_table="semeval2016-table1")


def lines_of(rows):
    """Return the cells of the table of these rows, without its head."""
    text = format_table(table_of(rows), {"rows": rows})
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def parse_steps(lines, column):
    """Return the first number, the steps, their sum, the rest, and the number of the paper."""
    _, first, *after, total, left, paper = (line[column] for line in lines)
    steps = [Decimal(re.search(r"\(([-+.\d]+)", cell)[1]) for cell in after]
    return Decimal(first), steps, Decimal(total), Decimal(left), Decimal(paper.strip("*"))


NEWS = [(0.70004, 0.1104), (0.71236, 0.1249), (0.71229, 0.1251), (0.75555, 0.1302)]


def test_steps_add_up_to_the_number_of_the_paper():
    lines = lines_of(make_rows(*NEWS))
    first, steps, total, left, paper = parse_steps(lines, 1)
    assert (first, paper) == (Decimal("0.7000"), Decimal("0.87"))
    assert sum(steps) == total == Decimal("0.0556")
    assert first + total + left == paper
    assert lines[0] == ["**x-WMF**", "", "", ""]
    assert lines[2][1] == "0.7124 (+0.0124)"
    assert [line[2] for line in lines[-3:]] == ["+2.0", "", ""]  # of V this paper prints nothing


def test_each_group_adds_up_separately():
    lines = lines_of([*make_rows(*NEWS), *make_rows((0.8, 0.1), (0.81, 0.1), label="b-WMF")])
    assert parse_steps(lines[:8], 1)[2] == Decimal("0.0556")
    assert lines[8][0] == "**b-WMF**"
    assert lines[9][1] == "0.8000"  # no step leads from one group to another
    first, steps, total, left, paper = parse_steps(lines[8:], 1)
    assert first + total + left == paper == Decimal("0.83")
    assert steps == [Decimal("0.0100")]


def test_steps_have_deviations():
    lines = lines_of(make_rows((0.7, 0.1), (0.8, 0.2), deviation=0.00345))
    assert lines[2][1:3] == ["0.8000 (+0.1000 ± 0.0034)", "20.0 (+10.0 ± 0.3)"]
    assert lines[1][1] == "0.7000"


def test_rows_not_run_are_skipped_in_steps():
    lines = lines_of(make_rows((0.7, 0.1), None, (0.8, 0.2)))
    assert lines[2][1] == "not run"
    assert lines[3][1] == "0.8000 (+0.1000)"
    assert lines[4][:3] == ["sum of the steps", "+0.1000", "+10.0"]
    assert len(lines) == 5


def test_plot_has_rows_and_published_values_per_group(tmp_path, monkeypatch):
    axes = pytest.importorskip("matplotlib.axes").Axes
    plotted = []
    for name in ("errorbar", "axvline"):
        real = getattr(axes, name)
        monkeypatch.setattr(
            axes,
            name,
            lambda self, x, *a, real=real, **k: (plotted.append(x), real(self, x, *a, **k))[1],
        )
    rows = [*make_rows((0.7, 0.1), (0.8, 0.2), None), *make_rows((0.75, 0.1), (0.72, 0.2), label="b-WMF")]
    path = draw(table_of(rows), {"rows": rows}, tmp_path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert plotted == [[0.7, 0.8], 0.87, [0.75, 0.72], 0.83]  # V is in no paper's figure


def test_step_deviation_is_over_differences_per_seed(folder, tmp_path):
    """Both rows vary with the seed, so the deviation of the step is smaller than that of the rows."""
    settings = {"n_components": 3, "regularization": 1.0, "n_iter": 3}
    models = [
        ModelSpec("wtmf", {**settings, "missing_weight": weight}, is_random=True) for weight in (0.01, 0.02)
    ]
    cell = Column("r", "li06/30 pairs/pearson")
    rows = tuple(RowSpec(f"row {number}", model, step_group="x-WMF") for number, model in enumerate(models))
    table = TableSpec("mine", "Mine", "definitions", (cell,), rows, target_table="semeval2016-table1")
    lab = ExperimentRunner(tmp_path / "runs.jsonl", folder)
    first, second = (row["values"][cell.key] for row in build_report(table, lab, 3)["rows"])
    before, after = ([lab.numbers(run)[cell.key] for run in table.row_experiments(row, 3)] for row in rows)
    assert second["step_deviation"] == pytest.approx(stdev(b - a for a, b in zip(before, after, strict=True)))
    assert "step_deviation" not in first


@pytest.mark.parametrize(("model", "steps"), [(X_WMF, X_STEPS), (B_WMF, B_STEPS)], ids=["x", "b"])
def test_each_step_changes_one_setting(model, steps):
    settings = [model.parameters, *(step_model.parameters for step_model in chain(model, steps).values())]
    for (before, after), change in zip(pairwise(settings), steps.values(), strict=True):
        assert after == {**before, **change} != before


def test_steps_end_at_our_settings():
    last = list(chain(X_WMF, X_STEPS).values())[-1]
    assert resolved(Experiment("parallel", last)) == resolved(Experiment("parallel", ours("latent")))


@pytest.mark.parametrize("n", [1, 2])
def test_table_without_runs_has_no_sum(n):
    assert len(lines_of(make_rows(*[None] * n))) == 1 + n
