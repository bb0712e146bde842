"""Earlier names, for the commands that still use them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from tacit.cli import output, shared_options
from tacit.cli.error_handling import handle_errors
from tacit.cli.output import print_json
from tacit.cli.shared_options import (
    index_argument,
    json_option,
    language_option,
    measure_option,
    model_argument,
    threads_option,
    top_option,
)
from tacit.workflows.loading import load

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from tacit.models.text_model import TextModel
    from tacit.search.index import Index

__all__ = [
    "AutoOr",
    "at_least_one",
    "complain",
    "counted",
    "counted_as",
    "fixed",
    "hush",
    "index_argument",
    "json_option",
    "language_option",
    "load_index",
    "load_model",
    "measure_option",
    "model_argument",
    "no_known_word",
    "print_json",
    "progress",
    "shown_progress",
    "threads_option",
    "top_option",
    "verb",
    "writable_file",
    "write_whole",
]

verb = handle_errors
AutoOr = shared_options.AutoOrNumber
at_least_one = shared_options.POSITIVE_INT
complain = output.print_stderr
counted_as = output.format_count
fixed = output.format_fixed
writable_file = output.check_output_file
Text = TypeVar("Text")


def load_model(folder: str, threads: int | None = None) -> TextModel:
    """Load a text model, or that of an index."""
    model: TextModel = load(folder, "model", threads)
    return model


def load_index(folder: str, threads: int | None = None, trusted: bool = False) -> Index:
    """Load an index."""
    index: Index = load(folder, "index", threads, trusted=trusted)
    return index


def hush() -> None:
    """Do nothing: the entry point silences the logs."""


def no_known_word(texts: Iterable[str], so: str) -> None:
    """Warn about texts without a known word."""
    output.warn_unknown_texts(texts, so)


def write_whole(target: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Write a file atomically."""
    from tacit.storage.files import write_atomic

    write_atomic(target, write)


@contextmanager
def progress(*columns: str) -> Iterator[Progress]:
    """A progress bar on stderr; silent when that is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    parts = [TextColumn("{task.description}"), BarColumn(), *(TextColumn(column) for column in columns)]
    with Progress(
        *parts, TimeElapsedColumn(), TimeRemainingColumn(), console=console, disable=not console.file.isatty()
    ) as bar:
        yield bar


@contextmanager
def shown_progress(name: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for work that tells what is done and what there is to do."""
    with progress("{task.completed:,}/{task.total:,}") as bar:
        task = bar.add_task(name, total=1)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def counted(texts: Iterable[Text], bar: Progress, task: TaskID) -> Iterator[Text]:
    """Pass texts on and show how many have been read."""
    number = 0
    for text in texts:
        yield text
        number += 1
        if number % 1000 == 0:
            bar.update(task, completed=number, note=f"{number:,} texts")
    bar.update(task, completed=number, total=number or 1, note=f"{number:,} texts")
