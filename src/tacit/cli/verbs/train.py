"""tacit train: train a model on texts and save it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.error_handling import handle_errors
from tacit.cli.output import log_to_stderr, print_json, print_stderr
from tacit.cli.progress_bar import ProgressBar
from tacit.cli.shared_options import (
    AutoOrNumber,
    corpus_option,
    json_option,
    option_group,
    seed_option,
    table_options,
    threads_option,
)
from tacit.workflows.training_settings import ENGINES, PRESETS, EngineOptions, TrainingSettings, TuningOptions

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions
    from tacit.workflows import Learned, ProgressEvent

_ENGINE_TEXT = {"memory": "in memory", "disk": "on disk", "dask": "on Dask"}
_SETTING_TEXT = {"n_components": "components", "missing_weight": "missing weight"}

_parallel_options = option_group(
    "parallel",
    dict,
    click.option(
        "--parallel", multiple=True, help="Translation pairs: FILE.tsv, FILE.tmx, or FILE.en,FILE.es."
    ),
    click.option(
        "--languages", multiple=True, help="Language codes of each --parallel file, pivot first: en,es."
    ),
    click.option(
        "--method",
        type=click.Choice(["bilingual", "pivot"]),
        default="pivot",
        help="Train all languages jointly (bilingual) or from the pivot (pivot).",
    ),
    click.option("--monolingual", multiple=True, help="With --parallel: more texts in the pivot language."),
)
_settings_options = option_group(
    "settings",
    lambda seed, threads, **rest: TrainingSettings(random_state=seed, n_threads=threads, **rest),
    click.option(
        "--preset",
        type=click.Choice(PRESETS),
        default="auto",
        help="Settings from the data (auto) or from the paper; other options override.",
    ),
    click.option("--components", "n_components", type=AutoOrNumber(int), help="Vector dimension, or auto."),
    click.option(
        "--missing-weight",
        type=AutoOrNumber(float),
        help="Weight of words a text does not contain, 0 to 1, or auto.",
    ),
    click.option(
        "--regularization", type=AutoOrNumber(float), help="L2 regularization (lambda), at least 0, or auto."
    ),
    click.option("--text-regularization", type=float, help="Regularization when encoding new texts."),
    click.option("--sweeps", "n_iter", type=AutoOrNumber(int), help="Number of training sweeps, or auto."),
    click.option(
        "--tolerance",
        "tol",
        default=0.0,
        help="Stop when a sweep lowers the loss by less than this fraction.",
    ),
    click.option("--min-df", type=AutoOrNumber(int), help="Drop words found in fewer texts."),
    click.option("--max-words", "max_features", type=int, help="Keep only the N most frequent words."),
    click.option("--log-tf", is_flag=True, help="Use 1 + log(tf) instead of counts."),
    seed_option,
    threads_option,
)
_tuning_options = option_group(
    "tuning",
    TuningOptions,
    click.option("--budget", default="60s", help="Time for --tune, such as 60s or 5m."),
    click.option(
        "--judged", "judged_pairs", help="With --tune: optimize on a TSV file of score, text, text."
    ),
    click.option("--labels", "label_column", help="With --tune: optimize on this column of class labels."),
)
_engine_options = option_group(
    "engine",
    EngineOptions,
    click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default="auto",
        help="Train in memory, out of core on this machine, or on a Dask cluster.",
    ),
    click.option("--scheduler", help="Dask scheduler, tcp://HOST:8786 (default: local workers)."),
    click.option("--memory", help="Memory limit for disk or dask, such as 2GB."),
    click.option(
        "--checkpoint", "work_dir", help="Work folder, to resume a stopped run (default: OUT.work)."
    ),
)


@click.command(short_help="Learn a model from texts and write it to a folder.")
@click.argument("out")
@click.argument("inputs", metavar="[INPUT]...", nargs=-1)
@corpus_option
@_parallel_options
@table_options
@click.option("--language", default="auto", help="Language code for the stemmer, auto to detect it, or none.")
@_settings_options
@click.option("--background", help="More training data: wordnet, a text file or a model folder.")
@click.option("--tune", is_flag=True, help="Search for the best settings before training.")
@_tuning_options
@_engine_options
@json_option
@handle_errors
def train(
    out: str,
    inputs: tuple[str, ...],
    corpus: tuple[str, ...],
    parallel: dict[str, Any],
    column: str | None,
    reading: ReadOptions,
    language: str,
    settings: TrainingSettings,
    background: str | None,
    tune: bool,
    tuning: TuningOptions,
    engine: EngineOptions,
    as_json: bool,
) -> None:
    """Train a model on texts and save it in the folder OUT; if training fails, nothing is written.

    INPUT is lines of text, or a table with --column (.gz too), or a pattern of files; - is standard input.
    With --parallel and --languages, a model of several languages is trained on texts and their translations.
    """
    from tacit.errors import InputError
    from tacit.storage import check_target
    from tacit.workflows import RecordOptions, RecordSource, learn

    check_target(out)
    if parallel["parallel"] or parallel["languages"] or parallel["monolingual"]:
        if inputs or corpus:
            raise InputError("with --parallel, more texts of the first language go in --monolingual FILE")
        if background or engine.engine in ("disk", "dask"):
            option = "--background" if background else f"--engine {engine.engine}"
            raise InputError(f"{option} cannot be combined with --parallel: leave it out")
        learned = _learn_parallel(settings=settings, reading=reading, **parallel)
        learned.save(out)
        print_report(learned, as_json)
        return
    if not inputs and not corpus:
        raise InputError("nothing to learn from: name files, - for standard input, or --corpus wordnet")
    source = RecordSource(inputs, corpus, RecordOptions(column, format=reading))
    is_tuned = tune or tuning.judged_pairs is not None or tuning.label_column is not None
    learned = _with_bar(
        lambda bar: learn(
            source,
            language=None if language.lower() == "none" else language,
            background=background,
            engine=replace(engine, default_work_dir=f"{out.rstrip('/')}.work"),
            settings=settings,
            tuning=tuning if is_tuned else None,
            progress=bar,
        )
    )
    if not as_json:
        _print_trials(learned)
    learned.save(out)
    print_report(learned, as_json)


def _learn_parallel(
    parallel: tuple[str, ...],
    languages: tuple[str, ...],
    method: str,
    monolingual: tuple[str, ...],
    settings: TrainingSettings,
    reading: ReadOptions,
) -> Learned:
    """Train a model of several languages; notes on swapped languages are printed before."""
    from tacit.workflows import (
        RecordOptions,
        RecordSource,
        learn_parallel,
        parse_language_pairs,
        read_parallel,
    )

    codes = parse_language_pairs(languages, len(parallel))
    texts = RecordSource(monolingual, options=RecordOptions(format=reading)).texts()

    def run(bar: ProgressBar) -> Learned:
        pairs = []
        for files, pair in zip(parallel, codes, strict=True):
            sentences, notes = read_parallel(files, pair, reading, bar)
            pairs.append(sentences)
            for note in notes:
                print_stderr(f"warning: {note}")
        return learn_parallel(pairs, codes, method, monolingual=texts, settings=settings, progress=bar)

    return _with_bar(run)


def _with_bar(run: Callable[[ProgressBar], Learned]) -> Learned:
    """Train under a progress bar; Ctrl-C is reported with how far the training came."""
    with log_to_stderr("tacit.workflows", logging.INFO), ProgressBar(lines=True) as bar:
        try:
            return run(bar)
        except KeyboardInterrupt as stop:
            raise KeyboardInterrupt(str(stop) or _describe_stop(bar.last)) from None


def _describe_stop(event: ProgressEvent | None) -> str:
    """Say how far a stopped training came.

    >>> from tacit.workflows import ProgressEvent
    >>> _describe_stop(ProgressEvent("sweeps", 3, 15))
    'stopped after 3 of 15 sweeps; nothing was written'
    >>> _describe_stop(ProgressEvent("reading", 2000))
    'stopped during reading; nothing was written'
    """
    if event is None:
        return "stopped; nothing was written"
    if event.stage == "sweeps":
        return f"stopped after {event.done:,} of {event.total:,} sweeps; nothing was written"
    return f"stopped during {event.stage}; nothing was written"


def print_report(learned: Learned, as_json: bool) -> None:
    """Print what was learned and saved: settings, self-check, suggestions; notes on stderr."""
    report, out = learned.to_dict(), learned.folder
    if as_json:
        print_json(report)
    elif "languages" in report:
        parts = [
            f"{code} {counts['words']:,} words from {counts['texts']:,} texts"
            for code, counts in report["languages"].items()
        ]
        click.echo(f"{out}: {', '.join(parts)}, {learned.seconds:.1f} s")
    else:
        click.echo(
            f"{out}: {report['words']:,} words from {report['texts']:,} texts, {report['sweeps']} sweeps, "
            f"loss {report['loss'][-1]:,.0f}, {learned.seconds:.1f} s {_ENGINE_TEXT[learned.engine]}"
        )
        lines = [] if learned.language_note in learned.notes else [learned.language_note]
        lines += [_format_settings(report), str(learned.self_check or ""), *learned.suggestions]
        for line in filter(None, lines):
            click.echo(f"    {line}")
    for note in learned.notes:
        print_stderr(note)


def _format_settings(report: dict[str, Any]) -> str:
    parts = [
        f"{_SETTING_TEXT.get(name, name)} {value:.3g}{'' if name in report['auto'] else ' as given'}"
        for name, value in report["settings"].items()
        if name != "n_iter"
    ]
    background = report["background"]
    if background:
        share = 1 - background["share"]
        parts.append(f"background of {background['words']:,} words, {share:.0%} of a comparison")
    return ", ".join(parts)


def _print_trials(learned: Learned) -> None:
    """Print what tuning tried, the best of each round first."""
    if learned.trials:
        header = "tried, times what the data suggest:  texts  missing  regularization   score"
        click.echo(header, err=True)
    for trial in sorted(learned.trials, key=lambda trial: (trial.n_texts, -trial.score)):
        numbers = f"{trial.n_texts:>6,} {trial.missing:>8g} {trial.strength:>15g} {trial.score:>7.3f}"
        click.echo(f"{'':36}{numbers}", err=True)
