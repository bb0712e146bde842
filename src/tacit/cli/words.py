"""tacit words: the words used most like a word."""

from __future__ import annotations


import click

from tacit.cli.common import json_option, load_model, model_argument, print_json, top_option, verb


@click.command(short_help="List the words used most like a word.")
@model_argument
@click.argument("word")
@top_option
@json_option
@verb
def words(model: str, word: str, top: int, as_json: bool) -> None:
    """List the words used most like a word, with the cosine of their vectors."""
    nearest = load_model(model).nearest_words(word, top)
    if as_json:
        print_json([{"word": name, "score": round(score, 6)} for name, score in nearest])
    else:
        for name, score in nearest:
            click.echo(f"{score:7.3f}  {name}")
