"""tacit explain: what each pair of words adds to the similarity of two texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tacit.cli.common import (
    fixed,
    json_option,
    languages_option,
    load_model,
    measure_option,
    model_argument,
    no_known_word,
    print_json,
    top_option,
    two_languages,
    unknown_by,
    verb,
)

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from tacit.models.explanation import Explanation

_GAP = 2  # between the columns of the table
_ENDLESS = 1 << 20  # columns of what is not a terminal


@click.command(short_help="Show which words make two texts alike.")
@model_argument
@click.argument("a")
@click.argument("b")
@measure_option()
@languages_option
@top_option
@json_option
@verb
def explain(model: str, a: str, b: str, measure: str, language: str | None, top: int, as_json: bool) -> None:
    """Split the similarity of the texts A and B into word-by-word parts that sum to it.

    A measure that cannot be split says so.
    """
    loaded = load_model(model)
    spoken = two_languages(loaded, language)
    explanation = loaded.explain(a, b, measure, *spoken)
    if as_json:
        print_json(explanation.to_dict())
    else:
        _show(explanation, top)
    seen = loaded.compare(a, b, measure, *spoken)
    known = (seen.known_a, seen.known_b)
    no_known_word((text for text, n in zip((a, b), known, strict=True) if n == 0), unknown_by(measure))


def _show(explanation: Explanation, top: int) -> None:
    """A heat map, in blocks that fit the terminal, then the pairs that matter most."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _ENDLESS
    for block in _blocks(explanation, console.width):
        console.print(_heat_map(explanation, block))
        console.print()
    for left, right, value in explanation.top(top):
        console.print(f"{value:+.3f}  {left} ~ {right}")
    for name, table in explanation.parts.items():
        console.print(f"{fixed(float(table.sum()), 4)}  of it {name}")
    parts = explanation.table.size
    console.print(
        f"{fixed(explanation.score, 4)}  the sum of {f'all {parts:,} parts' if parts else 'nothing'}"
    )


def _blocks(explanation: Explanation, width: int) -> Iterator[slice]:
    """Cut the columns of the table so that each block fits a width."""
    from rich.cells import cell_len

    if not explanation.table.size:
        return
    margin = max(map(cell_len, explanation.words_a))
    start, used = 0, margin
    for column, word in enumerate(explanation.words_b):
        needed = _GAP + max(cell_len(word), len("-0.000"))
        if used + needed > width and column > start:
            yield slice(start, column)
            start, used = column, margin
        used += needed
    yield slice(start, None)


def _heat_map(explanation: Explanation, block: slice) -> Table:
    """Rows are the words of the one text, columns those of the other."""
    from rich.table import Table

    table = Table("", box=None, padding=(0, _GAP, 0, 0), pad_edge=False)
    for word in explanation.words_b[block]:
        table.add_column(word, justify="right")
    largest = float(abs(explanation.table).max())
    for word, row in zip(explanation.words_a, explanation.table[:, block].tolist(), strict=True):
        table.add_row(word, *(_cell(value, largest) for value in row))
    return table


def _cell(value: float, largest: float) -> Text:
    """Green adds, red takes away, the stronger the more; black on light shows on any terminal."""
    from rich.text import Text

    strength = abs(value) / largest if largest else 0.0
    full = (80, 190, 120) if value > 0 else (230, 100, 90)
    red, green, blue = (round(255 - strength * (255 - part)) for part in full)
    return Text(fixed(value, 3), style=f"black on rgb({red},{green},{blue})")
