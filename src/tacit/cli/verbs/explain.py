"""tacit explain: the contribution of each pair of words to the similarity of two texts."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import format_fixed, log_to_stderr, print_json, warn_uncompared_texts

if TYPE_CHECKING:
    from rich.segment import Segments
    from rich.style import Style

    from tacit.models.comparison import Explanation

_COLUMN_GAP = 2  # between the columns of the table
_UNLIMITED_WIDTH = 1 << 20  # where stdout is not a terminal


@click.command(short_help="Show which words make two texts similar.")
@shared.collection_options("model")
@click.argument("a")
@click.argument("b")
@shared.measure_option()
@shared.languages_option
@shared.top_option
@shared.json_option
def explain(
    model: shared.Collection, a: str, b: str, measure: str, language: str | None, k: int, as_json: bool
) -> None:
    """Split the similarity of the texts A and B into word-by-word parts that sum to it.

    Some measures cannot be split; for these an error is printed.
    """
    from tacit.models.comparison import explain_pair
    from tacit.models.measures import get_measure
    from tacit.models.text_set import TextSet

    loaded = model.open_model()
    texts = TextSet.from_texts(loaded, [a, b], shared.parse_language_pair(loaded, language))
    with log_to_stderr({"tacit.models.measures": logging.INFO}):  # words of long texts that are left out
        explanation = explain_pair(texts, get_measure(measure))
    if as_json:
        print_json(explanation.to_dict())
    else:
        _show(explanation, k)
    unknown = (text for text, known in zip((a, b), texts.n_known, strict=True) if not known)
    warn_uncompared_texts(unknown, measure)


def _show(explanation: Explanation, k: int) -> None:
    """Print a heat map, in blocks that fit the terminal, and the most important pairs."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _UNLIMITED_WIDTH
    for block in _split_columns(explanation, console.width):
        console.print(_heat_map(explanation, block), soft_wrap=True)
        console.print()
    for left, right, value in explanation.top(k):
        console.print(f"{value:+.3f}  {left} ~ {right}")
    for name, table in explanation.parts.items():
        label = "outside vectors" if name == "outside" else name
        console.print(f"{format_fixed(float(table.sum()), 4)}  of it {label}")
    if explanation.outside:
        console.print(f"{format_fixed(explanation.outside, 4)}  of it outside vectors")
    n_parts = explanation.table.size
    parts = f"all {n_parts:,} parts" if n_parts else "nothing"
    console.print(f"{format_fixed(explanation.score, 4)}  the sum of {parts}")


def _split_columns(explanation: Explanation, width: int) -> Iterator[slice]:
    """Split the columns of the table into blocks that fit a width."""
    from rich.cells import cell_len

    if not explanation.table.size:
        return
    margin = max(map(cell_len, explanation.words_a))
    start, used = 0, margin
    for column, word in enumerate(explanation.words_b):
        needed = _COLUMN_GAP + max(cell_len(word), len("-0.000"))
        if used + needed > width and column > start:
            yield slice(start, column)
            start, used = column, margin
        used += needed
    yield slice(start, None)


def _heat_map(explanation: Explanation, block: slice) -> Segments:
    """Draw the table: a row for each word of the first text, a column for each of the second.

    It is laid out by hand, because rich.table takes seconds for two long texts.
    """
    from rich.cells import cell_len, set_cell_size
    from rich.segment import Segment, Segments
    from rich.style import Style

    heads, rows = explanation.words_b[block], explanation.table[:, block].tolist()
    margin = max(map(cell_len, explanation.words_a))
    cells = [[format_fixed(value, 3) for value in row] for row in rows]
    widths = [max(cell_len(head), *map(len, column)) for head, *column in zip(heads, *cells, strict=True)]
    largest = float(abs(explanation.table).max())
    gap, bold, segments = Segment(" " * _COLUMN_GAP), Style(bold=True), [Segment(" " * margin)]
    for head, width in zip(heads, widths, strict=True):
        segments += [gap, Segment(" " * (width - cell_len(head)) + head, bold)]
    for word, row, cells_of_row in zip(explanation.words_a, rows, cells, strict=True):
        segments += [Segment.line(), Segment(set_cell_size(word, margin))]
        for value, cell, width in zip(row, cells_of_row, widths, strict=True):
            segments += [gap, Segment(cell.rjust(width), _color(value, largest))]
    return Segments([*segments, Segment.line()])


def _color(value: float, largest: float) -> Style:
    """Return the style of a cell: green raises the score, red lowers it; black text is always readable."""
    from rich.style import Style

    strength = abs(value) / largest if largest else 0.0
    full = (80, 190, 120) if value > 0 else (230, 100, 90)
    red, green, blue = (round(255 - strength * (255 - part)) for part in full)
    return Style.parse(f"black on rgb({red},{green},{blue})")
