"""A figure as a PNG, through matplotlib (extra ``plots``)."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from tacit.errors import InputError, MissingExtraError
from tacit.evaluation.reproduction.report import Report
from tacit.evaluation.reproduction.tables import Reproduction

Curves = dict[str, list[tuple[float, dict[str, Any]]]]


def draw(table: Reproduction, report: Report, folder: str | Path) -> Path:
    """Write ``NAME.png``: our curves with their deviations, and the paper's points where it prints any."""
    if table.plot is None:
        raise InputError(f"{table.name} is a table, not a figure: there is nothing to draw")
    figure = _new_figure()
    axes = figure.add_subplot()
    for name, points in curves(report, table.plot.x).items():
        places, lines = zip(*points, strict=True)
        spread = [line["deviation"] or 0.0 for line in lines]
        axes.errorbar(places, [line["ours"] for line in lines], spread, marker="o", label=f"{name}, ours")
        printed = [(place, line["paper"]) for place, line in points if line["paper"] is not None]
        if printed:
            axes.plot(*zip(*printed, strict=True), "x", color="black", label=f"{name}, paper")
    axes.set(xlabel=table.plot.label, ylabel=table.cells[0].title, title=table.title)
    if table.plot.log:
        axes.set_xscale("log")
    axes.legend()
    path = Path(folder, f"{table.name}.png")
    figure.savefig(path, dpi=120)
    return path


def curves(report: Report, x: str) -> Curves:
    """The lines of a report by the model's first name, each at its parameter ``x``.

    >>> line = {"model": "LDA, K=50", "parameters": {"n_components": 50}, "ours": 0.9}
    >>> [(name, points[0][0]) for name, points in curves({"lines": [line]}, "n_components").items()]
    [('LDA', 50)]
    """
    found: Curves = {}
    for line in report["lines"]:
        name = line["model"].partition(",")[0]
        found.setdefault(name, []).append((line["parameters"][x], line))
    return found


def _new_figure() -> Any:
    """A figure without a window."""
    try:
        return import_module("matplotlib.figure").Figure(layout="constrained")
    except ImportError:
        raise MissingExtraError("drawing figures", "plots") from None
