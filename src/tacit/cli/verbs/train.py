"""tacit train: learn a model from texts and write it to a folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    counted,
    json_option,
    print_json,
    progress,
    threads_option,
    verb,
)
from tacit.cli.reading_options import corpus_option, table_options

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions
    from tacit.training.wtmf import WTMF


@click.command(short_help="Learn a model from texts and write it to a folder.")
@click.argument("out")
@click.argument("inputs", metavar="[INPUT]...", nargs=-1)
@corpus_option
@click.option(
    "--parallel", multiple=True, help="Pairs of texts: FILE.tsv, FILE.tmx, or two files as FILE.en,FILE.es."
)
@click.option("--languages", multiple=True, help="The codes of each --parallel, the pivot first: en,es.")
@click.option(
    "--method",
    type=click.Choice(["bilingual", "pivot"]),
    default="pivot",
    show_default=True,
    help="With --parallel: all at once (b-WMF), or the first language alone, then the others (x-WMF).",
)
@click.option(
    "--monolingual", multiple=True, help="With --parallel: a file of texts of the first language alone."
)
@table_options
@click.option("--language", default="en", show_default=True, help="Code for the stemmer, or none.")
@click.option("--components", "n_components", default=100, show_default=True, help="The length of a vector.")
@click.option(
    "--missing-weight", default=0.01, show_default=True, help="How much an unused word counts, 0 to 1."
)
@click.option("--regularization", default=20.0, show_default=True, help="How much long vectors cost, from 0.")
@click.option(
    "--text-regularization",
    type=float,
    help="The same where a text gets its vector; across languages four times as much is often better.",
)
@click.option("--sweeps", "n_iter", default=20, show_default=True, help="How many sweeps over the data.")
@click.option(
    "--tolerance",
    "tol",
    default=0.0,
    show_default=True,
    help="Stop when a sweep gains less than this fraction of the loss.",
)
@click.option("--min-df", default=2, show_default=True, help="Drop words seen in fewer texts.")
@click.option("--max-words", "max_features", type=int, help="Keep only this many words, the most frequent.")
@click.option("--log-tf", is_flag=True, help="Damp words that a text repeats: 1 + log tf.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the random start.")
@threads_option
@json_option
@verb
def train(
    out: str,
    inputs: tuple[str, ...],
    corpus: tuple[str, ...],
    parallel: tuple[str, ...],
    languages: tuple[str, ...],
    method: str,
    monolingual: tuple[str, ...],
    column: str | None,
    reading: ReadOptions,
    language: str,
    n_components: int,
    missing_weight: float,
    regularization: float,
    text_regularization: float | None,
    n_iter: int,
    tol: float,
    min_df: int,
    max_features: int | None,
    log_tf: bool,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Learn a model from texts and write it to the folder OUT, whole or not at all.

    INPUT is lines of text, or a table with --column (.gz too); - is standard input.
    With --parallel and --languages, a model of several languages is learnt from texts and their translations.
    """
    from tacit.errors import InputError
    from tacit.factorize.parameters import check_parameters
    from tacit.storage import check_target
    from tacit.text.languages import normalizer
    from tacit.text.vectorizer import TextVectorizer
    from tacit.training.wtmf import WTMF

    several = bool(parallel or languages or monolingual)
    if not inputs and not corpus and not several:
        raise InputError("nothing to learn from: name files, - for standard input, or --corpus wordnet")
    if several and (inputs or corpus):
        raise InputError("with --parallel, texts of the first language alone go in --monolingual FILE")
    if text_regularization is not None and several and method != "pivot":
        raise InputError("--text-regularization is not for --method bilingual: leave it out")
    spoken = None if language.lower() == "none" else language
    check_target(out)
    check_parameters(n_components, missing_weight, regularization, n_iter, tol, text_regularization)
    normalizer(spoken, "stem")
    tf = "log" if log_tf else "raw"
    vectorizer = TextVectorizer(spoken, min_df=min_df, max_features=max_features, tf=tf)
    options: dict[str, Any] = {
        "n_components": n_components,
        "missing_weight": missing_weight,
        "regularization": regularization,
        "n_iter": n_iter,
        "tol": tol,
        "random_state": seed,
        "n_threads": threads,
    }
    if method == "pivot":
        options["text_regularization"] = text_regularization
    if several:
        from tacit.cli.parallel import train_parallel

        train_parallel(out, parallel, languages, monolingual, method, vectorizer, options, reading, as_json)
        return
    model = WTMF(vectorizer, **options)
    seconds = fit_shown(model, _texts(inputs, corpus, column, reading))
    model.save(out)
    _report(model, out, seconds, as_json)


def _texts(
    inputs: tuple[str, ...], corpora: tuple[str, ...], column: str | None, reading: ReadOptions
) -> Iterator[str]:
    """All texts in the order named; a file that cannot be read is reported before work starts."""
    from tacit.corpora import named_corpus, open_corpus

    named = [named_corpus(name) for name in corpora]
    for source in inputs:
        if source != "-" and not Path(source).is_fifo():  # a pipe can be read only once
            open_corpus(source, column, reading)  # and closed again: there may be more files than may be open
    return chain(*named, chain.from_iterable(open_corpus(source, column, reading) for source in inputs))


def fit_shown(model: Any, texts: Iterator[Any]) -> float:
    """Train; returns the seconds it took. Ctrl-C is told with how far it came."""
    started, done = time.perf_counter(), 0

    def count(sweep: int) -> None:
        nonlocal done
        done = sweep

    try:
        _fit_under_bar(model, texts, count)
    except KeyboardInterrupt:
        message = f"stopped after {done} of {model.n_iter} sweeps; nothing was written"
        raise KeyboardInterrupt(message) from None
    return time.perf_counter() - started


def _fit_under_bar(model: Any, texts: Iterator[Any], count: Callable[[int], None]) -> None:
    """Train under a progress bar."""
    with progress("{task.fields[note]}") as bar:
        reading = bar.add_task("reading", total=None, note="")
        sweeps = bar.add_task("sweeps", total=model.n_iter, note="", start=False, visible=False)

        def read() -> Iterator[Any]:
            yield from counted(texts, bar, reading)
            bar.start_task(sweeps)
            bar.update(sweeps, visible=True, note=f"0/{model.n_iter}")

        def show(sweep: int, loss: float) -> None:
            count(sweep)
            bar.update(sweeps, completed=sweep, note=f"{sweep}/{model.n_iter} loss {loss:,.0f}")

        model.callback = show
        model.fit(read())


def _report(model: WTMF, out: str, seconds: float, as_json: bool) -> None:
    summary = {
        "model": out,
        "texts": model.pivot.vectorizer.n_texts_,
        "words": model.n_words,
        "components": model.n_components,
        "sweeps": len(model.loss_),
        "loss": model.loss_,
        "seconds": round(seconds, 3),
    }
    if as_json:
        print_json(summary)
    else:
        click.echo(
            f"{out}: {summary['words']:,} words from {summary['texts']:,} texts, {summary['sweeps']} sweeps, "
            f"loss {model.loss_[-1]:,.0f}, {seconds:.1f} s"
        )
