"""Format a table in its paper's layout, ours below the paper's rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from papers.published import PublishedTable, PublishedValue, find_published
from papers.report.summary import Report, rank_key
from papers.specs import Column, TableSpec


def add_step_differences(
    table: TableSpec, report: Sequence[Mapping[str, Any]], rows: Sequence[list[str]]
) -> Iterator[list[str]]:
    """Yield the rows by group, each number with its difference from the row above, then sums.

    The sums are that of the differences, and the rest to the paper's number. Differences are those of the
    rounded numbers, so that they add up.
    """
    for label, pairs in groupby(zip(report, rows, strict=True), key=lambda pair: pair[0]["group"]):
        yield from _format_group(table, label, list(pairs))


def _format_group(
    table: TableSpec, label: str, pairs: Sequence[tuple[Mapping[str, Any], list[str]]]
) -> Iterator[list[str]]:
    """Yield the rows of one group."""
    yield [f"**{label}**", *[""] * (len(table.columns) + 1)]
    first: list[str] = []
    last: list[str] = []
    for row, cells in pairs:
        if not row["values"]:
            yield cells
            continue
        title, *texts, runs = cells
        numbers = [cell.partition(" ")[0] for cell in texts]
        steps = _format_steps(table, last, numbers, row) if last else [""] * len(numbers)
        yield [title, *(f"{cell} {step}".strip() for cell, step in zip(numbers, steps, strict=True)), runs]
        first, last = first or numbers, numbers
    if first:
        yield ["sum of the steps", *map(_difference, first, last), ""]
    if all(row["values"] for row, _ in pairs):
        printed = find_published(table.target_table).numbers(label)
        texts = [printed[cell.key].text if cell.key in printed else "" for cell in table.columns]
        yield ["remaining difference to the paper", *map(_difference, last, texts), ""]
        yield ["the paper's figure", *(f"**{text}**" if text else "" for text in texts), ""]


def _format_steps(
    table: TableSpec, before: Sequence[str], after: Sequence[str], row: Mapping[str, Any]
) -> list[str]:
    """Return the differences from the row above, with their deviations over seeds."""
    steps = []
    for cell, old, new in zip(table.columns, before, after, strict=True):
        step, decimals = _difference(old, new), len(new.partition(".")[2])
        varies = row["values"].get(cell.key, {}).get("step_deviation")
        step += f" ± {varies * cell.scale:.{decimals}f}" if step and varies is not None else ""
        steps.append(f"({step})" if step else "")
    return steps


def _difference(before: str, after: str) -> str:
    """Return the difference of two formatted numbers; empty if one is missing.

    >>> _difference("0.6990", "0.7095"), _difference("0.8619", "0.87"), _difference("0.8619", "")
    ('+0.0105', '+0.0081', '')
    """
    if not before or not after:
        return ""
    decimals = max(len(text.partition(".")[2]) for text in (before, after))
    return f"{float(after) - float(before):+.{decimals}f}"


_UNPRINTED = {"?": "(drawn)", "-": "-"}
_DECIMALS = 4


def markdown(rows: Sequence[Sequence[str]], n_first: int = 1, n_last: int = 0) -> str:
    """Format rows of cells, the first of which is the head; the first and last columns are texts.

    >>> print(markdown([["a", "b"], ["x", "1"]]))
    | a | b |
    |---|---:|
    | x | 1 |
    """
    lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]
    lines.insert(1, "|" + "---|" * n_first + "---:|" * (len(rows[0]) - n_first - n_last) + "---|" * n_last)
    return "\n".join(lines)


def format_value(value: Mapping[str, Any], decimals: int, scale: int = 1) -> str:
    """Format a mean with its deviation and its interval.

    >>> format_value({"mean": 0.70812, "deviation": 0.0041}, 2, 100)
    '70.81 ± 0.41'
    """
    text = f"{value['mean'] * scale:.{decimals}f}"
    if value.get("deviation") is not None:
        text += f" ± {value['deviation'] * scale:.{decimals}f}"
    if "interval" in value:
        low, high = (f"{end * scale:.{decimals}f}" for end in value["interval"])
        text += f" [{low}, {high}]"
    return text


def format_table(table: TableSpec, report: Report) -> str:
    """Format a table: the paper's rows with ours below each, then rows that no paper prints."""
    published = table.published
    heads = published.label_columns if published else [""]
    rows = [[*heads, *(cell.title for cell in table.columns), "runs"]]
    ours = report["rows"]
    if published:
        rows += _printed_rows(table, published, ours, len(heads))
    rows += [_format_row(table, row, len(heads)) for row in ours if not row["under"] or not published]
    if table.target_table:
        rows = [rows[0], *add_step_differences(table, ours, rows[1:])]
    return markdown(rows, len(heads))


def _printed_rows(
    table: TableSpec, published: PublishedTable, ours: Sequence[Mapping[str, Any]], n_texts: int
) -> Iterable[list[str]]:
    """Yield the paper's rows, each with our rows below it."""
    extra = len(table.columns) - len(published.value_columns)
    for label, cells in zip(published.labels, published.rows, strict=True):
        words = [cell for cell, key in zip(cells, published.keys, strict=True) if not key]
        printed = [cell for cell, key in zip(cells, published.keys, strict=True) if key]
        numbers = [_UNPRINTED.get(cell) or f"**{cell}**" for cell in printed]
        yield [f"**{words[0]}**", *words[1:], *numbers, *[""] * (extra + 1)]
        own_rows = [row for row in ours if row["under"] == label]
        for row in sorted(own_rows, key=lambda row: row["title"] != "ours"):
            yield _format_row(table, row, n_texts)


def _format_row(table: TableSpec, row: Mapping[str, Any], n_texts: int) -> list[str]:
    """Format one of our rows with the paper's decimals."""
    if not row["values"]:
        return [row["title"], *[""] * (n_texts - 1), *["not run"] * len(table.columns), "0"]
    published = table.published
    ranked = published.numbers(row["under"]) if published and row["under"] else {}
    cells = []
    for column in table.columns:
        value = row["values"].get(column.key)
        decimals, scale = column_style(published, column, row["under"])
        text = "" if value is None else format_value(value, decimals, scale)
        rank = row["values"].get(rank_key(column.key))
        if text and rank and column.key in ranked and ranked[column.key].rank:
            text += f" ({rank['mean']:.3g}/89)"
        cells.append(text)
    return [row["title"], *[""] * (n_texts - 1), *cells, str(row["runs"])]


def column_style(published: PublishedTable | None, column: Column, label: str) -> tuple[int, int]:
    """Return the decimals and the scale of a column: the paper's, or the column's own."""
    if published is not None and column.key in published.value_columns:
        return printed_decimals(published, column.key, label), published.scale(column.key)
    decimals = printed_decimals(None, column.key) if column.decimals is None else column.decimals
    return decimals, column.scale


def printed_decimals(published: PublishedTable | None, key: str, label: str = "") -> int:
    """Return the printed decimals of a row, or else of its column; 4 if no paper prints it."""
    if published and label and key in published.numbers(label):
        return published.numbers(label)[key].decimals
    if published is None or key not in published.value_columns:
        return 0 if key.endswith(("/relevant", "/C")) else 1 if key.endswith("/rank") else _DECIMALS
    cells = [PublishedValue.parse(row[published.keys.index(key)]) for row in published.rows]
    return max((cell.decimals for cell in cells if cell is not None), default=_DECIMALS)
