"""tacit compare: the similarity of two texts, or of each pair of a file."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import (
    format_fixed,
    log_to_stderr,
    print_json,
    warn_uncompared_texts,
    warn_unknown_words,
)
from tacit.cli.tables import print_table, write_results
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.models.comparison import Comparisons


@click.command(short_help="Score the similarity of two texts, or of each pair in a file.")
@shared.collection_options("model")
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--pairs", help="Table of two text columns; - reads standard input.")
@click.option("--pair-columns", metavar="A,B", help="Text columns of --pairs (default: detected).")
@shared.measure_option("FOLDER")
@shared.languages_option
@shared.table_output_option
@shared.threads_option
@shared.json_option
def compare(
    model: shared.Collection, a: str | None, b: str | None, pairs: str | None, pair_columns: str | None,
    output: Path | None, n_threads: int | None, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Score the similarity of the texts A and B: 1 for the same words, about 0 for nothing in common.

    MODEL is a model, an index, or a file of texts on which a model is trained. The default measure, blend,
    is a weighted sum of the cosine of their vectors and the alignment of their words. --measure latent is
    the cosine alone, and --measure FOLDER is a measure that tacit teach --model has learned.

    --pairs FILE scores each pair of a table and prints the score, then the two texts.
    """
    from tacit.models.text_set import TextSet
    from tacit.workflows import load
    from tacit.workflows.table_inputs import TextTable, read_pair_table

    if (pairs is None) != (a is not None and b is not None) or (pairs is not None and a is not None):
        raise InputError("give either two texts to compare, or --pairs FILE")
    if pairs is not None:
        columns = None if pair_columns is None else parse_column_pair(pair_columns)
        table = read_pair_table(pairs, columns, model.options.format)
    elif pair_columns is not None:
        raise InputError(f"--pair-columns {pair_columns} needs --pairs FILE")
    else:
        table = TextTable("", ["a", "b"], [{"a": a, "b": b}], ("a", "b"))
    measure, loaded = options["measure"], model.open_model(n_threads)
    if Path(measure).is_dir():
        measure = load(measure, "measure")
    languages = shared.parse_language_pair(loaded, options["language"])
    with log_to_stderr({"tacit.models.measures": logging.INFO}):  # words of long texts that are left out
        texts_a, texts_b = map(table.column, table.texts)
        results = loaded.compare_pairs(texts_a, texts_b, measure, *languages)
    results.records = table.other_columns()
    write_results(output, results)
    _print(results, pairs is not None, as_json)
    unknown = []
    for result, text_a, text_b in zip(results, results.texts_a, results.texts_b, strict=True):
        unknown += [text_a] * (not result.known_a) + [text_b] * (not result.known_b)
    warn_uncompared_texts(unknown, measure)
    if pairs is None and not unknown:
        text_set, *_ = TextSet.from_two_lists(loaded, texts_a, texts_b, *languages)
        warn_unknown_words([*text_set.unknown_words(0), *text_set.unknown_words(1)])


def parse_column_pair(columns: str) -> list[str]:
    """Return the two columns of --pair-columns."""
    names = [name.strip() for name in columns.split(",")]
    if len(names) != 2 or not all(names):
        raise InputError(f"--pair-columns {columns}: give two names or numbers, such as question1,question2")
    return names


def _print(results: Comparisons, has_file: bool, as_json: bool) -> None:
    if as_json:
        answers = [result.to_dict() for result in results]
        print_json(answers if has_file else answers[0])
    elif has_file:
        texts = zip(results, results.texts_a, results.texts_b, strict=True)
        print_table(["score", "text_a", "text_b"], [[format_fixed(r.score, 4), a, b] for r, a, b in texts])
    else:
        click.echo(format_fixed(results[0].score, 4))
