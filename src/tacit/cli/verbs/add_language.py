"""tacit add-language: add a language to a saved model."""

from __future__ import annotations

from typing import Any

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar
from tacit.cli.verbs.train import print_report


@click.command("add-language", short_help="Add a language to a model, in closed form.")
@shared.model_argument
@click.argument("code")
@click.argument("files", metavar="FILE.tsv|FILE.tmx|FILE FILE", nargs=-1)
@click.option("--out", "into", help="Folder for the extended model (default: MODEL).")
@click.option("--language", "pivot", help="Language code of the model (default: that of its stemmer).")
@click.option("--missing-weight", type=float,
              help="Weight of words a text does not contain (default: a tenth of the model's).")  # fmt: skip
@click.option("--min-df", type=click.IntRange(min=1), help="Drop words found in fewer texts than this.")
@shared.reading_options
@shared.threads_option
@shared.json_option
def add_language(model: str, code: str, files: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Add the language CODE to MODEL from translation pairs, whose first text is in the model's language.

    MODEL is a model of one language or several. Its vectors for the other languages do not change.
    """
    from tacit import workflows

    with ProgressBar() as bar:
        learned = workflows.add_language(model, code, files, progress=bar, **options)
    print_report(learned, as_json)
