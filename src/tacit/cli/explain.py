"""tacit explain: what each pair of words adds to the similarity of two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli.common import json_option, load_model, model_argument, no_known_word, print_json, top_option, verb

if TYPE_CHECKING:
    from rich.text import Text

    from tacit.sentences.explanation import Explanation


@click.command(short_help="Show which words make two texts alike.")
@model_argument
@click.argument("a")
@click.argument("b")
@top_option
@json_option
@verb
def explain(model: str, a: str, b: str, top: int, as_json: bool) -> None:
    """Split the similarity of the texts A and B into word-by-word parts that sum to it."""
    explanation = load_model(model).explain(a, b)
    if as_json:
        print_json(explanation.to_dict())
    else:
        _show(explanation, top)
    sides = ((explanation.words_a, a), (explanation.words_b, b))
    no_known_word(text for words, text in sides if not words)


def _show(explanation: Explanation, top: int) -> None:
    """A heat map where it fits the terminal, then the pairs that matter most."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    needed = 14 + sum(max(len(word), 5) + 3 for word in explanation.words_b)
    if explanation.table.size and (not console.is_terminal or needed <= console.width):
        table = Table("", *explanation.words_b, box=None)
        for word, row in zip(explanation.words_a, explanation.table, strict=True):
            table.add_row(word, *(_cell(value) for value in row))
        console.width = max(console.width, needed)
        console.print(table)
        console.print()
    for left, right, value in explanation.top(top):
        console.print(f"{value:+.3f}  {left} ~ {right}", markup=False)
    console.print(f"{explanation.score:.4f}  the sum of all {explanation.table.size} parts", markup=False)


def _cell(value: float) -> Text:
    from rich.text import Text

    strength = min(255, int(60 + abs(value) * 1200))
    colour = f"rgb({strength},80,60)" if value < 0 else f"rgb(60,{strength},120)"
    return Text(f"{value:.3f}", style=colour if abs(value) >= 0.005 else "dim")
