"""tacit train: train a model on texts and save it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_result, print_stderr
from tacit.errors import InputError
from tacit.workflows import RecordSource
from tacit.workflows.training_settings import ENGINES, PRESETS, EngineOptions, TrainingSettings, TuningOptions

if TYPE_CHECKING:
    from tacit.workflows import Learned

_ENGINE_TEXT = {"memory": "in memory", "disk": "on disk", "dask": "on Dask"}
_SETTING_TEXT = {"n_components": "components", "missing_weight": "missing weight"}


def _create_tuning(tune: bool, **options: Any) -> TuningOptions | None:
    tuning = TuningOptions(**options)
    return tuning if tune or tuning.judged_pairs or tuning.label_column else None


# fmt: off
_parallel_options = shared.option_group(
    "parallel", dict,
    click.option("--parallel", "pairs", multiple=True,
                 help="Translation pairs: FILE.tsv, FILE.tmx, or FILE.en,FILE.es."),
    click.option("--languages", multiple=True,
                 help="Language codes of each --parallel file, pivot first: en,es."),
    shared.choice_option("--method", ["bilingual", "pivot"], default="pivot",
                         help_text="Train all languages jointly (bilingual) or from the pivot (pivot)."),
    click.option("--monolingual", multiple=True, help="With --parallel: more texts in the pivot language."),
)
_settings_options = shared.option_group(
    "settings", TrainingSettings,
    shared.choice_option(
        "--preset", PRESETS, "Settings from the data (auto) or from the paper; other options override them.",
        default="auto"),
    click.option("--components", "n_components", type=shared.AUTO_INT, help="Vector dimension, or auto."),
    click.option("--missing-weight", type=shared.AUTO_FLOAT,
                 help="Weight of words a text does not contain, 0 to 1, or auto."),
    click.option("--regularization", type=shared.AUTO_FLOAT,
                 help="L2 regularization (lambda), at least 0, or auto."),
    click.option("--text-regularization", type=float, help="Regularization when encoding new texts."),
    click.option("--sweeps", "n_iter", type=shared.AUTO_INT, help="Number of training sweeps, or auto."),
    click.option("--tolerance", "tol", default=0.0,
                 help="Stop when a sweep lowers the loss by less than this fraction."),
    click.option("--min-df", type=shared.AUTO_INT, help="Drop words found in fewer texts than this."),
    click.option("--max-words", "max_features", type=int, help="Keep only the N most frequent words."),
    click.option("--log-tf", is_flag=True, help="Use 1 + log(tf) instead of counts."),
    shared.seed_option, shared.threads_option,
)
_tuning_options = shared.option_group(
    "tuning", _create_tuning,
    click.option("--tune", is_flag=True, help="Search for the best settings before training."),
    click.option("--budget", default="60s", help="Time for --tune, such as 60s or 5m."),
    click.option("--judged", "judged_pairs",
                 help="With --tune: optimize on a TSV file of score, text, text."),
    click.option("--labels", "label_column", help="With --tune: optimize on this column of class labels."),
)
_engine_options = shared.option_group(
    "engine", EngineOptions,
    shared.choice_option("--engine", ENGINES, default="auto",
                         help_text="Train in memory, out of core on this machine, or on a Dask cluster."),
    click.option("--scheduler", help="Dask scheduler, tcp://HOST:8786 (default: local workers)."),
    click.option("--memory", help="Memory limit for disk or dask, such as 2GB."),
    click.option("--checkpoint", "work_dir",
                 help="Work folder, to resume a stopped run (default: OUT.work)."),
)
# fmt: on


@click.command(short_help="Train a model on texts and save it.")
@click.argument("out")
@shared.source_options("[INPUT]...", corpora=True)
@_parallel_options
@shared.stemmer_option("auto", "Language code for the stemmer, auto to detect it, or none.")
@_settings_options
@click.option(
    "--background", help="More training data: wordnet, wordnet:FOLDER, a text file or a model folder."
)
@shared.encoder_option
@_tuning_options
@_engine_options
@shared.json_option
def train(out: str, source: RecordSource, parallel: dict[str, Any], as_json: bool, **options: Any) -> None:
    """Train a model on texts and save it in the folder OUT; if training fails, nothing is written.

    INPUT is a file with one text per line, a table with --column (.gz too), or a pattern of such files; - is
    standard input.
    With --parallel and --languages, a model of several languages is trained on texts and their translations.
    """
    from tacit.storage import check_target
    from tacit.workflows import learn, learn_parallel

    check_target(out)
    is_parallel = parallel["pairs"] or parallel["languages"] or parallel["monolingual"]
    if is_parallel and (source.files or source.corpora):
        raise InputError("with --parallel, give more texts of the first language with --monolingual FILE")
    engine, background = options.pop("engine"), options["background"]
    encoder = options.pop("encoder")
    if is_parallel and (background or encoder or engine.engine in ("disk", "dask")):
        option = "--background" if background else "--encoder" if encoder else f"--engine {engine.engine}"
        raise InputError(f"{option} cannot be combined with --parallel: leave it out")
    if not is_parallel and not source.files and not source.corpora:
        raise InputError("nothing to learn from: name files, - for standard input, or --corpus wordnet")
    with ProgressBar(writes_at_end=True) as bar:
        if is_parallel:
            parallel["monolingual"] = replace(source, files=parallel["monolingual"])
            parallel |= {"settings": options["settings"], "reading": source.options.format}
            learned = learn_parallel(**parallel, progress=bar)
        else:
            engine = replace(engine, default_work_dir=f"{out.rstrip('/')}.work")
            learned = learn(source, engine=engine, encoder=encoder, progress=bar, **options)
    if not as_json:
        _print_trials(learned)
    learned.save(out)
    print_report(learned, as_json)


def print_report(learned: Learned, as_json: bool) -> None:
    """Print what was learned and saved: settings, self-check, suggestions; notes on stderr."""
    report, out = learned.to_dict(), learned.folder
    if "languages" in report:
        parts = [f"{code} {_format_counts(counts)}" for code, counts in report["languages"].items()]
        lines = [f"{out}: {', '.join(parts)}, {learned.seconds:.1f} s"]
    else:
        sweeps = f"{format_count(report['sweeps'], 'sweep')}, loss {report['loss'][-1]:,.0f}"
        seconds = f"{learned.seconds:.1f} s {_ENGINE_TEXT[learned.engine]}"
        details = [] if learned.language_note in learned.notes else [learned.language_note]
        details += [_format_settings(report), str(learned.self_check or ""), *learned.suggestions]
        lines = [f"{out}: {_format_counts(report)}, {sweeps}, {seconds}"]
        lines += [f"    {detail}" for detail in details if detail]
    print_result(report, lines, as_json)
    for note in learned.notes:
        print_stderr(note)


def _format_counts(counts: dict[str, int]) -> str:
    """Format the numbers of words and of texts."""
    return f"{format_count(counts['words'], 'word')} from {format_count(counts['texts'], 'text')}"


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
        click.echo("factors tried on suggested values:   texts  missing  regularization   score", err=True)
    for trial in sorted(learned.trials, key=lambda trial: (trial.n_texts, -trial.score)):
        factors = f"{trial.missing_weight_factor:>8g} {trial.regularization_factor:>15g}"
        click.echo(f"{'':36}{trial.n_texts:>6,} {factors} {trial.score:>7.3f}", err=True)
