"""Print tables: fitted to a terminal, tab-separated in a pipe; write them to files."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import click

from tacit.checks import format_count
from tacit.cli.output import format_fixed, print_json, print_stderr
from tacit.result_table import ResultTable

MAX_TERMINAL_ROWS = 100
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def is_terminal() -> bool:
    """Return whether a person reads stdout."""
    return sys.stdout is not None and sys.stdout.isatty()


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str | list[str]]], marks: Sequence[Collection[str]] = ()
) -> None:
    """Print rows on stdout: a table with a header on a terminal, tab-separated lines elsewhere.

    A cell is a text, or a list of texts: on a terminal one a line, elsewhere separated by " | ". ``marks``
    are the words of each row that are marked in the column "text" of a terminal.
    """
    if is_terminal():
        _print_terminal_table(columns, rows, marks)
        return
    for row in rows:
        texts = (" | ".join(cell) if isinstance(cell, list) else cell for cell in row)
        click.echo("\t".join(" ".join(text.split()) for text in texts))


def print_words(words: Iterable[tuple[str, float]], column: str, as_json: bool) -> None:
    """Print words with their numbers; ``column`` names the numbers."""
    rows = list(words)
    if as_json:
        print_json([{"word": word, column: round(number, 6)} for word, number in rows])
    else:
        print_table([column, "word"], [[f"{number:.3f}", word] for word, number in rows])


def print_results(table: ResultTable, names: Sequence[str]) -> None:
    """Print some columns of a table of results."""
    columns = table.table_columns()
    positions = [columns.index(name) for name in names]
    print_table(names, [[_format_cell(row[i]) for i in positions] for row in table.table_rows()])


def _format_cell(cell: Any) -> str:
    return format_fixed(cell, 3) if isinstance(cell, float) else "" if cell is None else str(cell)


def _print_terminal_table(
    columns: Sequence[str], rows: Sequence[Sequence[str | list[str]]], marks: Sequence[Collection[str]]
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, cell in zip(columns, rows[0] if rows else columns, strict=True):
        is_number = isinstance(cell, str) and re.fullmatch(r"-?[\d.,]+", cell) is not None
        table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row, words in islice(zip_longest(rows, marks), MAX_TERMINAL_ROWS):
        cells = [Text("\n".join(_printable(cell))) for cell in row]
        if words:
            pattern = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
            cells[columns.index("text")].highlight_regex(
                re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.I), "bold green"
            )
        table.add_row(*cells)
    Console(highlight=False).print(table)
    if len(rows) > MAX_TERMINAL_ROWS:
        more = format_count(len(rows) - MAX_TERMINAL_ROWS, "more row")
        print_stderr(f"{more}: -o FILE.csv or a pipe lists all")


def _printable(cell: str | list[str]) -> list[str]:
    """Return the lines of a cell without characters that control a terminal."""
    return [_CONTROL.sub(" ", text) for text in ([cell] if isinstance(cell, str) else cell)]


def write_results(path: Path | None, table: ResultTable) -> None:
    """Write results to the file of --output, if there is one, and say so on stderr."""
    from tacit.workflows.table_writing import write_table

    if path is not None:
        rows: list[Any] = list(table.table_rows())
        write_table(path, table.table_columns(), rows)
        print_stderr(f"{path}: {format_count(len(rows), 'row')}")
