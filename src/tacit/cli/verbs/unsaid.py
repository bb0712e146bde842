"""tacit unsaid: words that a text is about but does not contain."""

from __future__ import annotations

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import print_json, warn_unknown_texts
from tacit.workflows.loading import load


@click.command(short_help="List the words a text is about but does not say.")
@shared.model_argument
@click.argument("text")
@shared.language_option
@click.option("--to", help="Target language, for multilingual models.")
@shared.top_option
@shared.json_option
def unsaid(model: str, text: str, language: str | None, to: str | None, top: int, as_json: bool) -> None:
    """List the words a text is about but does not say, with the weight expected of each."""
    words = load(model, "model").unsaid(text, top, language, to)
    if as_json:
        print_json([{"word": word, "weight": round(weight, 6)} for word, weight in words])
    else:
        for word, weight in words:
            click.echo(f"{weight:7.3f}  {word}")
    warn_unknown_texts([] if words else [text], "nothing to add")
