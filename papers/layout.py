"""A table in its paper's own layout: what the paper prints, and ours under it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from papers.published import Printed, Published
from papers.report import Report, rank_key
from papers.steps import with_steps
from papers.tables import Cell, Reproduction

_UNPRINTED = {"?": "(drawn)", "-": "-"}
_DECIMALS = 4


def markdown(rows: Sequence[Sequence[str]], texts: int = 1, last: int = 0) -> str:
    """Rows of cells as a table, the first its head; so many first and last columns are texts.

    >>> print(markdown([["a", "b"], ["x", "1"]]))
    | a | b |
    |---|---:|
    | x | 1 |
    """
    lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]
    lines.insert(1, "|" + "---|" * texts + "---:|" * (len(rows[0]) - texts - last) + "---|" * last)
    return "\n".join(lines)


def shown(value: Mapping[str, Any], decimals: int, scale: int = 1) -> str:
    """A mean with its deviation and its interval.

    >>> shown({"mean": 0.70812, "deviation": 0.0041}, 2, 100)
    '70.81 ± 0.41'
    """
    text = f"{value['mean'] * scale:.{decimals}f}"
    if value.get("deviation") is not None:
        text += f" ± {value['deviation'] * scale:.{decimals}f}"
    if "interval" in value:
        low, high = (f"{end * scale:.{decimals}f}" for end in value["interval"])
        text += f" [{low}, {high}]"
    return text


def laid_out(table: Reproduction, report: Report) -> str:
    """The whole table: the paper's rows in their order with ours below each, then what is ours alone."""
    published = table.published
    heads = published.texts if published else [""]
    rows = [[*heads, *(cell.title for cell in table.columns), "runs"]]
    ours = report["rows"]
    if published:
        rows += _printed_rows(table, published, ours, len(heads))
    rows += [_ours(table, row, len(heads)) for row in ours if not row["under"] or not published]
    if table.towards:
        rows = [rows[0], *with_steps(table, ours, rows[1:])]
    return markdown(rows, len(heads))


def _printed_rows(
    table: Reproduction, published: Published, ours: Sequence[Mapping[str, Any]], texts: int
) -> Iterable[list[str]]:
    extra = len(table.columns) - len(published.measured)
    for label, cells in zip(published.labels, published.rows, strict=True):
        words = [cell for cell, key in zip(cells, published.keys, strict=True) if not key]
        printed = [cell for cell, key in zip(cells, published.keys, strict=True) if key]
        numbers = [_UNPRINTED.get(cell) or f"**{cell}**" for cell in printed]
        yield [f"**{words[0]}**", *words[1:], *numbers, *[""] * (extra + 1)]
        below = [row for row in ours if row["under"] == label]
        for row in sorted(below, key=lambda row: row["title"] != "ours"):
            yield _ours(table, row, texts)


def _ours(table: Reproduction, row: Mapping[str, Any], texts: int) -> list[str]:
    """A row of ours: its numbers have the paper's decimals."""
    if not row["values"]:
        return [row["title"], *[""] * (texts - 1), *["not run"] * len(table.columns), "0"]
    published = table.published
    ranked = published.numbers(row["under"]) if published and row["under"] else {}
    cells = []
    for cell in table.columns:
        value = row["values"].get(cell.key)
        places, scale = cell_style(published, cell, row["under"])
        text = "" if value is None else shown(value, places, scale)
        rank = row["values"].get(rank_key(cell.key))
        if text and rank and cell.key in ranked and ranked[cell.key].rank:
            text += f" ({rank['mean']:.3g}/89)"
        cells.append(text)
    return [row["title"], *[""] * (texts - 1), *cells, str(row["runs"])]


def cell_style(published: Published | None, cell: Cell, label: str) -> tuple[int, int]:
    """Return the decimals and the scale of a column: the paper's, or the cell's own."""
    if published is not None and cell.key in published.measured:
        return decimals(published, cell.key, label), published.scale(cell.key)
    own = decimals(None, cell.key) if cell.decimals is None else cell.decimals
    return own, cell.scale


def decimals(published: Published | None, key: str, label: str = "") -> int:
    """With how many decimals a row, or else its column, is printed; four where no paper prints it."""
    if published and label and key in published.numbers(label):
        return published.numbers(label)[key].decimals
    if published is None or key not in published.measured:
        return 0 if key.endswith(("/relevant", "/C")) else 1 if key.endswith("/rank") else _DECIMALS
    cells = [Printed.read(row[published.keys.index(key)]) for row in published.rows]
    return max((cell.decimals for cell in cells if cell is not None), default=_DECIMALS)
