"""tacit train: learn a model from texts and write it to a folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    AutoOr,
    complain,
    counted,
    hush,
    json_option,
    progress,
    threads_option,
    verb,
)
from tacit.cli.partitioned import Scale, chosen_engine, scale_options, train_partitioned
from tacit.cli.reading_options import corpus_option, table_options

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions


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
@click.option(
    "--preset",
    type=click.Choice(["auto", "paper"]),
    default="auto",
    show_default=True,
    help="Settings by the data, or the paper's for 400,000 dictionary entries; options below overrule.",
)
@click.option("--components", "n_components", type=AutoOr(int), help="The length of a vector, or auto.")
@click.option("--missing-weight", type=AutoOr(float), help="How much an unused word counts, 0 to 1, or auto.")
@click.option("--regularization", type=AutoOr(float), help="How much long vectors cost, from 0, or auto.")
@click.option(
    "--text-regularization",
    type=float,
    help="The same where a text gets its vector; across languages four times as much is often better.",
)
@click.option("--sweeps", "n_iter", type=AutoOr(int), help="How many sweeps over the data, or auto.")
@click.option(
    "--tolerance",
    "tol",
    default=0.0,
    show_default=True,
    help="Stop when a sweep gains less than this fraction of the loss.",
)
@click.option("--min-df", type=AutoOr(int), help="Drop words seen in fewer texts; auto by default.")
@click.option("--max-words", "max_features", type=int, help="Keep only this many words, the most frequent.")
@click.option("--log-tf", is_flag=True, help="Damp words that a text repeats: 1 + log tf.")
@click.option(
    "--background", help="What else teaches the words: wordnet, a file of texts, or a model; for few texts."
)
@click.option("--tune", is_flag=True, help="Try settings on these texts first, by words hidden from them.")
@click.option("--budget", default="60s", show_default=True, help="With --tune: about how long, as 60s or 5m.")
@click.option("--judged", help="With --tune: choose by a TSV file of score, text, text instead.")
@click.option("--labels", help="With --tune: choose by this column of labels instead.")
@scale_options
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
    preset: str,
    n_components: int | str | None,
    missing_weight: float | str | None,
    regularization: float | str | None,
    text_regularization: float | None,
    n_iter: int | str | None,
    tol: float,
    min_df: int | str | None,
    max_features: int | None,
    log_tf: bool,
    background: str | None,
    tune: bool,
    budget: str,
    judged: str | None,
    labels: str | None,
    scale: Scale,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Learn a model from texts and write it to the folder OUT, whole or not at all.

    INPUT is lines of text, or a table with --column (.gz too), or a pattern of files; - is standard input.
    With --parallel and --languages, a model of several languages is learnt from texts and their translations.
    """
    started = time.perf_counter()
    from tacit.cli.training_report import report
    from tacit.cli.training_sources import Sources, background_model
    from tacit.cli.tuning import seconds_of, tuned
    from tacit.corpora.inspection import Inspection
    from tacit.corpora.partitions import expanded
    from tacit.errors import InputError
    from tacit.factorize.settings import AUTO, PAPER, check_given
    from tacit.models.percentiles import Reservoir
    from tacit.storage import check_target
    from tacit.text.languages import normalizer
    from tacit.text.vectorizer import TextVectorizer
    from tacit.training.hidden_words import MOST_TEXTS, predict_hidden_words
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
    given = {
        "n_components": n_components,
        "missing_weight": missing_weight,
        "regularization": regularization,
        "n_iter": n_iter,
    }
    start = PAPER if preset == "paper" else dict.fromkeys(PAPER, AUTO)
    settings = {name: start[name] if value is None else value for name, value in given.items()}
    check_given(tol, text_regularization, **settings)
    normalizer(spoken, "stem")
    vectorizer = (TextVectorizer.paper if preset == "paper" else TextVectorizer)(language=spoken)
    vectorizer.set_params(max_features=max_features, **({"tf": "log"} if log_tf else {}))
    if min_df is not None:
        vectorizer.set_params(min_df=min_df)
    options: dict[str, Any] = {**settings, "tol": tol, "random_state": seed, "n_threads": threads}
    if method == "pivot":
        options["text_regularization"] = text_regularization
    if several:
        from tacit.cli.parallel import train_parallel

        if background:
            raise InputError("--background is for texts of one language: leave it out with --parallel")
        if scale.engine in ("disk", "dask"):
            raise InputError(f"--parallel is learnt in memory: leave --engine {scale.engine} out")
        train_parallel(out, parallel, languages, monolingual, method, vectorizer, options, reading, as_json)
        return
    hush()
    sources = Sources(tuple(expanded(inputs)), corpus, column, reading)
    tries = "--tune" if tune else "--judged" if judged else "--labels" if labels else None
    engine = chosen_engine(scale, sources, out, "--background" if background else tries)
    if background:
        options["background"] = background_model(background, vectorizer, column, reading, threads)
    if tries:
        trainer = tuned(sources, vectorizer, options, seconds_of(budget), judged, labels, as_json)
    else:
        trainer = WTMF(vectorizer, **options)
    seen = Inspection()
    if engine == "memory":
        sample = Reservoir(MOST_TEXTS, longest=None)
        fit_shown(trainer, sample.watch(seen.watch(sources.texts())))
        trainer.save(out)
        texts = sample.texts
    else:
        texts = train_partitioned(trainer, sources, scale, engine, out, threads)
        list(seen.watch(texts))
    hidden = predict_hidden_words(trainer, texts)
    report(trainer, out, time.perf_counter() - started, hidden, as_json)
    for note in seen.notes(spoken):
        complain(note if engine == "memory" else f"in a sample: {note}")


def fit_shown(model: Any, texts: Iterator[Any]) -> None:
    """Train. Ctrl-C is told with how far it came."""
    done = 0

    def count(sweep: int) -> None:
        nonlocal done
        done = sweep

    try:
        _fit_under_bar(model, texts, count)
    except KeyboardInterrupt:
        message = f"stopped after {done} of {_sweeps(model)} sweeps; nothing was written"
        raise KeyboardInterrupt(message) from None


def _fit_under_bar(model: Any, texts: Iterator[Any], count: Callable[[int], None]) -> None:
    """Train under a progress bar."""
    with progress("{task.fields[note]}") as bar:
        reading = bar.add_task("reading", total=None, note="")
        sweeps = bar.add_task("sweeps", total=_sweeps(model), note="", start=False, visible=False)

        def read() -> Iterator[Any]:
            yield from counted(texts, bar, reading)
            bar.start_task(sweeps)
            bar.update(sweeps, visible=True, note=f"0/{_sweeps(model)}")

        def show(sweep: int, loss: float) -> None:
            count(sweep)
            bar.update(sweeps, completed=sweep, note=f"{sweep}/{_sweeps(model)} loss {loss:,.0f}")

        model.callback = show
        model.fit(read())


def _sweeps(model: Any) -> int:
    """How many sweeps there will be, at most."""
    from tacit.factorize.settings import SWEEPS, is_auto

    return SWEEPS if is_auto(model.n_iter) else int(model.n_iter)
