"""tacit compare: how alike two texts are, or each pair of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    fixed,
    json_option,
    languages_option,
    load_model,
    measure_option,
    model_argument,
    no_known_word,
    prepared,
    print_json,
    threads_option,
    two_languages,
    unknown_by,
    verb,
)
from tacit.cli.reading_options import reading_options
from tacit.crosslingual import is_crosslingual

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions


@click.command(short_help="Say how alike two texts are, or each pair of a file.")
@model_argument
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--pairs", help="A TSV, CSV or Excel file of two columns; - is standard input.")
@reading_options
@measure_option("blend")
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
    answers = _scores(load_model(model, threads), texts, measure, language)
    if as_json:
        print_json(answers if pairs is not None else answers[0])
    elif pairs is None:
        chance = fixed(answers[0]["percentile"], 1)
        click.echo(f"{fixed(answers[0]['score'], 4)}  above {chance} % of random pairs")
    elif answers:
        lines = (
            f"{fixed(answer['score'], 4)}\t{left}\t{right}"
            for answer, (left, right) in zip(answers, texts, strict=True)
        )
        click.echo("\n".join(lines))
    sides = [(n, text) for answer, pair in zip(answers, texts, strict=True)
             for n, text in zip((answer["known_a"], answer["known_b"]), pair, strict=True)]  # fmt: skip
    no_known_word((text for n, text in sides if n == 0), unknown_by(measure))


def _scores(
    model: Any, pairs: list[tuple[str, str]], measure: str, language: str | None
) -> list[dict[str, Any]]:
    import numpy as np

    n = len(pairs)
    spoken = two_languages(model, language)
    sides = [text for side in (0, 1) for text in (p[side] for p in pairs)]
    texts = prepared(model, sides, [code for code in spoken for _ in pairs] if language else None)
    places = np.arange(n), n + np.arange(n)
    if is_crosslingual(model):
        return _crosslingual(model, texts, places, measure)
    from tacit.sentences.measures import score_pairs

    scores = score_pairs(texts, places[0], places[1], measure)
    chance = model.percentile(scores, measure)
    known = texts.known.tolist()
    return [
        {"score": round(float(score), 6), "percentile": round(float(p), 1), "known_a": a, "known_b": b}
        for score, p, a, b in zip(scores, chance, known[:n], known[n:], strict=True)
    ]


def _crosslingual(model: Any, texts: Any, places: Any, measure: str) -> list[dict[str, Any]]:
    """The same for a model of several languages; chance is told by the language beside the pivot."""
    from tacit.crosslingual.measures import score_pairs

    scores = score_pairs(texts, places[0], places[1], measure)
    codes = list(model.languages_)
    found = []
    for score, a, b in zip(scores.tolist(), *(place.tolist() for place in places), strict=True):
        one, other = int(texts.spoken[a]), int(texts.spoken[b])
        chance = model.percentile([score], measure, codes[one or other])
        found.append(
            {
                "score": round(score, 6),
                "percentile": round(float(chance[0]), 1),
                "known_a": int(texts.known[a]),
                "known_b": int(texts.known[b]),
                "language_a": codes[one],
                "language_b": codes[other],
            }
        )
    return found
