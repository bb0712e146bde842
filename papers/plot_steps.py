"""A table of steps as a picture: from the paper's settings down to ours, beside the paper's figures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from papers.published import find_published
from papers.report import Report
from papers.tables import Reproduction


def draw_steps(figure: Any, table: Reproduction, report: Report) -> None:
    """A panel a group, a line a set: each row's mean with its deviation; dashed what the paper prints."""
    assert table.plot is not None
    known = [row for row in report["rows"] if row["values"]]
    groups = {label: list(rows) for label, rows in groupby(known, key=lambda row: row["group"])}
    panels = figure.subplots(1, len(groups), sharex=True, squeeze=False)[0]
    for place, (panel, (label, rows)) in enumerate(zip(panels, groups.items(), strict=True)):
        _draw_group(panel, table, label, rows, named=place == 0)
        panel.set(xlabel=table.plot.label, title=label)
    figure.suptitle(f"{table.title} (dashed: the paper's figures)")
    figure.legend(loc="outside lower center", ncols=2)
    figure.set_size_inches(5.8 * len(groups), 1.8 + 0.35 * max(len(rows) for rows in groups.values()))


def _draw_group(panel: Any, table: Reproduction, label: str, rows: Sequence[Any], named: bool) -> None:
    printed = find_published(table.towards).numbers(label)
    sets = [cell for cell in table.columns if cell.key in printed and "/mean/" not in cell.key]
    for number, cell in enumerate(sets):
        values = [row["values"][cell.key] for row in rows]
        colour = f"C{number}"
        panel.errorbar(
            [value["mean"] for value in values], range(len(rows)),
            xerr=[value.get("deviation") or 0.0 for value in values],
            marker="o", capsize=3, color=colour, label=cell.title if named else None,
        )  # fmt: skip
        panel.axvline(printed[cell.key].value, linestyle="--", color=colour)
    panel.set_yticks(range(len(rows)), [row["title"] for row in rows])
    panel.invert_yaxis()
    panel.grid(alpha=0.3)
