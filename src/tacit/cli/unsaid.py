"""tacit unsaid: the words a text is about but does not say."""

from __future__ import annotations

import click

from tacit.cli.common import (
    json_option,
    load_model,
    model_argument,
    no_known_word,
    print_json,
    top_option,
    verb,
)


@click.command(short_help="List the words a text is about but does not say.")
@model_argument
@click.argument("text")
@top_option
@json_option
@verb
def unsaid(model: str, text: str, top: int, as_json: bool) -> None:
    """List the words a text is about but does not say, with the weight expected of each."""
    words = load_model(model).unsaid(text, top)
    if as_json:
        print_json([{"word": word, "weight": round(weight, 6)} for word, weight in words])
    else:
        for word, weight in words:
            click.echo(f"{weight:7.3f}  {word}")
    no_known_word([] if words else [text], so="nothing to add")
