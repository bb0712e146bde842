"""tacit words: the words used most like a word."""

from __future__ import annotations

import click

from tacit.cli.common import (
    at_least_one,
    json_option,
    language_option,
    load_model,
    model_argument,
    print_json,
    top_option,
    verb,
)


@click.command(short_help="List the words used most like a word.")
@model_argument
@click.argument("word")
@top_option
@click.option(
    "--min-df", type=at_least_one, help="Leave out words seen in fewer texts; by default by the data."
)
@language_option
@click.option("--to", help="For a model of several languages: list the words of this language.")
@json_option
@verb
def words(
    model: str, word: str, top: int, min_df: int | None, language: str | None, to: str | None, as_json: bool
) -> None:
    """List the words used most like a word, with the cosine of their vectors.

    With --to, the words of another language used most like it: its translations, as the vectors see them.
    """
    loaded = load_model(model)
    if to is None:
        nearest = loaded.nearest_words(word, top, min_df, language)
    else:
        nearest = loaded.translations(word, language, top, to, min_df or 1)
    if as_json:
        print_json([{"word": name, "score": round(score, 6)} for name, score in nearest])
    else:
        for name, score in nearest:
            click.echo(f"{score:7.3f}  {name}")
