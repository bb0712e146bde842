"""tacit unsaid: words that a text is about but does not contain."""

from __future__ import annotations

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import warn_unknown_texts
from tacit.cli.tables import print_words


@click.command(short_help="List related words that a text does not use.")
@shared.collection_options("model")
@click.argument("text")
@shared.language_option
@click.option("--to", help="Target language, for multilingual models.")
@shared.top_option
@shared.json_option
def unsaid(
    model: shared.Collection, text: str, language: str | None, to: str | None, k: int, as_json: bool
) -> None:
    """List related words that a text does not use, with the expected weight of each."""
    words = model.open_model().unsaid(text, k, language, to)
    print_words(words, "weight", as_json)
    warn_unknown_texts([] if words else [text], "nothing to add")
