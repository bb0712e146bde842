"""tacit compare: how alike two texts are, or each pair of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli.common import (
    aloud,
    fixed,
    json_option,
    languages_option,
    load_model,
    measure_option,
    model_argument,
    no_known_word,
    print_json,
    threads_option,
    two_languages,
    unknown_by,
    verb,
)
from tacit.cli.reading_options import reading_options

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions


@click.command(short_help="Say how alike two texts are, or each pair of a file.")
@model_argument
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--pairs", help="A TSV, CSV or Excel file of two columns; - is standard input.")
@reading_options
@measure_option()
@languages_option
@threads_option
@json_option
@verb
def compare(
    model: str,
    a: str | None,
    b: str | None,
    pairs: str | None,
    reading: ReadOptions,
    measure: str,
    language: str | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Say how alike the texts A and B are: 1 for the same words, about 0 for nothing in common.

    The blend weighs the cosine of their vectors with the alignment of their words; --measure latent is the
    papers' cosine alone.

    With --pairs FILE.tsv, each pair of a file: the score, then the two texts.
    """
    from tacit.errors import InputError

    if pairs is not None and (a is not None or b is not None):
        raise InputError("give two texts, or --pairs FILE, not both")
    if pairs is None and (a is None or b is None):
        raise InputError("give two texts to compare, or --pairs FILE.tsv")
    if pairs is not None:
        from tacit.corpora import read_pairs

        texts = list(read_pairs(pairs, options=reading))
    else:
        texts = [(str(a), str(b))]
    loaded = load_model(model, threads)
    left, right = [pair[0] for pair in texts], [pair[1] for pair in texts]
    spoken = two_languages(loaded, language)
    with aloud("tacit.models.measures"):  # what is left out of long texts
        compared = loaded.compare_pairs(left, right, measure, *spoken)
    answers = [each.to_dict() for each in compared]
    if as_json:
        print_json(answers if pairs is not None else answers[0])
    elif pairs is None:
        chance = compared[0].percentile
        above = "" if chance is None else f"  above {fixed(chance, 1)} % of random pairs"
        click.echo(f"{fixed(compared[0].score, 4)}{above}")
    elif answers:
        lines = (
            f"{fixed(answer.score, 4)}\t{left}\t{right}"
            for answer, (left, right) in zip(compared, texts, strict=True)
        )
        click.echo("\n".join(lines))
    known = [n for answer in compared for n in (answer.known_a, answer.known_b)]
    said = [text for pair in texts for text in pair]
    no_known_word((text for n, text in zip(known, said, strict=True) if n == 0), unknown_by(measure))
