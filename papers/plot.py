"""A figure as a PNG, through matplotlib (extra ``plots``)."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from papers.report import Report
from papers.tables import Reproduction
from tacit.errors import InputError, MissingExtraError

Curves = dict[str, list[tuple[float, dict[str, Any]]]]


def draw(table: Reproduction, report: Report, folder: str | Path) -> Path:
    """Write ``NAME.png``: our curves with their deviations, and the paper's points where it prints any."""
    if table.plot is None:
        raise InputError(f"{table.name} is a table, not a figure: there is nothing to draw")
    figure = _new_figure()
    axes = figure.add_subplot()
    path = Path(folder, f"{table.name}.png")
    if table.plot.x == "bars":
        _draw_bars(axes, report, table.plot.label)
        figure.set_size_inches(9, 1.5 + 0.22 * len(report["lines"]))
        figure.savefig(path, dpi=120)
        return path
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
    figure.legend(loc="outside lower center", ncols=2)  # beside the curves, never on them
    figure.savefig(path, dpi=120)
    return path


def _draw_bars(axes: Any, report: Report, label: str) -> None:
    """A group of bars a model, a bar a measure, with the interval, and a cross for what the paper prints."""
    models = list(dict.fromkeys(line["model"] for line in report["lines"]))
    measures = list(dict.fromkeys(line["measure"] for line in report["lines"]))
    height = 0.85 / len(measures)
    for number, measure in enumerate(measures):
        lines = {line["model"]: line for line in report["lines"] if line["measure"] == measure}
        places = {name: models.index(name) + height * (number + 0.5) - 0.425 for name in lines}
        ours = {name: line for name, line in lines.items() if line["ours"] is not None}
        spread = [
            [abs(line["ours"] - end) for end in line.get("interval", [line["ours"]] * 2)]
            for line in ours.values()
        ]
        axes.barh(
            [places[name] for name in ours],
            [line["ours"] for line in ours.values()],
            height,
            xerr=list(zip(*spread, strict=True)),
            ecolor="grey",
            label=measure,
        )
        printed = [(line["paper"], places[name]) for name, line in lines.items() if line["paper"] is not None]
        if printed:
            axes.plot(*zip(*printed, strict=True), "x", color="black", label=None if number else "paper")
    axes.set(xlabel=label, title=report["title"], xlim=(0, 1))
    axes.set_yticks(range(len(models)), models)
    axes.invert_yaxis()
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def curves(report: Report, x: str) -> Curves:
    """The lines of a report by the model's first name, each at its parameter ``x``.

    >>> line = {"model": "LDA, K=50", "parameters": {"n_components": 50}, "ours": 0.9}
    >>> [(name, points[0][0]) for name, points in curves({"lines": [line]}, "n_components").items()]
    [('LDA', 50)]
    """
    found: Curves = {}
    for line in report["lines"]:
        if line["ours"] is None:
            continue
        name = line["model"].partition(",")[0]
        found.setdefault(name, []).append((line["parameters"][x], line))
    return found


def _new_figure() -> Any:
    """A figure without a window."""
    try:
        return import_module("matplotlib.figure").Figure(layout="constrained")
    except ImportError:
        raise MissingExtraError("drawing figures", "plots") from None
