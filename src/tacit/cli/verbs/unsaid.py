"""tacit unsaid: words that a text is about but does not contain."""

from __future__ import annotations

import click

from tacit.cli.error_handling import handle_errors
from tacit.cli.output import print_json, warn_unknown_texts
from tacit.cli.shared_options import json_option, language_option, model_argument, top_option
from tacit.workflows.loading import load


@click.command(short_help="List the words a text is about but does not say.")
@model_argument
@click.argument("text")
@language_option
@click.option("--to", help="Target language, for multilingual models.")
@top_option
@json_option
@handle_errors
def unsaid(model: str, text: str, language: str | None, to: str | None, top: int, as_json: bool) -> None:
    """List the words a text is about but does not say, with the weight expected of each."""
    words = load(model, "model").unsaid(text, top, language, to)
    if as_json:
        print_json([{"word": word, "weight": round(weight, 6)} for word, weight in words])
    else:
        for word, weight in words:
            click.echo(f"{weight:7.3f}  {word}")
    warn_unknown_texts([] if words else [text], "nothing to add")
