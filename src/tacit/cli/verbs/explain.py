"""tacit explain: what each pair of words adds to the similarity of two texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tacit.cli.common import (
    aloud,
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
    from rich.segment import Segments
    from rich.style import Style

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
    from tacit.models.explanation import explain_pair
    from tacit.models.measures import find_measure
    from tacit.models.text_set import TextSet

    loaded = load_model(model)
    texts = TextSet.of(loaded, [a, b], two_languages(loaded, language))
    with aloud("tacit.models.measures"):  # what is left out of long texts
        explanation = explain_pair(texts, find_measure(measure))
    if as_json:
        print_json(explanation.to_dict())
    else:
        _show(explanation, top)
    unknown = (text for text, known in zip((a, b), texts.known, strict=True) if not known)
    no_known_word(unknown, unknown_by(measure))


def _show(explanation: Explanation, top: int) -> None:
    """A heat map, in blocks that fit the terminal, then the pairs that matter most."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _ENDLESS
    for block in _blocks(explanation, console.width):
        console.print(_heat_map(explanation, block), soft_wrap=True)
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


def _heat_map(explanation: Explanation, block: slice) -> Segments:
    """Rows are the words of the one text, columns those of the other.

    Laid out by hand: a table of rich's takes seconds for the words of two long texts.
    """
    from rich.cells import cell_len, set_cell_size
    from rich.segment import Segment, Segments
    from rich.style import Style

    heads, rows = explanation.words_b[block], explanation.table[:, block].tolist()
    margin = max(map(cell_len, explanation.words_a))
    cells = [[fixed(value, 3) for value in row] for row in rows]
    widths = [max(cell_len(head), *map(len, column)) for head, *column in zip(heads, *cells, strict=True)]
    largest = float(abs(explanation.table).max())
    gap, bold, drawn = Segment(" " * _GAP), Style(bold=True), [Segment(" " * margin)]
    for head, width in zip(heads, widths, strict=True):
        drawn += [gap, Segment(" " * (width - cell_len(head)) + head, bold)]
    for word, row, shown in zip(explanation.words_a, rows, cells, strict=True):
        drawn += [Segment.line(), Segment(set_cell_size(word, margin))]
        for value, cell, width in zip(row, shown, widths, strict=True):
            drawn += [gap, Segment(cell.rjust(width), _colour(value, largest))]
    return Segments([*drawn, Segment.line()])


def _colour(value: float, largest: float) -> Style:
    """Green adds, red takes away, the stronger the more; black on light shows on any terminal."""
    from rich.style import Style

    strength = abs(value) / largest if largest else 0.0
    full = (80, 190, 120) if value > 0 else (230, 100, 90)
    red, green, blue = (round(255 - strength * (255 - part)) for part in full)
    return Style.parse(f"black on rgb({red},{green},{blue})")
