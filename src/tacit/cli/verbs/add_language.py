"""tacit add-language: another language for a saved model, in closed form."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from tacit.cli.common import json_option, load_model, model_argument, threads_option, verb
from tacit.cli.reading_options import reading_options

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions


@click.command("add-language", short_help="Add a language to a model, in closed form.")
@model_argument
@click.argument("code")
@click.argument("files", metavar="FILE.tsv|FILE.tmx|FILE FILE", nargs=-1)
@click.option("--out", help="Another folder for the grown model; by default it takes the place of MODEL.")
@click.option("--language", help="The code of the model's own language; by default that of its stems.")
@click.option("--missing-weight", type=float, help="Of the closed form; by default a tenth of the model's.")
@click.option("--min-df", type=click.IntRange(min=1), help="Drop words seen in fewer texts.")
@reading_options
@threads_option
@json_option
@verb
def add_language(
    model: str,
    code: str,
    files: tuple[str, ...],
    out: str | None,
    language: str | None,
    missing_weight: float | None,
    min_df: int | None,
    reading: ReadOptions,
    threads: int | None,
    as_json: bool,
) -> None:
    """Teach MODEL the language CODE from pairs of texts, the model's own language first.

    MODEL is a model of one language, as `tacit train` writes it, or of several. What it knows stays as it is,
    to the bit.
    """
    from tacit.cli.parallel import add_shown, read_pairs_shown, report
    from tacit.errors import InputError
    from tacit.models.adding import vectorizer_for
    from tacit.storage import check_target, read_config, writing
    from tacit.text.codes import check_code

    if not files:
        raise InputError("name a file of pairs: FILE.tsv, FILE.tmx, or two files of equally many lines")
    name = check_code(code)
    read_config(model)
    check_target(out or model)
    started = time.perf_counter()
    with writing(model) if out is None else nullcontext():  # no other writer between reading and saving
        loaded = load_model(model, threads)
        if language is not None:
            loaded.name_pivot(language)
        if name in loaded.languages:
            has = ", ".join(loaded.languages)
            raise InputError(f"{model} has the language {name!r} already: it has {has}")
        pairs = read_pairs_shown(list(files), (loaded.pivot.code, name), reading)
        vectorizer = vectorizer_for(loaded.pivot.vectorizer, name)
        vectorizer.min_df = min_df or vectorizer.min_df
        add_shown(loaded, name, pairs, vectorizer=vectorizer, missing_weight=missing_weight)
        loaded.save(out or model)
    report(loaded, out or model, time.perf_counter() - started, as_json)
