"""Options shared by several commands."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.checks import parse_bytes
from tacit.cli.output import ProgressBar
from tacit.corpora.table_rows import ReadOptions
from tacit.errors import InputError
from tacit.workflows.records import RecordOptions, RecordSource

if TYPE_CHECKING:
    from tacit.models.text_model import TextModel
    from tacit.search.index import Index

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]
POSITIVE_INT, NON_NEGATIVE_INT = click.IntRange(min=1), click.IntRange(min=0)

model_argument = click.argument("model")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
top_option = click.option("-k", "--top", "k", type=POSITIVE_INT, default=10, help="Number of results.")
threads_option = click.option(
    "--threads", "n_threads", type=POSITIVE_INT, help="Number of threads (default: all cores)."
)
seed_option = click.option("--seed", "random_state", type=NON_NEGATIVE_INT, default=0, help="Random seed.")
language_option = click.option(
    "--language", help="Language code, for multilingual models (default: detected)."
)
languages_option = click.option(
    "--language", help="Language codes of A and B, for multilingual models: en,es (default: detected)."
)


encoder_option = click.option(
    "--encoder",
    metavar="FOLDER",
    help="Folder of a static embedding model, or text file of word vectors, to use in scores.",
)
outside_option = click.option(
    "--outside-vectors",
    metavar="FILE",
    help="Vectors of another model: .npy, .safetensors, .parquet[:COLUMN], or :COLUMN of the texts.",
)


def check_table(context: click.Context, option: click.Parameter, value: str | None) -> Any:
    """Check the file of --output before work starts."""
    from tacit.workflows.table_writing import check_table_path

    return None if value is None else check_table_path(value)


table_output_option = click.option(
    "-o", "--output", metavar="FILE", callback=check_table,
    help="Write a table: .csv, .tsv, .jsonl, .parquet or .xlsx.",
)  # fmt: skip


class NumberOrWord(click.ParamType[Any]):
    """A number, or one of a few words such as auto."""

    def __init__(self, number_type: click.ParamType[Any], *words: str) -> None:
        """Take the type of the number and the words."""
        self.number_type, self.words, self.name = number_type, words, "|".join([*words, "number"])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or the word."""
        return value if value in self.words else self.number_type.convert(value, param, ctx)


AUTO_INT, AUTO_FLOAT = NumberOrWord(click.INT, "auto"), NumberOrWord(click.FLOAT, "auto")


def choice_option(flag: str, choices: Iterable[str], help_text: str, default: str | None = None) -> Decorator:
    """An option that takes one of a few words."""
    return click.option(flag, type=click.Choice(list(choices)), default=default, help=help_text)


def measure_option(*others: str, default: str | None = None) -> Decorator:
    """The option --measure, for the registered measures and others that a command has."""
    from tacit.models.measures import DEFAULT_MEASURE, measure_names

    names = ", ".join([*others, *measure_names()])
    return click.option("--measure", default=default or DEFAULT_MEASURE, help=f"Measure: {names}.")


def option_group(parameter: str, factory: Callable[..., Any], *options: Decorator) -> Decorator:
    """Pass several options to a command as one parameter.

    Parameters
    ----------
    parameter : str
        The parameter of the command.
    factory : callable
        Creates its value, such as a dataclass; its parameters have the names of the options.
    *options : callable
        Decorators that `click.option` returns.

    Examples
    --------
    >>> @click.command()
    ... @option_group("limits", dict, click.option("--texts", default=9), click.option("--rows", default=1))
    ... def show(limits):
    ...     print(limits["texts"], limits["rows"])
    >>> show(["--texts", "3"], standalone_mode=False)
    3 1
    """

    def decorate(function: Command) -> Command:
        @functools.wraps(function)
        def run(**values: Any) -> Any:
            group = {name: values.pop(name) for name in names}
            return function(**{parameter: factory(**group)}, **values)

        n_before = len(getattr(run, "__click_params__", ()))
        for option in reversed(options):
            option(run)
        names = [option.name for option in run.__click_params__[n_before:]]  # type: ignore[attr-defined]
        return run

    return decorate


def _parse_size(context: click.Context, option: click.Parameter, value: str) -> int:
    """Convert a size such as 4GB to bytes."""
    return parse_bytes(value, "--max-unpacked")


_READING_OPTIONS = (
    click.option("--delimiter", help="Cell delimiter, or tab (default: detected)."),
    click.option("--encoding", help="File encoding (default: UTF-8, or the file's BOM)."),
    click.option("--header/--no-header", default=None, help="First row of a table holds column names."),
    click.option("--html", is_flag=True, help="Strip HTML tags from the texts."),
    click.option(
        "--max-unpacked",
        metavar="SIZE",
        default="2GB",
        callback=_parse_size,
        help="Maximum unpacked size of an Excel workbook.",
    ),
)
reading_options = option_group("reading", ReadOptions, *_READING_OPTIONS)


def source_options(
    metavar: str, *, required: bool = False, corpora: bool = False, ids: str = ""
) -> Decorator:
    """The argument of input files and the options that say how they are read, as one `RecordSource`.

    ``ids`` is the help of the option --id-column, which is left out without it.
    """
    options = [click.argument("files", metavar=metavar, nargs=-1, required=required)]
    corpus = click.option("--corpus", metavar="NAME[:FOLDER]", multiple=True, help="Named corpus: wordnet.")
    options += [corpus] if corpora else []
    options += [click.option("--column", help="Text column of a table: its name, or its number from 1.")]
    options += [click.option("--id-column", help=ids)] if ids else []
    return option_group("source", _create_source, *options, *_READING_OPTIONS)


def _create_source(
    files: tuple[str, ...], column: str | None, corpus: tuple[str, ...] = (), id_column: str | None = None,
    **reading: Any,
) -> RecordSource:  # fmt: skip
    return RecordSource(files, corpus, RecordOptions(column, id_column, format=ReadOptions(**reading)))


def create_source(
    path: str | None, columns: tuple[str, ...], id_column: str | None, reading: ReadOptions
) -> RecordSource | None:
    """Return the source of a table with one or several text columns; None without a path."""
    options = RecordOptions(columns or None, id_column, format=reading)
    return None if path is None else RecordSource((path,), options=options)


@dataclass(frozen=True)
class Collection:
    """An index, a model or a file of texts, and how the file is read."""

    path: str
    options: RecordOptions
    use_cache: bool

    @property
    def folder(self) -> Path | None:
        """The folder of the index, which is in the cache for a file; None for a file that is not cached."""
        from tacit.workflows.file_index import cached_index_folder

        if not os.path.isfile(self.path):
            return Path(self.path)
        return cached_index_folder(Path(self.path), self.options) if self.use_cache else None

    def open_index(self, n_threads: int | None = None, trusted: bool = False) -> Index:
        """Load the index, or build one of the file."""
        from tacit.workflows.file_index import open_index

        return self._open(open_index, n_threads=n_threads, trusted=trusted)

    def open_model(self, n_threads: int | None = None) -> TextModel:
        """Load the model, or train one on the file."""
        from tacit.workflows.file_index import open_model

        return self._open(open_model, n_threads=n_threads)

    def _open(self, open_path: Callable[..., Any], **settings: Any) -> Any:
        with ProgressBar() as bar:
            return open_path(self.path, self.options, use_cache=self.use_cache, progress=bar, **settings)


def collection_options(parameter: str) -> Decorator:
    """The argument INDEX or MODEL, which may be a file of texts, with its options, as one `Collection`."""

    def create(column: str | None, id_column: str | None, no_cache: bool, **rest: Any) -> Collection:
        path = rest.pop(parameter)
        return Collection(path, RecordOptions(column, id_column, format=ReadOptions(**rest)), not no_cache)

    metavar = f"{parameter.upper()}|FILE"
    return option_group(
        parameter, create,
        click.argument(parameter, metavar=metavar),
        click.option("--column", help="Text column of FILE: its name, or its number (default: detected)."),
        click.option("--id-column", help="Column of FILE with ids (default: detected, or numbers from 1)."),
        click.option("--no-cache", is_flag=True, help="Build the index of FILE again and do not keep it."),
        *_READING_OPTIONS,
    )  # fmt: skip


def _check_limits(**limits: float | None) -> dict[str, Any]:
    """Check the limits of a decision before work starts."""
    from tacit.workflows.linking import check_options

    check_options(**limits)
    return limits


decision_options = option_group(
    "limits", _check_limits,
    click.option("--threshold", type=float, help="Lowest score to accept."),
    click.option("--precision", type=float, help="Precision to reach, 0 to 1."),
    click.option("--recall", type=float, help="Recall to reach, 0 to 1; needs judgements."),
)  # fmt: skip
work_option = click.option("--work", metavar="FOLDER", help="Folder for lists, candidates and judgements.")
show_cut_option = click.option("--show-cut", is_flag=True, help="Show pairs around several thresholds.")


def stemmer_option(default: str, help_text: str) -> Decorator:
    """The option --language of a training; "none" becomes None."""

    def parse(context: click.Context, option: click.Parameter, value: str) -> str | None:
        return None if value.lower() == "none" else value

    return click.option("--language", default=default, callback=parse, help=help_text)


def parse_language_pair(model: TextModel, language: str | None) -> tuple[str | None, str | None]:
    """Return the languages of texts A and B from one code for both, or two codes separated by a comma."""
    if language is None:
        return None, None
    codes = language.split(",")
    if len(codes) > 2:
        raise InputError(f"--language {language}: give one code for both texts, or two as en,es")
    for code in codes:
        model.language_id(code)
    return codes[0], codes[-1]
