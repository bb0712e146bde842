"""tacit words: the words used most like a word."""

from __future__ import annotations

import click

from tacit.cli import shared_options as shared
from tacit.cli.tables import print_words


@click.command(short_help="List the words that are most similar to a word.")
@shared.collection_options("model")
@click.argument("word")
@shared.top_option
@click.option("--min-df", type=shared.POSITIVE_INT, help="Ignore words found in fewer texts than this.")
@shared.language_option
@click.option("--to", help="Target language, for multilingual models.")
@shared.json_option
def words(
    model: shared.Collection, word: str, k: int, min_df: int | None, language: str | None, to: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """List the words that are most similar to a word, with the cosine of their vectors.

    --to lists the most similar words of another language, which are mostly its translations.
    """
    loaded = model.open_model()
    if to is None:
        nearest = loaded.nearest_words(word, k, min_df, language)
    else:
        nearest = loaded.translations(word, language, k, to, min_df or 1)
    print_words(nearest, "score", as_json)
