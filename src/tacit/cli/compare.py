"""tacit compare: how alike two texts are, or each pair of a file."""

from __future__ import annotations

from typing import Any

import click

from tacit.cli.common import (
    fixed,
    json_option,
    load_model,
    measure_option,
    model_argument,
    no_known_word,
    print_json,
    threads_option,
    verb,
)


@click.command(short_help="Say how alike two texts are, or each pair of a file.")
@model_argument
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--pairs", help="A TSV file of two columns; - is standard input.")
@measure_option("latent")
@threads_option
@json_option
@verb
def compare(
    model: str,
    a: str | None,
    b: str | None,
    pairs: str | None,
    measure: str,
    threads: int | None,
    as_json: bool,
) -> None:
    """Say how alike the texts A and B are, from -1 to 1 (the cosine of their vectors, or another measure).

    With --pairs FILE.tsv, each pair of a file: the score, then the two texts.
    """
    from tacit.errors import InputError

    if pairs is not None and (a is not None or b is not None):
        raise InputError("give two texts, or --pairs FILE, not both")
    if pairs is None and (a is None or b is None):
        raise InputError("give two texts to compare, or --pairs FILE.tsv")
    if pairs is not None:
        from tacit.corpora import read_pairs

        texts = list(read_pairs(pairs))
    else:
        texts = [(str(a), str(b))]
    answers = _scores(model, texts, measure, threads)
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
    no_known_word(text for n, text in sides if n == 0)


def _scores(
    folder: str, pairs: list[tuple[str, str]], measure: str, threads: int | None
) -> list[dict[str, Any]]:
    import numpy as np

    from tacit.sentences.measures import score_pairs
    from tacit.sentences.textset import TextSet

    n = len(pairs)
    loaded = load_model(folder, threads)
    texts = TextSet(
        load_model(folder, threads), [text for side in (0, 1) for text in (p[side] for p in pairs)]
    )
    scores = score_pairs(texts, np.arange(n), n + np.arange(n), measure)
    known = texts.rows.known.tolist()
    chance = loaded.percentile(scores, measure)
    return [
        {"score": round(float(score), 6), "percentile": round(float(p), 1), "known_a": a, "known_b": b}
        for score, p, a, b in zip(scores, chance, known[:n], known[n:], strict=True)
    ]
