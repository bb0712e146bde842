"""tacit compare: the similarity of two texts, or of each pair of a file."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import format_fixed, log_to_stderr, print_result, warn_uncompared_texts
from tacit.corpora import ReadOptions
from tacit.errors import InputError
from tacit.workflows import read_pairs
from tacit.workflows.loading import load


@click.command(short_help="Score the similarity of two texts, or of each pair in a file.")
@shared.model_argument
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--pairs", help="Table of two text columns; - reads standard input.")
@shared.reading_options
@shared.measure_option()
@shared.languages_option
@shared.threads_option
@shared.json_option
def compare(
    model: str, a: str | None, b: str | None, pairs: str | None, n_threads: int | None, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Score the similarity of the texts A and B: 1 for the same words, about 0 for nothing in common.

    The default measure, blend, is a weighted sum of the cosine of their vectors and the alignment of their
    words; --measure latent is the cosine of the papers.

    --pairs FILE.tsv scores each pair of a file and prints the score, then the two texts.
    """
    texts_a, texts_b = _read_texts(a, b, pairs, options["reading"])
    measure, loaded = options["measure"], load(model, "model", n_threads)
    languages = shared.parse_language_pair(loaded, options["language"])
    with log_to_stderr({"tacit.models.measures": logging.INFO}):  # words of long texts that are left out
        results = loaded.compare_pairs(texts_a, texts_b, measure, *languages)
    answers = [result.to_dict() for result in results]
    scores = [format_fixed(result.score, 4) for result in results]
    if pairs is None:
        print_result(answers[0], scores, as_json)
    else:
        print_result(answers, map("\t".join, zip(scores, texts_a, texts_b, strict=True)), as_json)
    unknown = []
    for result, text_a, text_b in zip(results, texts_a, texts_b, strict=True):
        unknown += [text_a] * (not result.known_a) + [text_b] * (not result.known_b)
    warn_uncompared_texts(unknown, measure)


def _read_texts(
    a: str | None, b: str | None, file: str | None, reading: ReadOptions
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the two texts, or the two columns of a file."""
    if file is None and a is not None and b is not None:
        return [a], [b]
    if file is None or a is not None:
        raise InputError("give either two texts to compare, or --pairs FILE.tsv")
    pairs = list(read_pairs(file, options=reading))
    return [left for left, _ in pairs], [right for _, right in pairs]
