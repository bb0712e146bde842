"""tacit unsaid: the words a text is about but does not say."""

from __future__ import annotations

import click

from tacit.cli.common import (
    json_option,
    language_option,
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
@language_option
@click.option("--to", help="For a model of several languages: the language of the words to list.")
@top_option
@json_option
@verb
def unsaid(model: str, text: str, language: str | None, to: str | None, top: int, as_json: bool) -> None:
    """List the words a text is about but does not say, with the weight expected of each."""
    loaded = load_model(model)
    words = loaded.unsaid(text, top, language, to)
    if as_json:
        print_json([{"word": word, "weight": round(weight, 6)} for word, weight in words])
    else:
        for word, weight in words:
            click.echo(f"{weight:7.3f}  {word}")
    no_known_word([] if words else [text], so="nothing to add")
