"""Plot the figures with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from papers.published import PublishedValue, find_published
from papers.report.summary import Report
from papers.specs import TableSpec
from tacit.errors import InputError, MissingExtraError


def draw_steps(figure: Any, table: TableSpec, report: Report) -> None:
    """Draw a panel per group and a line per set: the means with deviations, and the paper's values dashed."""
    assert table.plot is not None
    drawn_rows = [row for row in report["rows"] if row["values"]]
    groups = {label: list(rows) for label, rows in groupby(drawn_rows, key=lambda row: row["group"])}
    panels = figure.subplots(1, len(groups), sharex=True, squeeze=False)[0]
    for column, (panel, (label, rows)) in enumerate(zip(panels, groups.items(), strict=True)):
        _draw_group(panel, table, label, rows, has_labels=column == 0)
        panel.set(xlabel=table.plot.label, title=label)
    figure.suptitle(f"{table.title} (dashed: the paper's figures)")
    figure.legend(loc="outside lower center", ncols=2)
    figure.set_size_inches(5.8 * len(groups), 1.8 + 0.35 * max(len(rows) for rows in groups.values()))


def _draw_group(panel: Any, table: TableSpec, label: str, rows: Sequence[Any], has_labels: bool) -> None:
    printed = find_published(table.target_table).numbers(label)
    sets = [cell for cell in table.columns if cell.key in printed and "/mean/" not in cell.key]
    for number, cell in enumerate(sets):
        values = [row["values"][cell.key] for row in rows]
        color = f"C{number}"
        panel.errorbar(
            [value["mean"] for value in values], range(len(rows)),
            xerr=[value.get("deviation") or 0.0 for value in values],
            marker="o", capsize=3, color=color, label=cell.title if has_labels else None,
        )  # fmt: skip
        panel.axvline(printed[cell.key].value, linestyle="--", color=color)
    panel.set_yticks(range(len(rows)), [row["title"] for row in rows])
    panel.invert_yaxis()
    panel.grid(alpha=0.3)


Point = tuple[float, dict[str, Any]]
"""The position on the x axis, and our value."""

_GREYS = {"LDA": "grey"}


def draw(table: TableSpec, report: Report, folder: str | Path) -> Path:
    """Write ``NAME.png`` with our curves and deviations, and the paper's curves if it prints values."""
    if table.plot is None:
        raise InputError(f"{table.name} is a table, not a figure: there is nothing to draw")
    figure = _new_figure()
    path = Path(folder, f"{table.name}.png")
    if table.target_table:
        draw_steps(figure, table, report)
    elif table.plot.x == "bars":
        _draw_bars(figure.add_subplot(), table, report)
        figure.set_size_inches(9, 1.5 + 0.22 * len(report["rows"]) * len(table.columns))
    else:
        _draw_curves(figure.add_subplot(), table, report)
        figure.set_size_inches(7.5, 6)
        figure.legend(loc="outside lower center", ncols=1)  # beside the curves, never on them
    figure.savefig(path, dpi=120, metadata={"Software": None})
    return path


def _draw_curves(axes: Any, table: TableSpec, report: Report) -> None:
    assert table.plot is not None
    for name, printed_points in printed_curves(table).items():
        x, numbers = zip(*printed_points, strict=True)
        errors = [number.deviation or 0.0 for number in numbers]
        axes.errorbar(
            x, [number.value for number in numbers], errors,
            marker="x", markersize=9, linestyle="--", capsize=3, color=_GREYS.get(name, "black"),
            label=f"{name}, paper",
        )  # fmt: skip
    for (name, title), points in curves(table, report).items():
        x, values = zip(*sorted(points, key=lambda point: point[0]), strict=True)
        errors = [value.get("deviation") or 0.0 for value in values]
        means = [value["mean"] for value in values]
        axes.errorbar(x, means, errors, marker="o", capsize=3, label=f"{name}, {title}")
    axes.set(xlabel=table.plot.label, ylabel=table.columns[0].title, title=table.title)
    if table.plot.log:
        axes.set_xscale("log")
    axes.grid(alpha=0.3)


def curves(table: TableSpec, report: Report) -> dict[tuple[str, str], list[Point]]:
    """Return our points by curve and title; rows that were not run are left out."""
    assert table.plot is not None
    points_by_curve: dict[tuple[str, str], list[Point]] = {}
    key = table.columns[0].key
    for row in report["rows"]:
        if key in row["values"]:
            title = row["title"] if row["under"] else "ours"
            name = (curve_name(row["under"] or row["title"], row["kind"]), title)
            points_by_curve.setdefault(name, []).append((row["parameters"][table.plot.x], row["values"][key]))
    return points_by_curve


def printed_curves(table: TableSpec) -> dict[str, list[tuple[float, PublishedValue]]]:
    """Return the points of the paper by curve, if it prints their values."""
    assert table.plot is not None
    points_by_curve: dict[str, list[tuple[float, PublishedValue]]] = {}
    published, key = table.published, table.columns[0].key
    kinds = {row.published_row: row.model.kind for row in table.rows}
    for label in published.labels if published else []:
        number = published.numbers(label).get(key) if published else None
        if published and number is not None:
            name = curve_name(label, kinds.get(label, "wtmf"))
            points_by_curve.setdefault(name, []).append((published.settings(label)[table.plot.x], number))
    return points_by_curve


def curve_name(label: str, kind: str) -> str:
    """Return the first part of a row's name; for a row named by a setting, the kind of model.

    >>> curve_name("LDA, K = 50", "lda"), curve_name("w_m = 0.01", "wtmf")
    ('LDA', 'WTMF')
    """
    first = label.partition(",")[0]
    return kind.upper() if "=" in first else first


def _draw_bars(axes: Any, table: TableSpec, report: Report) -> None:
    """Draw a group of bars per row, a bar with its interval per metric, and a cross for the paper's value."""
    assert table.plot is not None
    rows = [row for row in report["rows"] if row["values"]]
    height = 0.85 / len(table.columns)
    for number, cell in enumerate(table.columns):
        positions = [y + height * (number + 0.5) - 0.425 for y in range(len(rows))]
        drawn = [(y, row) for y, row in zip(positions, rows, strict=True) if cell.key in row["values"]]
        values = [row["values"][cell.key] for _, row in drawn]
        ends = [value.get("interval", [value["mean"]] * 2) for value in values]
        errors = [
            [abs(value["mean"] - end) for end in interval]
            for value, interval in zip(values, ends, strict=True)
        ]
        axes.barh(
            [y for y, _ in drawn],
            [value["mean"] for value in values],
            height,
            xerr=list(zip(*errors, strict=True)) or None,
            ecolor="grey",
            label=cell.title,
        )
        printed = [(_published_value(table, row, cell.key), y) for y, row in drawn]
        points = [(value, y) for value, y in printed if value is not None]
        if points:
            axes.plot(*zip(*points, strict=True), "x", color="black", label=None if number else "paper")
    axes.set(xlabel=table.plot.label, title=report["title"], xlim=(0, 1))
    axes.set_yticks(range(len(rows)), [_bar_name(row) for row in rows])
    axes.invert_yaxis()
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))


def _published_value(table: TableSpec, row: Mapping[str, Any], key: str) -> float | None:
    if not table.published or not row["under"]:
        return None
    number = table.published.numbers(row["under"]).get(key)
    return number.value / table.published.scale(key) if number else None


def _bar_name(row: Mapping[str, Any]) -> str:
    return f"{row['under']}, {row['title']}" if row["under"] else str(row["title"])


def _new_figure() -> Any:
    """Make a figure without a window."""
    try:
        return import_module("matplotlib.figure").Figure(layout="constrained")
    except ImportError:
        raise MissingExtraError("drawing figures", "plots") from None
